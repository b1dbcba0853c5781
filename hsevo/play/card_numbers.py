"""Numbers of cards: each card of a game has one while it moves between deck, hand and board.

    numbers = CardNumbers(snapshot, seed)     at the beginning, or anywhere
    numbers.follow(before, after, op)         after each step of a move (play/recorder.py)
    numbers.hands[0], numbers.minions[uid]    the numbers now

The engine keeps no such number: it knows minions by their `uid`, and equal cards in a deck are the
same to it. So numbers follow from what each step changed. Where equal cards leave a deck or a hand,
nobody can tell which of them left, and one is taken.

A number is drawn at random when its card appears, so it does not tell where in a deck a card is, or
which card of an opponent it is. A card that goes into a deck gets a new number, as it can't be told
from the others there; only those thrown back in a mulligan keep theirs, which their owner alone has
seen.
"""

from __future__ import annotations

import hashlib
import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self

from hsevo.cards.ops import Op
from hsevo.cards.tables import cards, ids
from hsevo.engine.record.codec import Action, decode
from hsevo.engine.view.snapshot import GameSnapshot
from hsevo.play.events import BOTH

MOST = 9_999  # the highest number; of the cards of a game, some hundreds at most
BEGUN = -2  # instead of an operation: the first part of a move
# TEXT: a Choose One minion takes the form of both options.
TRANSFORMING = {Op.TRANSFORM, Op.TRANSFORM_RANDOM, Op.TRANSFORM_BY_COST, Op.TEXT}
FROM_PLAY = {BEGUN, Op.EQUIP_PLAYED, Op.HIDE_SECRET}  # where a card that is played goes into play
IN_PLACE = {Op.TRANSFORM_CARDS, Op.RENOUNCE}  # cards in hand and deck become others


class _Left(NamedTuple):
    """A card that left a place in a step."""

    player: int
    card: int  # table index
    number: int


class CardInGame(NamedTuple):
    """A card of a game: its number, its id and name, and where it is.

    zone: "deck", "hand", "board", "weapon", "secret", or "thrown back" in a mulligan. position:
    from the left, from 0; in a deck from the top if it has an order, else -1. uid: of a minion,
    weapon or secret, as in views, else 0.
    """

    number: int
    card: str
    name: str
    player: int
    zone: str
    position: int = -1
    uid: int = 0


class CardNumbers:
    """The numbers of all cards of a game, at the moment that was followed last."""

    def __init__(self, now: GameSnapshot, seed: int) -> None:
        self._seed, self._drawn, self._used = seed, 0, set[int]()
        self.seen: tuple[set[int], set[int]] = (set(), set())  # by players 0 and 1
        self.hands = [[self._new() for _ in now.hand(player)] for player in BOTH]
        self.decks: list[dict[int, list[int]]] = [{}, {}]  # of each card, by table index
        for player in BOTH:
            self._fill(player, now.deck(player), iter(self._new, 0))
        self.minions = {c.uid: self._new() for player in BOTH for c in now.board(player)}
        self.weapons = [self._new() if side.weapon else 0 for side in now.sides]
        self.secrets = [{secret.card: self._new() for secret in now.secrets(player)}
                        for player in BOTH]  # by card: a player has one of each
        self.aside = [self._new() for _ in now.aside]
        self._played: list[_Left] = []  # the card that is being played
        self._laid: list[_Left] = []  # cards of a deck from which one is chosen
        self._note_seen()

    @classmethod
    def of_world(cls, game: CardNumbers, true: GameSnapshot, now: GameSnapshot, player: int,
                 seed: int) -> Self:
        """Return the numbers of a world: those that its player has seen belong to the same cards.

        game, true: numbers and snapshot of the game that the world is of. now: the world's.
        """
        world = cls(now, seed)
        world._used, world.minions = set(game._used), dict(game.minions)
        world.seen = set(game.seen[0]), set(game.seen[1])
        world.weapons, world.hands[player] = [*game.weapons], [*game.hands[player]]
        world.aside, world.secrets[player] = [*game.aside], dict(game.secrets[player])
        world._laid = [*game._laid]
        other, seen = 1 - player, game.seen[player]
        world._fill(player, now.deck(player), iter(world._dealt(
            now.deck(player), _in_deck(game, player), seen)))
        hand, secrets, deck = now.hand(other), now.secrets(other), now.deck(other)
        hidden = [*zip((held.card for held in true.hand(other)), game.hands[other], strict=True),
                  *game.secrets[other].items(), *_in_deck(game, other)]
        dealt = iter(world._dealt([card.card for card in (*hand, *secrets)] + deck, hidden, seen))
        world.hands[other] = [next(dealt) for _ in hand]
        world.secrets[other] = {secret.card: next(dealt) for secret in secrets}
        world._fill(other, deck, dealt)
        return world

    def _dealt(self, cards: Sequence[int], numbers: Sequence[tuple[int, int]],
               seen: set[int]) -> list[int]:
        """Deal numbers, given with their true cards, to cards by chance; those seen to equal cards.
        """
        known: dict[int, list[int]] = {}
        for card, number in numbers:
            if number in seen:
                known.setdefault(card, []).append(number)
        dealt = [known[card].pop(0) if known.get(card) else 0 for card in cards]
        rest = sorted({number for _, number in numbers} - {*dealt}, key=self._key)
        return [number or (rest.pop() if rest else self._new()) for number in dealt]

    def _fill(self, player: int, deck: Sequence[int], numbers: Iterator[int]) -> None:
        """Give the cards of a deck their numbers."""
        self.decks[player] = {}
        for card in deck:
            self.decks[player].setdefault(card, []).append(next(numbers))

    def _key(self, number: int) -> bytes:
        return hashlib.sha256(f"{self._seed} world {number}".encode()).digest()

    def _new(self) -> int:
        """Return a number that no card of the game has had."""
        while True:
            self._drawn += 1
            key = f"{self._seed} card {self._drawn}".encode()  # only its hash: seeds deal cards
            number = 1 + int.from_bytes(hashlib.sha256(key).digest()[:6]) % MOST
            if number not in self._used:
                self._used.add(number)
                return number

    def _note_seen(self) -> None:
        """Note the numbers that players see now."""
        for player in BOTH:
            self.seen[player].update(self.hands[player], self.secrets[player].values(),
                                     self.minions.values(), self.weapons)

    def copy(self) -> CardNumbers:
        """Return an independent copy."""
        copy = object.__new__(CardNumbers)
        copy.__dict__.update(self.__dict__)
        copy._used, copy.seen = set(self._used), (set(self.seen[0]), set(self.seen[1]))
        copy.hands, copy.secrets = [[*hand] for hand in self.hands], [
            dict(secrets) for secrets in self.secrets]
        copy.decks = [{card: [*numbers] for card, numbers in deck.items()} for deck in self.decks]
        copy.minions, copy.weapons, copy.aside = dict(self.minions), [*self.weapons], [*self.aside]
        copy._laid = [*self._laid]
        return copy

    def show(self, side: dict[str, Any], player: int) -> None:
        """Add the numbers to the part of a view that shows a player's side."""
        if isinstance(side["hand"], list):  # the own
            for card, number in zip(side["hand"], self.hands[player], strict=True):
                card["number"] = number
            for card, number in zip(side["thrown_back"], self.aside, strict=False):
                card["number"] = number
            for card, number in zip(side["secrets"], self.secrets[player].values(), strict=True):
                card["number"] = number
        for minion in side["board"]:
            minion["number"] = self.minions[minion["uid"]]
        if side["weapon"]:
            side["weapon"]["number"] = self.weapons[player]

    def cards(self, now: GameSnapshot, ordered: bool, ruleset: str) -> Iterator[CardInGame]:
        """Yield all cards in hands, in play and in decks; ordered: whether decks have an order."""
        names, known = ids(ruleset), cards(ruleset)

        def card(number: int, index: int, *place: Any) -> CardInGame:
            return CardInGame(number, names[index], known[names[index]].name, *place)

        for player, side in enumerate(now.sides):
            for k, held in enumerate(now.hand(player)):
                yield card(self.hands[player][k], held.card, player, "hand", k)
            for k, c in enumerate(now.board(player)):
                yield card(self.minions[c.uid], c.card, player, "board", k, c.uid)
            if side.weapon:
                yield card(self.weapons[player], side.weapon, player, "weapon", 0, side.weapon_uid)
            for k, secret in enumerate(now.secrets(player)):
                yield card(self.secrets[player][secret.card], secret.card, player, "secret", k,
                           secret.uid)
            if now.pending > 1 and now.me == player:
                for k, index in enumerate(now.aside):
                    yield card(self.aside[k], index, player, "thrown back", k)
            left = {index: [*numbers] for index, numbers in self.decks[player].items()}
            for k, index in enumerate(reversed(now.deck(player))):
                yield card(left[index].pop(0), index, player, "deck", k if ordered else -1)

    def follow(self, before: GameSnapshot, after: GameSnapshot, op: int,
               move: int | None = None) -> None:
        """Follow the cards in a step of a move; `move` itself in the first, of which op is BEGUN.
        """
        same = all(map(operator.is_, before.sides, after.sides))  # as `snapshot` has equal ones
        if same and move is None and op not in TRANSFORMING:
            return
        hands = [before.hand(player) for player in BOTH]
        if move is not None:
            self._begin(before, move, hands)
        left = [*self._left_hands(hands, after, op), *self._left_decks(before, after, op),
                *self._left_boards(before, after, op), *self._left_secrets(after)]
        if op == Op.OFFER_TOP:
            self._laid, left = left, []
        self._enter(before, after, op, left)
        self._note_seen()

    def _begin(self, before: GameSnapshot, move: int, hands: list[list[Any]]) -> None:
        """Take the card that a move plays or throws back out of the hand."""
        parts, me = decode(move), before.me
        self._played = []
        if parts.action is Action.PLAY:
            card = hands[me].pop(parts.hand).card
            self._played = [_Left(me, card, self.hands[me].pop(parts.hand))]
        elif parts.action is Action.CHOOSE and before.pending > 1:
            hands[me].pop(parts.choice)
            self.aside.append(self.hands[me].pop(parts.choice))

    # -- what leaves a place: its numbers are taken out of there --------------------------------

    def _left_hands(self, hands: list[list[Any]], after: GameSnapshot,
                    op: int) -> Iterator[_Left]:
        for player, old in enumerate(hands):
            new = after.hand(player)
            if op in IN_PLACE or [held.card for held in old] == [held.card for held in new]:
                continue
            for place in reversed(aligned(old, new)[0]):
                yield _Left(player, old[place].card, self.hands[player].pop(place))

    def _left_decks(self, before: GameSnapshot, after: GameSnapshot, op: int) -> Iterator[_Left]:
        """Yield the cards that left the decks; those that were thrown back enter after them."""
        for player in BOTH:
            old, new = before.deck(player), after.deck(player)
            back = before.aside if before.pending > 1 and before.me == player and (
                not after.aside) else ()
            if op in IN_PLACE:
                self._turn(player, old, new)
            elif old != new or back:
                for card in (Counter(old) + Counter(back) - Counter(new)).elements():
                    yield _Left(player, card, self.decks[player][card].pop(0))
                for card, number in zip(back, self.aside, strict=False):
                    self.decks[player].setdefault(card, []).append(number)
                self.aside = [] if back else self.aside

    def _turn(self, player: int, old: Sequence[int], new: Sequence[int]) -> None:
        """Let cards of a deck become others, and keep their numbers."""
        deck = self.decks[player]
        turned = [(card, deck[was].pop(0)) for was, card in zip(old, new, strict=True)]
        for card, number in turned:
            deck.setdefault(card, []).append(number)

    def _left_boards(self, before: GameSnapshot, after: GameSnapshot, op: int) -> Iterator[_Left]:
        """Yield the minions that left the boards alive; those that were transformed stay."""
        gone = {c.uid: (player, c.card) for player in BOTH for c in before.board(player)}
        for player in BOTH:
            for c in after.board(player):
                gone.pop(c.uid, None)
        if op in TRANSFORMING:
            for old, new in zip(before.chars, after.chars, strict=True):
                if old.uid in gone and new.card and new.uid not in self.minions:
                    self.minions[new.uid] = self.minions[old.uid]
                    del gone[old.uid]
        if op != Op.DEATHS:
            for uid, (player, card) in gone.items():
                yield _Left(player, card, self.minions[uid])

    def _left_secrets(self, after: GameSnapshot) -> Iterator[_Left]:
        for player, there in enumerate(self.secrets):
            for card in there.keys() - {secret.card for secret in after.secrets(player)}:
                yield _Left(player, card, there.pop(card))

    # -- what enters a place --------------------------------------------------------------------

    def _enter(self, before: GameSnapshot, after: GameSnapshot, op: int,
               left: list[_Left]) -> None:
        """Give the cards that entered a place their numbers: of what left another, or new ones."""
        if op in FROM_PLAY:
            left += self._played
        elif op == Op.ADD_CHOSEN:
            left += self._laid
        for player, side in enumerate(after.sides):
            for c in sorted(after.board(player), key=lambda minion: minion.uid):
                if c.uid not in self.minions:
                    self.minions[c.uid] = self._taken(player, c.card, left)
            if side is before.sides[player]:
                continue
            hand = self.hands[player]
            for held in after.hand(player)[len(hand):]:
                become = [card for card in left if card.player == player and op == Op.DRAW]
                hand.append(self._taken(player, held.card, left, become))
            if side.weapon_uid != before.sides[player].weapon_uid:
                self.weapons[player] = side.weapon and self._taken(player, side.weapon, left)
            there = self.secrets[player]
            self.secrets[player] = {
                secret.card: there.get(secret.card) or self._taken(player, secret.card, left)
                for secret in after.secrets(player)}
            if op != BEGUN and side.deck == before.sides[player].deck and (
                    side.n_deck <= before.sides[player].n_deck):
                continue
            counted = {card: len(numbers) for card, numbers in self.decks[player].items()}
            for card, n in (Counter(after.deck(player)) - Counter(counted)).items():
                self.decks[player].setdefault(card, []).extend(self._new() for _ in range(n))

    def _taken(self, player: int, card: int, left: list[_Left],
               become: Sequence[_Left] = ()) -> int:
        """Return the number of a card that left another place, else a new one.

        become: cards of which it is one, if none of this name has left. A secret may have been the
        opponent's.
        """
        same = [entry for entry in left if entry.card == card]
        own = [entry for entry in same if entry.player == player] or same or [*become]
        if not own:
            return self._new()
        if own[0] in left:
            left.remove(own[0])
        return own[0].number


def aligned(old: list[Any], new: list[Any]) -> tuple[list[int], list[Any]]:
    """Return the old places of cards that left a hand, and the cards added at its end."""
    gone, stayed = [], 0
    for place, card in enumerate(old):
        if stayed < len(new) and new[stayed] == card:
            stayed += 1
        else:
            gone.append(place)
    return gone, new[stayed:]


def _in_deck(game: CardNumbers, player: int) -> list[tuple[int, int]]:
    """Return the cards of a deck, by table index, with their numbers."""
    return [(card, number) for card, numbers in game.decks[player].items() for number in numbers]
