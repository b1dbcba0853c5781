"""Lethal: whether the player to move can win before its turn ends, and by which line.

    Search(ruleset).lethal(position) -> Lethal    bounds of the probability to win, and a line

What the player can't see does not help: play/lethal.py says how. Of face-down secrets, each guess
that agrees with the opponent's deck list is as likely; a line is sure if it wins against all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hsevo.agents.shared.scratch import GUESSES
from hsevo.agents.shared.secrets import MOST
from hsevo.cards.tables import tables
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import FAIR, GAME, GUESSED, LEAKY, RUNNING, STATE, Phase
from hsevo.play.games import GameBatch
from hsevo.play.lethal import DEPTH, EXACT, SEARCH, find_lethal, guess_secrets

BUDGET, MOST_BUDGET = 100_000, 10**9  # actions that a search simulates at most


@dataclass(frozen=True)
class Lethal:
    """Hold the result of a search for a win in the own turn.

    Attributes
    ----------
    low : float
        Lower bound of the probability to win before the turn ends, with best play. Equal to `high`
        if the search was complete.
    high : float
        Upper bound of this probability.
    line : tuple of int
        Moves that win with probability `low`, up to the first random outcome. Empty if `low` is 0.
    simulated : int
        Number of simulated actions.
    """

    low: float
    high: float
    line: tuple[int, ...] = ()
    simulated: int = 0

    @property
    def answer(self) -> str:
        """Answer: "yes", "no", "chance" (a known probability), or "unknown" within the budget."""
        if self.low >= 1 - EXACT:
            return "yes"
        if self.high <= EXACT:
            return "no"
        return "chance" if self.high - self.low <= EXACT else "unknown"


class LethalSearch:
    """Searches turns of games of one ruleset: it keeps the memory to work in.

    leaky: the player knows all that is hidden, and the order of the decks.
    """

    def __init__(self, ruleset: str, leaky: bool = False, budget: int = BUDGET) -> None:
        self.ruleset, self.budget = ruleset, budget
        self.sight = LEAKY if leaky else FAIR
        self._games = np.zeros(DEPTH + 2, GAME).view(np.recarray)
        self._search = np.zeros(1, SEARCH).view(np.recarray)

    def lethal(self, position: GameBatch) -> Lethal:
        """Return what the player to move can do this turn; position: one game."""
        state = position.states[0]
        position = GameBatch(position.states, self.ruleset, all_places=True)
        if state["result"] != RUNNING or state["pending"] >= Phase.MULLIGAN:
            return Lethal(0.0, 0.0)
        if self.sight == FAIR and state["side"][1 - int(state["me"])]["n_secrets"]:
            return self._against_secrets(position)
        return self._with_line(position, self.sight, self.budget)

    def _bounds(self, position: GameBatch, sight: int, budget: int) -> tuple[Lethal, int, bool]:
        """Return what was found, without a line; its first move; whether that one is random."""
        bounds, answer = np.zeros(2), np.zeros(3, np.int64)
        find_lethal(position.states, tables(self.ruleset), self._games, self._search, sight,
                    budget, bounds, answer)
        proof = Lethal(float(bounds[0]), float(bounds[1]), (), int(answer[1]))
        return proof, int(answer[0]), bool(answer[2])

    def _with_line(self, position: GameBatch, sight: int, budget: int) -> Lethal:
        """Return what was found, with its line: each move is found by a search after the last."""
        proof, move, luck = self._bounds(position, sight, budget)
        line: list[int] = []
        now, here = position.take([0]), proof
        while here.low > EXACT and here.low >= proof.low - EXACT and len(line) < DEPTH:
            line.append(move)
            if luck or move == END:
                break
            now.step(np.array([move]))
            if not now.running[0]:
                break
            here, move, luck = self._bounds(now, sight, budget)
        return replace(proof, line=tuple(line))

    def _against_secrets(self, position: GameBatch) -> Lethal:
        """Return bounds for secrets that may be any guess, all as likely; they share the budget.

        At most: if they were seen. At least: by the best of the lines that win against one guess
        without luck, played against all.
        """
        guesses = self._guesses(position)
        if not guesses or len(guesses) > self.budget:
            return Lethal(0.0, 1.0)
        budget = self.budget // len(guesses)
        proofs = [self._with_line(guess, GUESSED, budget) for guess in guesses]
        shares = {proof.line: np.mean([wins(each, proof.line) for each in guesses])
                  for proof in proofs if proof.low >= 1 - EXACT}
        line: tuple[int, ...] = max(shares, key=lambda moves: shares[moves], default=())
        return Lethal(float(shares.get(line, 0.0)),
                      float(np.mean([proof.high for proof in proofs])), line,
                      sum(proof.simulated for proof in proofs))

    def _guesses(self, position: GameBatch) -> list[GameBatch]:
        """Return the game with each guess of the opponent's secrets; none if there are too many."""
        states = np.zeros(MOST, STATE).view(np.recarray)
        states[0] = position.states[0]
        count = guess_secrets(states, tables(self.ruleset), self._games,
                              np.zeros(1, GUESSES).view(np.recarray))
        games = GameBatch(states, self.ruleset, all_places=True)
        return [games.take([k]) for k in range(count)] if count <= MOST else []


def wins(position: GameBatch, line: tuple[int, ...]) -> bool:
    """Return whether a line of moves wins for the player to move, in its turn, without any luck."""
    now, me = position.take([0]), int(position.players[0])
    for move in line:
        if not now.running[0] or not now.legal_moves()[0, move]:
            break
        now.step(np.array([move]))
    same = all(now.states[name][0] == position.states[name][0] for name in ("rng", "turn"))
    return bool(now.results[0] == 1 + me and same)
