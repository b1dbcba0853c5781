"""`python -m studies.measure`: the figures of docs/figures.yml, measured again by one command.

Each measurement has a recipe (recipes/): which commands it takes, and how its figures are read from
what these say. A command is done once by an engine, in a folder of that engine's (works.py), so
that a measuring that was stopped goes on where it was.
"""
