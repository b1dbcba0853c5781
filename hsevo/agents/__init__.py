"""Agents: what each weighs (`weights`) and how it chooses (one compiled module each)."""
