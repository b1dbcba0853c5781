"""A game as it is shown: as numbers for learners, as plain data, as text."""
