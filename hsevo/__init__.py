"""Evolve Hearthstone agents: a compiled engine, the EVA agent, and the CIG2018 experiment.

The floors of the package import one way only:
errors, config <- cards <- engine <- agents <- match <- tournament <- evolve <- cli.
"""

__version__ = "0.1.0"
