"""Observations: what they hold, that nothing hidden is in them, and the parts of moves."""

import hashlib
from typing import Any

import numpy as np
import pytest

from hsevo import learning
from hsevo.cards.layout import MAX_CARDS
from hsevo.cards.rulesets import SHIPPED
from hsevo.cards.tables import ids
from hsevo.cards.terms import Class
from hsevo.engine.view.observe import BLOCKS, SIZE
from hsevo.learning import vocabulary
from hsevo.learning.layouts import bounds
from hsevo.play.games import N_MOVES, GameBatch
from hsevo.play.moves import MoveCosts
from hsevo.play.view import view
from tests.support.hidden import positions, resampled
from tests.support.random_games import HEROES, begin

# -- the vocabulary -----------------------------------------------------------------------------


def test_no_card_of_the_vocabulary_has_moved():
    """New cards are appended: trained networks know the others by their numbers."""
    first = "\n".join(vocabulary.card_ids()[:1538])
    assert hashlib.sha256(first.encode()).hexdigest()[:16] == "3ce820f975ae1b6f"


def test_every_card_has_one_number_in_every_ruleset():
    listed = vocabulary.card_ids()
    assert len({*listed}) == len(listed) <= vocabulary.CARDS - vocabulary.FIRST
    for ruleset in SHIPPED:
        numbers = vocabulary.rows(ruleset)[1:len(ids(ruleset))]
        assert [listed[k - vocabulary.FIRST] for k in numbers] == list(ids(ruleset)[1:])
    assert len(learning.card_names()) == vocabulary.FIRST + len(listed)


def test_a_card_that_is_not_listed_is_unknown(monkeypatch):
    rest = vocabulary.card_ids()[1:]
    monkeypatch.setattr(vocabulary, "card_ids", lambda: rest)
    rows = vocabulary.rows.__wrapped__("cig2018")
    left_out = ids("cig2018").index("HERO_06")
    assert rows[left_out] == vocabulary.UNKNOWN
    assert (rows == vocabulary.UNKNOWN).sum() == 1 + MAX_CARDS - len(ids("cig2018"))
    assert rows[0] == vocabulary.NOTHING


# -- the layout ---------------------------------------------------------------------------------


def test_the_layout_names_every_number_once():
    table = learning.layout()
    places = [first + stride * row for first, stride, shape
              in table[["first", "stride", "shape"]].itertuples(index=False)
              for row in range(shape[0])]
    assert sorted(places) == list(range(SIZE))
    assert table.name.is_unique
    for (name, rows, columns), block in zip(BLOCKS, learning.blocks().values(), strict=True):
        assert (name, rows) == (block.name, block.rows)
        assert block.columns == tuple(column.name.lower() for column in columns)


def test_split_shows_the_same_memory_by_name():
    seen = np.arange(2 * SIZE).reshape(2, SIZE)
    parts = learning.split(seen)
    row = learning.layout().set_index("name").loc["enemy_board.taunt"]
    assert parts["enemy_board"][1, 3, 8] == SIZE + row["first"] + 3 * row.stride
    parts["hand"][0, 0, 0] = -1
    assert (seen == -1).sum() == 1


@pytest.mark.parametrize("shape", [(), (5,), (SIZE, 2)])
def test_split_refuses_what_is_no_observation(shape):
    with pytest.raises(ValueError, match="their last axis must have"):
        learning.split(np.zeros(shape))


def test_actions_point_at_what_they_are_about():
    table = learning.actions().set_index(["part", "index"])
    assert table.groupby("part").size().to_dict() == {"what": 58, "at": 17, "where": 7}
    assert table.loc[("what", 8), ["block", "row"]].tolist() == ["hero", 0]
    assert table.loc[("at", 16), ["block", "row"]].tolist() == ["hero", 1]
    blocks = learning.blocks()
    assert all(row < blocks[block].rows
               for block, row in zip(table.block, table.row, strict=True) if block)


# -- what is in an observation ------------------------------------------------------------------


def test_an_observation_holds_what_the_view_of_a_player_holds():
    """`play.view` reads the same game in another way."""
    n = 300
    games = positions(11, n, "msg2017")
    players = np.arange(n) % 2
    seen, _ = learning.observe(games, players)
    low, high = bounds()
    assert ((low <= seen) & (seen <= high)).all()
    parts, prices, powers = learning.split(seen), games.costs(), games.power_costs()
    names = ["", "unknown", *vocabulary.card_ids()]
    for i, player in enumerate(players):
        costs = MoveCosts.of(prices[i], powers[i], games.states[i]["side"]["n_hand"].tolist())
        shown = view(games.states[i], int(player), "msg2017", costs,
                     np.flatnonzero(games.legal_moves()[0]).tolist() if i == 0 else [])
        compare({name: part[i] for name, part in parts.items()}, shown, names)
    assert (parts["choices"].any(axis=(1, 2)) == (parts["decision"][:, 0, 1] == 1)
            & (parts["decision"][:, 0, 5] == 1)).all()
    assert {*parts["decision"][:, 0, 1].tolist()} == {0, 1, 2}


def compare(parts: Any, shown: Any, names: list[str]) -> None:
    """Compare the blocks of an observation with a view."""
    assert [[names[card], cost] for card, cost in parts["hand"][:, :2] if card] == [
        [card["card"], card["cost"]] for card in shown["me"]["hand"]]
    deck = [names[k] for k in parts["deck"].ravel() if k]
    assert deck.count("unknown") == shown["me"]["unseen_in_deck"]
    assert sorted(one for one in deck if one != "unknown") == shown["me"]["left_in_deck"]
    assert [names[k] for k in parts["secrets"].ravel() if k] == [
        secret["card"] for secret in shown["me"]["secrets"]]
    for row, (side, who) in enumerate((("own", "me"), ("enemy", "opponent"))):
        theirs = shown[who]
        numbers = dict(zip(learning.blocks()["player"].columns, parts["player"][row].tolist(),
                           strict=True))
        assert Class(numbers["class"]).name.title() == theirs["class"]
        assert [numbers[name] for name in ("mana", "crystals", "locked", "overload", "fatigue",
                                           "armor", "deck", "jade", "died")] == [
            theirs["mana"], theirs["crystals"], theirs["locked"], theirs["owed"],
            theirs["fatigue"], theirs["hero"]["armor"], theirs["deck"], theirs["jade"],
            theirs["died"]]
        assert parts["hero"][row, 2:4].tolist() == [
            theirs["hero"]["health"], theirs["hero"]["max_health"]]
        board = [minion for minion in parts[f"{side}_board"].tolist() if minion[0]]
        assert [[names[minion[0]], *minion[1:4], minion[8], minion[22]] for minion in board] == [
            [one["card"], max(one["attack"], 0), one["health"], one["max_health"],
             "taunt" in one["words"], "frozen" in one["words"]] for one in theirs["board"]]
        weapon = theirs["weapon"] or {"card": "", "attack": 0, "durability": 0}
        assert [names[parts["weapon"][row, 0]], *parts["weapon"][row, 1:].tolist()] == [
            weapon["card"], weapon["attack"], weapon["durability"]]
        graves = parts[f"{side}_graveyard"]
        assert graves[:, 1].sum() == theirs["died"] or (graves[:, 0] > 0).all()
    assert parts["player"][1, 7] == shown["opponent"]["hand"]
    assert parts["player"][1, 9] == shown["opponent"]["secrets"]


# -- what is not --------------------------------------------------------------------------------


def check_hidden(n: int, seed: int, ruleset: str) -> None:
    """Check that observations and legal moves stay the same whatever is hidden."""
    random = np.random.default_rng(seed)
    games = positions(seed, n, ruleset)
    assert {*games.states["side"]["cls"].ravel().tolist()} == {int(hero) for hero in HEROES}
    for players in (np.arange(n) % 2, 1 - np.arange(n) % 2):
        other = resampled(games, players, random)
        characters = other.states.view(np.ndarray)["char"]
        characters["uid"] = random.integers(1, 10_000, characters["uid"].shape)
        assert (games.states["side"]["deck"] != other.states["side"]["deck"]).any()
        for one, same in zip(learning.observe(games, players), learning.observe(other, players),
                             strict=True):
            assert one.tobytes() == same.tobytes()


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_an_observation_holds_nothing_that_is_hidden(ruleset):
    check_hidden(1500, 3, ruleset)


@pytest.mark.parametrize(("mine", "name"), [
    (True, "hand"), (True, "deck"), (True, "dead"), (True, "mana"), (True, "counter"),
    (False, "n_hand"), (False, "n_secrets"), (False, "armor"), (False, "dead")])
def test_what_an_observation_shows_does_change_it(mine, name):
    """So the test above can fail."""
    n = 1500 if name == "dead" else 300
    games = positions(6, n, "cig2018")
    players, every = np.arange(n) % 2, np.arange(n)
    other = games.take(slice(None))
    records = other.states.view(np.ndarray)
    side = records["side"][every, players if mine else 1 - players]
    if name == "hand":
        side["hand"]["card"] = side["hand"]["card"] % 1000 + 1
    elif name in ("deck", "dead"):
        side[name] = side[name] % 1000 + 1
    else:
        side[name] += 1
    records["side"][every, players if mine else 1 - players] = side
    changed = (learning.observe(games, players)[0] != learning.observe(other, players)[0])
    if name == "dead":
        assert (changed.any(axis=1) == (side["n_graves"] > 0)).all()
    else:
        assert changed.any(axis=1).mean() > 0.5


def test_only_the_player_to_move_may_move():
    games = positions(8, 50, "msg2017")
    _, legal = learning.observe(games, 1 - games.players.astype(int))
    assert not legal.any()
    with pytest.raises(ValueError, match="player is 2, but must be 0 or 1"):
        learning.observe(games, 2)


# -- actions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_parts_combine_to_all_legal_moves_and_no_others(ruleset):
    games, random = begin(5, 150, ruleset)
    for _ in range(60):
        _, legal = learning.observe(games)
        what, at, where = learning.masks(legal)
        assert (what.any(axis=1) == games.running).all()
        assert (what == at.any(axis=2)).all()
        assert (what == where.any(axis=2)).all()
        combined = np.argwhere(at[:, :, :, None] & where[:, :, None, :])
        mask = np.zeros((len(games), N_MOVES), bool)
        mask[combined[:, 0], learning.moves_of(combined[:, 1:])] = True
        assert (mask == games.legal_moves()).all()
        moves = games.sample(random)
        assert (learning.moves_of(learning.actions_of(moves, games)) == moves).all()
        games.step(moves)


@pytest.mark.parametrize(("actions", "says"), [
    ([[58, 0, 0]], "action 0 is \\[58, 0, 0\\], but its parts must be below 58, 17 and 7"),
    ([[0, 0, 0], [0, -1, 0]], "action 1 is \\[0, -1, 0\\]"),
    ([0, 0, 0], "must be whole numbers \\(n, 3\\)"),
    ([[0.0, 0.0, 0.0]], "must be whole numbers \\(n, 3\\)")])
def test_parts_that_are_none_are_refused(actions, says):
    with pytest.raises(ValueError, match=says):
        learning.moves_of(actions)


def test_moves_that_are_none_are_refused():
    games = GameBatch(positions(8, 2, "cig2018").states)
    with pytest.raises(ValueError, match="one for each of 2 games"):
        learning.actions_of([N_MOVES, 0], games)


if __name__ == "__main__":  # by hand: 100,000 positions
    for part in range(25):
        for known in ("cig2018", "msg2017"):
            check_hidden(2000, 100 + part, known)
            print(f"{2000 * (part + 1):,} positions of {known}", flush=True)
