"""Agents that search their own turn: depth first, or by random episodes."""
