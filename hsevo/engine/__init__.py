"""The compiled engine: it knows the tables' types and meanings, and not a single card's name."""
