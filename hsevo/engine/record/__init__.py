"""A game as one flat record of fixed size, and moves as integers."""
