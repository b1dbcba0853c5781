"""Store: one way to write a folder, so that what is committed survives a kill and is checked.

    sums       SHA-256 of files, and JSON files that hold them, with their own
    journal    one table that grows, with its sum beside it

The atoms, of one file each, are in hsevo/files.py.
"""
