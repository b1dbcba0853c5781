"""Decks that evolve before and after a change, and against proposals: what is found and counts."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hsevo
from hsevo.cards.decks import Deck, read_deck
from hsevo.deckbuilding import responses
from hsevo.deckbuilding.book import RESULT
from hsevo.errors import HsevoError
from hsevo.metagame import balance, re_evolving
from hsevo.metagame.balance import Changes, Tried
from hsevo.metagame.re_evolving import Responder, _free
from hsevo.seeds import Stream
from hsevo.strength.roster import contents
from tests.support.command import hsevo as command

pytestmark = pytest.mark.usefixtures("here", "fake_engine")
SERIAL: dict[str, Any] = {"backend": "serial"}
CLAWS = {"Spirit Claws": "cost+1"}
LEAST = 2 * responses.LEAST_GAMES  # against two decks


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last searches of a balance be as small as the others."""
    monkeypatch.setattr(re_evolving, "LAST", 1)


def nerf(out: Path | None = None, **how: Any) -> hsevo.Nerf:
    return hsevo.nerf(["mage", "shaman"], CLAWS, "random", 20, re_evolve=True, out=out,
                      **{"evolve_games": LEAST, **SERIAL, **how})


def test_evolved_decks_join_both_matrices(tmp_path: Path) -> None:
    """Only the shaman has the card; its search is repeated before and after, with the same games.
    """
    found, kept = nerf(), nerf(tmp_path / "nerf", workers=2, backend="threads")
    table = found.evolved
    assert table is not None
    assert kept.evolved is not None
    assert kept.evolved.equals(table)
    assert kept.table.equals(found.table)
    assert table[["class", "when"]].to_numpy().tolist() == [["Shaman", "before"],
                                                            ["Shaman", "after"]]
    assert found.before.decks == found.after.decks == (
        "mage", "shaman", *table["deck"][table["deck"] != "shaman"].unique())
    for row in table.to_dict("records"):
        assert row["known"] == "shaman"
        assert 0 <= row["rate_low"] <= row["rate"] <= row["rate_high"] <= 1
        assert len(hsevo.Deck(row["code"])) == 30
    folder = tmp_path / "nerf" / "evolved"
    plans = [hsevo.DeckEvolution(folder / f"shaman-{when}").plan for when in ("before", "after")]
    assert plans[1].model_copy(update={"ruleset": plans[0].ruleset}) == plans[0]
    assert plans[1].ruleset == found.ruleset != plans[0].ruleset
    for name in ("evolved/shaman-after", "before", "after"):
        shutil.rmtree(tmp_path / "nerf" / name)  # as if it had been killed after the first search
    assert nerf(tmp_path / "nerf").table.equals(found.table)
    with pytest.raises(HsevoError, match="contains a search with other settings"):
        nerf(tmp_path / "nerf", evolve_games=3 * LEAST)


def test_all_classes_evolve_if_asked_or_if_no_deck_has_the_card() -> None:
    for card, classes in (("Spirit Claws", "all"), ("Wisp", ())):
        found = hsevo.nerf(["mage", "shaman"], {card: "cost+1"}, "random", 2, re_evolve=True,
                           evolve_games=LEAST, classes=classes, **SERIAL)
        assert found.evolved is not None
        assert [*found.evolved["class"].unique()] == ["Mage", "Shaman"]


def test_classes_without_a_search_are_refused() -> None:
    with pytest.raises(HsevoError, match="needs re_evolve"):
        hsevo.nerf(["mage", "shaman"], CLAWS, "random", 20, classes="all", **SERIAL)
    with pytest.raises(HsevoError, match="evolve_games needs re_evolve"):
        hsevo.balance(["mage", "shaman"], "random", evolve_games=LEAST, **SERIAL)


def test_a_deck_that_evolves_has_a_name_that_is_free() -> None:
    """A field may hold what evolved before."""
    taken = {"evolved-mage-before", "evolved-mage-before-2"}
    assert _free("evolved-shaman-before", taken) == "evolved-shaman-before"
    assert _free("evolved-mage-before", taken) == "evolved-mage-before-3"
    assert _free("evolved-mage-before", taken) == "evolved-mage-before-4"


def test_what_the_commands_print(short: None) -> None:
    rest = ("--decks", "mage,shaman", "--re-evolve", "--evolve-games", LEAST, "--backend", "serial")
    result = command("meta", "nerf", "Spirit Claws", "cost+1", "--pilots", "random", "--games", 4,
                     *rest)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("win rates against the given decks, in %, of the best evolved")
    few = ("meta", "balance", "--pilot", "random", "--most", 1, "--proposals", 2, "--games", 2,
           "--confirm", 4)
    assert "challenger" in command(*few, *rest).stdout
    assert command(*few, "--decks", "mage,shaman", "--re-evolve", "--evolve-games", 1
                   ).exit_code == 2


def test_challengers_count_if_they_win_more_than_half() -> None:
    """Two even decks, and two challengers: one wins 80 and 60 % against them, one 40 %."""
    rates = np.full((4, 4), 0.5)
    rates[2, :2], rates[3, :2] = (0.8, 0.6), (0.4, 0.4)
    rates[:2, 2:] = 1 - rates[2:, :2].T
    assert balance.unevenness(rates, 2) == pytest.approx((0.2**2 / 4)**0.5)
    assert balance.unevenness(rates[:2, :2]) == 0


HIDDEN = Deck.of("hidden", "MAGE", read_deck("mage").ids)


class Hidden(balance.BalancedField):
    """Fireball's cost makes the field even, and a hidden deck good; Frostbolt's helps a little."""

    def play(self, executor: Any, changes: Changes, games: int, stage: int, on_games: Any,
             challengers: Any = ()) -> Tried:
        steps = {card: n for card, fact, n in changes}
        n = 2 + len(challengers)
        rates = np.full((n, n), 0.5)
        gap = 0.2 - (0.2 if "Fireball" in steps else 0.05 if "Frostbolt" in steps else 0.0)
        rates[0, 1], rates[1, 0] = 0.5 + gap, 0.5 - gap
        rates[2:, :2] = 0.9 if "Fireball" in steps else 0.5
        return Tried(changes, rates, tuple(challengers))


def test_a_proposal_after_which_another_deck_is_best_is_not_taken() -> None:
    decks = read_deck("mage"), read_deck("shaman")
    facts = (("Fireball", "cost"), ("Frostbolt", "cost")), ()
    field = Hidden(decks, facts, np.zeros(1), "cig2018", 89, 1)
    asked: list[Changes] = []

    def respond(changes: Changes, known: tuple[Deck, ...]) -> tuple[Deck, ...]:
        asked.append(changes)
        return (HIDDEN,)

    def found(**how: Any) -> list[str]:
        none, *best = balance.search(None, field, 1, 20, 2, **how)  # type: ignore[arg-type]
        assert none.challengers == ((HIDDEN,) if how else ())
        return [one.changes[0][0] for one in best]

    assert found() == ["Fireball"]
    assert found(respond=respond) == ["Frostbolt"]
    assert asked[0] == ()
    assert len(asked) == len({*asked})


def test_a_balanced_field_is_the_same_with_any_workers(short: None) -> None:
    def found(**team: Any) -> hsevo.Balance:
        return hsevo.balance(["mage", "shaman"], "random", most=1, proposals=3, games=2, confirm=20,
                             re_evolve=True, evolve_games=LEAST, **team)

    one, other = found(backend="serial"), found(workers=2, backend="threads")
    assert one.front.equals(other.front)
    assert len(one.challengers) == len(one.front)
    for meta, evolved in zip((one.before, *one.after), one.challengers, strict=True):
        assert meta.decks[2:] == tuple(response.deck.name for response in evolved)
    games = one.before.matrix().loc["mage", "shaman"]
    assert games == hsevo.balance(["mage", "shaman"], "random", most=1, proposals=3, games=2,
                                  confirm=20, **SERIAL).before.matrix().loc["mage", "shaman"]


def test_the_last_searches_begin_with_all_that_challenged(monkeypatch: pytest.MonkeyPatch) -> None:
    field = balance.BalancedField((read_deck("mage"), read_deck("shaman")), ((), ()), np.zeros(1),
                          "cig2018", 89, 1)
    begun: list[Any] = []

    def best(executor: Any, plan: Any, field: Any, on_games: Any) -> responses.Response:
        begun.append((plan.seed, plan.pool.cls, [deck.name for deck in field.start]))
        assert plan.search.generations == 18  # with ten times as many games; else it is 2
        return responses.Response(field.start[-1], 0.5)

    monkeypatch.setattr(responses, "best_response", best)
    shaman = hsevo.export_decks("shaman", "code")
    other = Deck.of("other", "SHAMAN", (*read_deck(shaman).ids[:-1], "CS2_231"))
    found = Responder(field, "random", LEAST).last(
        None, [(), (("Fireball", "cost", 1),)],  # type: ignore[arg-type]
        [(), (other,)], lambda games: None)
    assert [one[1:] for one in begun] == 2 * [("mage", ["mage"]), ("shaman", ["shaman", "other"])]
    assert len({seed for seed, *_ in begun}) == 1
    assert [[one.deck.name for one in some] for some in found] == 2 * [["evolved-shaman"]]


def test_what_a_search_began_with_plays_the_last_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck that loses all games of the search, and wins those that choose, is what is found."""
    class Unlucky:
        def __init__(self, plan: Any, field: Any, pilots: Any) -> None:
            self.known = contents(field.start[0])

        def play(self, executor: Any, decks: Any, games: int, key: Any, on_games: Any) -> Any:
            results = np.zeros((len(decks), 2), RESULT)
            results["games"] = games
            last = key[1] == Stream.DECK_CONFIRM
            won = np.array([(contents(deck) == self.known) == last for deck in decks])
            results["wins"] = np.where(won, games, 0)[:, None]
            return results

    monkeypatch.setattr(responses, "FieldGames", Unlucky)
    decks = [read_deck("mage"), read_deck("shaman")]
    field = responses.field_of(decks, ["random"] * 2, {}, decks[1:])
    plan = responses.plan_of(field, "SHAMAN", "random", LEAST, 20, 1, "cig2018", 89)
    found = responses.best_response(None, plan, field)  # type: ignore[arg-type]
    assert contents(found.deck) == contents(decks[1])
    assert found.rate == 1
