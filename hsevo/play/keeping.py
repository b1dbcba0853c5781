"""What minions of a position keep in hand and deck of what they were given in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from hsevo.cards.terms import Kind
from hsevo.config.position import AttachedText, HeldCard, KeptMinion
from hsevo.engine.record.codec import CARD_MASK
from hsevo.engine.record.state import LATER
from hsevo.engine.rules.kept import KEPT_TEXTS
from hsevo.engine.view.kept import KEPT_WORDS, Kept, entries_of, joined_of
from hsevo.errors import ConfigError
from hsevo.play.card_words import Cards


class Keeping(NamedTuple):
    """How to read a position: its cards, and the numbers of its words and texts.

    words: raises ConfigError. text: of a player, as a character has it (codec).
    """

    cards: Cards
    words: Callable[[Sequence[str], str], int]
    text: Callable[[AttachedText, str], int]

    def place(self, s: Any, hand: Sequence[HeldCard], deck: Sequence[KeptMinion],
              where: str) -> None:
        """Fill in what the cards of a side keep. Raises ConfigError."""
        records = [*self._of_hand(s, hand, where), *self._of_deck(s, deck, where)]
        entries = [entry for record in records for entry in entries_of(record)]
        if s.n_later + len(entries) > LATER:
            raise ConfigError(f"{where}: its hand and deck keep more than there is room for; give"
                              " fewer kept minions or texts")
        s.later[s.n_later:s.n_later + len(entries)] = entries
        s.n_later += len(entries)

    def _of_hand(self, s: Any, hand: Sequence[HeldCard], where: str) -> Iterator[Kept]:
        """Fill in `joined` of the cards in hand that keep something; yield those with texts."""
        for i, card in enumerate(hand):
            if not card.gained and not card.texts:
                continue
            place, held = f"{where}.hand.{i}", s.hand[i]
            if held["joined"]:
                raise ConfigError(f"{place}: a card can't keep keywords or texts and also be joined"
                                  " or taught")
            keywords, number = self._keywords(card.gained, f"{place}.gained"), i + 1
            held["joined"] = joined_of(keywords, number if card.texts else 0)
            if card.texts:
                yield Kept(int(held["card"]), keywords=keywords, number=number,
                           texts=self._texts(card.texts, f"{place}.texts"))

    def _of_deck(self, s: Any, deck: Sequence[KeptMinion], where: str) -> Iterator[Kept]:
        copies = Counter(entry & CARD_MASK for entry in s.deck[:int(s.n_deck)].tolist())
        for i, minion in enumerate(deck):
            place = f"{where}.kept.{i}"
            card = self.cards.number(minion.card, place, Kind.MINION)
            copies[card] -= 1
            if copies[card] < 0:
                raise ConfigError(f"{place}: the deck has not as many copies of {minion.card}")
            yield Kept(card, *minion.bonus, self._keywords(minion.gained, f"{place}.gained"),
                       self._texts(minion.texts, f"{place}.texts"))

    def _keywords(self, words: Sequence[str], where: str) -> int:
        bits = self.words(words, where)
        if bits & ~KEPT_WORDS:
            lost = [word for word in words if self.words([word], where) & ~KEPT_WORDS]
            raise ConfigError(f"{where}: {', '.join(lost)} can't be kept in hand and deck")
        return bits

    def _texts(self, texts: Sequence[AttachedText], where: str) -> tuple[int, ...]:
        if sum(text.times for text in texts) > KEPT_TEXTS:
            raise ConfigError(f"{where}: at most {KEPT_TEXTS} texts are kept")
        return tuple(self.text(text, f"{where}.{i}") for i, text in enumerate(texts))
