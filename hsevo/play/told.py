"""What one player may know of a game, as plain text for language models and people.

    told(Known(now, before, ruleset, ...)) -> lines of at most COLUMNS columns

All of it comes from the plain data of `play.view.view`, now and at the player's last move, and from
acts without the names of hidden secrets. So the text holds nothing that a view does not hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from hsevo.cards.decks import Deck
from hsevo.cards.tables import cards, ids
from hsevo.cards.terms import Kind
from hsevo.cards.wording.text import text
from hsevo.engine.record.codec import Action
from hsevo.play.acts import Act

COLUMNS = 80
Plain: TypeAlias = dict[str, Any]
_OWNERS = {"me": "your", "opponent": "the opponent's"}
_STATES = {"health": "health", "armor": "armor", "attack": "attack"}  # of a hero, in words
_PASSING = {"asleep", "borrowed"}  # words that come and go with the turns
_ASKS = {"mulligan": "Mulligan: throw back cards, then keep the others.", "choice": "Choose one:",
         "play": "It is your move.", "over": ""}


class Known(NamedTuple):
    """What a player knows: the view now and at its last move, acts, what the opponent played."""

    now: Plain
    before: Plain | None  # None: it has not moved yet
    ruleset: str
    acts: Sequence[Act]  # at least those of this turn and the last one
    played: Sequence[str | None]  # card ids, in order; None: a secret
    opponent_deck: Deck | None  # as at the beginning; None: unknown


def told(known: Known) -> str:
    """Return what a player knows as text."""
    now = known.now
    yours, other = now["me"]["class"], now["opponent"]["class"]
    turn = f"Turn {now['turn']} of {now['max_turns']}" if now["turn"] else "Before the first turn"
    lines = [f"{turn}. You play {yours} against {other}.", _asks(now)]
    teller = _Teller(known.ruleset)
    lines += ["", "Opponent:", *teller.table(now["opponent"]),
              f"Cards in hand: {now['opponent']['hand']}",
              f"Secrets: {now['opponent']['secrets']}",
              *teller.board(now["opponent"]["board"]),
              *_listed("Has played", (teller.name(id) for id in known.played))]
    if known.opponent_deck:
        lines += _listed("Deck list at the beginning", teller.counted(known.opponent_deck.ids))
    lines += ["", "You:", *teller.table(now["me"]), *teller.board(now["me"]["board"]),
              *teller.hand(now["me"]),
              *_listed("Secrets", (teller.said(card) for card in now["me"]["secrets"])),
              *_listed("Thrown back", (card["name"] for card in now["me"]["thrown_back"])),
              *_listed("Left in deck", teller.left(now["me"]))]
    if now["choices"]:
        lines += ["", "On offer:", *_numbered(map(teller.said, now["choices"]))]
    lines += teller.acts(known)
    if known.before and (changes := [*_changes(known.before, now)]):
        lines += ["", "Changes since your last move:", *map(_upper, changes)]
    return "\n".join(part for line in lines for part in wrapped(line))


def _asks(now: Plain) -> str:
    """Say what the player is asked for, or how the game ended."""
    if now["phase"] == "over":
        won = now["winner"] == now["player"]
        return "The game is over: " + (
            "a draw." if now["winner"] is None else "you won." if won else "you lost.")
    return _ASKS[now["phase"]] if now["to_move"] == now["player"] else "The opponent is to move."


def plain_words(text: str) -> str:
    """Return a text without what does not matter when two of them are compared."""
    return " ".join(text.split()).removesuffix(".").casefold()


def wrapped(line: str) -> list[str]:
    """Return a line as lines of at most COLUMNS columns."""
    return wrap(line, COLUMNS, subsequent_indent="    ") or [""]


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _listed(title: str, items: Iterable[str]) -> list[str]:
    """Return items as a line with a title; no line without items."""
    said = ", ".join(items)
    return [f"{title}: {said}"] if said else []


def _numbered(items: Iterable[str]) -> list[str]:
    return [f"  {number}. {item}" for number, item in enumerate(items, start=1)]


class _Teller:
    """Puts parts of a view into words."""

    def __init__(self, ruleset: str) -> None:
        self.cards, self.ids = cards(ruleset), ids(ruleset)

    def name(self, id: str | None) -> str:
        return "a secret" if id is None else self.cards[id].name

    def counted(self, cards: Iterable[str]) -> Iterator[str]:
        """Yield names of cards, each with its number if there are several, by name."""
        for name, number in sorted(Counter(map(self.name, cards)).items()):
            yield f"{number}x {name}" if number > 1 else name

    def left(self, side: Plain) -> Iterator[str]:
        yield from self.counted(side["left_in_deck"])
        if side["unseen_in_deck"]:
            yield f"{side['unseen_in_deck']} unknown"

    def text(self, id: str) -> str:
        """Return a card's text as one string."""
        return " ".join(part if part.endswith((".", "!", "\"")) else f"{part}."
                        for part in text(self.cards, id))

    def said(self, card: Plain) -> str:
        """Return the name and text of a card."""
        return ": ".join(filter(None, [card["name"], self.text(card["card"])]))

    def table(self, side: Plain) -> Iterator[str]:
        """Yield the lines of the hero, the mana, the hero power and the weapon of a side."""
        hero, locked = side["hero"], side["locked"]
        parts = [hero["name"], f"health {hero['health']}/{hero['max_health']}",
                 f"armor {hero['armor']}" if hero["armor"] else "",
                 f"attack {hero['attack']}" if hero["attack"] else "", *hero["words"]]
        yield "Hero: " + ", ".join(filter(None, parts))
        mana = [f"Mana: {side['mana']} of {side['crystals']}",
                f"locked {locked}" if locked else "",
                f"locked next turn {side['owed']}" if side["owed"] else "",
                f"Spell Damage +{side['spell_damage']}" if side["spell_damage"] else "",
                f"cards played this turn {side['played_this_turn']}"
                if side["played_this_turn"] else ""]
        yield ", ".join(filter(None, mana))
        if power := side["power"]:
            used = ", used" if power["used"] else ""
            does = self.text(power["card"])
            yield f"Hero power: {power['name']} (cost {power['cost']}{used}): {does}"
        if weapon := side["weapon"]:
            yield f"Weapon: {weapon['attack']}/{weapon['durability']} {self.said(weapon)}"
        if quest := side["quest"]:
            yield f"Quest ({quest['progress']} of {quest['goal']}): {self.said(quest)}"
        for card in side["dormant"]:
            yield f"Dormant: {self.said(card)}"
        yield from _listed("At the end of the turn", (card["name"] for card in side["later"]))
        fatigue = f", last fatigue damage {side['fatigue']}" if side["fatigue"] else ""
        yield f"Cards in deck: {side['deck']}{fatigue}"
        yield from _listed("With what they were given", map(self.kept, side.get("kept", ())))

    def kept(self, minion: Plain) -> str:
        """Return a minion that went into the deck with what it was given."""
        card = self.cards[minion["card"]]
        size = f"{card.attack + minion['attack']}/{card.health + minion['health']}"
        texts = (f"with {text['name']}" for text in minion.get("texts", ()))
        return " ".join([card.name, size, *minion.get("words", ()), *texts])

    def board(self, minions: Sequence[Plain]) -> list[str]:
        if not minions:
            return ["Board: empty"]
        return ["Board, from the left:", *_numbered(map(self.minion, minions))]

    def minion(self, minion: Plain) -> str:
        hurt = minion["health"] != minion["max_health"]
        parts = [f"{minion['name']} {minion['attack']}/{minion['health']}",
                 f"(maximum {minion['max_health']})" if hurt else ""]
        words = ", ".join([" ".join(filter(None, parts)), *minion["words"]])
        own = "" if "silenced" in minion["words"] else self.text(minion["card"])
        attached = (f"Given by {self.said(card)}" for card in minion["texts"])
        texts = " ".join(filter(None, [own, *attached]))
        return f"{words}: {texts}" if texts else words

    def hand(self, side: Plain) -> list[str]:
        return ["Hand:", *_numbered(map(self.held, side["hand"]))] if side["hand"] else [
            "Hand: empty"]

    def held(self, held: Plain) -> str:
        """Return a card in hand: name, cost, what it is, text."""
        card, what = self.cards[held["card"]], self.cards[held["card"]].kind.name.lower()
        if card.kind in (Kind.MINION, Kind.WEAPON):
            attack, health = card.attack + held["attack"], card.health + held["health"]
            what = f"{attack}/{health} {what}"
        does, name = self.text(held["card"]), card.name
        if "joined" in held:
            second = held["joined"]
            name = f"{name} and {second['name']}"
            does = " ".join(filter(None, [does, self.text(second["card"])]))
        if "taught" in held:
            spells = [f"{spell['name']}: {self.text(spell['card'])}" for spell in held["taught"]]
            does = " ".join([does, *spells])
        what = ", ".join([what, *held.get("words", ())])
        attached = (f"Given by {self.said(card)}" for card in held.get("texts", ()))
        does = " ".join(filter(None, [does, *attached]))
        return f"{name} (cost {held['cost']}, {what})" + (f": {does}" if does else "")

    def acts(self, known: Known) -> Iterator[str]:
        """Yield the acts of the opponent's last turn, and of this one."""
        me, turn = known.now["player"], known.now["turn"]
        mine = known.now["to_move"] == me
        for title, player, when in (
                ("The opponent's last turn:" if mine else "The opponent's turn so far:", 1 - me,
                 turn - mine),
                ("Your turn so far:" if mine else "Your last turn:", me, turn - (not mine))):
            acts = [act for act in known.acts if (act.player, act.turn) == (player, when)]
            if acts:
                yield from ("", title, *_numbered(_upper(self.act(act, me)) for act in acts))

    def act(self, act: Act, player: int) -> str:
        """Say what an act did, as a player sees it."""
        card = self.name(self.ids[act.card]) if act.card else "a secret"
        at = ""
        if act.target:
            target = self.cards[self.ids[act.target]]
            owner = _OWNERS["me" if act.side == player else "opponent"]
            at = f"{owner} {'hero' if target.kind is Kind.HERO else target.name}"
        if act.kind == Action.ATTACK:
            return f"attacked {at} with {card}"
        did = "played" if act.kind == Action.PLAY else "used"
        return f"{did} {card}" + (f" at {at}" if at else "")


# -- what changed between two views -------------------------------------------------------------


def _changes(before: Plain, now: Plain) -> Iterator[str]:
    """Yield what differs between two views of a player, side by side."""
    for side, owner in _OWNERS.items():
        yield from _hero_changes(before[side], now[side], owner)
        yield from _weapon_changes(before[side]["weapon"], now[side]["weapon"], owner)
    yield from _minion_changes(_minions(before), _minions(now))
    gone = before["opponent"]["secrets"] - now["opponent"]["secrets"]
    if gone > 0:
        yield f"the opponent's secrets: {gone} fewer"
    held, holds = (_names(seen["me"]["hand"]) for seen in (before, now))
    yield from _listed("new in your hand", (holds - held).elements())
    yield from _listed("no longer in your hand", (held - holds).elements())
    laid, lie = (_names(seen["me"]["secrets"]) for seen in (before, now))
    yield from _listed("your secrets that are gone", (laid - lie).elements())


def _names(cards: Iterable[Plain]) -> Counter[str]:
    return Counter(card["name"] for card in cards)


def _hero_changes(before: Plain, now: Plain, owner: str) -> Iterator[str]:
    old, new = before["hero"], now["hero"]
    if old["card"] != new["card"]:
        yield f"{owner} hero is now {new['name']}"
    parts = [f"{word} {old[name]} -> {new[name]}" for name, word in _STATES.items()
             if old[name] != new[name]]
    yield from _listed(f"{owner} hero", [*parts, *_words_changed(old, new)])


def _weapon_changes(old: Plain | None, new: Plain | None, owner: str) -> Iterator[str]:
    if old and (not new or old["uid"] != new["uid"]):
        yield f"{owner} weapon {old['name']} is gone"
    if new and (not old or old["uid"] != new["uid"]):
        yield f"{owner} new weapon: {new['name']} {new['attack']}/{new['durability']}"
    elif old and new and old != new:
        yield (f"{owner} weapon {new['name']}: {old['attack']}/{old['durability']} ->"
               f" {new['attack']}/{new['durability']}")


def _minions(seen: Plain) -> dict[int, tuple[str, Plain]]:
    """Return uid -> (whose, minion) of all minions in play."""
    return {minion["uid"]: (_OWNERS[side], minion)
            for side in _OWNERS for minion in seen[side]["board"]}


def _minion_changes(before: dict[int, tuple[str, Plain]],
                    now: dict[int, tuple[str, Plain]]) -> Iterator[str]:
    for uid, (owner, old) in before.items():
        if uid not in now:
            yield f"{owner} {old['name']} is gone"
            continue
        owns, new = now[uid]
        if owns != owner:
            yield f"{owner} {old['name']} changed sides"
        stats = [f"{minion['attack']}/{minion['health']}" for minion in (old, new)]
        parts = [" -> ".join(stats)] if stats[0] != stats[1] else []
        yield from _listed(f"{owns} {new['name']}", [*parts, *_words_changed(old, new)])
    for uid, (owner, new) in now.items():
        if uid not in before:
            yield f"{owner} new minion: {new['name']} {new['attack']}/{new['health']}"


def _words_changed(old: Plain, new: Plain) -> Iterator[str]:
    """Yield the keywords that a character gained or lost."""
    then, now = ({*character["words"]} - _PASSING for character in (old, new))
    yield from (f"now {word}" for word in new["words"] if word in now - then)
    yield from (f"no longer {word}" for word in old["words"] if word in then - now)
