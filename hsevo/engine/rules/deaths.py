"""Deaths and their triggers. Rulebook: death phase.

The graveyard says which minions of a player died this game, how often, and which this turn. `dead`
holds graves: a card, and in the high bits one less than how often it died. Deaths of this turn have
a grave each, the last ones, in their order; the next turn adds them to the others.
"""

from __future__ import annotations

import numpy as np

from hsevo.cards.terms import Counter, Event, Keyword, Kind, Noted
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.record.codec import (
    BONUS,
    Moment,
    card_in,
    encode_text,
    hero_of,
    minion_ref,
    side_of,
    times_of,
)
from hsevo.engine.record.state import (
    DEAD,
    GAME_T,
    LATER,
    NONE,
    TEXTS,
    announce,
    push,
    random_below,
)
from hsevo.engine.rules.auras import update_tags
from hsevo.engine.rules.board import (
    destroy_weapon,
    mark_auras_stale,
    remove_from_play,
    summon,
    upgrade,
)
from hsevo.engine.rules.kept import keeps_given, record_kept
from hsevo.engine.rules.query import board_position, card_matches, is_dying, position_beside, room
from hsevo.engine.rules.select import plain_amount, sort_list

MOST_TIMES = 1 << 16 - BONUS
GONE = -1  # the uid, in frames, of a minion that went elsewhere when it died
OTHER_YARD = 64  # added to the place of a grave of player 1


@kernel(I8(I8), inline=True)
def deaths_in(grave):
    """Return how often the card of a grave died."""
    return 1 + (grave >> BONUS)


@kernel(VOID(GAME_T, I8, I8))
def bury(g, side, card):
    """Add a dead minion to the graveyard; beyond DEAD graves, in the place of a random one."""
    s = g.side[side]
    s.n_dead += 1
    s.counter[Counter.MINIONS_DIED] += 1
    if s.n_graves < DEAD:
        s.dead[s.n_graves] = card
        s.n_graves += 1
    else:
        s.dead[random_below(g, DEAD)] = card


@kernel(BOOL(GAME_T, I8))
def leave(g, uid):
    """Note that a minion, dead or alive, goes elsewhere; return False if it has gone already.

    hs-bugs 1064: once a death has moved the minion, nothing else that would move it does.
    """
    if uid == GONE:
        return False
    for j in range(g.depth):
        f = g.stack[j]
        if f.uid == uid:
            f.uid = GONE
        if f.subject_uid == uid:
            f.subject_uid = GONE
    return True


@kernel(VOID(GAME_T, I8))
def close_graves(g, side):
    """Add the graves of the turn that is over to those of the same cards."""
    s = g.side[side]
    n = np.int64(s.n_graves)
    n_old = max(n - s.counter[Counter.MINIONS_DIED], 0)
    for k in range(n_old, n):
        card, same = card_in(s.dead[k]), NONE
        s.dead[k] = 0
        for j in range(n_old):
            if card_in(s.dead[j]) == card and deaths_in(s.dead[j]) < MOST_TIMES:
                same = j
        if same >= 0:
            s.dead[same] += 1 << BONUS
        else:
            s.dead[n_old] = card
            n_old += 1
    s.n_graves = n_old
    s.counter[Counter.MINIONS_DIED] = 0


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8))
def deaths_left(g, t, i, owner, k):
    """Return how many deaths of a grave frame i's row can still choose."""
    r, grave = t.row[g.stack[i].pc], np.int64(g.side[owner].dead[k])
    if owner != g.stack[i].side and r.both == 0:
        return 0
    if not card_matches(t, card_in(grave), r.test, r.arg):
        return 0
    n = deaths_in(grave)
    if r.new == 1:  # all different
        for x in range(g.n_list):
            y = np.int64(g.list[x])
            if card_in(g.side[y // OTHER_YARD].dead[y % OTHER_YARD]) == card_in(grave):
                return 0
        for j in range(k):  # each card is as likely, however often it died
            if card_in(g.side[owner].dead[j]) == card_in(grave):
                return 0
        return 1
    for x in range(g.n_list):
        n -= g.list[x] == k + OTHER_YARD * owner
    return n


@kernel(BOOL(GAME_T, TABLES_T, I8))
def choose_grave(g, t, i):
    """Add the grave of a uniform death to the list; return whether one was left."""
    total = np.int64(0)
    for owner in range(2):
        for k in range(g.side[owner].n_graves):
            total += deaths_left(g, t, i, owner, k)
    if total == 0:
        return False
    left = random_below(g, total)
    for owner in range(2):
        for k in range(g.side[owner].n_graves):
            left -= deaths_left(g, t, i, owner, k)
            if left < 0:
                g.list[g.n_list] = k + OTHER_YARD * owner
                g.n_list += 1
                return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def make_small(g, t, ref):
    """Make a new minion a 1/1."""
    c = g.char[ref]
    c.attack = 1
    c.health = 1
    c.max_health = 1
    mark_auras_stale(g, t, ref)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_summon_dead(g, t, i):
    """SUMMON_DEAD: random minions that died this game, each death once."""
    side = np.int64(g.stack[i].side)
    g.n_list = 0
    for _ in range(plain_amount(g, t, i)):
        if not choose_grave(g, t, i):
            break
    used = np.int64(0)
    for x in range(g.n_list):
        grave = np.int64(g.list[x])
        card = g.side[grave // OTHER_YARD].dead[grave % OTHER_YARD]
        ref = summon(g, t, side, card_in(card), position_beside(g, i))
        if ref >= 0 and t.row[g.stack[i].pc].upgraded == 1:
            place = choose_upgraded(g, side, card_in(card), x, used)
            if place >= 0:
                used |= 1 << place
                upgrade_again(g, t, side, ref, place)
        if ref >= 0 and t.row[g.stack[i].pc].small == 1:
            make_small(g, t, ref)


@kernel(I8(GAME_T, TABLES_T, I8))
def random_dead(g, t, i):
    """Return the card of a random minion that died this game, for frame i's row; 0: none."""
    g.n_list = 0
    if not choose_grave(g, t, i):
        return 0
    grave = np.int64(g.list[0])
    return card_in(g.side[grave // OTHER_YARD].dead[grave % OTHER_YARD])


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_dead_of_turn(g, t, i):
    """SUMMON_DEAD_OF_TURN. Wiki, Kel'Thuzad: in the order in which they died."""
    side, r = np.int64(g.stack[i].side), t.row[g.stack[i].pc]
    s = g.side[side]
    for k in range(max(s.n_graves - s.counter[Counter.MINIONS_DIED], 0), s.n_graves):
        if card_matches(t, card_in(s.dead[k]), r.test, r.arg):
            summon(g, t, side, card_in(s.dead[k]), NONE)


@kernel(VOID(GAME_T, TABLES_T, I8))
def summon_all_dead(g, t, i):
    """SUMMON_ALL_DEAD: what passes the filter, at random if there is more than fits.

    hearthstone.wiki.gg, N'Zoth, the Corruptor.
    """
    f = g.stack[i]
    s, left = g.side[f.side], np.int64(0)
    g.n_list = 0
    for k in range(s.n_graves):
        left += deaths_left(g, t, i, f.side, k)
    wanted, place = min(left, room(g, f.side)), position_beside(g, i)
    for k in range(s.n_graves):
        for _ in range(deaths_left(g, t, i, f.side, k)):  # selection sampling
            if random_below(g, left) < wanted:
                summon(g, t, f.side, card_in(s.dead[k]), place)
                place += place >= 0
                wanted -= 1
            left -= 1


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
    if t.keeps_given == 1 and own == NONE and keeps_given(t, card):
        frame.second = 0
        frame.second = record_kept(g, t, ref)


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
            elif t.card[card_in(text)].kind == Kind.SPELL:  # Op.KEEP_SPELL
                for _ in range(times_of(text)):
                    push_deathrattle(g, t, ref, c.card, own)
                    g.stack[g.depth - 1].second = card_in(text)


@kernel(I8(GAME_T, I8))
def announce_death(g, ref):
    """Put the event of a minion's death on the stack; return its frame, or NONE: nobody listens."""
    i = np.int64(g.depth)
    announce(g, Event.DIED, side_of(ref), g.char[ref].card, NONE, NONE, 0)
    if g.depth == i:
        return NONE
    g.stack[i].subject_uid = g.char[ref].uid  # until it goes elsewhere: graves.leave
    return i


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def note_upgrades(g, t, ref):
    """Remember a dying Mech and the Magnetic minions that had joined it, if there is room."""
    c, s, n = g.char[ref], g.side[side_of(ref)], np.int64(0)
    for x in range(TEXTS):
        magnetic = (t.card[card_in(c.extra[x])].noted & Noted.MAGNETIC) != 0
        n += times_of(c.extra[x]) * magnetic
    if n == 0 or s.n_later + 1 + n > LATER:
        return
    s.later[s.n_later] = np.int64(c.card) + (Moment.UPGRADED << BONUS)
    s.n_later += 1
    for x in range(TEXTS):
        card = card_in(np.int64(c.extra[x]))
        for _ in range(times_of(c.extra[x]) if (t.card[card].noted & Noted.MAGNETIC) != 0 else 0):
            s.later[s.n_later] = card + (Moment.UPGRADE << BONUS)
            s.n_later += 1


@kernel(I8(GAME_T, I8, I8, I8, I8), cold=True)
def choose_upgraded(g, side, card, x, used):
    """Return the place in `later` of the death of an upgraded Mech, or NONE: another death of it.

    Each death of the card is as likely, but those that the first x of the list have taken, and the
    places `used`, bits.
    """
    s, total, n = g.side[side], np.int64(0), np.int64(0)
    for k in range(s.n_graves):
        total += deaths_in(s.dead[k]) * (card_in(s.dead[k]) == card)
    for j in range(x):
        total -= card_in(s.dead[g.list[j] % OTHER_YARD]) == card
    left = random_below(g, total)
    for k in range(s.n_later):
        if np.int64(s.later[k]) == card + (Moment.UPGRADED << BONUS) and (used >> k) & 1 == 0:
            if n == left:
                return k
            n += 1
    return NONE


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def upgrade_again(g, t, side, ref, place):
    """Upgrade a Mech by the Magnetic minions that `later` has behind a place."""
    s = g.side[side]
    for k in range(place + 1, s.n_later):
        if np.int64(s.later[k]) >> BONUS != Moment.UPGRADE:
            return
        card = card_in(np.int64(s.later[k]))
        m = t.card[card]
        upgrade(g, t, ref, encode_text(card, side), m.attack, m.health, m.keywords)


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
    if c.extra[0] != 0 and t.keeps_upgrades == 1:
        note_upgrades(g, t, ref)
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
