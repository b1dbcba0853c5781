"""Every entrance to a battle keeps every rule: what is seen there is what a game of these rules is.

A deck list once leaked because one implementation of environments forgot a setting. So each
entrance is played beside a `hsevo.Game` of the same rules, and all that it shows is compared with
what is written here from that game alone.
"""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo import learning
from hsevo.cards.tables import index
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.view.observe import DECISION_AT, SIZE, SeenDecision
from hsevo.learning.vocabulary import rows
from hsevo.play.acts import HISTORY, Act, act_of
from hsevo.play.match import Setting
from hsevo.seeds import Stream, derive
from tests.support.histories import seen_of
from tests.support.random_games import batch_of

BASE: dict[str, Any] = {"ruleset": "cig2018", "information": "fair", "max_turns": 7,
                        "all_places": False, "opponent_deck": "hidden"}
CHANGES: list[dict[str, Any]] = [
    {}, {"ruleset": "msg2017"}, {"information": "closed"}, {"information": "closed:uniform"},
    {"information": "leaky"}, {"max_turns": 4}, {"all_places": True, "max_turns": 12},
    {"opponent_deck": "known"}]
DECKS = ["shaman", "mage"]
SEED = 6


def chance(view: Any) -> Any:
    return int(view.random.choice(view.legal))


class Entrance:
    """An environment of one battle: who is to move, what that player sees and may do."""

    def __init__(self, make: str, opponent: Any, history: bool, rules: dict[str, Any]) -> None:
        given = {**rules, "seed": SEED, "history": history}
        self.make, self.seen, self.last = make, np.zeros(0), np.zeros(0)
        if make == "aec_env":
            del given["information"]
            self.env = hsevo.aec_env(*DECKS, **given)
            self.env.reset()
            self.slots = None
        else:
            given |= {"decks": DECKS[:1], "opponent_decks": DECKS[1:], "opponent": opponent}
            self.env = getattr(hsevo, make)(**given)
            if make == "make_env":
                self.slots = self.env._games.slots
                self.seen, _ = self.env.reset()
            elif make == "make_sb3":
                self.slots = self.env.venv.games.slots
                (self.seen,) = self.env.reset()
            else:
                self.slots = self.env.slots
                (self.seen,) = self.env.reset()[0]["observation"]

    def begun(self) -> tuple[int, list[str], int]:
        """Return who acts, -1 for both; the decks of players 0 and 1; the seed of the game."""
        if self.slots is None:
            return -1, DECKS, int(derive((SEED, Stream.ENVIRONMENT, 0), np.arange(1))[0])
        slot = self.slots.slots[0]
        seat = int(slot["seat"])
        seed = (int(slot["seed"]) + int(slot["game"]) - 1) % 2**64
        return seat, DECKS[::-1] if seat == 1 else DECKS, seed

    def shown(self) -> Any:
        return self.env.last()[0] if self.slots is None else self.seen

    def mask(self) -> Any:
        if self.slots is None:
            return self.env.last()[4]["action_mask"] == 1
        mask = (self.env.env_method("action_masks") if self.make == "make_sb3"
                else self.env.action_masks())
        return np.asarray(mask).reshape(N_MOVES)

    def step(self, move: int) -> bool:
        """Make a move; return whether the game is over, whose last observation is `last`."""
        if self.slots is None:
            agent = self.env.agent_selection
            self.env.step(move)
            self.last = self.env.observe(agent)
            return any(self.env.terminations.values())
        if self.make == "make_env":
            self.seen, _, ended, _, _ = self.env.step(move)
            self.last = self.seen
            return bool(ended)
        if self.make == "make_sb3":
            (self.seen,), _, (ended,), (info,) = self.env.step(np.array([move]))
            self.last = info.get("terminal_observation")
            return bool(ended)
        actions = learning.actions_of([move], self.env.games)
        seen, _, (ended,), _, infos = self.env.step(actions)
        (self.seen,) = seen["observation"]
        self.last = infos["final_obs"][0]["observation"] if ended else None
        return bool(ended)


class Twin:
    """The same game as a `hsevo.Game`, with all acts in it."""

    def __init__(self, entrance: Entrance, opponent: Any, rules: dict[str, Any]) -> None:
        self.seat, self.decks, seed = entrance.begun()
        players: list[Any] = [None, None]
        if self.seat >= 0:
            players[1 - self.seat] = opponent
        self.rules, self.acts = rules, list[Act]()
        own = {name: rules[name] for name in rules if name != "opponent_deck"}
        self.game = hsevo.Game(*self.decks, players=players, seed=seed, **own)
        self.answer()

    def answer(self) -> None:
        """Have the opponent move until it is not its turn."""
        while self.seat >= 0 and not self.game.over and self.game.player != self.seat:
            before = self.game.states()[0]
            self.game.step()
            self._note(before, self.game.history[-1].index)

    def play(self, move: int) -> None:
        before = self.game.states()[0]
        self.game.play(move)
        self._note(before, move)
        self.answer()

    def _note(self, before: Any, move: int) -> None:
        act = act_of(before, move)
        self.acts += [act] if act else []

    def sees(self, player: int, history: bool) -> list[int]:
        """Return what a player must see, by its rules."""
        state, ruleset = self.game.states()[0], self.rules["ruleset"]
        seen = learning.observe(batch_of([state], ruleset), player)[0]
        lists = learning.split(seen)["enemy_deck"]  # a view
        assert not lists.any()
        if self.rules["opponent_deck"] == "known":
            numbers = rows(ruleset)
            cards = hsevo.Deck(self.decks[1 - player]).ids
            lists[0, :len(cards), 0] = sorted(
                numbers[index(ruleset)[card]] for card in cards)
        past = seen_of(self.acts, state, player, ruleset) if history else []
        return [*seen[0].tolist(), *past]

    def may(self) -> list[int]:
        """Return the moves that it offers."""
        return sorted(move.index for move in self.game.moves)


def test_all_rules_are_varied() -> None:
    assert {one.name for one in fields(Setting)} <= {*BASE, "decks", "first"}  # of single games
    assert {name for change in CHANGES for name in change} == {*BASE}


@pytest.mark.slow
@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize(("make", "opponent"), [
    ("make_vec", None), ("make_vec", "greedy:metastone"), ("make_vec", chance),
    ("make_env", "greedy:metastone"), ("make_env", chance),
    ("make_sb3", "greedy:metastone"), ("make_sb3", chance), ("aec_env", None)])
def test_what_is_seen_follows_from_the_rules(make: str, opponent: Any, history: bool) -> None:
    if make == "make_sb3":
        pytest.importorskip("sb3_contrib", reason="needs the extra sb3")
    for change in CHANGES:
        refused = change.get("information") == "leaky" and opponent is chance
        if refused or (make == "aec_env" and "information" in change):
            continue
        given = {"num_envs": 1} if make in ("make_vec", "make_sb3") else {}
        wider = play(make, opponent, history, {**BASE, **change}, given)
        assert (wider > 0) == ("all_places" in change)


def play(make: str, opponent: Any, history: bool, rules: dict[str, Any],
         given: dict[str, Any]) -> int:
    """Play a game beside its twin; return at how many decisions more places were offered."""
    entrance = Entrance(make, opponent, history, {**rules, **given})
    twin, random, wider = Twin(entrance, opponent, rules), np.random.default_rng(3), 0
    over = False
    while not over:
        player = twin.game.player
        seen, legal = entrance.shown().tolist(), np.flatnonzero(entrance.mask()).tolist()
        assert seen == twin.sees(player, history)
        assert legal == twin.may()
        assert len(seen) == SIZE + HISTORY * history
        turn = seen[DECISION_AT + SeenDecision.TURN]
        assert seen[DECISION_AT + SeenDecision.TURNS_LEFT] == rules["max_turns"] - turn
        few = batch_of([twin.game.states()[0]], rules["ruleset"]).legal_moves()
        wider += len(legal) > few.sum()
        move = int(random.choice(legal))
        over = entrance.step(move)
        twin.play(move)
        assert over == twin.game.over
    assert entrance.last.tolist() == twin.sees(player, history)
    return wider
