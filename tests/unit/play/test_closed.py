"""Closed deck lists: what agents believe, and that nothing that is hidden from them counts."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.agents.shared.guessing import EPSILON
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import cards, ids, index, tables
from hsevo.cards.terms import Class
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.record.state import STATE
from hsevo.engine.rules.evidence import DRAWN, MADE
from hsevo.errors import ConfigError, DeckError
from hsevo.play.closed import guesses
from hsevo.play.games import GameBatch
from hsevo.play.guessing import guess_from
from hsevo.play.match import PAIRING, Setting, play_block
from hsevo.strength.roster import read_agent
from tests.support.belief_entry import believed
from tests.support.hidden import positions, resampled

CLOSED = ("closed", "closed:match", "closed:bigrams", "closed:uniform")
QUICK = ("eva:2018", "greedy:metastone", "mcts:knowledge?iterations=4&rollouts=1",
         "mcts:alvaro?iterations=4", "eva:reply?nodes=60&hands=2&ends=3", "tyche:mc?episodes=60",
         "gsv?nodes=100", "eva:wide-reply?nodes=60&hands=2&ends=3", "hearthsim?nodes=60")
# What a player may know, though views of a game don't show it: how its own deck is stored, which
# does not order it, changes of cards in the opponent's hand, and in which order minions died.
NOT_HIDDEN = ("dead", "n_graves")


def raw(games: GameBatch) -> Any:
    return games.states.view(np.ndarray)


def hidden_anew(games: GameBatch, seed: int) -> GameBatch:
    """Return the games with all that the player to move can't know made up: also the list."""
    random, every = np.random.default_rng(seed), np.arange(len(games))
    me = games.players.astype(np.int64)
    other = resampled(games, me, random)
    before, after = raw(games), raw(other)
    after["lookahead_rng"] = before["lookahead_rng"]
    own, was = after["side"][every, me], before["side"][every, me]
    unseen = was["unseen"][:, None] >> np.arange(60) & 1 == 1
    own["deck"] = np.where(unseen, random.permuted(own["deck"], axis=1), was["deck"])
    own["unseen"] = was["unseen"]
    foe, were = after["side"][every, 1 - me], before["side"][every, 1 - me]
    for name in NOT_HIDDEN:
        own[name], foe[name] = was[name], were[name]
    for name in ("cost", "attack", "health"):
        foe["hand"][name] = were["hand"][name]
    foe["secret"]["uid"] = were["secret"]["uid"]
    after["side"][every, me], after["side"][every, 1 - me] = own, foe
    return other


def differing(spec: str, information: str, n: int, seed: int = 1) -> int:
    """Return in how many positions an agent moves otherwise if what is hidden is made up."""
    games = positions(seed, n, "cig2018")
    games = games.take(games.running)
    agent, other = read_agent(spec), hidden_anew(games, seed + 1)
    return int((games.ask(agent, information=information)
                != other.ask(agent, information=information)).sum())


@pytest.mark.parametrize("spec", QUICK)
def test_nothing_that_is_hidden_changes_a_move(spec: str) -> None:
    """Hand, deck, list, secrets, streams, cards that nobody saw go into the own deck."""
    assert differing(spec, "closed", 1000) == 0


@pytest.mark.parametrize("information", CLOSED[1:])
def test_nor_by_the_other_methods(information: str) -> None:
    assert differing(QUICK[2], information, 300) == 0


def test_with_open_lists_it_does() -> None:
    """And so the tests above can fail."""
    assert differing(QUICK[2], "fair", 300) > 50


@pytest.mark.parametrize("information", CLOSED)
def test_a_believed_game_has_what_was_seen_and_the_same_legal_moves(information: str) -> None:
    games = positions(3, 1500, "cig2018")
    games = games.take(games.running)
    lists, belief = guesses(information, "cig2018")
    copies, legal = believed(raw(games), tables(), lists, belief, 9)
    assert (legal == games.legal_moves()).all()
    count = Counter[str]()
    for game, copy in zip(raw(games), copies.view(np.ndarray), strict=True):
        check_copy(game, copy, count)
    assert count["known"] > 50
    assert count["secrets"] > 10
    assert count["inside"] > 10


def check_copy(game: Any, copy: Any, count: Counter[str]) -> None:
    """Compare what is visible in a position and in a believed copy of it."""
    me, known = int(game["me"]), cards("cig2018")
    side, other, seen = (one[name][1 - me] for one, name in (
        (game, "side"), (copy, "side"), (game, "evidence")))
    for name in ("n_hand", "n_deck", "n_secrets", "minions", "mana", "cls"):
        assert side[name] == other[name]
    assert (game["char"]["attack"] == copy["char"]["attack"]).all()
    for k in range(side["n_hand"]):
        if seen["hand"][k] not in (DRAWN, MADE):
            assert other["hand"]["card"][k] == side["hand"]["card"][k] == seen["hand"][k]
            count["known"] += 1
    secrets = [ids()[card] for card in other["secret"]["card"][:side["n_secrets"]]]
    assert len({*secrets}) == len(secrets)
    assert all(known[id].secret for id in secrets)
    count["secrets"] += len(secrets)
    inside = Counter(seen["inside"][:seen["n_inside"]].tolist())
    dealt = other["deck"][:side["n_deck"]].tolist() + other["hand"]["card"][
        :side["n_hand"]].tolist()
    assert not inside - Counter(dealt)
    count["inside"] += inside.total()
    own, mine = game["side"][me], copy["side"][me]
    assert (own["hand"] == mine["hand"]).all()
    assert own["n_deck"] == mine["n_deck"]


def small_database(tmp_path: Path, *rows: str) -> str:
    path = tmp_path / "decks.csv"
    path.write_text("deck,class,cards,weight\n" + "\n".join(rows) + "\n")
    return str(path)


SHARED = "|".join(f"{name}*2" for name in (
    "Frostbolt", "Fireball", "Arcane Missiles", "Arcane Intellect", "Wisp", "Polymorph",
    "Flamestrike", "Arcane Explosion", "Mirror Image", "Frost Nova", "Water Elemental",
    "Bloodfen Raptor", "Boulderfist Ogre"))
RED, BLUE = (f"{SHARED}|{two}*2|{three}*2" for two, three in (
    ("Murloc Raider", "Chillwind Yeti"), ("Mana Wyrm", "Blizzard")))
MISS = EPSILON / 495 / (2 * (1 - EPSILON) / 30)  # a mage may use 495 cards
ROWS = f"red,Mage,{RED},1", f"blue,Mage,{BLUE},3"


def share_of_blue(tmp_path: Path, information: str, *shown: str) -> float:
    """Return how often a mage that has shown cards is believed to hold the second list's."""
    path, n = small_database(tmp_path, *ROWS), 4000
    games = GameBatch.new(read_deck("mage"), read_deck("warrior"), [4] * n)
    states, numbers = raw(games), index()
    states["side"]["n_deck"][:, 0], states["me"], states["pending"] = 30 - len(shown), 1, 0
    states["side"]["n_hand"][:, 0] = 0
    names = hsevo.cards.by_name("cig2018")
    states["evidence"]["n_shown"][:, 0] = len(shown)
    for k, name in enumerate(shown):
        states["evidence"]["shown"][:, 0, k] = numbers[names[name]]
    lists, belief = guesses(f"{information}@{path}", "cig2018")
    copies, _ = believed(states, tables(), lists, belief, 2_000_000)
    decks = copies.view(np.ndarray)["side"]["deck"][:, 0] & CARD_MASK
    return float((decks == numbers[names["Blizzard"]]).any(1).mean())


@pytest.mark.parametrize(("shown", "expected"), [
    ((), 3 / 4),
    (("Fireball",), 3 / 4),
    # A list that has two of a card shows it with probability 2 (1 - eps) / 30, another eps / L.
    (("Mana Wyrm",), 3 / (3 + MISS)),
    (("Murloc Raider",), 3 * MISS / (3 * MISS + 1)),
    (("Murloc Raider", "Mana Wyrm"), 3 / 4),
    (("Fireball", "Fireball", "Fireball"), 3 / 4),  # neither list has a third
])
def test_lists_are_drawn_by_their_posterior(tmp_path: Path, shown: tuple[str, ...],
                                            expected: float) -> None:
    share = share_of_blue(tmp_path, "closed", *shown)
    assert share == pytest.approx(expected, abs=4 * (expected * (1 - expected) / 4000) ** 0.5)


def test_the_best_match_is_always_taken(tmp_path: Path) -> None:
    assert share_of_blue(tmp_path, "closed:match", "Murloc Raider") == 0
    assert share_of_blue(tmp_path, "closed:match", "Mana Wyrm") == 1
    tie = share_of_blue(tmp_path, "closed:match", "Fireball")
    assert tie == pytest.approx(3 / 4, abs=0.03)


@pytest.mark.parametrize("information", CLOSED[:3])
def test_weights_are_those_of_hsevo_decks_guess(information: str) -> None:
    """Whatever order cards are shown in, and whatever was shown before."""
    mages = DeckDatabase.load().split("known").of_class("mage")
    random, (lists, belief) = np.random.default_rng(2), guesses(information, "cig2018")
    rows = lists.view(np.ndarray)[belief["first"][0][Class.MAGE]:][:len(mages)]
    states = raw(GameBatch.new(read_deck("mage"), read_deck("warrior"), [4]))
    states["me"], states["pending"] = 1, 0
    for _ in range(30):
        deck, n = mages.decks[random.integers(len(mages))], int(random.integers(0, 12))
        shown = random.permutation(deck)[:n]
        if n > 5:  # and a card that it lacks
            shown[3] = next(card for card in mages.decks[0] if card not in deck)
        states["evidence"]["n_shown"][0, 0] = n
        states["evidence"]["shown"][0, 0, :n] = shown
        believed(states, tables(), lists, belief, 1)
        total = rows["total"][:, 0]
        expected = guess_from(mages, shown.tolist(), information.partition(":")[2] or "likelihood")
        assert np.diff(total, prepend=0) / total[-1] == pytest.approx(expected.decks, abs=1e-12)


@pytest.mark.parametrize(("ruleset", "known"), [
    ("cig2018", 3640), ("hearthsim", 3640), ("cig2018-wild", 3969), ("rise2019", 4016)])
def test_a_ruleset_guesses_among_the_known_lists_of_its_cards(ruleset: str, known: int) -> None:
    lists, belief = guesses("closed", ruleset)
    assert len(lists) == belief["first"][0, -1] == known
    assert 0 < lists["cards"].min() <= lists["cards"].max() < len(ids(ruleset))
    assert belief["n_legal"].max() <= belief["legal"].shape[2]


def test_games_of_2019_are_played_with_closed_lists_and_guess_them() -> None:
    """`human` draws lists of that year as well, and their opponents know others of them."""
    arguments = {"games": 36, "decks": "human:held-out", "ruleset": "rise2019", "seed": 3}
    closed = hsevo.match("eva:2018", "greedy:metastone", information="closed", **arguments)
    fair = hsevo.match("eva:2018", "greedy:metastone", information="fair", **arguments)
    assert not closed.games.equals(fair.games)


def test_a_database_of_ones_own_may_have_cards_of_the_ruleset(tmp_path: Path) -> None:
    later = hsevo.search_decks(patch="ros", cls="shaman")["deck"].tolist()
    path = tmp_path / "later.csv"
    hsevo.export_decks(later, "csv", path)
    assert len(guesses(f"closed@{path}", "rise2019")[0]) == len(later)
    with pytest.raises(DeckError, match="cards that the ruleset cig2018 lacks, such as"):
        guesses(f"closed@{path}", "cig2018")


def test_what_was_shown_is_gone_from_the_list(tmp_path: Path) -> None:
    """One Fireball was shown, so one is left, and everything else of either list."""
    path, names = small_database(tmp_path, *ROWS), hsevo.cards.by_name("cig2018")
    games = GameBatch.new(read_deck("mage"), read_deck("warrior"), [4] * 50)
    states = raw(games)
    states["side"]["n_deck"][:, 0], states["me"], states["pending"] = 24, 1, 0
    states["side"]["n_hand"][:, 0] = 5
    states["evidence"]["n_shown"][:, 0] = 1
    states["evidence"]["shown"][:, 0, 0] = index()[names["Fireball"]]
    lists, belief = guesses(f"closed@{path}", "cig2018")
    copies, _ = believed(states, tables(), lists, belief, 1)
    listed = {tuple(sorted(DeckDatabase.read(path).decks[row].tolist())) for row in (0, 1)}
    for side in copies.view(np.ndarray)["side"][:, 0]:
        dealt = side["deck"][:24].tolist() + side["hand"]["card"][:5].tolist()
        assert tuple(sorted([*dealt, index()[names["Fireball"]]])) in listed


def test_sums_that_are_kept_change_nothing() -> None:
    """A game decided by one table, and each of its positions by itself."""
    for information in CLOSED[:3]:
        game = hsevo.Game("mage", "warrior", ["eva:2018", "eva:2018"], 5, information=information)
        while not game.over:
            batch = GameBatch(np.array([game.states()[0]], STATE).view(np.recarray), "cig2018")
            asked = batch.ask(read_agent("eva:2018"), information=information)
            assert game.ask().index == asked[0]
            game.play(int(asked[0]))


@pytest.mark.parametrize("information", CLOSED)
def test_the_same_seed_plays_the_same_games_on_any_workers(information: str) -> None:
    arguments = {"games": 36, "decks": "mage,warrior", "information": information, "seed": 3}
    one = hsevo.match("eva:2018", "greedy:metastone", workers=1, **arguments)
    two = hsevo.match("eva:2018", "greedy:metastone", workers=2, **arguments)
    fair = hsevo.match("eva:2018", "greedy:metastone", **{**arguments, "information": "fair"})
    assert one.games.equals(two.games)
    assert not one.games.equals(fair.games)


def test_a_game_is_saved_and_goes_on(tmp_path: Path) -> None:
    game = hsevo.Game("mage", "warrior", ["mcts:knowledge?iterations=4&rollouts=1", "eva:2018"], 5,
                      information="closed:match")
    for _ in range(12):
        game.step()
    game.save(tmp_path / "game.json")
    other = hsevo.Game.load(tmp_path / "game.json")
    assert other.setting.information == "closed:match"
    for _ in range(6):
        assert game.step() == other.step()


def test_rows_play_again_as_sessions_do() -> None:
    agents = np.concatenate([read_agent("eva:2018"), read_agent("greedy:metastone")])
    setting = Setting("cig2018", (read_deck("mage"), read_deck("shaman")), "closed")
    result = play_block(np.array([(0, 1, 0, 1, 1, 77)], PAIRING), agents, setting)[0]
    game = hsevo.Game("mage", "shaman", ["eva:2018", "greedy:metastone"], 77, information="closed")
    game.run()
    assert game.winner == (0 if result["wins_a"] else 1 if result["wins_b"] else None)
    assert game.turn == result["turns"]


@pytest.mark.parametrize(("information", "line"), [
    ("close", r"information is 'close', but must be one of fair, closed, closed:match, "
              r"closed:bigrams, closed:uniform, leaky; did you mean 'closed'\?"),
    ("fair@decks.csv", "closed:bigrams take a file or folder of decks: closed@FILE"),
    ("closed@", "only closed, closed:match, closed:bigrams take a file"),
    ("closed:uniform@x", "only closed, closed:match, closed:bigrams take a file"),
])
def test_a_wrong_word_gets_a_line(information: str, line: str) -> None:
    with pytest.raises(ConfigError, match=line):
        hsevo.match("eva:2018", "random", games=18, information=information)
    with pytest.raises(ConfigError, match=line):
        hsevo.Game("mage", "warrior", information=information)


def test_a_database_without_a_class_gets_a_line(tmp_path: Path) -> None:
    path = small_database(tmp_path, *ROWS)
    with pytest.raises(DeckError, match=r"no Warrior deck, .* it has decks of Mage"):
        hsevo.match("eva:2018", "random", games=18, decks="mage,warrior",
                    information=f"closed@{path}")
    assert hsevo.match("eva:2018", "random", games=18, decks="mage",
                       information=f"closed@{path}").games is not None


def test_an_empty_or_missing_database_gets_a_line(tmp_path: Path) -> None:
    (tmp_path / "decks.csv").write_text("deck,class,cards\n")
    for path in (tmp_path / "decks.csv", tmp_path / "none.csv"):
        with pytest.raises(DeckError):
            hsevo.match("eva:2018", "random", games=18, information=f"closed@{path}")


def test_each_class_has_cards_to_fill_with() -> None:
    _, belief = guesses("closed:uniform", "cig2018")
    one = belief.view(np.ndarray)[0]
    assert (one["n_legal"][1:] > 400).all()
    names = {cls: {ids()[k] for k in one["secrets"][cls][:one["n_secrets"][cls]]} for cls in Class}
    assert {cls for cls, found in names.items() if found} == {
        Class.NEUTRAL, Class.HUNTER, Class.MAGE, Class.PALADIN}
    known = cards("cig2018")
    assert all(known[id].secret and known[id].cls is cls
               for cls, found in names.items() if cls for id in found)
