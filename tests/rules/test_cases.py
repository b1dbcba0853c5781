"""Cases: positions, actions and outcomes in a few lines of text each, one test a case.

A case is a title, a position, and one or more lines of `actions -> outcome`:

    Fireball kills Sylvanas; she takes Brann
      me: Brann Bronzebeard | hand: Fireball      them: Sylvanas Windrunner
      play Fireball on Sylvanas Windrunner   ->   me: -   them: Brann Bronzebeard

Outcomes are what the rules say, not what this engine did; a comment above a case cites a ruling
that is not plain. Only what an outcome names is compared, but a board, hand, deck or list of
secrets that is named is named whole (`-`: empty). An `or` line gives a further outcome: under many
seeds each of the given ones, and no other, must come up. Grammar: cases/README.md.
"""

import functools
import re
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from hsevo.cards.rulesets import RULESETS
from hsevo.cards.tables import by_name, cards
from hsevo.cards.terms import GROUP_CLASSES, Race
from hsevo.cards.vocabulary import (
    MY_HERO,
    MY_MINIONS,
    SPELLS_CAST,
    cast_random,
    counted,
    damage,
    destroy,
    one_of,
    return_to_hand,
    silence,
    steal,
    transform,
)
from hsevo.engine.record.state import FAIR, PREFIX
from hsevo.errors import did_you_mean
from tests.rules import case_mistakes
from tests.support import ROOT
from tests.support.state_adapter import STREAMS, World
from tests.support.state_entry import MOVE

pytestmark = pytest.mark.slow

HERE = ROOT / "tests" / "cases"
WORLD = World()
# Of tokens with one name, the first; of cards that rise2019 calls otherwise, both names.
NAMES = {
    card.name: id
    for ruleset in ("rise2019", "cig2018")
    for id, card in reversed(cards(ruleset).items())
    if card.kind
}
NAMES |= by_name("rise2019") | by_name("cig2018")
# Files of cases that only one ruleset has.
OF_2019 = ("ungoro", "frozen_throne", "kobolds", "witchwood", "boomsday", "rastakhan", "shadows")
WITH_COMMA = [name for name in NAMES if "," in name]
FEW, MANY = 8, 120  # seeds where one outcome is expected, and where several are
MOST = 20 * MANY  # seeds until each outcome has come up: a choice may be offered rarely
# Implemented cards without a case. The list only shrinks.
UNTRIED = HERE / "untried.txt"


@functools.cache
def world(ruleset: str) -> World:
    """Return the rules that a case is played by."""
    return World(ruleset)


@dataclass
class Case:
    """One case: its position's two sides, and its steps (actions, outcomes)."""

    title: str
    sides: tuple[str, str] = ("", "")
    steps: list[tuple[list[str], list[str]]] = field(default_factory=list)
    text: str = ""
    ruleset: str = "cig2018"
    wrong: list[str] = field(default_factory=list)  # with its lines, which are then not read


def mistakes(case: Case) -> list[str]:
    """Return what is wrong with the grammar of a case, in words."""
    return case.wrong or list(case_mistakes.of_case(case.sides, case.steps))


def sides_of(text: str) -> tuple[str, str]:
    """Split `me: ... them: ...`."""
    me, _, them = f" {text} ".partition(" them:")
    return me.replace(" me:", "", 1).strip(), them.strip()


def parse(block: str, ruleset: str) -> Case:
    lines = [line.strip() for line in block.strip().splitlines()
             if not line.lstrip().startswith("#")]
    wrong = list(case_mistakes.of_lines(lines))
    if wrong:
        return Case(lines[0], text=block, ruleset=ruleset, wrong=wrong)
    case = Case(lines[0], sides_of(lines[1]), text=block, ruleset=ruleset)
    for line in lines[2:]:
        if line.startswith("or "):
            case.steps[-1][1].append(line[3:].strip())
            continue
        actions, _, outcome = line.partition("->")
        case.steps.append(([a.strip() for a in actions.split(";")], [outcome.strip()]))
    return case


def ruleset_of(file: str) -> str:
    """Return the ruleset that the cases of a file are played by."""
    if file in OF_2019:
        return "rise2019"
    return file if file in RULESETS else "cig2018"


def read_cases() -> list[Case]:
    blocks = [
        (block, ruleset_of(path.stem))
        for path in sorted(HERE.glob("*.txt"))
        if path != UNTRIED
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    ]
    return [parse(*block) for block in blocks if re.search(r"^[^#\s]", block[0], re.MULTILINE)]


CASES = read_cases()


# -- positions ----------------------------------------------------------------------------------


def card_id(name: str) -> str:
    known = name in NAMES or name in WORLD.cards
    assert known, f"no card is called {name!r}{did_you_mean(name, NAMES)}"
    return NAMES.get(name, name)


def parts_of(side: str) -> tuple[list[str], dict[str, str]]:
    """Return a side's board and its other parts: `hand: ...`, `mana 3`."""
    board, *rest = [part.strip() for part in side.split("|")]
    others = {}
    for part in rest:
        key, _, value = part.partition(":") if re.match(r"\w+:", part) else part.partition(" ")
        others[key] = value.strip()
    return listed(board), others


def listed(text: str) -> list[str]:
    """Return the names of a list, which commas separate; some names have one themselves."""
    for name in WITH_COMMA:
        text = text.replace(name, name.replace(",", "\0"))
    names = [name.strip().replace("\0", ",") for name in re.split(r",(?![^()]*\))", text)]
    return [] if names in ([""], ["-"]) else names


def marked(text: str) -> tuple[str, list[str]]:
    """Split `Name (mark, mark)`; marks are separated by semicolons or spaces inside commas."""
    found = re.fullmatch(r"(.+?) \(([^)]*)\)", text)
    if found is None:
        return text, []
    return found[1], [mark.strip() for mark in found[2].split(";")]


def minion_of(text: str) -> dict:
    """Return a minion of a position with its marks (cases/README.md)."""
    name, marks = marked(text)
    minion: dict = {"id": card_id(name)}
    for mark in marks:
        if mark.startswith("damage"):
            minion["damage"] = int(mark.split()[1])
        elif mark.startswith("+"):
            minion["buff"] = numbers_of(mark)
        else:
            minion[mark.replace(" ", "_")] = True
    return minion


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the numbers of `+2/+1`."""
    return tuple(int(n) for n in text.split("/"))


def changes_of(place: int, text: str) -> tuple[int, tuple[int, ...], int]:
    """Return the changes of a card in hand: `Wisp (+1/+1; costs -1)`."""
    stats, cost = (0, 0), 0
    for mark in marked(text)[1]:
        if mark.startswith("costs"):
            cost = int(mark.split()[1])
        elif not mark.startswith("taught"):
            stats = numbers_of(mark)
    return place, stats, cost


def taught_to(text: str) -> list[str]:
    """Return the spells that a card in hand was taught: `Drustvar Horror (taught A and B)`."""
    marks = [mark for mark in marked(text)[1] if mark.startswith("taught ")]
    return [card_id(name) for mark in marks for name in mark.removeprefix("taught ").split(" and ")]


def quest_of(text: str) -> dict | None:
    """Return a quest and its progress: `Jungle Giants 4`; None for `-`."""
    name, _, progress = text.rpartition(" ")
    return {"id": card_id(name), "progress": int(progress)} if name else None


def player_of(side: str) -> dict:
    board, parts = parts_of(side)
    numbers = {key: int(value) for key, value in parts.items() if value.lstrip("-").isdigit()}
    now, _, most = parts.get("mana", "10").partition("/")
    most = int(most or now)
    held = listed(parts.get("hand", "-"))
    weapon, marks = marked(parts.get("weapon", "-"))
    used = sum(int(mark.split()[1]) for mark in marks)
    return {
        "class": parts.get("class", "mage").upper(),
        "hp": numbers.get("health", 30),
        "armor": numbers.get("armor", 0),
        "mana_max": most,
        "mana_used": most - int(now),
        "overload_locked": 0,
        "overload_next": numbers.get("overload", 0),
        "fatigue": numbers.get("fatigue", 0),
        "jade": numbers.get("golem", 1),
        "totems": numbers.get("totems", 0),
        "cards_played": numbers.get("played", 0),
        "power_used": False,
        "power": card_id(parts["power"]) if "power" in parts else None,
        "hero_attacks": 0,
        "weapon": None if weapon == "-" else {"id": card_id(weapon), "used": used},
        "secrets": [card_id(name) for name in listed(parts.get("secrets", "-"))],
        "deck": [card_id(name) for name in listed(parts.get("deck", "-"))],
        "hand": [card_id(marked(text)[0]) for text in held],
        "hand_mods": [changes_of(i, text) for i, text in enumerate(held)],
        "taught": [taught_to(text) for text in held],
        "opening_hand": [card_id(name) for name in listed(parts.get("opening", "-"))],
        "cthun": numbers_of(parts.get("cthun", "0/0")),
        "spells_cast": numbers.get("cast", 0),
        "elementals_last_turn": numbers.get("elementals", 0),
        "quest": quest_of(parts.get("quest", "-")),
        "dormant": [card_id(name) for name in listed(parts.get("dormant", "-"))],
        "dead": [card_id(name) for name in listed(parts.get("dead", "-"))],
        "board": [minion_of(text) for text in board],
    }


def position(case: Case) -> dict:
    """Return the position of a case: minions entered play from left to right, mine first."""
    players = [player_of(side) for side in case.sides]
    order = [[side, i] for side in range(2) for i in range(len(players[side]["board"]))]
    turn = max(2 * players[0]["mana_max"] - 1, 1)
    return {"turn": turn, "order": order, "players": players}


# -- actions ------------------------------------------------------------------------------------


def place_of(state, name: str) -> list[int]:
    """Return [player, slot] of `my hero`, `their Wisp`, `Wisp` (theirs if both), `their Wisp 2`."""
    me = state["turn_player"]
    found = re.fullmatch(r"(?:(my|their) )?(.+?)(?: (\d))?", name)
    assert found is not None
    whose, plain, nth = found.groups()
    sides = {"my": [me], "their": [1 - me], None: [1 - me, me]}[whose]
    if plain == "hero":
        return [sides[0], -1]
    for side in sides:
        names = [WORLD.cards[minion["id"]].name for minion in state["players"][side]["board"]]
        slots = [i for i, other in enumerate(names) if other == plain]
        if slots:
            return [side, slots[int(nth or 1) - 1]]
    raise AssertionError(f"no {name!r} in play: {state['players']}")


def action_of(game, text: str) -> dict:
    """Return an action of a case as the adapter has it."""
    if text == "end":
        return {"t": "end"}
    state = WORLD.state(game)
    me = state["turn_player"]
    text, _, option = text.partition(" as ")
    verb, _, rest = text.partition(" ")
    what, _, target = f" {rest}".rpartition(" on ")  # a name may have an "on" in it
    if " on " not in f" {rest}":
        what, target = rest, ""
    what, _, place = what.strip().partition(" at ")
    aim = {}
    if verb != "attack" and target:
        target, _, place = target.partition(" at ")
        aim = {"target": place_of(state, target)}
    if verb == "power":
        return {"t": "power", **aim}
    if verb == "attack":
        defender, _, attacker = rest.partition(" with ")
        mine = place_of(state, f"my {attacker or 'hero'}")
        assert mine[0] == me
        theirs = defender if defender.startswith("their ") else f"their {defender}"
        return {"t": "attack", "attacker": mine, "target": place_of(state, theirs)}
    assert verb == "play", text
    hand = [WORLD.cards[held["id"]].name for held in state["players"][me]["hand"]]
    if what not in hand:
        raise ValueError(f"{what!r} is not in the hand, which is: {', '.join(hand) or '-'}")
    play = {"t": "play", "hand": hand.index(what), "card": card_id(what), **aim}
    play |= {"pos": int(place) - 1} if place else {}
    return play | ({"choose": int(option) - 1} if option else {})


def choices(game) -> list[str]:
    g = game[0]
    if not g["pending"]:
        return []
    return [WORLD.cards[WORLD.id[card]].name for card in g["choice"][: g["n_choices"]]]


def move_of(game, text: str) -> int | None:
    """Return the legal move that an action is; None if the choice is not offered."""
    legal = [move for move, _ in WORLD.moves(game, all_places=True)]
    if text.startswith("choose "):
        offered = choices(game)
        wanted = text.removeprefix("choose ")
        assert offered, "no choice is open"
        if wanted != "any" and wanted not in offered:
            return None
        move = legal[offered.index(wanted) if wanted != "any" else 0]
    else:
        move = WORLD.number_of(game, action_of(game, text))
    assert move in legal, f"{text!r} is not legal"
    return move


def moved(game, move: int, seed: int):
    """Return the game after a move."""
    after = game.copy()
    after["rng"] = np.uint64(seed) + after["rng"]
    WORLD.drive(after, MOVE, [move])
    return after


def is_legal(game, text: str) -> bool:
    if text.startswith("choose "):
        return text.removeprefix("choose ") in choices(game)
    try:
        legal = [move for move, _ in WORLD.moves(game, all_places=True)]
        return WORLD.number_of(game, action_of(game, text)) in legal
    except ValueError:  # not in hand
        return False


# -- outcomes -----------------------------------------------------------------------------------


def is_such(card, words: str) -> bool:
    """Tell whether a card is `any <words>`: of a kind, class, race, cost (`5-cost`), or secret."""
    for word in words.split():
        classes = [cls.name for cls in GROUP_CLASSES.get(card.group, (card.cls,))]
        of_all = card.race is Race.ALL and word.upper() in Race.__members__
        tests = (
            of_all,
            word.upper() in (card.kind.name, card.race.name, card.rarity.name, *classes),
            word == f"{card.cost}-cost",
            word == "card",
        )
        if not any(tests):
            return False
    return card.collectible


def fits(text: str, id: str, found: dict) -> bool:
    """Tell whether a card or minion is what an outcome says: `Name 2/3 (frozen)`, `any spell`."""
    name, marks = marked(text)
    stats = re.search(r" (\d+)/(\d+)(?= costs \d+$|$)", name)
    cost = re.search(r" costs (\d+)$", name)
    name = re.sub(r"( \d+/\d+)?( costs \d+)?$", "", name)
    card = WORLD.cards[id]
    right = is_such(card, name[4:]) if name.startswith("any ") else card.name == name
    if stats:  # in a hand or deck they are given only where not as printed
        attack, health = found.get("atk", card.attack), found.get("hp", card.health)
        numbers = (attack, found.get("dur", health))
        right = right and numbers == (int(stats[1]), int(stats[2]))
    if cost:
        right = right and found["cost"] == int(cost[1])
    keywords = [keyword.replace("_", " ") for keyword in found.get("kw", ())]
    for mark in marks:
        held = mark.removeprefix("not ") in keywords
        right = right and held != mark.startswith("not ")
    return right


def all_fit(texts: list[str], found: list[dict], in_order: bool) -> bool:
    if len(texts) != len(found):
        return False
    if in_order:
        return all(fits(t, f["id"], f) for t, f in zip(texts, found, strict=True))
    left = list(found)
    for text in sorted(texts, key=lambda t: t.startswith("any ")):
        match = next((f for f in left if fits(text, f["id"], f)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def player_fits(text: str, player: dict, game) -> bool:
    if not text:
        return True
    board, parts = parts_of(text)
    starts = text.split("|")[0].strip()
    right = starts == "*" or all_fit(board, player["board"], True)
    hero, mana = player["hero"], player["mana"]
    plain = {
        "health": hero["hp"], "armor": hero["armor"], "attack": hero["atk"], "mana": mana["avail"],
        "crystals": mana["max"], "overload": mana["overload_next"], "fatigue": player["fatigue"],
        "locked": mana["locked"], "cards": len(player["hand"]), "library": len(player["deck"]),
    }  # fmt: skip
    for key, value in parts.items():
        if key in plain:
            right = right and plain[key] == int(value)
        elif key in ("frozen", "immune"):
            right = right and hero[key]
        elif key == "choices":
            offered = [{"id": WORLD.id[c]} for c in game[0]["choice"][: game[0]["n_choices"]]]
            right = right and all_fit(listed(value), offered if choices(game) else [], False)
        elif key == "weapon":
            weapon = player["weapon"]
            none = value == "-"
            right = right and none == (weapon is None)
            right = right and (none or fits(value, weapon["id"], weapon))
        elif key == "power":
            right = right and WORLD.cards[player["power"]["id"]].name == value
        elif key == "secrets":
            right = right and all_fit(listed(value), [{"id": id} for id in player[key]], True)
        elif key == "deck":
            mods = dict(player.get("deck_mods", ()))
            there = [{"id": id, **mods.get(i, {})} for i, id in enumerate(player[key])]
            right = right and all_fit(listed(value), there, False)
        elif key == "quest":
            there = dict(player.get("quest", ()))
            right = right and there.pop("total", 0) >= 0 and (quest_of(value) or {}) == there
        elif key == "cthun":
            right = right and player.get("cthun", [6, 6, 0])[:2] == list(numbers_of(value))
        else:
            assert key == "hand", f"unknown part {key!r}"
            right = right and all_fit(listed(value), player[key], True)
    return right


def outcome_fits(text: str, game, state) -> bool:
    """Tell whether a game, of which `state` is seen, is as an outcome describes."""
    assert "fault" not in state
    if text in ("won", "lost", "tied"):
        return state.get("result", [""])[0] == text.upper()
    return "result" not in state and all(
        player_fits(side, state["players"][i], game) for i, side in enumerate(sides_of(text))
    )


def seen_of(game) -> bytes:
    """Return all of a game but its random streams: legal moves and outcomes depend on it alone."""
    return game.view(np.uint8)[STREAMS:PREFIX].tobytes()


def run(case: Case, start, seed: int, seen: list[set[str]], known: dict) -> None:
    """Play a case under one seed, and note in `seen` which outcome of each step came up.

    known: moves and outcomes of games that other seeds came to as well, and that are then not
    looked for again.
    """
    game = start
    for (actions, outcomes), ways in zip(case.steps, seen, strict=True):
        for action in actions if outcomes != ["illegal"] else actions[:-1]:
            if (key := (seen_of(game), action)) not in known:
                known[key] = move_of(game, action)
            if known[key] is None:
                return
            game = moved(game, known[key], seed)
        if (key := (seen_of(game), *actions, *outcomes)) not in known:
            known[key] = outcomes_of(case, game, actions, outcomes)
        ways.update(known[key])


def outcomes_of(case: Case, game, actions: list[str], outcomes: list[str]) -> list[str]:
    """Return which outcomes of a step fit a game: one at least."""
    if outcomes == ["illegal"]:
        assert not is_legal(game, actions[-1]), f"{actions[-1]!r} is legal"
        return outcomes
    state = WORLD.state(game)
    matching = [outcome for outcome in outcomes if outcome_fits(outcome, game, state)]
    assert matching, f"{case.text}\nbecame {state['players']} {choices(game)}"
    return matching


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case, monkeypatch):
    if wrong := mistakes(case):
        pytest.fail("; ".join(wrong), pytrace=False)
    monkeypatch.setitem(globals(), "WORLD", world(case.ruleset))
    start = WORLD.load(position(case))
    chance = any(len(outcomes) > 1 for _, outcomes in case.steps) or "choose" in case.text
    seen: list[set[str]] = [set() for _ in case.steps]
    known: dict = {}
    for seed in range(1, 1 + (MOST if chance else FEW)):
        if seed > MANY and all(ways == set(outcomes) for (_, outcomes), ways
                               in zip(case.steps, seen, strict=True)):
            break
        run(case, start, 7919 * seed, seen, known)
    for (_, outcomes), ways in zip(case.steps, seen, strict=True):
        assert ways == set(outcomes), f"never seen: {set(outcomes) - ways}"


LEAVING = {  # what a spell does to its caster -> what is left of him on either side, and health
    "dies": (destroy(MY_MINIONS), ("-", 29), ("-", 30)),
    "is silenced": (silence(MY_MINIONS), ("Yogg-Saron, Hope's End", 29), ("-", 30)),
    "goes back": (return_to_hand(MY_MINIONS), ("- | cards 1", 29), ("-", 30)),
    "becomes a Sheep": (transform(MY_MINIONS, "CS2_tk1"), ("Sheep", 29), ("-", 30)),
    # hs-bugs 886 and 924 (as intended): whoever has the caster now casts the rest
    "changes sides": (steal(MY_MINIONS), ("-", 28), ("Yogg-Saron, Hope's End", 29)),
    "stays": (damage(0, MY_HERO), ("Yogg-Saron, Hope's End", 27), ("-", 30)),
}


@pytest.mark.parametrize("what", LEAVING)
def test_yogg_saron_stops_when_he(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes of patch 6.1.3: he casts no more once destroyed, silenced, transformed or returned.

    Here he has three spells to cast, and each hits the hero of who casts it for 1.
    """
    does, mine, theirs = LEAVING[what]
    rules = replace(RULESETS["cig2018"], name=f"Yogg-Saron {what}", changes={
        "OG_134": {"play": (cast_random(one_of("CS2_062"), counted(SPELLS_CAST)),)},
        "CS2_062": {"play": (damage(1, MY_HERO), does)},
    })
    monkeypatch.setitem(RULESETS, rules.name, rules)
    outcome = f"me: {mine[0]} | health {mine[1]}   them: {theirs[0]} | health {theirs[1]}"
    test_case(parse(f"""Yogg-Saron, Hope's End
        me: - | cast 3 | hand: Yogg-Saron, Hope's End   them: -
        play Yogg-Saron, Hope's End -> {outcome}""", rules.name), monkeypatch)


def said_in(case: Case) -> list[str]:
    """Return a case's title, position, actions and outcomes; comments are not tried."""
    parts = [part for step in case.steps for part in step]
    return [case.title, *case.sides, *(line for part in parts for line in part)]


def test_the_list_of_untried_cards_only_shrinks():
    """Each implemented collectible card, token, hero power has a case, or stands in the list."""
    text = "\n".join(["", *(line for case in CASES for line in said_in(case))])
    listed_there = set(UNTRIED.read_text(encoding="utf-8").splitlines())
    ours = {card.name for card in cards("rise2019").values() if card.collectible}
    ours |= by_name("cig2018").keys()
    tried = {name for name in ours
             if any(re.match(r"[^\w']", text[found.start() - 1])
                    for found in re.finditer(rf"{re.escape(name)}(?![\w'])", text))}
    assert ours - tried == listed_there, "update the list: it only shrinks"


def test_every_card_of_the_decks_has_a_case():
    untried = set(UNTRIED.read_text(encoding="utf-8").splitlines())
    for deck in ("warrior", "shaman", "mage"):
        lines = (ROOT / "decks" / f"{deck}.txt").read_text().splitlines()
        names = {re.sub(r"^\d+x ", "", line) for line in lines if line and line[0] != "#"}
        assert {name for name in names if ":" not in name} & untried == set()


def test_case_titles_are_unique():
    titles = [case.title for case in CASES]
    assert sorted({t for t in titles if titles.count(t) > 1}) == []


def test_any_names_kinds_of_cards():
    courier = WORLD.cards["CFM_649"]  # a card of all three Kabal classes
    assert is_such(courier, "Priest 3-cost minion")
    assert not is_such(courier, "Shaman minion")


def test_a_fair_look_ahead_deals_every_hand_alike():
    """Of 2 cards in hand and 4 in the deck, Mind Vision finds each in one of six look-aheads."""
    cards_there = ["Wisp", "Fireball", "Frostbolt", "Polymorph", "War Golem", "Bloodfen Raptor"]
    side = f"- | hand: {', '.join(cards_there[:2])} | deck: {', '.join(cards_there[2:])}"
    game = WORLD.load(position(Case("", ("- | hand: Mind Vision", side))))
    game["sight"] = FAIR
    games = np.repeat(game, 3000)
    games["rng"] = np.random.default_rng(5).integers(0, 2**63, 3000)
    WORLD.drive(games, MOVE, [WORLD.number_of(game, action_of(game, "play Mind Vision"))] * 3000)
    found = [WORLD.id[g["side"][0]["hand"][0]["card"]] for g in games]
    times = [found.count(card_id(name)) for name in cards_there]
    assert sum(times) == 3000
    assert max(abs(n - 500) for n in times) < 5 * (3000 * 1 / 6 * 5 / 6) ** 0.5
