"""Evolve and train agents that play Hearthstone, and find out how strong they are.

    import hsevo

    run = hsevo.evolve("smoke", seed=1, progress=True)
    champion = run.champion()
    print(hsevo.match(champion, "eva:2018"))

Nothing is compiled at import: numba comes with the first game. Gymnasium, if it is there, knows
"hsevo/battle-v0" from now on.
"""

import lazy_loader

from hsevo.registration import register_when_imported

__version__ = "0.6.0.dev0"  # read by pyproject.toml, printed by `hsevo --version`

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

register_when_imported()
