"""Changes of characters and zones: entering and leaving play, damage, weapons, hands and decks."""

import numpy as np

from hsevo.cards.terms import Counter, Event, Keyword, Kind, Race, Rule
from hsevo.engine.codec import bonus_of, card_in, cheaper_of, hero_of, is_hero, minion_ref, side_of
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.query import IMMUNITY, board_position
from hsevo.engine.state import (
    BOARD,
    DECK,
    FAIR,
    GAME_T,
    HAND,
    MAX_MANA,
    MOST,
    NONE,
    SECRETS,
    TEXTS,
    announce,
    push,
    random_below,
)

CHANGE_DAMAGE = int(Rule.HERO_TAKES_1 | Rule.HERO_TAKES_DOUBLE)
TAKE_DAMAGE = int(Rule.TAKES_FOR_HERO)
STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)
KEPT_IN_SILENCE = int(Keyword.FRESH | Keyword.TO_BE_DESTROYED | Keyword.IMMUNE_THIS_TURN)


# -- minions ------------------------------------------------------------------------------------


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def mark_auras_stale(g, t, ref):
    """Mark auras as stale if this character has one, which may depend on its state (Enrage)."""
    if t.card[g.char[ref].card].n_auras > 0:
        g.stale = 1


@kernel(VOID(GAME_T, I8, I8))
def grow(g, side, ref):
    """Give a new C'Thun what its owner has collected for it."""
    c, counter = g.char[ref], g.side[side].counter
    c.attack += counter[Counter.CTHUN_ATTACK]
    c.health += counter[Counter.CTHUN_HEALTH]
    c.max_health = c.health
    if counter[Counter.CTHUN_TAUNT] > 0:
        c.keywords |= Keyword.TAUNT


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def create_character(g, t, ref, card):
    """Turn the character in a slot into a new copy of a card, with a new order of play."""
    c, k = g.char[ref], t.card[card]
    c.card = card
    c.uid = g.next_uid
    g.next_uid += 1
    c.attack = k.attack
    c.health = k.health
    c.max_health = k.health
    c.turn_attack = 0
    c.aura_attack = 0
    c.aura_health = 0
    c.keywords = k.keywords | Keyword.FRESH
    c.aura_keywords = 0
    c.attacks = 0
    c.spell_damage = 0
    for x in range(TEXTS):
        c.extra[x] = 0
    c.borrowed = 0
    if k.grows == 1:
        grow(g, side_of(ref), ref)
    c.memory = 0
    g.watch |= k.watch
    g.stale |= k.passive | (g.spreading > 0)


@kernel(I8(GAME_T, I8, I8), inline=True)
def open_slot(g, side, place):
    """Make room on a player's board at a position (NONE: the right end); return the ref."""
    s = g.side[side]
    n = np.int64(s.minions)
    if n >= BOARD:
        return NONE
    slot = 0
    while g.char[minion_ref(side, slot)].card > 0:
        slot += 1
    if place < 0 or place > n:
        place = n
    for i in range(n, place, -1):
        s.row[i] = s.row[i - 1]
    s.row[place] = slot
    s.minions = n + 1
    return minion_ref(side, slot)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def put_into_play(g, t, side, card, place):
    """Put a minion into play; return its ref, or NONE if the board is full."""
    ref = open_slot(g, side, place)
    if ref >= 0:
        create_character(g, t, ref, card)
        g.side[side].totems += t.card[card].race == Race.TOTEM
        g.last = ref
    return ref


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def summon(g, t, side, card, place):
    """Summon a minion; return its ref, or NONE if the board is full."""
    ref = put_into_play(g, t, side, card, place)
    if ref >= 0:
        announce(g, Event.SUMMONED, side, card, ref, NONE, 0)
        announce(g, Event.AFTER_SUMMONED, side, card, ref, NONE, 0)
    return ref


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def buff(g, t, ref, attack, health):
    """Give a minion +attack/+health permanently, up to MOST (the record's fields are int16)."""
    c = g.char[ref]
    health = min(health, MOST - c.max_health)
    c.attack += min(attack, MOST - c.attack)
    c.max_health += health
    c.health += health
    mark_auras_stale(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def remove_from_play(g, t, ref):
    """Take a minion out of play."""
    side = side_of(ref)
    s, c = g.side[side], g.char[ref]
    place = board_position(g, ref)
    for i in range(place, s.minions - 1):
        s.row[i] = s.row[i + 1]
    s.minions -= 1
    g.stale |= t.card[c.card].passive | (g.spreading > 0) | (c.extra[0] != 0)
    c.card = 0
    c.uid = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def change_side(g, t, ref):
    """Give a minion to the other player; it is destroyed if that player's board is full."""
    other = 1 - side_of(ref)
    to = open_slot(g, other, NONE)
    if to < 0:
        g.char[ref].keywords |= Keyword.TO_BE_DESTROYED
        g.dying = 1
        return
    g.char[to] = g.char[ref]
    remove_from_play(g, t, ref)
    g.char[to].keywords |= Keyword.FRESH
    g.char[to].attacks = 0
    g.char[to].borrowed = 0
    g.moved |= 1 << to
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def take_control_this_turn(g, t, ref):
    """Give a minion to the other player for this turn. Wiki, Shadow Madness: it gains Charge."""
    other = 1 - side_of(ref)
    change_side(g, t, ref)
    if g.char[ref].card > 0:  # the board was full
        return
    c = g.char[minion_ref(other, g.side[other].row[g.side[other].minions - 1])]
    c.borrowed = 2 if (c.keywords & Keyword.CHARGE) != 0 else 1
    c.keywords |= Keyword.CHARGE


@kernel(VOID(GAME_T, TABLES_T, I8))
def return_to_owner(g, t, ref):
    """Return a borrowed minion to its owner."""
    c = g.char[ref]
    if c.borrowed == 1:
        c.keywords &= ~Keyword.CHARGE
    c.borrowed = 0
    change_side(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def silence(g, t, ref):
    """Remove a minion's text and enchantments; auras of others stay. Rulebook: silence."""
    c, k = g.char[ref], t.card[g.char[ref].card]
    c.keywords = (c.keywords & KEPT_IN_SILENCE) | Keyword.SILENCED
    c.attack = k.attack + c.aura_attack
    c.turn_attack = 0
    highest = np.int64(k.health) + c.aura_health
    if highest > c.max_health:  # restore lowered health, such as a 1/1 copy's
        c.health += highest - c.max_health
    c.max_health = highest
    c.health = min(np.int64(c.health), highest)
    c.spell_damage = 0
    for x in range(TEXTS):
        c.extra[x] = 0
    g.stale = 1
    if c.borrowed > 0:  # wiki, Shadow Madness: its enchantment ends, so it goes back at once
        return_to_owner(g, t, ref)


# -- health -------------------------------------------------------------------------------------


@kernel(VOID(GAME_T, I8))
def freeze(g, ref):
    """Freeze a character."""
    g.char[ref].keywords |= Keyword.FROZEN


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def remove_secret(g, t, side, i):
    """Take a player's i-th secret out of play."""
    s = g.side[side]
    for k in range(i, s.n_secrets - 1):
        s.secret[k] = s.secret[k + 1]
    s.n_secrets -= 1


@kernel(BOOL(GAME_T, I8))
def can_secrets_trigger(g, side):
    """Return whether a player's secrets can fire: in the other's turn, except in fair views."""
    return g.me != side and g.sight != FAIR


@kernel(BOOL(GAME_T, TABLES_T, I8))
def prevent_fatal_damage(g, t, side):
    """Fire a secret that prevents fatal damage to a hero; return whether there was one."""
    if ((g.watch >> Event.FATAL_DAMAGE) & 1) == 0 or not can_secrets_trigger(g, side):
        return False
    s = g.side[side]
    for i in range(s.n_secrets):
        k = t.card[s.secret[i].card]
        u = t.trigger[k.trigger]
        if u.event == Event.FATAL_DAMAGE:
            frame = g.stack[push(g)]
            frame.pc = u.program
            frame.side = side
            frame.card = s.secret[i].card
            # Immune at once: a second hit of the same effect must not get through
            g.char[hero_of(side)].keywords |= Keyword.IMMUNE_THIS_TURN
            remove_secret(g, t, side, i)
            announce(g, Event.SECRET_REVEALED, side, frame.card, NONE, NONE, 0)
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def heal(g, t, ref, n):
    """Restore n health to a character."""
    c = g.char[ref]
    healed = min(n, np.int64(c.max_health) - c.health)
    if healed > 0:
        c.health += healed
        mark_auras_stale(g, t, ref)
        announce(g, Event.HEALED, side_of(ref), c.card, ref, NONE, healed)


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def apply_damage_keywords(g, t, ref, n, source):
    """Apply the keywords of a source of damage: freeze, poison, lifesteal.

    Wiki, Stealth: a minion loses Stealth when it deals damage in any way.
    """
    by = g.char[source].keywords
    g.char[source].keywords &= ~STEALTHS
    if (by & Keyword.FREEZES) != 0:
        freeze(g, ref)
    if (by & Keyword.POISONOUS) != 0 and not is_hero(ref):
        g.char[ref].keywords |= Keyword.TO_BE_DESTROYED
        g.dying = 1
    if (by & Keyword.LIFESTEAL) != 0:
        heal(g, t, hero_of(side_of(source)), n)


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def changed_damage(g, t, side, n, before):
    """Return n damage to a hero after the rules of its minions and weapon that came `before`."""
    s = g.side[side]
    cursor = np.int64(0)
    while True:
        uid, rules = np.int64(before), np.int64(0)  # the next in order of play
        for i in range(s.minions):
            c = g.char[minion_ref(side, s.row[i])]
            if (c.keywords & Keyword.SILENCED) == 0 and c.uid > cursor and c.uid < uid:
                if (t.card[c.card].rules & CHANGE_DAMAGE) != 0:
                    uid, rules = np.int64(c.uid), np.int64(t.card[c.card].rules)
        if s.weapon > 0 and s.weapon_uid > cursor and s.weapon_uid < uid:
            uid, rules = np.int64(s.weapon_uid), np.int64(t.card[s.weapon].rules)
        if uid == before:
            return n
        if (rules & Rule.HERO_TAKES_1) != 0:
            n = min(n, np.int64(1))
        if (rules & Rule.HERO_TAKES_DOUBLE) != 0:
            n *= 2
        cursor = uid


@kernel(I8(GAME_T, TABLES_T, I8))
def taker_for_hero(g, t, side):
    """Return the ref of the minion that takes a hero's damage, the hero itself if there is none."""
    taker = hero_of(side)
    for i in range(g.side[side].minions):
        c = g.char[minion_ref(side, g.side[side].row[i])]
        takes = (t.card[c.card].rules & Rule.TAKES_FOR_HERO) != 0
        if takes and (c.keywords & Keyword.SILENCED) == 0:
            if is_hero(taker) or c.uid < g.char[taker].uid:
                taker = minion_ref(side, g.side[side].row[i])
    return taker


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def deal_damage(g, t, ref, n, source):
    """Deal n damage to a character; return the damage dealt.

    `source` is a ref, NONE, or `spell_of` a player.
    """
    c = g.char[ref]
    if n <= 0 or ((c.keywords | c.aura_keywords) & IMMUNITY) != 0:
        return 0
    if is_hero(ref) and (g.side[side_of(ref)].rules & (CHANGE_DAMAGE | TAKE_DAMAGE)) != 0:
        # rulebook: what changes damage to a hero acts in order of play, before it is dealt
        hero, ref = ref, taker_for_hero(g, t, side_of(ref))
        c = g.char[ref]
        n = changed_damage(g, t, side_of(ref), n, g.next_uid if ref == hero else c.uid)
        if ((c.keywords | c.aura_keywords) & IMMUNITY) != 0:
            return 0
    if (c.keywords & Keyword.DIVINE_SHIELD) != 0:
        c.keywords &= ~Keyword.DIVINE_SHIELD
        return 0
    if is_hero(ref):
        s = g.side[side_of(ref)]
        if n >= c.health + s.armor and prevent_fatal_damage(g, t, side_of(ref)):
            return 0
        blocked = min(np.int64(s.armor), n)
        s.armor -= blocked
        c.health -= n - blocked
    else:
        if (g.side[side_of(ref)].turn_rules & Rule.UNBREAKABLE) != 0:
            n = min(n, np.int64(c.health) - 1)
            if n <= 0:
                return 0
        c.health -= n
        mark_auras_stale(g, t, ref)
    if c.health <= 0:
        g.dying = 1
    if source >= 0:
        apply_damage_keywords(g, t, ref, n, source)
    announce(g, Event.DAMAGED, side_of(ref), c.card, ref, source, n)
    return n


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def restore_health(g, t, side, ref, n):
    """Restore n health by a player's effect; with Auchenai's rule, deal damage instead."""
    if ((g.side[side].rules | g.side[side].turn_rules) & Rule.HEALING_HURTS) != 0:
        deal_damage(g, t, ref, n, NONE)
    else:
        heal(g, t, ref, n)


@kernel(VOID(GAME_T, I8))
def mark_destroyed(g, ref):
    """Destroy a character; it leaves in the next death step."""
    g.char[ref].keywords |= Keyword.TO_BE_DESTROYED
    g.dying = 1


# -- weapons ------------------------------------------------------------------------------------


@kernel(VOID(GAME_T, TABLES_T, I8))
def destroy_weapon(g, t, side):
    """Destroy a player's weapon, and put its Deathrattle on the stack."""
    s = g.side[side]
    if s.weapon == 0:
        return
    k = t.card[s.weapon]
    if k.deathrattle > 0:
        frame = g.stack[push(g)]
        frame.pc = k.deathrattle
        frame.side = side
        frame.card = s.weapon
    s.weapon = 0
    s.weapon_uid = 0
    s.weapon_attack = 0
    s.weapon_aura = 0
    s.durability = 0
    g.stale |= k.passive | (g.auras > 0)


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def equip_weapon(g, t, side, card):
    """Equip a weapon, and destroy the old one."""
    destroy_weapon(g, t, side)
    s, k = g.side[side], t.card[card]
    s.weapon = card
    s.weapon_uid = g.next_uid
    g.next_uid += 1
    s.weapon_attack = k.attack
    s.weapon_aura = 0
    s.durability = k.health
    g.watch |= k.watch
    g.stale |= k.passive | (g.auras > 0)
    announce(g, Event.EQUIPPED, side, card, NONE, NONE, 0)


@kernel(VOID(GAME_T, TABLES_T, I8))
def lose_durability(g, t, side):
    """Reduce the durability of a player's weapon by 1."""
    s = g.side[side]
    if s.weapon > 0:
        s.durability -= 1
        if s.durability <= 0:
            g.dying = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def use_weapon(g, t, side, defender):
    """Wear a player's weapon by an attack: its durability, or its attack with Rule.BLUNTS."""
    s = g.side[side]
    if s.weapon > 0 and not is_hero(defender) and (t.card[s.weapon].rules & Rule.BLUNTS) != 0:
        s.weapon_attack -= 1
        if s.weapon_attack <= 0:
            s.durability = 0
            g.dying = 1
    else:
        lose_durability(g, t, side)


# -- cards --------------------------------------------------------------------------------------


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def add_deck_listener(g, t, side, card):
    """Register a card in a deck that listens to events."""
    s = g.side[side]
    s.deck_watch |= t.card[card].deck_watch
    s.deck_watcher = card if s.deck_watcher == 0 or s.deck_watcher == card else NONE


@kernel(VOID(GAME_T, TABLES_T, I8))
def find_deck_listeners(g, t, side):
    """Find the events that the cards of a deck listen to."""
    s = g.side[side]
    s.deck_watch = 0
    s.deck_watcher = 0
    for i in range(s.n_deck):
        if t.card[card_in(s.deck[i])].deck_watch != 0:
            add_deck_listener(g, t, side, card_in(s.deck[i]))
    g.watch |= s.deck_watch


@kernel(VOID(GAME_T, TABLES_T, I8))
def find_hand_listeners(g, t, side):
    """Find the events that the cards of a hand listen to."""
    s = g.side[side]
    s.hand_watch = 0
    for i in range(s.n_hand):
        k = t.card[s.hand[i].card]
        s.hand_watch |= k.hand_watch
        s.shifting |= np.int64(k.shifts) << i
    g.watch |= s.hand_watch


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def remove_from_deck(g, t, side, i):
    """Take the i-th entry out of a deck and return it; an ordered deck keeps its order."""
    s = g.side[side]
    entry = np.int64(s.deck[i])
    s.n_deck -= 1
    if g.ordered == 1:
        for k in range(i, s.n_deck):
            s.deck[k] = s.deck[k + 1]
    else:
        s.deck[i] = s.deck[s.n_deck]
    if t.card[card_in(entry)].deck_watch != 0:
        find_deck_listeners(g, t, side)
    return entry


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def put_into_deck(g, t, side, card, i):
    """Put a card into a deck that has room, as its i-th if the deck has an order."""
    s = g.side[side]
    s.deck[s.n_deck] = card
    s.n_deck += 1
    if g.ordered == 1:
        for k in range(s.n_deck - 1, i, -1):
            s.deck[k] = s.deck[k - 1]
        s.deck[i] = card
    if t.card[card].deck_watch != 0:
        add_deck_listener(g, t, side, card)
        g.watch |= s.deck_watch


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def shuffle_into_deck(g, t, side, card):
    """Shuffle a card into a deck; it is lost if the deck is full."""
    n = np.int64(g.side[side].n_deck)
    if n < DECK:
        put_into_deck(g, t, side, card, random_below(g, n + 1) if g.ordered == 1 else n)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def add_to_hand(g, t, side, entry):
    """Add a card, or an entry of a deck, to a hand; return False if a full hand loses it."""
    s = g.side[side]
    if s.n_hand >= HAND:
        return False
    h, k = s.hand[s.n_hand], t.card[card_in(entry)]
    h.card = card_in(entry)
    h.cost = -cheaper_of(entry)
    h.attack = bonus_of(entry)
    h.health = bonus_of(entry) if k.kind == Kind.MINION else 0
    s.n_hand += 1
    s.shifting |= np.int64(k.shifts) << (np.int64(s.n_hand) - 1)
    if k.hand_watch != 0:
        s.hand_watch |= k.hand_watch
        g.watch |= k.hand_watch
    g.stale |= g.counts_hands
    return True


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def copy_in_hand(g, t, side, k):
    """Add a copy of the k-th card of a hand, with its changes, to that hand."""
    s = g.side[side]
    if add_to_hand(g, t, side, s.hand[k].card):
        s.hand[s.n_hand - 1] = s.hand[k]


@kernel(I8(GAME_T, I8, I8))
def remove_from_hand(g, side, i):
    """Take the i-th card out of a hand and return it."""
    s = g.side[side]
    card = np.int64(s.hand[i].card)
    for k in range(i, s.n_hand - 1):
        s.hand[k] = s.hand[k + 1]
    s.n_hand -= 1
    g.stale |= g.counts_hands
    if s.shifting != 0:
        below = (1 << i) - 1
        s.shifting = (s.shifting & below) | ((np.int64(s.shifting) >> (i + 1)) << i)
    return card


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def summon_from_hand(g, t, side, i, place):
    """Summon the i-th card of a hand, with its changes; return its ref, NONE on a full board."""
    h = g.side[side].hand[i]
    attack, health = np.int64(h.attack), np.int64(h.health)
    ref = summon(g, t, side, h.card, place)
    if ref >= 0:
        remove_from_hand(g, side, i)
        buff(g, t, ref, attack, health)
    return ref


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def summon_from_deck(g, t, side, i, place):
    """Summon the i-th card of a deck, with its changes; return its ref, NONE on a full board."""
    bonus = bonus_of(g.side[side].deck[i])
    ref = summon(g, t, side, card_in(g.side[side].deck[i]), place)
    if ref >= 0:
        remove_from_deck(g, t, side, i)
        buff(g, t, ref, bonus, bonus)
    return ref


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8))
def push_card_text(g, t, side, card, pc, place):
    """Put a text of a card in hand, at a place or NONE, on the stack."""
    frame = g.stack[push(g)]
    frame.pc = pc
    frame.side = side
    frame.card = card
    frame.place = place


@kernel(I8(GAME_T, TABLES_T, I8, I8))
def draw_from(g, t, side, i):
    """Draw the i-th card of a deck and return it; a full hand burns it."""
    entry = remove_from_deck(g, t, side, i)
    card = card_in(entry)
    if add_to_hand(g, t, side, entry):
        place = np.int64(g.side[side].n_hand) - 1
        announce(g, Event.DRAWN, side, card, NONE, NONE, place)
        if t.card[card].drawn > 0:
            push_card_text(g, t, side, card, t.card[card].drawn, place)
    return card


@kernel(I8(GAME_T, TABLES_T, I8))
def draw_card(g, t, side):
    """Draw a card and return it; a full hand burns it. With an empty deck, take fatigue damage."""
    s = g.side[side]
    if s.n_deck == 0:
        s.fatigue += 1
        deal_damage(g, t, hero_of(side), s.fatigue, NONE)
        return 0
    last = np.int64(s.n_deck) - 1
    return draw_from(g, t, side, last if g.ordered == 1 else random_below(g, s.n_deck))


@kernel(VOID(GAME_T, TABLES_T, I8))
def resample_hand(g, t, side):
    """In a fair look-ahead, deal the opponent's hand anew from its hand and deck.

    Our choice: a look-ahead knows which cards the opponent has left (as in a competition with
    given decks), but not which of them are in its hand. Changes stay with the place.
    """
    s = g.side[side]
    if g.sight != FAIR:
        return
    for i in range(s.n_hand):  # Fisher and Yates: every hand is equally likely
        j = i + random_below(g, s.n_hand - i + s.n_deck)
        card = s.hand[i].card
        if j >= s.n_hand:
            entry = np.int64(s.deck[j - s.n_hand])
            s.hand[i].card = card_in(entry)
            s.deck[j - s.n_hand] = entry - card_in(entry) + card
        else:
            s.hand[i].card = s.hand[j].card
            s.hand[j].card = card


@kernel(VOID(GAME_T, I8, I8))
def gain_crystals(g, side, n):
    """Add empty mana crystals, up to ten."""
    s = g.side[side]
    s.crystals = max(min(np.int64(s.crystals) + n, MAX_MANA), 0)


@kernel(BOOL(GAME_T, TABLES_T, I8, I8))
def add_secret(g, t, side, card):
    """Put a secret into play; return False if the zone is full or has a copy already."""
    s = g.side[side]
    if s.n_secrets >= SECRETS:
        return False
    for i in range(s.n_secrets):
        if s.secret[i].card == card:
            return False
    s.secret[s.n_secrets].card = card
    s.secret[s.n_secrets].uid = g.next_uid
    g.next_uid += 1
    s.n_secrets += 1
    g.watch |= t.card[card].watch
    return True
