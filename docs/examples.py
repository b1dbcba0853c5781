"""Griffe extensions for the pages of the Python reference: examples, and inherited keywords."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>>.*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^Examples\n-+$", re.MULTILINE)


class Examples(griffe.Extension):
    """Fence each run of >>> lines with its output, where no section Examples has it."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring and not SECTION.search(obj.docstring.value):
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```",
                                              obj.docstring.value)


class Keywords(griffe.Extension):
    """Give typed dictionaries the keys of their bases.

    griffe's unpack_typeddict takes the keys out of a class that derives from TypedDict itself, so
    its subclasses lose them.
    """

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, griffe.Attribute]] = {}

    def on_class(self, *, cls: griffe.Class, **kwargs: Any) -> None:
        """Remember the keys of a class, and add those of its bases."""
        bases = [str(getattr(base, "canonical_path", base)) for base in cls.bases]
        known = {path: self.keys[path] for path in bases if path in self.keys}
        if not known and not any(path.endswith(".TypedDict") for path in bases):
            return
        for keys in known.values():
            for name, key in keys.items():
                if name not in cls.members:
                    cls.set_member(name, key)
        self.keys[cls.path] = {name: member for name, member in cls.members.items()
                               if isinstance(member, griffe.Attribute)}
