"""Store: one way to write a folder, so that what is committed survives a kill and is checked.

    folder      of an experiment: tables that grow, the commit, cutting back, resuming, the lock
    tables      what is in a table: text, types, checks, logs and docs follow from it
    kinds       which command a folder belongs to
    machine     what made it: the machine and the versions of libraries
    journal     one table that grows, with its sum next to it
    sums        SHA-256 of files

One file at a time is written by hsevo/files.py.
"""
