"""The network of learned players: what it sees of a position, and what it gives for it."""
