"""Runs: the run folder, the only code that knows its files and columns."""
