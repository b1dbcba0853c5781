"""The name by which Gymnasium knows the battles: gymnasium.make("hsevo/battle-v0").

`import hsevo` registers it, and does not import Gymnasium for it, which takes a tenth of a second:
if Gymnasium is not imported yet, its own import does, whenever that comes. This is the first module
of hsevo in a process, so it notes when the import began (sources.are_imported).
"""

from __future__ import annotations

import sys
import time

TYPE_CHECKING = False  # importing `typing` would take half as long as all of `import hsevo`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

BEGAN = time.time()
ID = "hsevo/battle-v0"
LIBRARY = "gymnasium"


def register() -> None:
    """Register the battles with Gymnasium: one of them, and many at once."""
    from contextlib import suppress

    from gymnasium.envs import registration

    if ID not in registration.registry:
        with suppress(TypeError):  # of an old Gymnasium without vector entry points
            registration.register(ID, "hsevo:make_env", vector_entry_point="hsevo:make_vec",
                                  kwargs={"opponent": "random"})


def register_when_imported() -> None:
    """Register now if Gymnasium is imported, else once it is."""
    if sys.modules.get(LIBRARY):
        register()
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds Gymnasium as the other finders do, and registers after it has run."""

    def find_spec(self, name: str, path: Sequence[str] | None = None,
                  target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how to import Gymnasium; None for all else."""
        if name != LIBRARY:
            return None
        others = (finder.find_spec(name, path, target)
                  for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, others), None)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_register(module: ModuleType) -> None:
                run(module)
                register()
                sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]

            spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec
