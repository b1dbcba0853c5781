"""Replays: games played again, as text, as a page, as HSReplay XML."""
