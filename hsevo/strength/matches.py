"""Matches: games of two agents, which of them is better, and whether that is sure."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hsevo import config
from hsevo.config.contests import MatchSettings
from hsevo.errors import RunError
from hsevo.objects import Fields, rules, to_object
from hsevo.play.specs import short_names
from hsevo.store.kinds import About
from hsevo.strength.contest import PairedContest, estimate_of, kept_lineup
from hsevo.strength.lineup import ContestPlan, Lineup, classes_table, looks
from hsevo.strength.rating import Estimate, Sprt

ITSELF = "itself"  # the name of the second of two agents that are the same


class Match(PairedContest):
    """Games of two agents: which is better, and is that sure?

    wins, draws, losses and faults (games that the engine refused) are the first agent's; rate (a
    draw is half a win), elo and nelo (normalised Elo) are strength.rating.Estimate, each a value
    with its 95 % interval, from the spread of the pairs of games.
    """

    ABOUT = About("match.yaml", "hsevo match")
    NOUN = "a match"

    @property
    def FIELDS(self) -> Fields:
        """Its object in JSON, with `classes` if its decks were drawn."""
        return {
            "agents": "names", "answer": lambda self: self.test_sentence or self.sentence,
            "sure": "sure", "plan": rules("lineup.plan"), "games": "played", "wins": "wins",
            "draws": "draws", "losses": "losses", "faults": "faults", "rate": "rate", "elo": "elo",
            "nelo": "nelo", "pairs": "pairs", "sprt": lambda self: self.sprt and {
                **to_object(self.sprt), "llr": self.sprt.llr(self.pairs),
                "accepted": self.verdict},
            **({"classes": "classes"} if self.lineup.side else {}), "deck_pairs": "deck_pairs"}

    def __init__(self, lineup: Lineup, path: Path | None = None, sprt: Sprt | None = None) -> None:
        super().__init__(lineup, path)
        self.sprt = sprt

    @classmethod
    def _lineup_of(cls, path: Path, plan: ContestPlan, digest: Any) -> Lineup:
        """Return the line-up that a folder keeps: not all agents of a match can be read anew."""
        return kept_lineup(path, plan)

    def _take(self, about: dict[str, Any]) -> None:
        """Take over the sequential test. Raises RunError, ConfigError."""
        stored = about.get("sprt")
        if stored is None:
            return
        if not isinstance(stored, dict) or {*stored} != {"elo0", "elo1", "alpha", "beta"}:
            assert self.path is not None
            raise RunError(f"{self.path / self.ABOUT.name} is damaged: its sprt is"
                           f" {config.short(stored)}")
        keys = {"sprt": [stored["elo0"], stored["elo1"]], "alpha": stored["alpha"],
                "beta": stored["beta"]}
        self.sprt = sprt_of(config.check(MatchSettings, keys, self.ABOUT.name))

    def _course(self) -> dict[str, Any]:
        """Return fingerprints of all that decides how the games go, and where they end."""
        return super()._course() | {"sprt": None if self.sprt is None else asdict(self.sprt)}

    @property
    def finished(self) -> bool:
        """Whether all games were played, or the sequential test has decided."""
        if not len(self.left):
            return True
        looked = self.done in map(self._end, looks(self.lineup))
        return self.sprt is not None and looked and self.verdict is not None

    @property
    def _row(self) -> Any:
        if not self.complete:
            raise RunError(f"{self._standing}: there is no result yet")
        return self._pairs.iloc[0]

    @property
    def played(self) -> int:
        """How many games count."""
        return int(self._row["games"])

    @property
    def wins(self) -> int:
        """Games that the first agent won."""
        return int(self._row["wins"])

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return int(self._row["draws"])

    @property
    def losses(self) -> int:
        """Games that the first agent lost."""
        return int(self._row["losses"])

    @property
    def faults(self) -> int:
        """Games that the engine refused; they and their pair's other game don't count."""
        return int(self._row["faults"])

    @property
    def rate(self) -> Estimate:
        """The first agent's points a game, 0 to 1."""
        return estimate_of(self._row, "rate")

    @property
    def elo(self) -> Estimate:
        """The Elo difference, above 0 if the first agent is better."""
        return estimate_of(self._row, "elo")

    @property
    def nelo(self) -> Estimate:
        """The difference in normalised Elo: in standard deviations of a game."""
        return estimate_of(self._row, "nelo")

    @property
    def pairs(self) -> npt.NDArray[np.int64]:
        """Pairs in which the first agent had 0, 1/2, 1, 3/2 and 2 points, (5,)."""
        counts: npt.NDArray[np.int64] = self.counts[0, 1]
        return counts

    @property
    def verdict(self) -> str | None:
        """What a sequential test accepts, "H0" or "H1"; None if undecided, or without a test."""
        return self.sprt.verdict(self.pairs) if self.sprt else None

    @property
    def classes(self) -> pd.DataFrame:
        """The first agent by the class of its deck: strength.lineup.classes_table."""
        return classes_table(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table pairs."""
        return {"pairs": self._pairs}

    @property
    def sure(self) -> bool:
        """Whether one is better: the 95 % interval of the rate excludes 50 %."""
        return self.rate.low > 0.5 or self.rate.high < 0.5

    @property
    def sentence(self) -> str:
        """The answer in words: who is better, if that is sure."""
        a, b = short_names(self.names).values()
        if b == ITSELF:
            return f"{a} met itself, so it won half of the games; the classes differ"
        if self.sure:
            return f"{a} is {'better' if self.rate.low > 0.5 else 'worse'} than {b}"
        return f"{a} and {b} can't be told apart"

    @property
    def test_sentence(self) -> str:
        """What the sequential test accepts, in words; "" without one."""
        if self.sprt is None:
            return ""
        a, b = short_names(self.names).values()
        h0, h1 = (hypothesis(a, b, elo) for elo in (self.sprt.elo0, self.sprt.elo1))
        if self.verdict is None:
            return f"the test has not decided between H0 ({h0}) and H1 ({h1})"
        accepted, other = (h1, h0) if self.verdict == "H1" else (h0, h1)
        return f"the test accepts {self.verdict}: {accepted} (rather than: {other})"

    def __repr__(self) -> str:
        if not self.complete:
            return self._standing
        return (f"{self.sentence}: {self.rate.percent()} of {self.played:,} games, Elo"
                f" {self.elo.signed()}")

    def _repr_html_(self) -> str:
        rows = {"games": f"{self.played:,}", "won, drawn, lost":
                f"{self.wins:,}, {self.draws:,}, {self.losses:,}", "rate": self.rate.percent(),
                "Elo": self.elo.signed(), "normalised Elo": self.nelo.signed()}
        return html_table(self.sentence, rows)


def sprt_of(asked: MatchSettings) -> Sprt | None:
    """Return the sequential test of two hypotheses in Elo that ends a match, or None."""
    return Sprt(*asked.sprt, asked.alpha, asked.beta) if asked.sprt else None


def hypothesis(a: str, b: str, elo: float) -> str:
    """Return in words what it means that a is so many Elo above b."""
    if elo == 0:
        return f"{a} and {b} are equally strong"
    return f"{a} is {abs(elo):g} Elo {'better' if elo > 0 else 'worse'} than {b}"


def html_table(title: str, rows: dict[str, str]) -> str:
    """Return a small table for a notebook."""
    cells = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td>"
                    "</tr>" for name, value in rows.items())
    return f"<table><caption>{escape(title)}</caption>{cells}</table>"
