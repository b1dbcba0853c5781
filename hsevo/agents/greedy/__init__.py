"""Agents that look one action ahead and score the state after it."""
