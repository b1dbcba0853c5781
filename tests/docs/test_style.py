"""The prose of the docs keeps to plain English: ten habits and "you" are counted.

The docs of Stable-Baselines3 and PettingZoo meet all aims. A count is no goal in itself: if a page
fails, rewrite its sentences so that a stranger reads each of them once.
"""

import re
from pathlib import Path

import pytest

from tests.docs import PAGES, write_pages
from tests.support import ROOT

# Hits that a page may have per 1,000 words; a short page may have one.
HABITS = {
    "a clause with who or what as a noun": (0.6, (
        r"(?<![\w-])(?:[Ww]ho(?:ever)?|[Ww]hat(?:ever)?)\s+(?!do\b|does\b|did\b|are you\b|is the\b)"
        r"(?:\w+\s+){0,3}?(?:is|are|was|were|has|have|had|does|may|can|can't|wins|loses|plays|goes"
        r"|came|comes|wants|gave|raises|learned|knows|enters|follows|happened|shows)\b")),
    "those, that or one in place of a noun": (2.5, (
        r"\b(?:those|that)\s+(?:of|in|with|from|against|that|which|who|for|to|on|at|by|is|are|was)\b"
        r"|\b(?:[Oo]ne|ones)\s+(?:that|which|who|with|of|for|from|in|action|against)\b"
        r"|\bthe (?:one|ones|other one)\b|\bsuch (?:as|a|an|\w+s)\b")),
    "nobody, nothing, none, neither, nor": (
        1.0, r"\b(?:[Nn]obody|[Nn]othing|[Nn]one|[Nn]either|[Nn]o one|[Nn]or)\b"),
    "as or so many, much, long, few": (0.3, r"\b(?:as|so) (?:many|much|long|few)\b"),
    "a rare word": (0.1, (
        r"\b(?:anew|[Bb]eside|lest|whom|alike|dearest|dearer|mend(?:ed|s)?|thereof|for ?ever)\b")),
    "for in the place of because": (0.1, (
        r", for (?:it|they|that|the|in|there|at|a|such|nobody|this|with|what|these|its|few)\b")),
    "own without a possessor": (0.1, (
        r"\b(?:the|an|each|every) own (?:turn|side|hand|deck|board|hero|moves?|actions?)\b")),
    "not seen, shown, known or told": (0.3, (
        r"\b(?:not|n't) (?:\w+ )?(?:seen|shown|told|said)\b|\bcan't be told\b"
        r"|\bno (?:difference|gain) (?:is|was)\b")),
    "a verb before its subject": (0.1, (
        r"(?:(?<=\. )|(?<=\n)|(?<=^))(?:Printed|Logged|Significant|Bold|Beside|Below|So|Nor|Neither"
        r"|Only|Not) (?:\w+ )?(?:are|is|do|does|stands?|was|were)\b")),
    "a colon or semicolon inside a sentence": (5.0, r"[;:](?= [a-z])"),
}
YOU = 10  # at least, per 1,000 words of all pages together
TEXTS = [*sorted(PAGES.rglob("*.md")), ROOT / "README.md"]
HOW_TO = [*sorted((PAGES / "how-to").glob("*.md")), PAGES / "tutorial.md", PAGES / "quickstart.md"]


def prose(path: Path) -> str:
    """Return the sentences of a page: no code, tables, headings, directives or link targets."""
    text = write_pages.without_parts(path.read_text(encoding="utf-8"))
    text = re.sub(r"(?s)^---.*?---\n|^ *```.*?^ *```|<!--.*?-->", " ", text, flags=re.MULTILINE)
    text = re.sub(r"(?m)^\s*(?:\||#|!\[|:::|options:|\w+: (?:true|false)$).*$", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "X", text)


def addressed(paths: list[Path]) -> float:
    """Return how often pages say "you" or "your", per 1,000 words."""
    texts = [prose(path) for path in paths]
    words = sum(len(text.split()) for text in texts)
    return 1000 * sum(len(re.findall(r"\b[Yy]ours?\b|\b[Yy]ou\b", text)) for text in texts) / words


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_page_has_few_habits_that_readers_stumble_over(path: Path) -> None:
    text = prose(path)
    most = {habit: max(1.0, aim * len(text.split()) / 1000) for habit, (aim, _) in HABITS.items()}
    hits = {habit: [match[0] for match in re.finditer(pattern, text, re.MULTILINE)]
            for habit, (_, pattern) in HABITS.items()}
    assert {habit: words for habit, words in hits.items() if len(words) > most[habit]} == {}


def test_the_docs_together_meet_all_aims() -> None:
    """A page that is just within its aim does not excuse the next one."""
    texts = [prose(path) for path in TEXTS]
    words = sum(len(text.split()) for text in texts)
    counts = {habit: 1000 * sum(len(re.findall(pattern, text, re.MULTILINE)) for text in texts)
              / words for habit, (_, pattern) in HABITS.items()}
    assert {habit: count for habit, count in counts.items() if count > HABITS[habit][0]} == {}


def test_pages_address_their_reader() -> None:
    assert addressed(TEXTS) >= YOU
    assert addressed(HOW_TO) >= 1.5 * YOU


PAIRS = {  # a sentence with the habit, and the same without
    "a clause with who or what as a noun": (
        "Who enters the hall plays on.", "An agent that enters the hall plays on."),
    "those, that or one in place of a noun": (
        "Tables are those of all seeds.", "Tables include all seeds."),
    "nobody, nothing, none, neither, nor": (
        "Nothing is written.", "The command does not write a file."),
    "as or so many, much, long, few": (
        "It plays as many games.", "It plays the same number of games."),
    "a rare word": ("The game begins anew.", "The game restarts."),
    "for in the place of because": (
        "It waits, for the pool is full.", "It waits because the pool is full."),
    "own without a possessor": ("Cards in the own hand.", "Cards in your own hand."),
    "not seen, shown, known or told": ("A gain can't be told.", "We found no evidence of a gain."),
    "a verb before its subject": (
        "Logged are the columns.", "The log contains the columns."),
    "a colon or semicolon inside a sentence": (
        "It is fast; it is exact.", "It is fast. It is exact."),
}


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_is_found(habit: str) -> None:
    bad, good = PAIRS[habit]
    assert re.search(HABITS[habit][1], bad)
    assert not re.search(HABITS[habit][1], good)
