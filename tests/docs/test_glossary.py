"""The page of words has what the commands say, in order."""

import re

from tests.docs import PAGES

ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$",
                  (PAGES / "reference" / "glossary.md").read_text(encoding="utf-8"), re.M)[1:]
# Of lines and tables that the commands print, and of pages.
SAID = ("sigma", "fitness", "faults", "race", "nash", "lead", "rating", "rate", "points", "nElo",
        "Elo", "LLR", "SPRT", "panel", "pair", "margin", "separable", "survivors", "champion",
        "ruleset", "execution", "generation", "individual", "kind", "match", "seed", "hall of fame")


def test_all_words_are_there_in_order() -> None:
    words = [word for word, _ in ROWS]
    assert words == sorted(words, key=str.casefold)
    known = {part.strip("() ") for word in words for part in re.split(r"[,(]", word)}
    assert [word for word in SAID if word not in known] == []


def test_a_meaning_is_a_line() -> None:
    assert [word for word, says in ROWS if not 15 < len(says) <= 160] == []


def test_elo_is_what_it_says() -> None:
    said = dict(ROWS)["Elo"]
    for elo in (100, 200):
        assert f"+{elo} means {100 / (1 + 10 ** (-elo / 400)):.0f}" in said
