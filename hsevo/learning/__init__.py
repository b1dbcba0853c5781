"""Learning: players that begin with nothing and learn by playing."""
