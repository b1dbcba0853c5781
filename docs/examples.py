"""A griffe extension: the >>> examples of docstrings become code blocks, as Markdown wants them."""

import re

import griffe

EXAMPLE = re.compile(r"^>>>.*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Examples(griffe.Extension):
    """Fence every run of >>> lines with what they print."""

    def on_object(self, *, obj: griffe.Object, **kwargs: object) -> None:
        """Change the docstring of one object."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```",
                                              obj.docstring.value)
