"""List legal moves, and make a move. `codec` explains their numbers.

`list_moves` follows the order of the competition's program, which determines ties of the EVA agent:
end of turn; hand cards in hand order (positions, then targets: hero of player 0, hero of player
1, board of player 0, board of player 1); minions' attacks in board order (minions, then hero);
the hero's attack; the hero power.

The rules let a player put a minion anywhere on its side. `list_moves` is the list of agents: it has
every place only if the card or a friendly minion affects its neighbours, else the right end alone.
`list_places` lists every place always. People and environments choose between the two.
`try_move` makes a move on a look-ahead's copy of a game, with a random stream of its own.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import If, Keyword, Kind, Rule
from hsevo.engine.forecast.outcomes import make_attack
from hsevo.engine.game.setup import finish_mulligan
from hsevo.engine.jit import BOOL, I8, TABLES_T, U8, VOID, calling, kernel
from hsevo.engine.operations.turn import (
    begin_attack,
    begin_end_of_turn,
    begin_play,
    begin_power,
    choose_option,
    resolve_stack,
)
from hsevo.engine.record.codec import (
    ATTACK,
    BOTH_OPTIONS,
    CHOOSE,
    END,
    ENEMY_TARGET,
    HERO,
    NO_TARGET,
    OWN_TARGET,
    PLAY,
    POWER,
    TARGET_STRIDE,
    TAUGHT,
    attacker_of,
    defender_of,
    encode_attack,
    encode_play,
    hand_of,
    hero_of,
    is_attack,
    is_hero,
    is_own_target,
    minion_ref,
    option_of,
    position_of,
    side_of,
    target_of,
    target_position,
)
from hsevo.engine.record.state import (
    GAME_T,
    MOVES,
    NONE,
    NOTED,
    RUNNING,
    Fault,
    Phase,
    copy_position,
    copy_stack,
)
from hsevo.engine.rules.aim import aimed_of, is_target, is_target_with, requirements_met
from hsevo.engine.rules.board import STEALTHS
from hsevo.engine.rules.clock import AWAKE, max_attacks
from hsevo.engine.rules.conditions import (
    condition_holds,
)
from hsevo.engine.rules.costs import can_pay, power_cost
from hsevo.engine.rules.evidence import note_hidden
from hsevo.engine.rules.query import (
    IMMUNITY,
    attack_of,
    board_position,
    has_keyword,
)
from hsevo.engine.rules.zones import remove_from_hand

_NOT_HEROES = int(Keyword.CANT_ATTACK_HEROES | Keyword.NO_HEROES_THIS_TURN)
_CAN_NOT = int(Keyword.FROZEN | Keyword.CANT_ATTACK | Keyword.DORMANT)
# of those, what decides for a turn
_CAN = int(Keyword.FROZEN | Keyword.CAN_ATTACK_TURN | Keyword.DORMANT)
# Cards and hero powers that a player can play in a turn. The game ends a turn after 75 seconds, in
# which no player plays that many; without a bound, two Trade Prince Gallywix and a Mind Vision
# never end, nor do Raza the Chained and Coldarra Drake.
MOST_PLAYS = 100


@kernel(BOOL(GAME_T, I8), inline=True)
def can_attack(g, ref):
    """Return whether a character of the player to move may attack at all."""
    c = g.char[ref]
    if attack_of(g, ref) <= 0:
        return False
    if has_keyword(g, ref, _CAN_NOT) and (c.keywords & _CAN) != Keyword.CAN_ATTACK_TURN:
        return False
    fresh = (c.keywords & Keyword.FRESH) != 0 and not is_hero(ref)
    asleep = fresh and not has_keyword(g, ref, AWAKE)
    left = c.attacks < max_attacks(g, ref) or has_keyword(g, ref, Keyword.UNLIMITED)
    return left and not asleep


@kernel(BOOL(GAME_T, I8), inline=True)
def rushes(g, ref):
    """Return whether a minion can attack only because of Rush: no heroes, in this turn."""
    fresh = (g.char[ref].keywords & Keyword.FRESH) != 0 and not is_hero(ref)
    return fresh and not has_keyword(g, ref, Keyword.CHARGE)


@kernel(BOOL(GAME_T, I8))
def is_attackable(g, ref):
    """Return whether an enemy character can be attacked, apart from Taunt."""
    return not has_keyword(g, ref, STEALTHS | IMMUNITY)


@kernel(BOOL(GAME_T, I8))
def has_taunt(g, ref):
    """Return whether a minion protects its side; a stealthed one does not."""
    return has_keyword(g, ref, Keyword.TAUNT) and is_attackable(g, ref)


@kernel(VOID(GAME_T, I8), inline=True)
def add_move(g, move):
    """Append a move to the buffer; an overflow stops the game."""
    if g.n_moves >= MOVES:
        g.fault = Fault.MOVES
        return
    g.moves[g.n_moves] = move
    g.n_moves += 1


@kernel(I8(GAME_T, I8))
def target_code(g, ref):
    """Return the number of a target in moves."""
    base = OWN_TARGET if side_of(ref) == g.me else ENEMY_TARGET
    return base + (HERO if is_hero(ref) else board_position(g, ref))


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8))
def add_targets(g, t, card, kind, base, stride):
    """Append a move for every legal target of a card; return how many there are."""
    before = np.int64(g.n_moves)
    for side in range(2):
        hero = hero_of(side)
        if is_target(g, t, card, hero, kind):
            add_move(g, base + stride * target_code(g, hero))
    for side in range(2):
        s = g.side[side]
        first = OWN_TARGET if side == g.me else ENEMY_TARGET
        for i in range(s.minions):
            if is_target(g, t, card, minion_ref(side, s.row[i]), kind):
                add_move(g, base + stride * (first + i))
    return g.n_moves - before


@kernel(BOOL(GAME_T, TABLES_T))
def positions_matter(g, t):
    """Return whether a friendly minion affects its neighbours."""
    s = g.side[g.me]
    for i in range(s.minions):
        if t.card[g.char[minion_ref(g.me, s.row[i])].card].positional == 1:
            return True
    return False


@kernel(BOOL(GAME_T, TABLES_T), inline=True)
def all_matter(g, t):
    """Return that every place is to be listed: what `list_places` has for `positions_matter`."""
    return True


@kernel(BOOL(GAME_T, TABLES_T))
def holds_positional(g, t):
    """Return whether the player to move holds a card that affects its neighbours."""
    s = g.side[g.me]
    for i in range(s.n_hand):
        if t.card[s.hand[i].card].positional == 1:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def add_options(g, t, card, base):
    """Append a move for every option of a Choose One card, and every target of it."""
    for o in range(2):
        option, kind = np.int64(t.card[card].option[o]), np.int64(t.card[card].kind)
        if not requirements_met(g, t, option):
            continue
        if t.card[option].target == 0:
            add_move(g, base + o)
        else:  # build 23180: an option asks for its target, even a minion's
            add_targets(g, t, option, kind, base + o, TARGET_STRIDE)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def add_both(g, t, card, base):
    """Append a move for both options of a Choose One card, and every target of either.

    The card data ask for what the card itself needs: a target only if both options need one.
    """
    first, second = np.int64(t.card[card].option[0]), np.int64(t.card[card].option[1])
    kind, before = np.int64(t.card[card].kind), np.int64(g.n_moves)
    for side in range(2):
        for place in range(g.side[side].minions + 1):
            ref = hero_of(side) if place == 0 else minion_ref(side, g.side[side].row[place - 1])
            if is_target_with(g, t, card, BOTH_OPTIONS, ref):
                add_move(g, base + BOTH_OPTIONS + TARGET_STRIDE * target_code(g, ref))
    needs_one = t.card[first].target != 0 and t.card[second].target != 0 and kind == Kind.SPELL
    if g.n_moves == before and not needs_one:
        add_move(g, base + BOTH_OPTIONS)


@kernel(VOID(GAME_T, TABLES_T, I8, BOOL), inline=True)
def add_plays(g, t, hand, places):
    """Append all plays of one hand card."""
    side = np.int64(g.me)
    s = g.side[side]
    card = np.int64(s.hand[hand].card)
    k = t.card[card]
    if not can_pay(g, t, side, hand) or not requirements_met(g, t, card):
        return
    aimed = k.target != 0
    if aimed and k.target_when != If.ALWAYS:
        aimed = condition_holds(g, t, k.target_when, k.target_when_arg, side, NONE, NONE, NONE)
    asks = card
    if t.late == 1 and s.hand[hand].joined >= TAUGHT:
        asks = aimed_of(t, card, s.hand[hand].joined)
        aimed = t.card[asks].target != 0
    last = np.int64(s.minions) if k.kind == Kind.MINION else np.int64(0)
    first = np.int64(0) if k.kind == Kind.MINION and (places or k.positional == 1) else last
    for place in range(first, last + 1):
        base = encode_play(hand, NO_TARGET, place, 0)
        if k.option[0] > 0:
            if (s.rules & Rule.CHOOSE_BOTH) != 0:
                add_both(g, t, card, base)
            else:
                add_options(g, t, card, base)
            continue
        targets = add_targets(g, t, asks, k.kind, base, TARGET_STRIDE) if aimed else np.int64(0)
        if targets == 0 and (not aimed or k.kind != Kind.SPELL):
            add_move(g, base)


@kernel(I8(GAME_T, I8), inline=True)
def defenders_of(g, side):
    """Return which positions of a side can be attacked, as bits: those with Taunt, if any has it.
    """
    s, free, taunts = g.side[side], np.int64(0), np.int64(0)
    for i in range(s.minions):
        ref = minion_ref(side, s.row[i])
        free |= np.int64(is_attackable(g, ref)) << i
        taunts |= np.int64(has_taunt(g, ref)) << i
    return taunts if taunts != 0 else free | np.int64(is_attackable(g, hero_of(side))) << HERO


@kernel(VOID(GAME_T, I8, I8, I8), inline=True)
def add_attacks(g, ref, position, defenders):
    """Append every attack of the character at a position on `defenders_of` the enemy's side."""
    if not can_attack(g, ref):
        return
    for i in range(g.side[1 - g.me].minions):
        if (defenders >> i) & 1 == 1:
            add_move(g, encode_attack(position, i))
    if (defenders >> HERO) & 1 == 1 and not has_keyword(g, ref, _NOT_HEROES) and not rushes(g, ref):
        add_move(g, encode_attack(position, HERO))


@kernel(BOOL(GAME_T, I8), inline=True)
def can_use_power(g, side):
    """Return whether a player may use its hero power once more this turn."""
    s = g.side[side]
    if (s.rules & Rule.NO_POWERS) != 0:
        return False
    if s.power_used == 0 or (s.rules & Rule.POWER_UNLIMITED) != 0:
        return True
    return s.power_used == 1 and (s.rules & Rule.POWER_TWICE) != 0


@kernel(VOID(GAME_T, TABLES_T), inline=True)
def add_powers(g, t):
    """Append all uses of the hero power."""
    s = g.side[g.me]
    k = t.card[s.power]
    if s.power == 0 or power_cost(g, t, g.me) > s.mana or not can_use_power(g, g.me):
        return
    if not requirements_met(g, t, s.power):
        return
    aimed = k.target != 0
    if aimed and k.target_when != If.ALWAYS:
        aimed = condition_holds(g, t, k.target_when, k.target_when_arg, g.me, NONE, NONE, NONE)
    if not aimed:
        add_move(g, POWER)
    else:
        add_targets(g, t, s.power, Kind.POWER, POWER, 1)


@kernel(I8(GAME_T, TABLES_T, I8))
def list_few_moves(g, t, most):
    """Fill the move buffer as `list_moves`, but stop soon after the first `most` moves.

    Return how many moves were listed: if there are more than `most`, any number above it.
    """
    g.n_moves = 0
    if g.result != RUNNING or g.fault != 0:
        return 0
    if g.pending == Phase.CHOICE:
        for k in range(g.n_choices):
            add_move(g, CHOOSE + k)
        return g.n_moves
    add_move(g, END)
    s = g.side[g.me]
    if g.pending >= Phase.MULLIGAN:
        for k in range(s.n_hand):
            if t.coin != s.hand[k].card:
                add_move(g, CHOOSE + k)
        return g.n_moves
    places = positions_matter(g, t)
    able = s.played + s.power_used < MOST_PLAYS
    if able:
        for hand in range(s.n_hand):
            add_plays(g, t, hand, places)
            if g.n_moves > most:
                return g.n_moves
    defenders = defenders_of(g, 1 - np.int64(g.me))
    for i in range(s.minions):
        add_attacks(g, minion_ref(g.me, s.row[i]), i, defenders)
        if g.n_moves > most:
            return g.n_moves
    add_attacks(g, hero_of(g.me), HERO, defenders)
    if able:
        add_powers(g, t)
    return g.n_moves


@kernel(I8(GAME_T, TABLES_T))
def list_moves(g, t):
    """Fill the move buffer with the legal moves, in the order above; return how many.

    A minion has every place only where places matter, else the right end.
    """
    return list_few_moves(g, t, MOVES)


list_places = calling(
    list_moves, list_few_moves=calling(list_few_moves, positions_matter=all_matter))


@kernel(I8(GAME_T, TABLES_T, BOOL))
def list_offered(g, t, all_places):
    """Fill the move buffer with what a player is offered: every place, or as `list_moves`."""
    return list_places(g, t) if all_places else list_moves(g, t)


@kernel(I8(GAME_T, I8, I8))
def ref_at(g, side, position):
    """Return the ref of a position: minions from the left, or HERO."""
    return hero_of(side) if position == HERO else minion_ref(side, g.side[side].row[position])


@kernel(I8(GAME_T, I8))
def target_ref(g, code):
    """Return the ref of a target number, NONE for NO_TARGET."""
    if code == NO_TARGET:
        return NONE
    return ref_at(g, g.me if is_own_target(code) else 1 - g.me, target_position(code))


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def begin_move(g, t, move):
    """Begin a legal move: pay its cost, and put its effects on the stack."""
    if g.pending >= Phase.MULLIGAN:
        if move == END:
            finish_mulligan(g, t)
        else:
            if g.sight == NOTED:
                note_hidden(g, g.me, move - CHOOSE)
            g.aside[g.n_aside] = remove_from_hand(g, g.me, move - CHOOSE)
            g.n_aside += 1
    elif move >= CHOOSE:
        choose_option(g, move - CHOOSE)
    elif move >= PLAY:
        g.option = option_of(move)
        begin_play(g, t, hand_of(move), target_ref(g, target_of(move)), position_of(move))
    elif move >= POWER:
        begin_power(g, t, target_ref(g, move - POWER))
    elif move >= ATTACK:
        defender = ref_at(g, 1 - g.me, defender_of(move))
        begin_attack(g, t, ref_at(g, g.me, attacker_of(move)), defender)
    else:
        begin_end_of_turn(g, t)


@kernel(VOID(GAME_T, TABLES_T, I8))
def make_move(g, t, move):
    """Make a legal move and resolve all its effects."""
    if is_attack(move):
        defender = ref_at(g, 1 - g.me, defender_of(move))
        make_attack(g, t, ref_at(g, g.me, attacker_of(move)), defender)
    else:
        begin_move(g, t, move)
        resolve_stack(g, t)


@kernel(VOID(GAME_T, GAME_T, U8, I8), inline=True)
def copy_for_trial(g, h, seed, sight):
    """Copy game g, in which no effect waits, to h, whose random stream starts at `seed`."""
    copy_position(g, h)
    h.depth = 0
    h.rng = seed
    h.sight = sight


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8, U8, I8), inline=True)
def try_move(g, h, t, move, seed, sight):
    """Make a move on a copy h of game g, whose random stream starts at `seed`."""
    copy_for_trial(g, h, seed, sight)
    make_move(h, t, move)


@kernel(VOID(GAME_T, GAME_T, TABLES_T, I8, U8, I8), inline=True)
def try_move_or_choice(g, h, t, move, seed, sight):
    """Make a move as `try_move`, or take a choice, with the effects that wait for it."""
    copy_for_trial(g, h, seed, sight)
    if g.pending == Phase.CHOICE:
        copy_stack(g, h)
    make_move(h, t, move)
