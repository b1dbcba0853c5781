"""Effects on hands, decks and secrets: cards drawn, added, discarded, shuffled, chosen.

Texts also change cards in hands and decks, and count numbers for a player.
"""

from __future__ import annotations

from dataclasses import replace

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Counter, Gains, If, Is, Keyword, Race, Selector
from hsevo.cards.vocabulary.effects import fixed, when
from hsevo.cards.vocabulary.model import (
    ANYTHING,
    Condition,
    Filter,
    Number,
    Pool,
    Row,
    Rows,
    Value,
    Who,
    rows_of,
    value_of,
)
from hsevo.cards.vocabulary.selectors import TARGET


def draw(
    n: Number = 1,
    cheaper: int = 0,
    *,
    only: Filter = ANYTHING,
    becoming: str | None = None,
    copies: int = 0,
    costing: int | None = None,
    noted: bool = False,
) -> Row:
    """Draw n cards, and get `copies` of each. EVENT_AMOUNT is then the last one's printed cost.

    Those that pass `only` cost `cheaper` less, or just `costing`, and turn into a card, `becoming`.
    The condition `drew` is about a card that is `noted`.
    """
    who = Who(Selector.NOBODY, only)
    return Row(Op.DRAW, who, value_of(n), card=becoming or 0, cheaper=cheaper,
               price=fixed(costing), copies=copies, counted=noted)


def draw_marked(n: int, card: str) -> Row:
    """Draw n cards, marked by an (invisible) card, whose text affects MARKED_CARDS."""
    return Row(Op.DRAW, value=value_of(n), card=card, marks=True)


def draw_and_discard(n: int, test: Filter) -> Row:
    """Draw n cards, and discard those of them that pass a filter."""
    return Row(Op.DRAW, Who(Selector.NOBODY, test), value_of(n), discards=True)


def draw_until_not(test: Filter) -> Row:
    """Draw cards until one does not pass a filter."""
    return Row(Op.DRAW_UNTIL, Who(Selector.NOBODY, test))


def draw_for_enemy(n: Number) -> Row:
    """Have the opponent draw n cards."""
    return Row(Op.DRAW_FOR_ENEMY, value=value_of(n))


def draw_from_deck(
    test: Filter, n: Number = 1, *, otherwise: str | None = None, cheapest: bool = False,
    bigger: int = 0, doubled: bool = False,
) -> Row:
    """Draw n cards that pass `test`; get card `otherwise` for each that is missing.

    cheapest: one of those that cost least. bigger: with so much more attack and health. doubled:
    with twice its health.
    """
    who = Who(Selector.NOBODY, test)
    return Row(Op.DRAW_FROM_DECK, who, value_of(n), card=otherwise or 0, cheapest=cheapest,
               bigger=bigger, doubled=doubled)


def draw_small_from_deck(test: Filter, n: int) -> Row:
    """Draw n cards that pass `test`, as 1/1s that cost 1."""
    return Row(Op.DRAW_FROM_DECK, Who(Selector.NOBODY, test), value_of(n), small=1)


def draw_different(test: Filter, n: int) -> Row:
    """Draw n different cards that pass `test`."""
    return Row(Op.DRAW_FROM_DECK, Who(Selector.NOBODY, test), value_of(n), new=True)


def draw_swapping_costs() -> Row:
    """Draw a minion and a spell, which swap their costs."""
    return Row(Op.DRAW_SWAPPED)


def reveal_from_deck(test: Filter, *rows: Rows) -> tuple[Row, ...]:
    """Reveal a random card of the own deck that passes `test`; if there is one, run rows."""
    held = rows_of(rows)
    return (Row(Op.REVEAL, Who(Selector.NOBODY, test), rows=len(held)), *held)


def show_this() -> Row:
    """Show this card, in the own hand or deck, to the opponent."""
    return Row(Op.SHOW_THIS)


def copy_enemy_hand() -> Row:
    """Replace the own hand by copies of the opponent's cards, with their changes."""
    return Row(Op.COPY_ENEMY_HAND)


def choose_from_top(n: int) -> tuple[Row, ...]:
    """Take the top n cards off the own deck, choose one to add to hand, and lose the others."""
    return (Row(Op.OFFER_TOP, value=value_of(n)), Row(Op.ADD_CHOSEN))


def copy_from_enemy_deck(n: int = 1, only: Filter = ANYTHING) -> Row:
    """Add copies of n random cards of the opponent's deck that pass `only` to the own hand."""
    return Row(Op.ADD_FROM_ENEMY_DECK, Who(Selector.NOBODY, only), value_of(n))


def give_copy_of_deck() -> Row:
    """Add a copy of a random card of the own deck to the opponent's hand."""
    return Row(Op.ADD_FROM_ENEMY_DECK, value=value_of(1), theirs=True)


def copy_from_enemy_hand(n: int = 1) -> Row:
    """Add copies of n random cards of the opponent's hand to the own hand."""
    return Row(Op.ADD_FROM_ENEMY_HAND, value=value_of(n))


def copy_to_other_player() -> Row:
    """Add a copy of the card that was played to the hand of the player who did not play it."""
    return Row(Op.ADD_EVENT_CARD)


def discard(n: Number) -> Row:
    """Discard n random cards."""
    return Row(Op.DISCARD, value=value_of(n))


def add(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the own hand."""
    return Row(Op.ADD_CARD, value=value_of(n), card=card)


def add_copy(who: Who) -> Row:
    """Add plain copies of minions' cards to the own hand."""
    return Row(Op.ADD_COPY, who)


def add_again(n: Number = 1, *, free: bool = False) -> Row:
    """Add n copies of the card of the event's subject to the own hand; free ones cost 0."""
    return Row(Op.ADD_CARD, value=value_of(n), card=-1, price=int(free))


def add_small_again() -> Row:
    """Add a copy of the card of the event's subject to the own hand, as a 1/1 that costs 1."""
    return Row(Op.ADD_CARD, value=value_of(1), card=-1, small=True)


def return_this(becoming: str | None = None) -> Row:
    """Return this minion, alive or dead, to the own hand, unless its death has moved it already.

    It can become another card.
    """
    return Row(Op.RETURN_THIS, card=becoming or 0)


def return_dead(*, cheaper: int = 0) -> Row:
    """Return the minion whose death this answers to the own hand, where it costs less."""
    return Row(Op.RETURN_THIS, card=-1, cheaper=cheaper)


def return_broken_weapon() -> Row:
    """Add a random one of the own weapons that were destroyed this game to the own hand."""
    return Row(Op.RETURN_BROKEN)


def add_for_enemy(card: str, n: Number = 1) -> Row:
    """Add n copies of a card to the opponent's hand."""
    return Row(Op.ADD_CARD, value=value_of(n), card=card, theirs=True)


def add_random(pool: Pool, n: Number = 1, *, cheaper: int = 0) -> Row:
    """Add n random cards of a pool to the own hand, repeats allowed; they cost less."""
    return Row(Op.ADD_RANDOM, value=value_of(n), pool=pool, cheaper=cheaper)


def add_random_for_enemy(pool: Pool, n: Number = 1) -> Row:
    """Add n random cards of a pool to the opponent's hand, repeats allowed."""
    return Row(Op.ADD_RANDOM, value=value_of(n), pool=pool, theirs=True)


def discover(
    pool: Pool, *others: Pool, bigger: int = 0, cheaper: int = 0, small: bool = False,
    otherwise: Pool | None = None,
) -> tuple[Row, ...]:
    """Choose one of three different cards, from one pool or one from each of three, and add it.

    It costs `cheaper` less; a minion can be `bigger`, by as much attack and health, or `small`, a
    1/1 that costs 1. `otherwise` replaces a pool that is empty for the player's class.
    """
    second, third = others or (None, otherwise)
    offer = Row(Op.DISCOVER, pool=pool, second_pool=second, third_pool=third)
    return (offer, Row(Op.ADD_CHOSEN, value=value_of(bigger), cheaper=cheaper, small=int(small)))


def discover_and_share(pool: Pool) -> tuple[Row, ...]:
    """Choose two cards, each one of three; one of them, at random, goes to the opponent."""
    return (Row(Op.DISCOVER, pool=pool), Row(Op.HOLD_CHOSEN), Row(Op.DISCOVER, pool=pool),
            Row(Op.SHARE_CHOSEN))


def discover_and_draw(test: Filter, race: Race) -> tuple[Row, ...]:
    """Choose one of three cards of the own deck, and draw it; all, if all are of a race."""
    return (Row(Op.OFFER_TO_DRAW, Who(Selector.NOBODY, test), race=int(race)),
            Row(Op.DRAW_CHOSEN))


def return_spells_of_last_turn() -> Row:
    """Add the spells that the player played in its last turn to the own hand."""
    return Row(Op.RETURN_PLAYED_SPELLS)


def draw_spell_costing(n: Number) -> Row:
    """Draw a spell that costs n in the own deck."""
    return Row(Op.DRAW_SPELL_COSTING, value=value_of(n))


def add_discarded(n: int) -> Row:
    """Add n random cards that the player discarded this game to the own hand."""
    return Row(Op.ADD_DISCARDED, value=value_of(n))


def shuffle_dead(*, priced: bool = False) -> Row:
    """Shuffle a copy of the event's card into the own deck; `priced`: it costs 1 there."""
    return Row(Op.SHUFFLE, value=value_of(1), card=-1, priced=priced)


def discover_and_summon(pool: Pool) -> tuple[Row, ...]:
    """Choose one of three different minions, and summon it."""
    return (Row(Op.DISCOVER, pool=pool), Row(Op.SUMMON_CHOSEN))


def discover_and_cast(pool: Pool) -> tuple[Row, ...]:
    """Choose one of three different spells, and cast it with random targets."""
    return (Row(Op.DISCOVER, pool=pool), Row(Op.CAST_CHOSEN))


def choose_and_cast(pool: Pool) -> tuple[Row, ...]:
    """Choose one of all spells of a pool, and cast it."""
    return (Row(Op.OFFER_ALL, pool=pool), Row(Op.CAST_CHOSEN))


def discover_from_deck(test: Filter) -> tuple[Row, ...]:
    """Choose one of three different cards of the own deck that pass `test`, and add a copy."""
    return (Row(Op.OFFER_DECK, Who(Selector.NOBODY, test)), Row(Op.ADD_CHOSEN))


def guess_from_enemy_deck(pool: Pool) -> tuple[Row, ...]:
    """Guess which of three cards started in the opponent's deck; the others are of the pool."""
    return (Row(Op.OFFER_GUESS, pool=pool), Row(Op.ADD_GUESSED))


def discover_into_play(pool: Pool, otherwise: Pool) -> tuple[Row, ...]:
    """Choose one of three different secrets, none that is in play, and put it into play.

    They are of `otherwise` if the player's class has none.
    """
    return (Row(Op.DISCOVER, pool=pool, third_pool=otherwise, new=True), Row(Op.PLAY_CHOSEN))


def gain_chosen_deathrattle() -> Row:
    """Give this minion the Deathrattle of the card chosen."""
    return Row(Op.GAIN_CHOSEN)


def add_different(pool: Pool, n: int) -> Row:
    """Add n different random cards of a pool to the own hand, as Discover would offer them."""
    return Row(Op.ADD_OFFERED, value=value_of(n), pool=pool)


def discover_from_enemy_deck(test: Filter = ANYTHING) -> tuple[Row, ...]:
    """Choose one of three different cards of the opponent's deck that pass `test`, and copy it."""
    return (Row(Op.OFFER_DECK, Who(Selector.NOBODY, test), theirs=True), Row(Op.ADD_CHOSEN))


def discover_dead() -> tuple[Row, ...]:
    """Choose one of three different own minions that died this game, and summon it."""
    return (Row(Op.OFFER_DEAD), Row(Op.SUMMON_CHOSEN))


def discover_dead_and_trigger() -> tuple[Row, ...]:
    """Choose an own minion with a Deathrattle that died, add it to hand, and run its Deathrattle.
    """
    dead = Who(Selector.NOBODY, Filter(Is.KEYWORD, int(Keyword.DEATHRATTLE)))
    return (Row(Op.OFFER_DEAD, dead), Row(Op.ADD_CHOSEN), Row(Op.TRIGGER_CHOSEN))


def discover_from_enemy_hand() -> tuple[Row, ...]:
    """Choose one of three different cards of the opponent's hand, and copy it."""
    return (Row(Op.OFFER_ENEMY_HAND), Row(Op.ADD_CHOSEN))


def choose_to_hand(pool: Pool) -> tuple[Row, ...]:
    """Choose one of all cards of a pool, and add it to hand."""
    return (Row(Op.OFFER_ALL, pool=pool), Row(Op.ADD_CHOSEN))


def discover_deck(pool: Pool, n: int) -> tuple[Row, ...]:
    """Choose a card n times; two copies of each replace the own deck."""
    offer, first = Row(Op.DISCOVER, pool=pool), Row(Op.STOCK_CHOSEN, new=True)
    return (offer, first, *(offer, Row(Op.STOCK_CHOSEN)) * (n - 1))


def teach(card: str, pool: Pool) -> tuple[Row, ...]:
    """Choose two spells of a pool, not both with a target, for a card added to hand: `cast_taught`.
    """
    plain = replace(pool, test=Filter(Is.AIMED, 0))
    offer, learn = Row(Op.DISCOVER, pool=pool), Row(Op.TEACH, card=card, pool=pool)
    aimed = Condition(If.DREW, who=Who(Selector.NOBODY, Filter(Is.AIMED, 1)))
    rest = when(aimed, (Row(Op.DISCOVER, pool=plain), learn), otherwise=(offer, learn))
    return (offer, Row(Op.HOLD_CHOSEN), *rest)


def cast_taught(pool: Pool) -> Row:
    """Cast the spells of a pool that this card was taught in hand."""
    return Row(Op.CAST_TAUGHT, pool=pool)


def craft_potion() -> tuple[Row, ...]:
    """Choose a cost and two effects, and add that potion to hand (Kazakus)."""
    parts = (Row(Op.KAZAKUS_PART), Row(Op.KAZAKUS_PART))
    return (Row(Op.KAZAKUS_COST), *parts, Row(Op.KAZAKUS_CRAFT))


def shuffle(card: str, n: int = 1) -> Row:
    """Shuffle n copies of a card into the own deck."""
    return Row(Op.SHUFFLE, value=value_of(n), card=card)


def shuffle_this_for_enemy() -> Row:
    """Shuffle this text's card, such as a spell that is cast, into the opponent's deck."""
    return Row(Op.SHUFFLE, value=value_of(1), theirs=True)


def shuffle_for_enemy(card: str, n: int = 1) -> Row:
    """Shuffle n copies of a card into the opponent's deck."""
    return Row(Op.SHUFFLE, value=value_of(n), card=card, theirs=True)


def shuffle_away_for_enemy(who: Who) -> Row:
    """Shuffle minions into the opponent's deck, whoever owns them."""
    return Row(Op.SHUFFLE_AWAY, who, theirs=True)


def swap_decks() -> Row:
    """Swap the own deck with the opponent's."""
    return Row(Op.SWAP_DECKS)


def destroy_enemy_deck() -> Row:
    """Destroy all cards of the opponent's deck."""
    return Row(Op.LOSE_TOP, theirs=True, both=True)


def shuffle_this() -> Row:
    """Shuffle this minion, alive or dead, into the own deck, unless its death has moved it."""
    return Row(Op.SHUFFLE_THIS)


def shuffle_this_as_it_is() -> Row:
    """Shuffle this minion likewise, and it keeps its enchantments."""
    return Row(Op.SHUFFLE_KEPT)


def give_this_away() -> Row:
    """Shuffle this minion, alive or dead, into the opponent's deck, likewise."""
    return Row(Op.SHUFFLE_THIS, theirs=True)


def shuffle_away(who: Who = TARGET) -> Row:
    """Shuffle minions into their owners' decks."""
    return Row(Op.SHUFFLE_AWAY, who)


def shuffle_into_mine(who: Who = TARGET) -> Row:
    """Shuffle minions into the own deck, whoever owns them."""
    return Row(Op.SHUFFLE_AWAY, who, mine=True)


def lose_top_of_deck(n: Number) -> Row:
    """Lose the top n cards of the own deck."""
    return Row(Op.LOSE_TOP, value=value_of(n))


def destroy_in_deck(test: Filter) -> Row:
    """Destroy all cards of the own deck that pass `test`."""
    return Row(Op.DESTROY_IN_DECK, Who(Selector.NOBODY, test))


def return_discarded(more: int) -> Row:
    """Return this card, as it is discarded, to the hand with `more` attack and health."""
    return Row(Op.RETURN_DISCARDED, value=value_of(more))


def progress(n: int = 1) -> Row:
    """Make n steps of progress in this quest."""
    return Row(Op.PROGRESS, value=value_of(n))


def progress_by_name() -> Row:
    """Make progress with the minion played, if no other name was played as often."""
    return Row(Op.PROGRESS_BY_NAME)


def lose_top_of_enemy_deck(n: Number = 1) -> Row:
    """Have the opponent lose the top n cards of its deck."""
    return Row(Op.LOSE_TOP, value=value_of(n), theirs=True)


def add_dead(test: Filter = ANYTHING, *, both: bool = False) -> Row:
    """Add an own (or any) minion that died this game and passes `test` to the own hand."""
    return Row(Op.ADD_DEAD, Who(Selector.NOBODY, test), value_of(1), both=both)


def shuffle_enemy_deck() -> Row:
    """Shuffle a copy of the opponent's deck into the own one."""
    return Row(Op.SHUFFLE_ENEMY_DECK)


def redraw_hand() -> tuple[Row, ...]:
    """Shuffle the own hand into the deck, and draw as many cards."""
    return (Row(Op.SHUFFLE_HAND_AWAY), draw(Value(Amount.HAND_SHUFFLED)))


def add_opening() -> Row:
    """Add copies of the hand that the player began with, but none of this card, to its hand."""
    return Row(Op.ADD_OPENING)


def add_options() -> Row:
    """Add both options of the event's card to the own hand."""
    return Row(Op.ADD_OPTIONS)


def shuffle_hand() -> Row:
    """Shuffle a copy of the own hand into the own deck."""
    return Row(Op.SHUFFLE_HAND)


def take_from_enemy_deck(test: Filter = ANYTHING) -> Row:
    """Move a random card of the opponent's deck that passes `test` to the own hand."""
    return Row(Op.TAKE_FROM_ENEMY_DECK, Who(Selector.NOBODY, test))


def destroy_cards(test: Filter, cost: int) -> Row:
    """Destroy the cards of both hands and decks that pass `test` and cost just so much."""
    return Row(Op.DESTROY_CARDS, Who(Selector.NOBODY, test), value_of(cost))


def secret_from_pool(pool: Pool) -> Row:
    """Put a random secret of a pool into play, none that is there already."""
    return Row(Op.SECRET_FROM_POOL, pool=pool)


def secret_from_deck() -> Row:
    """Put a random secret of the own deck into play, none that is there already."""
    return Row(Op.SECRET_FROM_DECK)


def shuffle_unlike(pool: Pool, n: int) -> Row:
    """Shuffle n different cards of a pool into the own deck, no copies of what is there or in hand.

    They are of the own class, or neutral.
    """
    return Row(Op.SHUFFLE_UNLIKE, value=value_of(n), pool=pool)


def shuffle_random(pool: Pool, n: int, *, priced: bool = False) -> Row:
    """Shuffle n random cards of a pool into the own deck; `priced`: they cost 1."""
    return Row(Op.SHUFFLE_RANDOM, value=value_of(n), pool=pool, priced=priced)


def shuffle_again() -> Row:
    """Shuffle another copy of the event's card into the same deck."""
    return Row(Op.SHUFFLE_AGAIN)


def shuffle_copy(who: Who, n: Number = 1, *, bigger: int = 0) -> Row:
    """Shuffle n plain copies of a minion's card, with more attack and health, into the own deck."""
    return Row(Op.SHUFFLE_COPY, who, value_of(n), bigger=bigger)


def add_small_copy(who: Who) -> Row:
    """Add copies of minions' cards to the own hand, as 1/1s that cost 1."""
    return add_copy_of_size(who, 1)


def add_copy_of_size(who: Who, n: int) -> Row:
    """Add copies of minions' cards to the own hand, as n/n minions that cost n."""
    return Row(Op.ADD_COPY, who, small=n)


def take_secret() -> Row:
    """Take control of a random secret of the opponent; a second copy of an own one is lost."""
    return Row(Op.TAKE_SECRET)


def cast_random(pool: Pool, n: Number = 1) -> Row:
    """Cast n random spells of a pool, with random targets and choices."""
    return Row(Op.CAST_RANDOM, value=value_of(n), pool=pool)


def repeat_battlecries(most: int) -> Row:
    """Repeat the Battlecries of other cards played this game, with random targets."""
    return Row(Op.REPEAT_BATTLECRIES, value=value_of(most))


def recast_spells(most: int) -> Row:
    """Cast the spells that were played this game, with random targets."""
    return Row(Op.RECAST, value=value_of(most))


def replay_of_other_classes(most: int) -> Row:
    """Replay the cards of other classes that were played this game, with random targets."""
    return Row(Op.REPLAY, value=value_of(most))


MY_DECK = Who(Selector.MY_DECK)
MY_HAND, MY_HAND_AND_DECK = Who(Selector.MY_HAND), Who(Selector.MY_HAND_AND_DECK)
ENEMY_HAND, CHEAPEST = Who(Selector.ENEMY_HAND), Who(Selector.CHEAPEST)
LEFTMOST, MARKED_CARDS = Who(Selector.LEFTMOST), Who(Selector.MARKED)
THIS_CARD, DRAWN_CARD = Who(Selector.THIS_CARD), Who(Selector.DRAWN_CARD)

SPELLS_CAST, SECRETS_PLAYED = Counter.SPELLS_CAST, Counter.SECRETS_PLAYED
POWERS_USED, MINIONS_DIED = Counter.POWERS_USED, Counter.MINIONS_DIED
NEXT_DRAGON_CHEAPER = Counter.NEXT_DRAGON_CHEAPER
NEXT_POWER_CHEAPER, POWER_DEARER = Counter.NEXT_POWER_CHEAPER, Counter.POWER_DEARER
ELEMENTALS_PLAYED = Counter.ELEMENTALS_PLAYED
CTHUN_ATTACK, CTHUN_HEALTH = Counter.CTHUN_ATTACK, Counter.CTHUN_HEALTH
DISCARDED, HEALED, OVERLOADED = Counter.DISCARDED, Counter.HEALED, Counter.OVERLOADED
COSTLY_SPELLS, TALLY = Counter.COSTLY_SPELLS, Counter.TALLY
EXTRA_TURNS, LATER_TURNS = Counter.EXTRA_TURNS, Counter.LATER_TURNS

NEXT_SPELL_TWICE, NEXT_SPELL_DAMAGE = Counter.NEXT_SPELL_TWICE, Counter.NEXT_SPELL_DAMAGE
SPELLS_DRAIN, HERO_DAMAGE = Counter.SPELLS_DRAIN, Counter.HERO_DAMAGE
NEXT_ELEMENTAL_CHEAPER = Counter.NEXT_ELEMENTAL_CHEAPER
NEXT_POWER_DAMAGE, POWER_DAMAGE = Counter.NEXT_POWER_DAMAGE, Counter.POWER_DAMAGE
RESTORED, SPELLS_NOW = Counter.RESTORED, Counter.SPELLS_NOW
POGO_HOPPERS, RIGHTMOST = Counter.POGO_HOPPERS, Counter.RIGHTMOST
SPELLS_NOW, RESTORED = Counter.SPELLS_NOW, Counter.RESTORED

JOUST_WON = Condition(If.JOUST)
PLAYED_ELEMENTAL = Condition(If.COUNTED, int(Counter.ELEMENTALS_PLAYED), n=1)
PLAYED_RIGHTMOST = Condition(If.COUNTED, int(Counter.RIGHTMOST), n=1)


def buff_cards(who: Who, attack: Number = 0, health: int = 0) -> Row:
    """Give cards in hand or deck +attack/+health."""
    return Row(Op.BUFF_CARDS, who, value_of(attack), health=health)


def reduce_cost(who: Who, n: int) -> Row:
    """Have cards in hand (in a deck: n is 1) cost n less."""
    return Row(Op.CHANGE_COST, who, value_of(-n))


def attach_to_cards(who: Who, card: str, attack: int, health: int) -> Row:
    """Give minions in hand +attack/+health, and the text of an (invisible) card."""
    return Row(Op.ATTACH_CARDS, who, value_of(attack), card=card, health=health)


def grow_in_hand(n: int = 1) -> Row:
    """Have this card in hand grow by n: GROWN, when it is played."""
    return Row(Op.GROW_HELD, THIS_CARD, value_of(n))


def upgrade_by(n: Number, needed: int, card: str) -> Row:
    """Count n for this card in hand; when it has counted `needed`, it becomes another card."""
    return Row(Op.UPGRADE, THIS_CARD, value_of(n), card=card, needed=needed)


def make_free(who: Who) -> Row:
    """Have cards in hand or deck cost 0."""
    return Row(Op.MAKE_FREE, who)


def level_cards(who: Who) -> Row:
    """Set the attack of minions in the own deck to their health."""
    return Row(Op.LEVEL_CARDS, who)


def price_deck(test: Filter) -> Row:
    """Have the cards of the own deck that pass `test` cost 1."""
    return Row(Op.PRICE_DECK, Who(Selector.NOBODY, test))


def transform_cards(who: Who, pool: Pool) -> Row:
    """Turn cards in hand into random ones of a pool."""
    return Row(Op.TRANSFORM_CARDS, who, pool=pool)


def double_cards(who: Who) -> Row:
    """Double the attack and health of cards in hand."""
    return Row(Op.DOUBLE_CARDS, who)


def swap_form(card: str) -> Row:
    """Turn this card in hand into a card; what was given to its attack goes to its health."""
    return Row(Op.SWAP_FORM, THIS_CARD, card=card)


def summon_from_hand(who: Who, *, giving: Keyword | None = None) -> Row:
    """Put minions of the own hand into play, with their changes and one more keyword."""
    return Row(Op.SUMMON_FROM_HAND, who, keywords=int(giving or 0))


def summon_copy_from_hand(who: Who) -> Row:
    """Summon copies of minions of the own hand, with their changes."""
    return Row(Op.SUMMON_FROM_HAND, who, copies=1)


def draw_revealed() -> Row:
    """Draw the card of the own deck that a Joust has revealed."""
    return Row(Op.DRAW_REVEALED)


def copy_drawn() -> Row:
    """Add another copy of the card that was drawn to the own hand."""
    return Row(Op.COPY_CARDS, DRAWN_CARD)


def copy_cards(who: Who) -> Row:
    """Add copies of cards in the own hand, with their changes, to that hand."""
    return Row(Op.COPY_CARDS, who)


def discard_cards(who: Who) -> Row:
    """Discard cards of the own hand; DISCARDED_ATTACK and DISCARDED_HEALTH are their sums."""
    return Row(Op.DISCARD_CARDS, who)


def count_up(counter: Counter, n: Number = 1) -> Row:
    """Add n to a counter of the own."""
    return Row(Op.COUNT, value=value_of(n), counter=int(counter))


def reset_count(counter: Counter) -> Row:
    """Set a counter of the own to 0."""
    return Row(Op.SET_COUNT, counter=int(counter))


def count_up_for_enemy(counter: Counter, n: int) -> Row:
    """Add n to a counter of the opponent's."""
    return Row(Op.COUNT, value=value_of(n), counter=int(counter), theirs=True)


def set_power_cost(n: int) -> Row:
    """Have the own hero power cost n for the rest of the game, also a new one."""
    return Row(Op.SET_COUNT, value=value_of(n + 1), counter=int(Counter.POWER_PRICE))


def buff_cthun(attack: Number = 0, health: int = 0) -> Row:
    """Give the own C'Thun +attack/+health, wherever it is."""
    return Row(Op.GROW, value=value_of(attack), health=health)


def buff_cthun_health(n: Number) -> Row:
    """Give the own C'Thun +n health, wherever it is."""
    return Row(Op.GROW, value=value_of(n), gains=Gains.HEALTH)


def taunt_for_cthun() -> Row:
    """Give the own C'Thun Taunt, wherever it is."""
    return count_up(Counter.CTHUN_TAUNT)


def counted(counter: Counter, n: int = 1) -> Value:
    """Return n times a counter."""
    return Value(Amount.COUNTER, n, int(counter))


def for_each_other(counter: Counter, n: int) -> Value:
    """Return n for each one that a counter is above 1: this one is counted already."""
    return Value(Amount.COUNTER_OTHERS, n, int(counter))


def counted_at_least(counter: Counter, n: int) -> Condition:
    """Hold if a counter is n or more."""
    return Condition(If.COUNTED, int(counter), n=n)


def add_reflection(card: str) -> Row:
    """Add a card to the own hand that `reflect` turns into what is played."""
    return Row(Op.ADD_REFLECTION, card=card)


def reflect() -> Row:
    """Turn the reflections in the own hand into copies of the card that was played."""
    return Row(Op.REFLECT)


def lose_reflections() -> Row:
    """Remove the reflections from the own hand."""
    return Row(Op.LOSE_REFLECTIONS)


def join(first: Pool, second: Pool) -> tuple[Row, ...]:
    """Choose a card of each pool, and add one to hand that is both: the keywords are the second's.
    """
    return (Row(Op.DISCOVER, pool=first), Row(Op.HOLD_CHOSEN), Row(Op.DISCOVER, pool=second),
            Row(Op.ADD_JOINED))
