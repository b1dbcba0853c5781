"""Analysis: what an agent's numbers are worth, and how it plays."""
