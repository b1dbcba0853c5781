"""Matches: games of two agents, which of them is better, and whether that is sure."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hsevo import config
from hsevo.config.contests import MatchSettings
from hsevo.errors import RunError
from hsevo.objects import Fields, rules, to_object
from hsevo.play.specs import short_names
from hsevo.store.kinds import About
from hsevo.strength.contest import PairedContest, estimate_of, stored_lineup
from hsevo.strength.lineup import ContestPlan, Lineup, classes_table, looks, pair_columns
from hsevo.strength.rating import Estimate, Sprt

if TYPE_CHECKING:
    import pandas as pd

ITSELF = "itself"  # the name of the second of two agents that are the same


class Match(PairedContest):
    """Hold the games of two agents, and tell which agent is better.

    All counts are of the first agent. Each estimate is an `Estimate` with a 95 % interval from the
    variance of the pairs of games.

    Parameters
    ----------
    lineup : Lineup
        Agents, decks and rules.
    path : Path, optional
        Folder of the games, if there is one.
    sprt : Sprt, optional
        Sequential test that may end the match early.
    """

    ABOUT = About("match.yaml", "hsevo match")
    NOUN = "a match"

    @property
    def FIELDS(self) -> Fields:
        """Fields of its JSON object, with `classes` if decks were drawn."""
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
        """Return the stored line-up of a folder: not all agents of a match can be read again."""
        return stored_lineup(path, plan)

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
        """Return fingerprints of all inputs that determine the games, and where they end."""
        return super()._course() | {"sprt": None if self.sprt is None else asdict(self.sprt)}

    @property
    def finished(self) -> bool:
        """Whether all games were played, or the sequential test has decided."""
        if super().finished:
            return True
        looked = self.done in map(self._end, looks(self.lineup))
        return self.sprt is not None and looked and self.verdict is not None

    @property
    def _row(self) -> Any:
        if not self.complete:
            raise RunError(f"{self._standing}: no result yet")
        if "row" not in self._known:
            columns = pair_columns(self)
            self._known["row"] = {name: column[0] for name, column in columns.items()}
        return self._known["row"]

    @property
    def played(self) -> int:
        """Number of games that count."""
        return int(self._row["games"])

    @property
    def wins(self) -> int:
        """Number of games that the first agent won."""
        return int(self._row["wins"])

    @property
    def draws(self) -> int:
        """Number of games without a winner."""
        return int(self._row["draws"])

    @property
    def losses(self) -> int:
        """Number of games that the first agent lost."""
        return int(self._row["losses"])

    @property
    def faults(self) -> int:
        """Number of games that the engine refused. Neither game of such a pair counts."""
        return int(self._row["faults"])

    @property
    def rate(self) -> Estimate:
        """Points per game of the first agent, 0 to 1. A draw is half a win."""
        return estimate_of(self._row, "rate")

    @property
    def elo(self) -> Estimate:
        """Elo difference, positive if the first agent is better."""
        return estimate_of(self._row, "elo")

    @property
    def nelo(self) -> Estimate:
        """Difference in normalised Elo: in standard deviations of a game."""
        return estimate_of(self._row, "nelo")

    @property
    def pairs(self) -> npt.NDArray[np.int64]:
        """Numbers of pairs in which the first agent had 0, 1/2, 1, 3/2 and 2 points, (5,)."""
        counts: npt.NDArray[np.int64] = self.counts[0, 1]
        return counts

    @property
    def verdict(self) -> str | None:
        """Hypothesis that the sequential test accepts, "H0" or "H1". None: undecided or no test."""
        return self.sprt.verdict(self.pairs) if self.sprt else None

    @property
    def classes(self) -> pd.DataFrame:
        """Results of the first agent by the class of its deck.

        Columns class, decks, games, wins, draws, losses, rate, rate_low, rate_high. With drawn
        decks, the intervals account for games that share decks.
        """
        return classes_table(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables of the finished folder: pairs.

        Returns
        -------
        dict of str to pandas.DataFrame
            The tables.
        """
        return {"pairs": self._pairs}

    @property
    def sure(self) -> bool:
        """Whether one agent is better: the 95 % interval of the rate excludes 50 %."""
        return self.rate.low > 0.5 or self.rate.high < 0.5

    @property
    def sentence(self) -> str:
        """Result in words: which agent is better, if the difference is significant."""
        a, b = short_names(self.names).values()
        if b == ITSELF:
            return f"{a} played itself, so its win rate is 50 %; only the classes differ"
        if self.sure:
            return f"{a} is {'better' if self.rate.low > 0.5 else 'worse'} than {b}"
        return f"{a} and {b} can't be told apart"

    @property
    def test_sentence(self) -> str:
        """Hypothesis that the sequential test accepts, in words. "" without a test."""
        if self.sprt is None:
            return ""
        a, b = short_names(self.names).values()
        h0, h1 = (hypothesis(a, b, elo) for elo in (self.sprt.elo0, self.sprt.elo1))
        if self.verdict is None:
            return f"the test has not decided between H0 ({h0}) and H1 ({h1})"
        accepted, rejected = (h1, h0) if self.verdict == "H1" else (h0, h1)
        return f"the test accepts {self.verdict}: {accepted} (rather than: {rejected})"

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
    """Return the meaning of an Elo difference of a over b, in words."""
    if elo == 0:
        return f"{a} and {b} are equally strong"
    return f"{a} is {abs(elo):g} Elo {'better' if elo > 0 else 'worse'} than {b}"


def html_table(title: str, rows: dict[str, str]) -> str:
    """Return a small table for a notebook."""
    cells = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td>"
                    "</tr>" for name, value in rows.items())
    return f"<table><caption>{escape(title)}</caption>{cells}</table>"
