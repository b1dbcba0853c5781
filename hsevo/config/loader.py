"""A safe subset of YAML: only plain values, limited in size and depth.

    text --read()--> dict, list, str, int, float, bool, None --to_yaml()--> text

Aliases, anchors, merge keys and tags are refused: ten lines with aliases can expand to gigabytes.
Numbers are written as usual: 10, -3, 1_000, 0x1f, 0.5, 1e-5. Unusual numbers and dates of YAML 1.1
are read as text: 010 (eight), 59:59 (3,599), 2018-02-30.
"""

import re
from collections import Counter
from typing import Any

import yaml

from hsevo.errors import quoted, unsafe

LARGEST = 2**21  # characters of a text; a tenth of this takes a second to read
DEEPEST = 20  # levels; a config has three
LONGEST = 40  # digits of a number

_INT = re.compile(r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F][0-9a-fA-F_]*)\Z")
_FLOAT = re.compile(r"""([-+]?([0-9][0-9_]*\.[0-9_]*([eE][-+]?[0-9]+)?
                              |\.[0-9][0-9_]*([eE][-+]?[0-9]+)?
                              |[0-9]+[eE][-+]?[0-9]+
                              |\.(inf|Inf|INF))
                        |\.(nan|NaN|NAN))\Z""", re.VERBOSE)


class _Loader(yaml.SafeLoader):
    """A loader that refuses YAML features that configs don't need."""

    depth = 0
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - filled by add_implicit_resolver

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise _refused("aliases and anchors (& and *) are not allowed; write it out", event)
        if event.tag is not None:
            raise _refused("tags (!) are not allowed; write a plain value", event)
        if self.depth >= DEEPEST:
            raise _refused(f"it is nested more than {DEEPEST} levels deep", event)
        if isinstance(event, yaml.ScalarEvent) and unsafe(event.value.replace("\n", "")):
            raise _refused("control characters are not allowed", event)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = Counter(str(key.value) for key, _ in node.value
                       if isinstance(key, yaml.ScalarNode))
        for key, times in keys.items():
            if times > 1:
                raise _refused(f"key {quoted(key)} is given twice", node)
        if "<<" in keys:
            raise _refused("merge keys (<<) are not allowed; write the keys out", node)
        return super().construct_mapping(node, deep)

    def number(self, node: yaml.ScalarNode) -> int | float:
        """Return a whole number; the regular expression has checked all but its length."""
        text = node.value
        if len(text) > LONGEST:
            raise _refused(f"a number of {len(text):,} digits is too long", node)
        return int(text.replace("_", ""), 16 if "x" in text else 10)


class _Dumper(yaml.SafeDumper):
    """A dumper that quotes text that this loader or standard YAML would read as a number."""


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.number)
for _tag, _pattern, _first in (
        ("int", _INT, "-+0123456789"), ("float", _FLOAT, "-+.0123456789"),
        ("bool", re.compile("(yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|"
                            "Off|OFF)\\Z"), "yYnNtTfFoO"),
        ("null", re.compile("(~|null|Null|NULL|)\\Z"), ["~", "n", "N", ""])):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, list(_first))
    _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, list(_first))


def read(text: str) -> Any:
    """Parse a YAML text. Raises ValueError; its message does not name the file."""
    if len(text) > LARGEST:
        raise ValueError(f"it has {len(text):,} characters, but at most {LARGEST:,} are allowed")
    try:
        return yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        where = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
        raise ValueError(f"{error.problem}{where}") from None
    except yaml.reader.ReaderError as error:
        raise ValueError(f"it has the control character U+{error.character:04X}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # "\UFFFFFFFF"
        raise ValueError(" ".join(str(error).split())) from None


def to_yaml(tree: Any) -> str:
    """Format plain values as YAML; `read` reads it back to equal values."""
    return yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True)


def _refused(what: str, place: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=what, problem_mark=place.start_mark)
