"""`hsevo.Game` and `hsevo.Games`: one game move by move, and many at once."""
