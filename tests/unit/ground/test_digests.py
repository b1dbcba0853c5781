"""What sources mean: wording, layout, types and places go, every rule stays."""

import hashlib

import pytest

from hsevo.digests import digest, meaning

PLAIN = '''
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import re
LIMIT: int = 7
@mark(I8(I8), inline=True, says="rule it")
def rule(x: int, *rest: int, y: "str" = "u") -> int:
    """Say one thing."""
    total: int
    total = x + LIMIT  # as printed
    if total > 1_000:
        raise ValueError(f"{x} is wrong") from None
    assert total, "none"
    return total
class Card:
    """A card."""
    name: str
    cost: int = 1
'''
SAME = {
    "a docstring": ("Say one thing.", "Say another."),
    "no docstring": ('    """A card."""\n', ""),
    "a comment": ("# as printed", "# as the rulebook has it"),
    "layout": ("    total = x + LIMIT ", "\n    total = (x\n        + LIMIT)"),
    "how a number is written": ("1_000", "1000"),
    "quotes": ('"u"', "u'u'"),
    "an annotation": ("rule(x: int,", "rule(x: float,"),
    "no annotation": ("LIMIT: int = 7", "LIMIT = 7"),
    "a declaration": ("    total: int\n", ""),
    "a result's type": (" -> int", ""),
    "what an error says": ("{x} is wrong", "wrong is {x}"),
    "what an assertion says": (', "none"', ""),
    "what a card's text says": ('says="rule it"', 'says="rule that"'),
    "no wording": (', says="rule it"', ""),
    "imports for types": ("    import re", "    import os"),
}
OTHER = {
    "a constant": ("LIMIT: int = 7", "LIMIT: int = 8"),
    "its kind": ("LIMIT: int = 7", "LIMIT: int = 7.0"),
    "true for one": ("cost: int = 1", "cost: int = True"),
    "an operator": ("x + LIMIT", "x - LIMIT"),
    "a comparison": ("total > 1", "total >= 1"),
    "a name": ("total = x + LIMIT", "total = x + x"),
    "a default": ('"str" = "u"', '"str" = "v"'),
    "a decorator": ("inline=True", "inline=False"),
    "an order": ("name: str\n    cost: int = 1", "cost: int = 1\n    name: str"),
    "a field": ("    name: str\n", ""),
    "a field's type": ("name: str", "name: bytes"),
    "an error's class": ("ValueError(", "TypeError("),
    "nothing for a value": ("return total", "return"),
    "None for a value": ("return total", "return None"),
    "a starred argument": ("*rest: int, ", "*, "),
}


@pytest.mark.parametrize("change", SAME)
def test_wording_means_nothing(change: str) -> None:
    old, new = SAME[change]
    assert old in PLAIN
    assert meaning(PLAIN.replace(old, new)) == meaning(PLAIN)


@pytest.mark.parametrize("change", OTHER)
def test_a_rule_means_something(change: str) -> None:
    old, new = OTHER[change]
    assert old in PLAIN
    assert meaning(PLAIN.replace(old, new)) != meaning(PLAIN)


def test_meanings_are_told_apart_by_kind() -> None:
    texts = ["x = None", "x = 'None'", "x = ...", "x = b'a'", "x = 'a'", "x = 0", "x = False",
             "x = []", "x = ()", "x = {**a}", "x = {None: a}", "x = -1", "x = 1j", "x[:]",
             "x[None:]", "def f(a, /): pass", "def f(a): pass", "def f(*, a): pass", "del x",
             "x = yield", "x: int", "pass", "return", "f'{x}'", "f'{x!r}'", "f'{x:>{y}}'"]
    seen = [meaning(text) for text in texts if text != "x: int"]
    assert len(set(seen)) == len(seen)


def test_a_digest_is_the_same_on_every_python() -> None:
    """Recorded on Python 3.11.7, 3.12.1, 3.13.0 and 3.14.10."""
    more = ("match x:\n  case {'a': [1, *_], **rest} if rest: f'{x!r:>{y}}' + 'é\\u0378'\n"
            "  case None | 1.5: x = lambda *a, k=1, **b: {**a, 1: 2}\n"
            "try:\n  with a as b, c: del b[1:, ...]\nexcept* E as e: pass\nfinally: global z\n"
            "async def f():\n  return [y async for y in z if (n := y)], -1, not a < b <= c\n")
    text = meaning(PLAIN) + meaning(more)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "7d87a736f1bdbc09"


def test_empty_text_of_nested_formats_is_nothing() -> None:
    """Python 3.12.1 sees an empty text behind the inner braces."""
    assert "value=''" not in meaning("f'{x:{y}}'")

MODULES = {
    "hsevo.a": '''
import math
import numpy as np
from hsevo.b import hit, twice
from hsevo.far import away
LIMIT = 7
def rule(x):
    deaths = np.sqrt(x) + away(x)
    return hit(deaths) + LIMIT
def other(x):
    return twice(x) if x else rule(math.floor(x))
''',
    "hsevo.b": '''
from hsevo import c
NAMES = []
NAMES.append("one")
NAMES.append("two")
def hit(x): return c.less(x)
def twice(x): return helper(x)
def helper(x): return 2 * x
''',
    "hsevo.c": '''
def less(x): return helper(x)
def helper(x): return x - 1
''',
}
PACKAGE = {"hsevo", "hsevo.far", "hsevo.near", *MODULES}


def changed(*changes: tuple[str, str, str]) -> str:
    """Return the digest of MODULES with some text of theirs replaced."""
    texts = dict(MODULES)
    for name, old, new in changes:
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    return digest(texts, PACKAGE)


def moved(old: str, new: str) -> str:
    """Return the digest of MODULES after a module has got another name."""
    def renamed(text: str) -> str:
        return text.replace("from hsevo import c", "import hsevo.c as c").replace(old, new)

    texts = {renamed(name): renamed(text) for name, text in MODULES.items()}
    return digest(texts, {*map(renamed, PACKAGE)})


SAME_PLACES = {
    "a definition earlier": [("hsevo.a", "LIMIT = 7\n", ""),
                             ("hsevo.a", "def other", "LIMIT = 7\ndef other")],
    "another name for an import": [("hsevo.a", "numpy as np", "numpy"),
                                   ("hsevo.a", "np.sqrt", "numpy.sqrt")],
    "a name instead of its module": [("hsevo.a", "import math", "from math import floor"),
                                     ("hsevo.a", "math.floor", "floor")],
    "a module instead of a name": [("hsevo.a", "import hit, twice", "import twice"),
                                   ("hsevo.a", "import math", "import math\nfrom hsevo import b"),
                                   ("hsevo.a", "hit(deaths)", "b.hit(deaths)")],
    "an import that is not used": [("hsevo.a", "import math", "import re, math")],
    "an import that a local name hides": [
        ("hsevo.a", "import math", "import math\nfrom hsevo.b import deaths")],
    "an import within a function": [("hsevo.a", "import math\n", ""),
                                    ("hsevo.a", "other(x):\n", "other(x):\n    import math\n")],
    "a module that is not counted": [("hsevo.a", "hsevo.far", "hsevo.near")],
    "a function in another module": [("hsevo.a", "import hit, twice", "import twice"),
                                     ("hsevo.a", "LIMIT = 7",
                                      "def hit(x): return c.less(x)\nLIMIT = 7"),
                                     ("hsevo.a", "import math", "import math\nfrom hsevo import c"),
                                     ("hsevo.b", "def hit(x): return c.less(x)\n", "")],
    "imported by way of another module": [
        ("hsevo.a", "import math", "import math\nfrom hsevo.c import hit"),
        ("hsevo.a", "import hit, twice", "import twice"),
        ("hsevo.c", "def less", "from hsevo.b import hit\ndef less")],
    "what a star imports": [("hsevo.b", "NAMES = []", "NAMES = []\n__all__ = ['hit']")],
}
OTHER_PLACES = {
    "another function of the same name": [
        ("hsevo.b", "def twice(x)", "from hsevo.c import helper\ndef twice(x)"),
        ("hsevo.b", "def helper(x): return 2 * x", "def helpers(x): return 2 * x")],
    "helpers exchanged": [("hsevo.b", "2 * x", "y"), ("hsevo.c", "x - 1", "2 * x"),
                          ("hsevo.b", "return y", "return x - 1")],
    "another library's function": [("hsevo.a", "np.sqrt", "math.sqrt")],
    "another name of a module not counted": [("hsevo.a", "away", "afar")],
    "a local name that was a constant": [("hsevo.a", "    deaths =", "    LIMIT = 7; deaths =")],
    "the order of calls": [("hsevo.b", '"one"', '"0"'), ("hsevo.b", '"two"', '"one"'),
                           ("hsevo.b", '"0"', '"two"')],
    "a constant": [("hsevo.a", "LIMIT = 7", "LIMIT = 8")],
    "a function far below": [("hsevo.c", "x - 1", "x - 2")],
    "set twice": [("hsevo.a", "LIMIT = 7", "LIMIT = 8\nLIMIT = 7")],
}


@pytest.mark.parametrize("change", SAME_PLACES)
def test_a_place_means_nothing(change: str) -> None:
    assert changed(*SAME_PLACES[change]) == changed()


@pytest.mark.parametrize("change", OTHER_PLACES)
def test_what_a_name_means_is_told_apart(change: str) -> None:
    assert changed(*OTHER_PLACES[change]) != changed()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_may_have_another_name(module: str) -> None:
    assert moved(module, "hsevo.somewhere.else_") == changed()


def test_the_order_of_what_is_set_twice_counts() -> None:
    first, second = ({"hsevo.m": text} for text in ("X = 1\nX = 2\n", "X = 2\nX = 1\n"))
    assert digest(first, PACKAGE) != digest(second, PACKAGE)


def test_functions_may_call_each_other() -> None:
    odd = "def odd(n): return n and even(n - 1)\n"
    even = "def even(n): return not n or odd(n - 1)\n"
    apart = {"hsevo.m": odd + "from hsevo.n import even",
             "hsevo.n": even + "from hsevo.m import odd"}
    package = {*PACKAGE, *apart}
    assert digest(apart, package) == digest({"hsevo.m": even + odd}, package)
    assert digest(apart, package) != digest({"hsevo.m": even + odd.replace("1", "2")}, package)
