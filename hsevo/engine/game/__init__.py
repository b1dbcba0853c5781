"""A game from outside: its beginning, the legal moves, making a move."""
