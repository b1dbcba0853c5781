"""Strength: how good an agent is, by games against others, with intervals."""
