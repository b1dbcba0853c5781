"""Characters, weapons and secrets: entering, changing and leaving play."""

import numpy as np

from hsevo.cards.terms import STARTING, Counter, Event, Keyword, Kind, Race, Reach, Rule
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    AGAIN,
    BONUS,
    MOST_AGAIN,
    Moment,
    card_in,
    encode_text,
    hero_of,
    is_hero,
    minion_ref,
    side_of,
)
from hsevo.engine.record.state import (
    BOARD,
    BROKEN,
    FAIR,
    GAME_T,
    MAX_MANA,
    MOST,
    NONE,
    NOTED,
    SECRETS,
    TEXTS,
    announce,
    push,
)
from hsevo.engine.rules.evidence import note_answered, note_laid
from hsevo.engine.rules.query import board_position, is_of_race

STEALTHS = int(Keyword.STEALTH | Keyword.STEALTH_TURN)
MINIONS = int(Reach.MINE | Reach.THEIRS)
BY_WEAPON = int(Keyword.POISONOUS | Keyword.LIFESTEAL)  # a hero's, by what its weapon was given
KEPT_IN_SILENCE = int(Keyword.FRESH | Keyword.TO_BE_DESTROYED | Keyword.IMMUNE_THIS_TURN)

# what a Magnetic minion gives to the Mech that it joins
JOINED = int(Keyword.TAUNT | Keyword.CHARGE | Keyword.RUSH | Keyword.DIVINE_SHIELD
             | Keyword.WINDFURY | Keyword.MEGA_WINDFURY | Keyword.POISONOUS | Keyword.LIFESTEAL
             | Keyword.ELUSIVE | Keyword.FREEZES | Keyword.CLEAVE | Keyword.DEATHRATTLE)


# -- minions ------------------------------------------------------------------------------------


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def has_enrage(g, t, ref):
    """Return whether a character has an aura that depends on its attack or health (Enrage)."""
    return (t.card[g.char[ref].card].reach & Reach.ITSELF) != 0


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def mark_auras_stale(g, t, ref):
    """Mark auras as stale if this character has one that depends on its state."""
    if has_enrage(g, t, ref):
        g.stale = 1


@kernel(BOOL(GAME_T, I8), inline=True)
def are_minions_counted(g, side):
    """Return whether some aura depends on which minions a player has."""
    return ((g.reach >> side) & 1) != 0


@kernel(VOID(GAME_T, I8, I8), cold=True)
def grow(g, side, ref):
    """Give a new C'Thun what its owner has collected for it."""
    c, counter = g.char[ref], g.side[side].counter
    c.attack += counter[Counter.CTHUN_ATTACK]
    c.health += counter[Counter.CTHUN_HEALTH]
    c.max_health = c.health
    if counter[Counter.CTHUN_TAUNT] > 0:
        c.keywords |= Keyword.TAUNT


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def take_size(g, t, ref):
    """Give a minion the size that all minions of its owner have, before auras."""
    c, size = g.char[ref], np.int64(g.side[side_of(ref)].counter[Counter.MINION_SIZE])
    if size > 0 and t.card[c.card].kind == Kind.MINION:
        c.attack = size + c.aura_attack
        c.turn_attack = 0
        c.max_health = size + c.aura_health
        c.health = c.max_health
        g.stale = 1


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
    if g.side[side_of(ref)].counter[Counter.MINION_SIZE] > 0:
        take_size(g, t, ref)
    g.watch |= k.watch
    g.stale |= k.passive | are_minions_counted(g, side_of(ref))


@kernel(I8(GAME_T, I8, I8), inline=True)
def open_slot(g, side, place):
    """Make room on a player's board at a position (NONE: the right end); return the ref."""
    s = g.side[side]
    n = np.int64(s.minions)
    if n + s.dormant >= BOARD:
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


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def put_into_play(g, t, side, card, place):
    """Put a minion into play; return its ref, or NONE if the board is full."""
    ref = open_slot(g, side, place)
    if ref >= 0:
        create_character(g, t, ref, card)
        g.side[side].totems += is_of_race(t, card, Race.TOTEM)
        g.last = ref
    return ref


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def put_dormant(g, t, side, card):
    """Put a dormant card on a player's board; return its ref, or NONE if the board is full."""
    ref = open_slot(g, side, NONE)
    if ref >= 0:
        create_character(g, t, ref, card)
        g.char[ref].keywords = Keyword.IMMUNE
        g.side[side].minions -= 1  # the last of the row: it is none
        g.side[side].dormant += 1
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


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_missed(g, t, ref):
    """Return whether auras, rules or Spell Damage change when a minion leaves play."""
    c = g.char[ref]
    enchanted = c.extra[0] != 0 or c.spell_damage != 0
    return enchanted or t.card[c.card].passive == 1 or are_minions_counted(g, side_of(ref))


@kernel(VOID(GAME_T, TABLES_T, I8))
def remove_from_play(g, t, ref):
    """Take a minion out of play."""
    side = side_of(ref)
    s, c = g.side[side], g.char[ref]
    place = board_position(g, ref)
    for i in range(place, s.minions - 1):
        s.row[i] = s.row[i + 1]
    s.minions -= 1
    g.stale |= is_missed(g, t, ref)
    c.card = 0
    c.uid = 0


@kernel(VOID(GAME_T, TABLES_T, I8))
def change_side(g, t, ref):
    """Give a minion to the other player; it is destroyed if that player's board is full."""
    taker = 1 - side_of(ref)
    to = open_slot(g, taker, NONE)
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
    take_size(g, t, to)
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8))
def take_control_this_turn(g, t, ref):
    """Give a minion to the other player for this turn. Wiki, Shadow Madness: it gains Charge."""
    taker = 1 - side_of(ref)
    change_side(g, t, ref)
    if g.char[ref].card > 0:  # the board was full
        return
    c = g.char[minion_ref(taker, g.side[taker].row[g.side[taker].minions - 1])]
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
    size = np.int64(g.side[side_of(ref)].counter[Counter.MINION_SIZE])
    c.attack = (size if size > 0 else np.int64(k.attack)) + c.aura_attack
    c.turn_attack = 0
    highest = (size if size > 0 else np.int64(k.health)) + c.aura_health
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


@kernel(VOID(GAME_T, I8, I8))
def remove_secret(g, side, i):
    """Take a player's i-th secret out of play."""
    s = g.side[side]
    if g.sight == NOTED:
        note_answered(g, side, i)
    for k in range(i, s.n_secrets - 1):
        s.secret[k] = s.secret[k + 1]
    s.n_secrets -= 1


@kernel(BOOL(GAME_T, I8))
def can_secrets_trigger(g, side):
    """Return whether a player's secrets can fire: in the other's turn, except in fair views."""
    return g.me != side and g.sight != FAIR


# -- weapons ------------------------------------------------------------------------------------


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_weapon_missed(g, t, side):
    """Return whether auras or rules may change when a player's weapon enters or leaves play."""
    return t.card[g.side[side].weapon].passive == 1 or (g.reach & Reach.WEAPONS) != 0


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def is_blunted(g, t, side):
    """Return whether a player's weapon loses attack, not durability, when it hits a minion."""
    return (t.card[g.side[side].weapon].rules & Rule.BLUNTS) != 0


@kernel(VOID(GAME_T, I8), cold=True)
def forget_slain(g, side):
    """Forget the minions that a player's weapon has killed."""
    s, n = g.side[side], np.int64(0)
    for k in range(s.n_later):
        entry = np.int64(s.later[k])
        s.later[k] = 0
        if entry >> BONUS != Moment.SLAIN:
            s.later[n] = entry
            n += 1
    s.n_later = n


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def note_broken(g, t, side):
    """Note that a player's weapon is destroyed, and what it keeps of its attack."""
    s = g.side[side]
    if s.n_broken == BROKEN:
        for i in range(BROKEN - 1):
            s.broken[i] = s.broken[i + 1]
        s.n_broken -= 1
    s.broken[s.n_broken] = s.weapon
    s.n_broken += 1
    if t.card[s.weapon].keeps == 1:
        attack = np.int64(s.weapon_attack) - s.weapon_aura - t.card[s.weapon].attack
        s.counter[Counter.KEPT_ATTACK] = attack


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def buff_weapon(g, t, side, attack, durability):
    """Give a player's weapon, if there is one, attack and durability for good."""
    s = g.side[side]
    if s.weapon > 0:
        s.weapon_attack += attack
        s.durability += durability
        if t.card[s.weapon].keeps == 1:
            s.counter[Counter.KEPT_DURABILITY] += durability


@kernel(VOID(GAME_T, TABLES_T, I8))
def destroy_weapon(g, t, side):
    """Destroy a player's weapon, and put its Deathrattle on the stack."""
    s = g.side[side]
    if s.weapon == 0:
        return
    k = t.card[s.weapon]
    if t.notes == 1:
        note_broken(g, t, side)
    if k.deathrattle > 0:
        frame = g.stack[push(g)]
        frame.pc = k.deathrattle
        frame.side = side
        frame.card = s.weapon
    g.stale |= is_weapon_missed(g, t, side)
    announce(g, Event.WEAPON_DESTROYED, side, s.weapon, NONE, NONE, 0)
    forget_weapon(g, side)


@kernel(VOID(GAME_T, I8))
def forget_weapon(g, side):
    """Leave a player without a weapon."""
    s = g.side[side]
    g.char[hero_of(side)].keywords &= ~BY_WEAPON
    s.weapon = 0
    s.weapon_uid = 0
    s.weapon_attack = 0
    s.weapon_aura = 0
    s.durability = 0


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
    if k.keeps == 1:
        s.weapon_attack += s.counter[Counter.KEPT_ATTACK]
        s.durability += s.counter[Counter.KEPT_DURABILITY]
    g.watch |= k.watch
    g.stale |= is_weapon_missed(g, t, side)
    announce(g, Event.EQUIPPED, side, card, NONE, NONE, 0)


@kernel(VOID(GAME_T, I8))
def lose_durability(g, side):
    """Reduce the durability of a player's weapon by 1."""
    s = g.side[side]
    if s.weapon > 0:
        s.durability -= 1
        if s.durability <= 0:
            g.dying = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def use_weapon(g, t, side, defender):
    """Wear a player's weapon by an attack: its durability, or its attack with Rule.BLUNTS."""
    s = g.side[side]
    if (s.rules & Rule.LASTING_WEAPON) != 0 and g.me == side:
        return
    if s.weapon > 0 and not is_hero(defender) and is_blunted(g, t, side):
        s.weapon_attack -= 1
        if s.weapon_attack <= 0:
            s.durability = 0
            g.dying = 1
    else:
        lose_durability(g, side)


@kernel(VOID(GAME_T, I8, I8))
def gain_crystals(g, side, n):
    """Add empty mana crystals, up to ten."""
    s = g.side[side]
    s.crystals = max(min(np.int64(s.crystals) + n, MAX_MANA), 0)


@kernel(VOID(GAME_T, I8, I8, I8))
def exchange_places(g, side, i, j):
    """Exchange the places in which two secrets of a player answer."""
    first, second = g.side[side].secret[i], g.side[side].secret[j]
    uid = np.int64(first.uid)
    first.uid = second.uid
    second.uid = uid


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def hold_secrets_back(g, t, side):
    """Let a player's secrets that are to come `behind` a newer one answer after it."""
    s = g.side[side]
    for k in range(s.n_secrets):
        for i in range(s.n_secrets):
            behind = t.trigger[t.card[s.secret[i].card].trigger].behind
            if behind == s.secret[k].card and s.secret[i].uid < s.secret[k].uid:
                exchange_places(g, side, i, k)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def order_secrets(g, t, side):
    """Let a player's secrets answer as they were laid, except those `behind` one."""
    s = g.side[side]
    for new in range(1, s.n_secrets):
        for i in range(new - 1, -1, -1):
            if s.secret[i].uid > s.secret[i + 1].uid:
                exchange_places(g, side, i, i + 1)
    hold_secrets_back(g, t, side)


@kernel(BOOL(GAME_T, I8), inline=True)
def has_room_for_secret(g, side):
    """Return whether a player can have another secret in play; an open quest takes a place."""
    s = g.side[side]
    return s.n_secrets + (s.quest > 0) < SECRETS


@kernel(BOOL(GAME_T, TABLES_T, I8, I8, I8))
def add_secret(g, t, side, card, origin):
    """Put a secret of an origin into play; return False if the zone is full or has a copy already.

    origin: as in evidence.py.
    """
    s = g.side[side]
    if not has_room_for_secret(g, side):
        return False
    for i in range(s.n_secrets):
        if s.secret[i].card == card:
            return False
    s.secret[s.n_secrets].card = card
    s.secret[s.n_secrets].uid = g.next_uid
    g.next_uid += 1
    s.n_secrets += 1
    if g.sight == NOTED:
        note_laid(g, side, origin)
    hold_secrets_back(g, t, side)
    if g.sight != FAIR:  # fair look-aheads trigger none
        g.watch |= t.card[card].watch
    return True


# -- texts that are attached --------------------------------------------------------------------


@kernel(BOOL(I8, I8), inline=True)
def is_again(entry, text):
    """Return whether a text can be added to an entry as one time more."""
    return entry & ((1 << AGAIN) - 1) == text and entry >> AGAIN < MOST_AGAIN


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def attach_text(g, t, ref, text):
    """Give a character a text (codec), unless it has TEXTS others already."""
    c = g.char[ref]
    if t.card[card_in(text)].deathrattle > 0:
        c.keywords |= Keyword.DEATHRATTLE
    g.stale = 1
    for x in range(TEXTS):
        last = np.int64(c.extra[x])
        if last == 0:
            c.extra[x] = text
            return
        if (x + 1 == TEXTS or c.extra[x + 1] == 0) and is_again(last, text):
            c.extra[x] += 1 << AGAIN
            return
    for x in range(TEXTS):  # out of their order, if there is no place
        if is_again(np.int64(c.extra[x]), text):
            c.extra[x] += 1 << AGAIN
            return


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8, I8, I8), cold=True)
def upgrade(g, t, ref, text, attack, health, keywords):
    """Give a Mech what a Magnetic minion that joins it is and has; text 0: it was silenced."""
    buff(g, t, ref, attack, health)
    g.char[ref].keywords |= keywords & JOINED
    k = t.card[card_in(text)]
    if text > 0 and (k.deathrattle > 0 or k.n_triggers > 0 or t.keeps_upgrades == 1):
        attach_text(g, t, ref, text)


@kernel(VOID(GAME_T, I8, I8))
def detach(g, ref, card):
    """Take away every text of a card that was attached to a character."""
    c, n = g.char[ref], 0
    for x in range(TEXTS):
        text = np.int64(c.extra[x])
        c.extra[x] = 0
        if text != 0 and card_in(text) != card:
            c.extra[n] = text
            n += 1
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8))
def take_power(g, t, side, power):
    """Replace a hero power; the new one can be used this turn, and its hero listens for it."""
    s, hero = g.side[side], hero_of(side)
    if t.card[s.power].n_triggers > 0:
        detach(g, hero, s.power)
    s.power = power
    s.power_used = 0
    if t.card[power].n_triggers > 0:
        attach_text(g, t, hero, encode_text(power, side))
    if s.counter[Counter.POWER_PRICE] > STARTING:
        s.counter[Counter.POWER_PRICE] = 0
