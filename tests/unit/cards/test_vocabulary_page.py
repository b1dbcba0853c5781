"""Every word of the card files stands in hsevo/cards/README.md, the page of the vocabulary."""

import re
from types import ModuleType

from hsevo.cards import vocabulary
from tests.support import ROOT

# what the words are made with; card files do not use it
INSIDE = {"annotations", "ALWAYS", "COUNTED", "FIELDS", "THIS_TURN", "hidden", "whenever",
          "rows_of", "fixed",
          "value_of", "replace"}
WORDS = {
    name
    for name, value in vars(vocabulary).items()
    if re.fullmatch(r"[A-Z][A-Z0-9_]+|[a-z][a-z_]+", name) and not isinstance(value, ModuleType)
}


def test_each_word_is_on_the_page():
    page = (ROOT / "hsevo" / "cards" / "README.md").read_text(encoding="utf-8")
    assert WORDS - set(re.findall(r"\w+", page)) - INSIDE == set()
