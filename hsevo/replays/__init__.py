"""Replays: games played again, as text or as a page."""
