"""Deaths and their triggers. Rulebook: death phase."""

import numpy as np

from hsevo.cards.terms import Event, Keyword
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import card_in, hero_of, minion_ref, side_of, times_of
from hsevo.engine.record.state import GAME_T, NONE, TEXTS, announce, push
from hsevo.engine.rules.auras import update_tags
from hsevo.engine.rules.board import destroy_weapon, remove_from_play
from hsevo.engine.rules.graves import bury
from hsevo.engine.rules.query import board_position, is_dying
from hsevo.engine.rules.select import sort_list


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8))
def push_deathrattle(g, t, ref, card, own):
    """Put a minion's Deathrattle, of its own or an attached card, on the stack.

    `own` is the minion while it is in play, or NONE.
    """
    c = g.char[ref]
    frame = g.stack[push(g)]
    frame.pc = t.card[card].deathrattle
    frame.side = side_of(ref)
    frame.card = c.card
    frame.place = board_position(g, ref)
    frame.second = c.memory
    frame.first = max(np.int64(c.attack), 0)
    frame.ref = own
    frame.uid = c.uid


@kernel(BOOL(GAME_T, TABLES_T, I8), inline=True)
def has_own_deathrattle(g, t, ref):
    """Return whether a minion has the Deathrattle of its card."""
    c = g.char[ref]
    return t.card[c.card].deathrattle > 0 and (c.keywords & Keyword.SILENCED) == 0


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def push_deathrattles(g, t, ref, own):
    """Put all Deathrattles of a minion on the stack."""
    c = g.char[ref]
    if has_own_deathrattle(g, t, ref):
        push_deathrattle(g, t, ref, c.card, own)
    if c.extra[0] != 0:
        for x in range(TEXTS):
            text = np.int64(c.extra[x])
            if t.card[card_in(text)].deathrattle > 0:
                for _ in range(times_of(text)):
                    push_deathrattle(g, t, ref, card_in(text), own)


@kernel(I8(GAME_T, I8))
def announce_death(g, ref):
    """Put the event of a minion's death on the stack; return its frame, or NONE: nobody listens."""
    i = np.int64(g.depth)
    announce(g, Event.DIED, side_of(ref), g.char[ref].card, NONE, NONE, 0)
    if g.depth == i:
        return NONE
    g.stack[i].subject_uid = g.char[ref].uid  # until it goes elsewhere: graves.leave
    return i


@kernel(VOID(GAME_T, TABLES_T, I8))
def die(g, t, ref):
    """Put a dying minion's Deathrattles and the event of its death on the stack, and bury it.

    Rulebook: Deathrattles and what else answers a death run in order of play. So the event is in
    two parts: for those that were in play before the minion, and for the others.
    """
    c = g.char[ref]
    earlier = announce_death(g, ref)
    before = np.int64(g.depth)
    push_deathrattles(g, t, ref, NONE)
    if earlier != NONE and g.depth > before:
        g.stack[earlier].first = c.uid
        later = announce_death(g, ref)
        g.stack[later].cursor = c.uid
    bury(g, side_of(ref), c.card)


@kernel(BOOL(GAME_T, TABLES_T), inline=True)
def remove_dead(g, t):
    """Remove all that is mortally wounded or destroyed, in order of play; return whether any was.

    Rulebook: death phase. All leave together, their auras end; then their Deathrattles run.
    """
    # a dead hero stays until the win check
    g.dying = is_dying(g, hero_of(0)) or is_dying(g, hero_of(1))
    any_died, before = False, np.int64(g.depth)
    for side in range(2):
        s = g.side[side]
        if s.weapon > 0 and s.durability <= 0:
            destroy_weapon(g, t, side)
            any_died = True
    g.n_list = 0
    for side in range(2):
        for i in range(g.side[side].minions):
            ref = minion_ref(side, g.side[side].row[i])
            g.list[g.n_list] = ref  # kept if it is dying: a branch here is often mispredicted
            g.n_list += is_dying(g, ref)
    sort_list(g)
    for k in range(g.n_list):  # hs-bugs 305: each remembers its place when those before it are gone
        die(g, t, g.list[k])
        remove_from_play(g, t, g.list[k])
    if g.stale == 1 and g.depth > before:
        update_tags(g, t)
    return any_died or g.n_list > 0
