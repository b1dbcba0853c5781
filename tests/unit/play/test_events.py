"""Events: a table that knows nothing else stands as the engine's does, after every move."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.cards.decks import Deck
from hsevo.cards.ops import Op
from hsevo.cards.tables import cards
from hsevo.cards.vocabulary.model import Card, Row
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import scene
from hsevo.engine.view.snapshot import snapshot
from hsevo.play.events import What, seen_by
from hsevo.play.match import PAIRING, Setting, Table
from hsevo.play.recorder import Recorder
from tests.support.dense_games import MAKERS
from tests.support.event_model import Model
from tests.support.random_games import HEROES, random_deck


def table_of(seed: int, ruleset: str = "cig2018",
             decks: tuple[Deck, ...] = ()) -> tuple[Table, np.random.Generator]:
    """Return a table with a game laid out: of random decks, all nine classes in turn, if of none.
    """
    random = np.random.default_rng([seed, 77])
    maker = list(MAKERS.values())[seed % 4]
    if not decks:
        decks = tuple(maker(random, ruleset, 30) for _ in range(2))
        while maker is random_deck and decks[0].hero_class != HEROES[seed // 4 % 9].name:
            decks = (random_deck(random, ruleset, 30), decks[1])
    table = Table(np.repeat(agent(RANDOM), 2), Setting(ruleset, decks, "fair", 89))
    table.deal(np.array([(0, 1, 0, 1, 1, seed)], PAIRING)[0], 0, begin=False)
    return table, random


def moves(table: Table, random: np.random.Generator) -> Iterator[int]:
    """Choose legal moves until the game is over: any, but seldom the end of the turn."""
    while table.game.result == RUNNING:
        legal = table.legal()
        yield int(random.choice(legal[1:] if len(legal) > 1 and random.random() < 0.9 else legal))


def check(model: Model, table: Table) -> None:
    dead = [int(table.game.side[player].n_dead) for player in (0, 1)]
    assert model.differs(scene(snapshot(table.game), table.setting.ruleset), dead) == ""


def follow(seed: int, ruleset: str, decks: tuple[Deck, ...] = ()) -> Model:
    """Play a game, with a model that follows its events; return the model."""
    table, random = table_of(seed, ruleset, decks)
    model, recorder = Model(table.setting.decks), Recorder(table)
    model.follow(recorder.opening())
    check(model, table)
    for move in moves(table, random):
        model.follow(recorder.move(move))
        check(model, table)
    return model


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017", "cig2018-as-run"])
def test_a_table_that_knows_the_events_alone_stands_as_the_engines(ruleset: str) -> None:
    seen: Counter[What] = Counter()
    for seed in range(4):
        seen += follow(seed, ruleset).numbers
    assert {What.DAMAGED, What.DIED, What.SUMMONED, What.DREW, What.CHANGED, What.MANA,
            What.OVER} <= {*seen}


@pytest.mark.slow
def test_every_kind_of_event_in_many_games() -> None:
    seen: Counter[What] = Counter()
    for seed in range(40):
        seen += follow(1000 + seed, ("cig2018", "msg2017")[seed % 2]).numbers
    secrets = Deck.of("secrets", "MAGE", 15 * ("EX1_287", "EX1_289"))  # Counterspell, Ice Barrier
    flares = Deck.of("flares", "HUNTER", 30 * ("EX1_544",))  # which random games have too seldom
    lost = follow(0, "cig2018", (secrets, flares)).numbers
    assert lost[What.SECRET_LOST] > 0
    jaraxxus = Deck.of("jaraxxus", "WARLOCK", 30 * ("EX1_323",))  # likewise
    lost += follow(0, "cig2018", (jaraxxus, secrets)).numbers
    assert {*What} - {*(seen + lost)} == set()


def test_the_opponent_does_not_see_that_a_secret_goes_before_an_older_one() -> None:
    snipes = Deck.of("snipes", "HUNTER", 15 * ("EX1_609", "CFM_620"))  # Snipe, Potion of Polymorph
    table, random = table_of(1, decks=(snipes, snipes))
    model, recorder = Model(table.setting.decks), Recorder(table)
    model.follow(recorder.opening())
    swaps = []
    for move in moves(table, random):
        events = recorder.move(move)
        model.follow(events)
        check(model, table)
        swaps += [event for event in events if event.what is What.SECRET and event.cards]
    assert swaps, "no Potion of Polymorph was played after a Snipe"
    for event in swaps:
        assert (event.card, event.cards) == ("CFM_620", ("CFM_620", "EX1_609"))
        assert seen_by(event, 1 - event.player).plain() == {
            "what": What.SECRET, "player": event.player, "uid": event.uid,
            "known_to": event.known_to}


def test_a_game_with_events_is_the_game_without() -> None:
    for seed in range(4):
        table, random = table_of(seed)
        other = table.copy()
        other.deal(table._pairings[0], 0)
        recorder = Recorder(table)
        recorder.opening()
        for move in moves(table, random):
            recorder.move(move)
            other.move(move)
            assert scene(snapshot(table.game)) == scene(snapshot(other.game))
            assert table.game.rng == other.game.rng


def test_hidden_cards_are_not_in_the_events_of_the_other_player() -> None:
    """No event that a player sees names a card that only the opponent knows of."""
    private = {What.DREW, What.GOT, What.SECRET, What.OFFERED, What.CHOSE, What.THREW_BACK}
    found: Counter[What] = Counter()
    for seed in range(4):
        table, random = table_of(seed, "msg2017")
        recorder = Recorder(table)
        events = recorder.opening()
        for move in moves(table, random):
            events += recorder.move(move)
        for event in events:
            if event.what in private:
                found[event.what] += 1
                assert event.known_to == (event.player,)
                other = seen_by(event, 1 - event.player)
                assert (other.card, other.cards, other.now, other.position) == ("", (), {}, -1)
                assert seen_by(event, event.player) == event
    assert {What.DREW, What.GOT, What.THREW_BACK} <= {*found}


TRANSFORMS = {Op.TRANSFORM, Op.TRANSFORM_RANDOM, Op.TRANSFORM_BY_COST, Op.COPY_OF}
# Lotus Illusionist attacks, Poultryizer waits for its turn.
FROM_PLAY = {"CFM_697": ["attack"], "Mekka4": ["end turn", "end turn"]}


def transforming() -> list[str]:
    """Return the cards with a text that transforms a minion, also as an option or a trigger."""
    known = cards()

    def rows(card: Card) -> list[Row]:
        return [*card.play, *card.combo, *(row for one in card.triggers for row in one.rows),
                *(row for id in card.options if id for row in rows(known[id]))]

    return [id for id, card in known.items() if any(row.op in TRANSFORMS for row in rows(card))
            and (card.collectible or id in FROM_PLAY)] + ["CFM_621t:10:4:5"]


@pytest.mark.parametrize("beside", ["Bloodfen Raptor", "Fandral Staghelm"])
@pytest.mark.parametrize("id", transforming())
def test_every_transformation_is_told_as_one(id: str, beside: str) -> None:
    """No minion is told to have left play, and none to be summoned but by the card played."""
    ours: dict[str, Any] = {"class": "mage", "deck": ["Wisp"], "hand": [id],
                            "board": ["Bloodfen Raptor", beside]}
    theirs: dict[str, Any] = {"class": "mage", "deck": ["Wisp"], "board": ["Bloodfen Raptor"]}
    if cards()[id].secret:
        ours, theirs = ours | {"hand": ["War Golem"]}, theirs | {"secrets": [id]}
    elif id in FROM_PLAY:
        ours = ours | {"hand": [], "board": [id]}
    game = hsevo.Game.at({"me": ours, "opponent": theirs})
    told = [event for kind in FROM_PLAY.get(id, ["play"]) for event in game.play(
        [move for move in game.moves if move.kind == kind][-1])]
    what = Counter(event.what for event in told)
    assert what[What.TRANSFORMED] > 0
    assert what[What.LEFT] == 0
    summoned = {event.card for event in told if event.what is What.SUMMONED}
    assert summoned <= {id, "CS2_186", "CFM_621_m3"}  # War Golem, Kabal Demon
