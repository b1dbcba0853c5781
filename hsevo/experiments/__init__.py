"""Experiments: one life for every kind of them, and what shows, logs, plans and watches it.

    experiment    the protocol: what a kind declares, and the loop that takes its steps
    retold        those that are told again from their tables: resumed and verified by replaying
    watching      the state of a folder that another process may be writing
    progress      the live line of a long job, and how many steps fit into some minutes
    playing       the workers and the progress of one call
    loggers       copies of a folder for TensorBoard

Where it is kept: hsevo/store. A kind is a class in a package above: evolution, learning,
deckbuilding, coevolution.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
