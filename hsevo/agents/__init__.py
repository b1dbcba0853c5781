"""Agents, by family: `choose` has the move of each, `registry` has all kinds and their options."""
