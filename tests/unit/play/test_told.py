"""What a player knows as text: all of it, nothing that is hidden, and a text for each move."""

import itertools
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import RULESETS, cards, index
from hsevo.cards.wording.text import text as text_of_card
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.record.state import RUNNING
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.play.acts import Act
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting
from hsevo.play.players import Decision, PlayedCard
from hsevo.play.told import COLUMNS
from hsevo.play.view import View, own_texts, text_for
from tests.support.hidden import positions, resampled
from tests.support.random_games import begin

DECKS = read_deck("mage"), read_deck("warrior")
COUNTERSPELL, VAPORIZE, FIREBALL = "EX1_287", "EX1_594", "CS2_029"


def decision(now: GameBatch, then: GameBatch, i: int, player: int, secret: str,
             setting: Setting) -> Decision:
    """Return a decision after an opponent's secret and a Fireball of the player."""
    known, turn = index(now.ruleset), int(now.states["turn"][i])
    acts = (Act(turn - 1, 1 - player, int(Action.PLAY), known[secret], 0, 0),
            Act(turn, 1 - player, int(Action.PLAY), known[secret], 0, 0),
            Act(turn, player, int(Action.PLAY), known[FIREBALL], 0, 0))
    played = (PlayedCard(turn, 1 - player, secret), PlayedCard(turn, player, FIREBALL))
    return Decision(np.array(now.states[i:i + 1]), setting, 1, 7, played, acts,
                    np.array(then.states[i:i + 1]))


@pytest.mark.parametrize("ruleset", ["cig2018", "msg2017"])
def test_what_is_hidden_changes_no_text(ruleset: str) -> None:
    """Hand, deck and secrets of the opponent, now and before, and the secrets that it played."""
    n, random = 60, np.random.default_rng(5)
    now, then = positions(9, n, ruleset), positions(10, n, ruleset)
    setting, masks, changes = Setting(ruleset, DECKS), now.legal_moves(), 0
    for players in (np.arange(n) % 2, 1 - np.arange(n) % 2):
        others = [resampled(games, players, random) for games in (now, then)]
        for i, player in enumerate(players.tolist()):
            pair = [decision(*games, i, player, secret, setting)
                    for games, secret in (((now, then), COUNTERSPELL), (others, VAPORIZE))]
            first, second = (text_for(one, player) for one in pair)
            assert first == second
            assert "Played a secret" in first or now.states["turn"][i] == 0
            changes += "Changes since your last move:" in first
            if now.states["me"][i] == player and now.results[i] == RUNNING:
                legal = np.flatnonzero(masks[i]).tolist()
                assert [View(one, legal).text for one in pair] == [first, first]
    assert changes > n


def test_a_closed_deck_list_changes_no_text() -> None:
    games, texts = positions(8, 30, "cig2018"), []
    for information, other in itertools.product(("closed", "closed:uniform", "fair"),
                                                ("warrior", "nzoth-control-warrior")):
        setting = Setting("cig2018", (DECKS[0], read_deck(other)), information)
        texts.append([text_for(Decision(np.array(games.states[i:i + 1]), setting, 1, 7), 0)
                      for i in range(len(games))])
    assert texts[0] == texts[1] == texts[2] == texts[3]
    assert all(one != other for one, other in zip(texts[4], texts[5], strict=True))


@pytest.mark.parametrize(("mine", "name"), [
    (True, "hand"), (True, "deck"), (True, "mana"), (True, "spell_damage"), (False, "n_hand"),
    (False, "n_deck"), (False, "armor"), (False, "weapon"), (False, "power")])
def test_what_is_open_changes_the_text(mine: bool, name: str) -> None:
    """So the tests above can fail."""
    games = positions(6, 30, "cig2018")
    other = games.take(slice(None))
    side = other.states.view(np.ndarray)["side"][:, 0 if mine else 1]
    if name in ("hand", "deck", "weapon", "power"):
        (side["hand"]["card"] if name == "hand" else side[name])[:] = index()["CS2_106"]
    else:
        side[name] = np.maximum(side[name] - 1, 0) if name.startswith("n_") else side[name] + 1
    other.states.view(np.ndarray)["side"][:, 0 if mine else 1] = side
    one, two = ([text_for(Decision(np.array(each.states[i:i + 1]), Setting("cig2018", DECKS), 1, 7),
                          0) for i in range(30)] for each in (games, other))
    assert sum(first != second for first, second in zip(one, two, strict=True)) >= 20


def test_a_game_tells_its_players_the_same_as_their_views() -> None:
    """In matches, too, where no state is kept; no line is wider than it may be."""
    told: list[tuple[str, ...]] = []

    def player(view: View) -> Any:
        told[-1] += (view.text,)
        return view.random.choice(view.legal)

    told.append(())
    game = hsevo.Game("secret-hunter", "mage", players=[player, "eva:2018"], seed=5,
                      ruleset="msg2017")
    texts: tuple[str, ...] = ()
    while not game.over:
        if game.player == 0:
            texts += (game.text(0),)
        game.step()
    assert told[0] == texts
    assert any("The opponent's last turn:" in one for one in texts)
    assert all(len(line) <= COLUMNS for one in (*texts, game.text(1)) for line in one.splitlines())
    won = "you won" if game.winner == 1 else "you lost"
    assert game.text(1).splitlines()[1] == f"The game is over: {won}."
    told.append(())
    deck = hsevo.Deck("secret-hunter")
    hsevo.match(player, "eva:2018", games=2, decks=[deck], seed=5, ruleset="msg2017", workers=1)
    begun = [k for k, one in enumerate(told[1]) if one.startswith("Before the first turn")]
    first = [k for k in begun if "Thrown back" not in told[1][k] and (
        "Changes since" not in told[1][k])]
    assert len(first) == 2  # the beginning of each game, which knows nothing of the other one
    assert first[0] == 0


def position(opponent: dict[str, Any], **me: Any) -> hsevo.Game:
    deck = {"class": "mage", "deck": 5 * ["Wisp"]}
    return hsevo.Game.at({"ruleset": "msg2017", "turn": 9, "me": deck | me,
                          "opponent": deck | opponent}, all_places=False)


def make(game: hsevo.Game, *texts: str) -> None:
    for text in texts:
        game.play(next(move for move in game.moves if move.text == text))


def test_a_text_by_hand() -> None:
    """Cards in hand and in play with texts, acts with targets, what they changed."""
    game = position({"board": ["Water Elemental"], "hand": ["Fireball", "Counterspell"],
                     "mana": 0, "crystals": 9}, board=["Bloodmage Thalnos"],
                    hand=["Frostbolt", "The Coin"])
    make(game, "play The Coin", "play Frostbolt at Water Elemental (enemy minion 1)")
    said = game.text(0)
    frost = " ".join(text_of_card(cards("msg2017"), "CS2_033"))
    assert f"1. Water Elemental 3/2 (maximum 6), freezes, frozen: {frost}" in " ".join(said.split())
    for line in ("Your turn so far:", "  1. Played The Coin",
                 "  2. Played Frostbolt at the opponent's Water Elemental",
                 "The opponent's Water Elemental: 3/6 -> 3/2, now frozen",
                 "No longer in your hand: Frostbolt", "Hand: empty"):
        assert line in said.splitlines()
    assert "Spell Damage +1, cards played this turn 2" in said
    make(game, "end the turn", "play Counterspell",
         "play Fireball at Bloodmage Thalnos (enemy minion 1)")
    assert "2. Played Fireball at the opponent's Bloodmage Thalnos" in game.text(1)
    make(game, "end the turn")
    said = game.text(0)
    assert said.count("Counterspell") == 1  # in the deck list
    for line in ("The opponent's last turn:", "  1. Played a secret", "Secrets: 1",
                 "  2. Played Fireball at your Bloodmage Thalnos",
                 "Your Bloodmage Thalnos is gone", "Has played: a secret, Fireball"):
        assert line in said.splitlines()
    assert "Your last turn:" in game.text(1)


def test_spell_damage_cards_played_and_temporary_mana_are_in_a_view() -> None:
    game = position({"board": ["Bloodmage Thalnos"]}, board=["Azure Drake", "Kobold Geomancer"],
                    hand=["The Coin", "Wisp"], mana=4, crystals=4)
    assert [game.view(0)[who]["spell_damage"] for who in ("me", "opponent")] == [2, 1]
    make(game, "play The Coin", "play Wisp")
    me, power = game.view(0)["me"], game.view(0)["me"]["power"]
    assert (me["mana"], me["crystals"], me["played_this_turn"], power["cost"]) == (5, 4, 2, 2)
    assert game.view(1)["opponent"]["played_this_turn"] == 2
    make(game, "end the turn")
    assert game.view(1)["opponent"]["played_this_turn"] == 0


@pytest.mark.parametrize("ruleset", [*RULESETS, "hearthsim"])
def test_each_legal_move_has_a_text_of_its_own(ruleset: str) -> None:
    """In random games of all cards of a ruleset, with every board position and choice."""
    games, random = begin(50, 150, ruleset)
    games, seen = GameBatch(games.states, ruleset, True), 0
    for _ in range(80):
        masks, pending = games.legal_moves(), games.states["pending"]
        for i in np.flatnonzero(games.running & ((pending > 0) | (random.random(150) < 0.02))):
            moves = np.flatnonzero(masks[i]).tolist()
            now = snapshot(games.states[i])
            texts = {move: move_text(now, move, ruleset) for move in moves}
            assert len({text.casefold() for text in own_texts(texts).values()}) == len(moves)
            same = [texts[move] for move in moves if decode(move).action is not Action.PLAY]
            assert len({*same}) == len(same) or pending[i] > 1
            seen += len(moves)
        games.step(games.sample(random))
    assert seen > 1_000


@pytest.mark.parametrize("cheaper", [False, True])
def test_cards_of_the_same_name_have_their_places(cheaper: bool) -> None:
    """In a view always; in a game, whose analysis takes equal cards for one, if they differ."""
    seen: list[View] = []
    third: Any = {"card": "Fireball", "discount": 1} if cheaper else "Fireball"
    deck = {"class": "mage", "deck": 5 * ["Wisp"]}
    game = hsevo.Game.at({"ruleset": "msg2017", "turn": 9, "opponent": deck,
                          "me": deck | {"hand": ["Fireball", "Wisp", third]}},
                         [lambda view: seen.append(view) or view.moves[0], None])
    game.ask()
    apart = ["play Fireball at the enemy hero, card 1 in hand",
             "play Fireball at the enemy hero, card 3 in hand"]
    shared = 2 * ["play Fireball at the enemy hero"]
    for moves, texts in ((seen[0].moves, apart), (game.moves, apart if cheaper else shared)):
        assert [move.text for move in moves if "at the enemy hero" in move.text
                and move.kind == "play"] == texts
        assert sum(move.text == "play Wisp" for move in moves) == 1


def test_a_view_finds_the_move_of_a_text() -> None:
    def player(view: View) -> Any:
        for move in view.moves:
            assert view.find(f"  {move.text.upper()}. ") == move
        assert view.find("win the game") is None
        return view.moves[-1]

    game = hsevo.Game("mage", "warrior", players=[player, "random"], seed=3)
    for _ in range(12):
        game.step()
