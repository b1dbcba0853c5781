"""Learned players: how they choose by their network, and the files of networks."""
