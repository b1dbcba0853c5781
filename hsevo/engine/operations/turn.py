"""The loop that resolves effects, the sequences of play, and the five actions of a player."""

import numpy as np

from hsevo.cards.ops import GROUP_BITS, Op, OpGroup
from hsevo.cards.terms import Counter, Event, Keyword, Kind, Rule, Sequence, Side
from hsevo.engine.jit import BOOL, I8, TABLES_T, VOID, kernel
from hsevo.engine.operations.casting import is_casting
from hsevo.engine.operations.changes import change_form
from hsevo.engine.operations.effects import run_row
from hsevo.engine.operations.players import add_overload
from hsevo.engine.record.codec import (
    AGAIN,
    BOTH_OPTIONS,
    TAUGHT,
    Moment,
    encode_text,
    hero_of,
    is_hero,
    is_kept,
    joined_card,
    minion_ref,
    side_of,
    times_of,
)
from hsevo.engine.record.state import (
    CASTS,
    FRAME_T,
    GAME_T,
    NONE,
    NOTED,
    RUNNING,
    TEXTS,
    TURNED,
    WIN_0,
    WIN_1,
    Phase,
    announce,
    is_in_play,
    push,
    random_below,
    reverse,
)
from hsevo.engine.rules.aim import aim_at_random
from hsevo.engine.rules.auras import refresh
from hsevo.engine.rules.board import (
    STEALTHS,
    attach_text,
    buff,
    buff_weapon,
    equip_weapon,
    put_into_play,
    remove_from_play,
    take_power,
    upgrade,
    use_weapon,
)
from hsevo.engine.rules.clock import (
    begin_turn,
    end_turn_effects,
    mark_delayed_texts,
    push_delayed_texts,
    return_all_to_owner,
)
from hsevo.engine.rules.costs import cost_of, costs_health, power_cost, use_up_rules
from hsevo.engine.rules.deaths import remove_dead
from hsevo.engine.rules.events import next_listener
from hsevo.engine.rules.evidence import note_played_hidden
from hsevo.engine.rules.health import deal_damage
from hsevo.engine.rules.kept import give_kept
from hsevo.engine.rules.query import (
    attack_of,
    board_position,
    has_keyword,
    is_dying,
    ref_if_in_play,
)
from hsevo.engine.rules.traces import end_echoes, leave_trace
from hsevo.engine.rules.zones import draw_card, gift_of, note_card, remove_from_hand

COSTLY = 5  # the printed cost of a spell from which on it counts as costly
PASSES = 3  # over the auras: one may be the condition of another; no cards need more passes


# -- sequences -------------------------------------------------------------------------------------


@kernel(VOID(GAME_T, I8, I8), inline=True)
def run_text(g, i, pc):
    """Put a program on the stack with the owner, card and target of frame i."""
    j = push(g)
    f, h = g.stack[i], g.stack[j]
    h.pc = pc
    h.side = f.side
    h.card = f.card
    h.ref = f.ref
    h.uid = f.uid
    h.target = f.target
    h.target_uid = f.target_uid


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def run_options(g, t, i):
    """Run the chosen option of frame i's card, or both; a hero is no target of what is for minions.

    hs-bugs 489: since August 2017 both are carried out one after the other.
    """
    f = g.stack[i]
    k, own = t.card[f.card], ref_if_in_play(g, f.ref, f.uid)
    if g.option == BOTH_OPTIONS and k.option[BOTH_OPTIONS] > 0:
        if own >= 0:
            change_form(g, t, own, k.option[BOTH_OPTIONS])
        return
    for o in range(2):
        if g.option == o or g.option == BOTH_OPTIONS:
            option = t.card[k.option[o]]
            run_text(g, i, option.play)
            h = g.stack[g.depth - 1]
            if h.target >= 0 and is_hero(h.target) and (option.target & Side.HERO) == 0:
                h.target = NONE


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def cast_again(g, t, i):
    """Have frame i's spell, whose text runs first, cast again at the same target if it is to be."""
    f = g.stack[i]
    times = np.int64(g.side[f.side].counter[Counter.NEXT_SPELL_TWICE])
    g.side[f.side].counter[Counter.NEXT_SPELL_TWICE] = 0
    for _ in range(times):
        g.stack[push(g)].pc = t.sequence[Sequence.CAST] + 1  # the deaths of the cast before
        run_text(g, i, t.sequence[Sequence.CAST])
        if t.card[f.card].overload > 0:
            add_overload(g, f.side, t.card[f.card].overload)


@kernel(I8(GAME_T, TABLES_T, I8, I8), cold=True)
def count_doublers(g, t, side, combos):
    """Count a player's minions that have Battlecries trigger twice: those that (1) do so for
    Combos as well, but for minions only, or (0) the others.
    """
    s, n = g.side[side], np.int64(0)
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        k = t.card[c.card]
        if (k.rules & Rule.BATTLECRIES_TWICE) != 0 and (c.keywords & Keyword.SILENCED) == 0:
            n += k.doubles_combos == combos
    return n


@kernel(BOOL(GAME_T, TABLES_T, I8), cold=True)
def is_power_wide(g, t, side):
    """Return whether a player's hero power also hits the minions next to its target."""
    s = g.side[side]
    for i in range(s.minions):
        c = g.char[minion_ref(side, s.row[i])]
        if t.card[c.card].widens_power == 1 and (c.keywords & Keyword.SILENCED) == 0:
            return True
    return False


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def widen_power(g, t, i):
    """Have the text of frame i's hero power run for the minions next to its target, too."""
    f = g.stack[i]
    target = ref_if_in_play(g, f.target, f.target_uid)
    if target < 0 or is_hero(target) or not is_power_wide(g, t, np.int64(f.side)):
        return
    s, place = g.side[side_of(target)], board_position(g, target)
    for beside in (place - 1, place + 1):
        if beside >= 0 and beside < s.minions:
            ref = minion_ref(side_of(target), s.row[beside])
            run_text(g, i, t.card[g.stack[i].card].play)
            h = g.stack[g.depth - 1]
            h.target = ref
            h.target_uid = g.char[ref].uid


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def do_text(g, t, i):
    """TEXT: the Combo if another card was played this turn, else the Battlecry or effect."""
    f = g.stack[i]
    k = t.card[f.card]
    if f.target >= 0 and k.kind != Kind.SPELL:  # spells: before Spellbender
        if ((g.side[0].rules | g.side[1].rules) & Rule.RANDOM_TARGETS) != 0:
            aim_at_random(g, t, i)
    if k.option[0] > 0:
        run_options(g, t, i)
    elif k.combo > 0 and g.side[f.side].played >= 2:
        run_text(g, i, k.combo)
        if t.late == 1 and k.kind == Kind.MINION and (
                g.side[f.side].rules & Rule.BATTLECRIES_TWICE) != 0:
            if count_doublers(g, t, np.int64(f.side), 1) > 0:
                run_text(g, i, k.combo)
    elif k.play > 0:
        run_text(g, i, k.play)
        s = g.side[f.side]
        twice = (s.rules & Rule.BATTLECRIES_TWICE) | (s.turn_rules & Rule.NEXT_BATTLECRY_TWICE)
        if twice != 0 and (k.kind == Kind.MINION or k.kind == Kind.WEAPON
                           or k.kind == Kind.HERO):
            next_one = (s.turn_rules & Rule.NEXT_BATTLECRY_TWICE) != 0
            s.turn_rules &= ~Rule.NEXT_BATTLECRY_TWICE
            only_minions = not next_one and count_doublers(g, t, np.int64(f.side), 0) == 0
            if k.kind == Kind.MINION or not only_minions:
                run_text(g, i, k.play)
    if k.kind == Kind.SPELL and (g.side[f.side].turn_rules & Rule.POWER_HITS_HARDER) != 0:
        cast_again(g, t, i)
    elif t.late == 1 and k.kind == Kind.POWER and (
            g.side[f.side].rules & Rule.POWER_HITS_HARDER) != 0:
        widen_power(g, t, i)


@kernel(VOID(GAME_T, TABLES_T), inline=True)
def check_win(g, t):
    """Set the result if a hero is dead. Rule 7: only after all deaths are resolved."""
    dead_0, dead_1 = is_dying(g, hero_of(0)), is_dying(g, hero_of(1))
    if dead_0 and dead_1:
        g.result = t.both_dead
    elif dead_0 or dead_1:
        g.result = WIN_1 if dead_0 else WIN_0
    if g.result != RUNNING:
        g.depth = 0


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def do_deaths(g, t, i):
    """DEATHS: auras, deaths and their triggers, until nothing dies; then the win check."""
    for _ in range(PASSES):
        if g.stale == 1:
            refresh(g, t)
    if g.dying == 1:
        if remove_dead(g, t):
            return
        check_win(g, t)
    g.stack[i].pc += 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), cold=True)
def cleave(g, t, ref, n, source):
    """Deal damage to the minions left and right of one."""
    s, place = g.side[side_of(ref)], board_position(g, ref)
    if place > 0:
        deal_damage(g, t, minion_ref(side_of(ref), s.row[place - 1]), n, source)
    if place + 1 < s.minions:
        deal_damage(g, t, minion_ref(side_of(ref), s.row[place + 1]), n, source)


@kernel(VOID(GAME_T, TABLES_T), inline=True)
def strike(g, t):
    """Deal simultaneous damage, with attack read beforehand. Rule 6."""
    a, d = np.int64(g.attacker), np.int64(g.defender)
    g.struck = 0
    if not is_in_play(g, a, g.attacker_uid) or not is_in_play(g, d, g.defender_uid):
        return
    if is_dying(g, a) or is_dying(g, d):
        return
    g.struck = 1
    hit, back = attack_of(g, a), attack_of(g, d)
    g.char[a].keywords &= ~STEALTHS
    deal_damage(g, t, d, hit, a)
    if not is_hero(d):
        if has_keyword(g, a, Keyword.CLEAVE):
            cleave(g, t, d, hit, a)
        deal_damage(g, t, a, back, d)
    if is_hero(a):
        use_weapon(g, t, side_of(a), d)


@kernel(VOID(GAME_T, TABLES_T), inline=True)
def do_strike(g, t):
    """STRIKE: the blow, after which the attacker is no longer Immune."""
    strike(g, t)
    g.char[g.attacker].keywords &= ~Keyword.IMMUNE_ATTACKING


@kernel(VOID(GAME_T, I8), cold=True)
def do_new_defender(g, i):
    """Announce an attack that was turned on another defender. Rulebook, Combat."""
    if g.struck != TURNED:
        return
    g.struck = 0
    if is_in_play(g, g.attacker, g.attacker_uid) and is_in_play(g, g.defender, g.defender_uid):
        f = g.stack[i]
        announce(g, Event.ATTACKS, f.side, f.card, g.attacker, g.defender, 1)
        f.pc -= 1  # it may be turned again


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_raise(g, t, i):
    """RAISE: announce event a about the frame's card; b=1: again for a new defender.

    Since patch 9.2 (hs-bugs 826) who answers "after" must have been there, on its side, from the
    beginning. Such a frame has a horizon.
    """
    f = g.stack[i]
    event = np.int64(t.row[f.pc].event)
    if event == Event.ATTACKS or event == Event.AFTER_ATTACK:
        if t.row[f.pc].again == 1:
            do_new_defender(g, i)
        elif event == Event.ATTACKS or g.struck == 1:
            announce(g, event, f.side, f.card, g.attacker, g.defender, 0)
    else:
        own = ref_if_in_play(g, f.ref, f.uid)
        if event != Event.AFTER_SUMMONED or own < 0 or not is_hero(own):  # 7: it became the hero
            before = np.int64(g.depth)
            if event == Event.POWER_USED:
                own = ref_if_in_play(g, f.target, f.target_uid)
            announce(g, event, f.side, f.card, own, NONE, f.amount)
            after = event == Event.AFTER_PLAYED or event == Event.AFTER_SUMMONED
            if after and g.depth > before:
                h = g.stack[before]
                h.target = f.target
                h.target_uid = f.target_uid
                if f.horizon > 0:
                    h.horizon = f.horizon
                    h.second = g.moved


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_pass(g, t, i):
    """PASS_TURN."""
    end_turn_effects(g, t, g.me)
    if g.side[g.me].shifting != 0:
        end_echoes(g, g.me)
    counter = g.side[g.me].counter
    if counter[Counter.EXTRA_TURNS] > 0:
        counter[Counter.EXTRA_TURNS] -= 1
        g.turn += 1  # the missed turn counts: the number says whose turn it is
    else:
        g.me = 1 - g.me
        counter = g.side[g.me].counter
        counter[Counter.EXTRA_TURNS] += counter[Counter.LATER_TURNS]
        counter[Counter.LATER_TURNS] = 0
    g.stale |= g.auras > 0  # some hold only in the owner's turn
    g.stack[i].side = g.me
    begin_turn(g, t)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def step_turn(g, t, i, op):
    """Run a row of the end or the beginning of a turn."""
    if op == Op.END_FOR_TURN:
        push_delayed_texts(g, t, g.me, Moment.OWN_TURN_END)
        push_delayed_texts(g, t, g.me, Moment.TURN_ENDING)
        push_delayed_texts(g, t, 1 - np.int64(g.me), Moment.TURN_ENDING)
        return_all_to_owner(g, t, g.me)
    elif op == Op.PASS_TURN:
        do_pass(g, t, i)
    elif op == Op.MARK_DELAYED:
        mark_delayed_texts(g)
    elif op == Op.JOIN:
        if t.late == 1:
            do_join(g, t, i)
    elif op == Op.FATIGUE_DRAW:
        draw_card(g, t, g.stack[i].side)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def add_card_overload(g, t, side, card):
    """Add the overload of a card played. Wiki, Overload: only if 'successfully played'."""
    if t.card[card].overload > 0:
        add_overload(g, side, t.card[card].overload)


@kernel(VOID(GAME_T, TABLES_T, I8))
def do_join(g, t, i):
    """JOIN: the frame's minion joins its target, which gets what it is and has, and is gone."""
    f = g.stack[i]
    own, mech = ref_if_in_play(g, f.ref, f.uid), ref_if_in_play(g, f.target, f.target_uid)
    f.target = NONE
    if own < 0 or mech < 0:
        return
    c = g.char[own]
    attack = np.int64(c.attack) - c.aura_attack - c.turn_attack
    silenced = (c.keywords & Keyword.SILENCED) != 0
    text = np.int64(0) if silenced else encode_text(np.int64(c.card), np.int64(f.side))
    upgrade(g, t, mech, text, attack, np.int64(c.max_health) - c.aura_health, c.keywords)
    for x in range(TEXTS):
        for _ in range(times_of(c.extra[x])):
            attach_text(g, t, mech, np.int64(c.extra[x]) & ((1 << AGAIN) - 1))
    remove_from_play(g, t, own)
    g.stale = 1


@kernel(VOID(GAME_T, TABLES_T, I8, I8), cold=True)
def become_played_hero(g, t, side, card):
    """HERO_PLAYED: a hero with new armour and a new hero power; all else of the old one stays.

    hearthstone.wiki.gg, Hero card.
    """
    s, k = g.side[side], t.card[card]
    g.char[hero_of(side)].card = card
    s.cls = k.cls
    s.armor += k.armor
    announce(g, Event.ARMOR_GAINED, side, card, hero_of(side), NONE, k.armor)
    take_power(g, t, side, k.power)


@kernel(VOID(GAME_T, TABLES_T, I8), cold=True)
def note_cast(g, t, i):
    """Note the spell of frame i that is being cast: whether it is costly, or aimed at a friend.

    The printed cost counts.
    """
    f = g.stack[i]
    s = g.side[f.side]
    if t.card[f.card].cost >= COSTLY:
        s.counter[Counter.COSTLY_SPELLS] += 1
        s.turn_rules |= Rule.COSTLY_SPELL_CAST
    if t.asks_casts == 1:
        note_card(g, np.int64(f.side), np.int64(f.card), Moment.CAST_NOW)
    if f.target >= 0 and side_of(f.target) == f.side and not is_hero(f.target):
        if s.n_casts < CASTS:
            s.casts[s.n_casts] = f.card
            s.n_casts += 1


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def step_phase(g, t, i):
    """Run a row of a phase of play and advance to the next."""
    f = g.stack[i]
    op = np.int64(t.row[f.pc].op)
    if op == Op.DEATHS:
        do_deaths(g, t, i)  # advances itself once nothing dies
        return
    if op == Op.RAISE:
        do_raise(g, t, i)
    elif op == Op.TEXT:
        do_text(g, t, i)
    elif op == Op.STOP_IF_COUNTERED:
        if g.countered == 1:
            # to the last deaths, or after the cast before it
            f.pc += t.row[f.pc].rows - t.cast_first
            g.side[f.side].counter[Counter.NEXT_SPELL_TWICE] = 0
        else:
            add_card_overload(g, t, f.side, f.card)
            g.side[f.side].counter[Counter.SPELLS_CAST] += 1
            if t.notes == 1:
                note_cast(g, t, i)
            g.side[f.side].counter[Counter.SPELLS_NOW] += t.asks_spells
            g.stale |= t.asks_spells * (g.auras > 0)
    elif op == Op.TARGETED:
        if f.target >= 0:
            if ((g.side[0].rules | g.side[1].rules) & Rule.RANDOM_TARGETS) != 0:
                aim_at_random(g, t, i)
        if f.target >= 0:
            announce(g, Event.TARGETED, f.side, f.card, f.target, NONE, 0)
    elif op == Op.STRIKE:
        do_strike(g, t)
    elif op == Op.HERO_PLAYED:
        if t.late == 1:
            become_played_hero(g, t, f.side, f.card)
    elif op == Op.EQUIP_PLAYED:
        equip_weapon(g, t, f.side, f.card)
        buff_weapon(g, t, f.side, f.first, f.second)
    else:
        step_turn(g, t, i, op)
    f.pc += 1


@kernel(I8(GAME_T, TABLES_T, FRAME_T), inline=True)
def next_op(g, t, f):
    """Return the op of a frame's next row that does anything: past no listeners, no deaths."""
    pc = np.int64(f.pc)
    while True:
        r = t.row[pc]
        op = np.int64(r.op)
        silent = op == Op.RAISE and ((g.watch >> r.event) & 1) == 0
        if not silent and not (op == Op.DEATHS and g.stale == 0 and g.dying == 0):
            f.pc = pc
            return op
        pc += 1


# inlined into the loop of `resolve_stack`, or every row would cost a call: 11 % of the instructions
# of a simulated action
@kernel(VOID(GAME_T, TABLES_T), inline=True)
def resolve_step(g, t):
    """Resolve one row of the frame on top, or find the next listener of its event."""
    i = np.int64(g.depth) - 1
    f = g.stack[i]
    op = next_op(g, t, f)
    if f.pc == 0:
        next_listener(g, t, i)
    elif op == Op.END:
        g.depth -= 1
    elif op >> GROUP_BITS == OpGroup.SEQUENCE:
        step_phase(g, t, i)
    else:
        run_row(g, t, i, op)
    if g.depth > i + 2:
        reverse(g, i + 1)


@kernel(VOID(GAME_T, I8))
def choose_option(g, k):
    """Take the k-th option of the open choice; the interrupted text is still on the stack."""
    g.chosen = g.choice[k]
    g.pending = Phase.PLAY


@kernel(BOOL(GAME_T, TABLES_T), cold=True)
def chose_in_cast(g, t):
    """Take a random option of the open choice if a text casts spells; return whether one does."""
    casting = is_casting(g, t)
    if casting:
        choose_option(g, random_below(g, g.n_choices))
    return casting


@kernel(VOID(GAME_T, TABLES_T))
def resolve_stack(g, t):
    """Resolve the stack, depth first, until it is empty, a choice is open or the game is over."""
    while g.depth > 0 and g.fault == 0:
        while g.depth > 0 and g.pending == Phase.PLAY and g.fault == 0:
            resolve_step(g, t)
        if g.pending != Phase.CHOICE or not chose_in_cast(g, t):
            return


# -- actions of a player: each puts a sequence on the stack, for `resolve_stack` -------------------


@kernel(I8(GAME_T, TABLES_T, I8, I8, I8, I8), inline=True)
def begin_sequence(g, t, sequence, card, ref, target):
    """Put a sequence of play on the stack for the player to move; return its frame."""
    i = push(g)
    f = g.stack[i]
    f.pc = t.sequence[sequence]
    f.side = g.me
    f.card = card
    f.ref = ref
    f.uid = g.char[ref].uid if ref >= 0 else 0
    f.target = target
    f.target_uid = g.char[target].uid if target >= 0 else 0
    return i


@kernel(VOID(GAME_T, TABLES_T, I8, I8, I8), inline=True)
def begin_play(g, t, hand, target, place):
    """Begin to play a card from hand: with a target (ref or NONE), a minion at a position."""
    side = np.int64(g.me)
    s = g.side[side]
    cost, hurt = cost_of(g, t, side, hand), costs_health(g, t, side, s.hand[hand].card)
    if not hurt:
        s.mana -= cost
    extra_attack, extra_health = np.int64(s.hand[hand].attack), np.int64(s.hand[hand].health)
    gift = gift_of(g, side, hand)
    extra_cost = np.int64(s.hand[hand].cost)
    joined = np.int64(s.hand[hand].joined)
    if g.sight == NOTED and t.card[s.hand[hand].card].secret == 1:
        note_played_hidden(g, side, hand)
    s.counter[Counter.MADE_CARD] = (np.int64(s.made) >> hand) & 1
    card = remove_from_hand(g, side, hand)
    k = t.card[card]
    s.played += 1
    use_up_rules(g, t, side, card)
    g.countered = 0
    g.moved = 0
    if k.kind == Kind.MINION:
        ref = put_into_play(g, t, side, card, place)
        if extra_attack != 0 or extra_health != 0:
            buff(g, t, ref, extra_attack, extra_health)
            if t.late == 1:
                g.char[ref].keywords |= t.card[joined_card(joined)].keywords
        if t.late == 1 and joined >= TAUGHT:
            g.char[ref].memory = joined
        if t.keeps_given == 1 and is_kept(joined):
            give_kept(g, t, ref, side, joined)
        if t.late == 1 and gift > 0:
            attach_text(g, t, ref, encode_text(gift, side))
        i = begin_sequence(g, t, Sequence.PLAY_MINION, card, ref, target)
    else:
        spell = k.kind == Kind.SPELL
        sequence = Sequence.PLAY_SPELL if spell else Sequence.PLAY_WEAPON
        if k.kind == Kind.HERO:
            sequence = Sequence.PLAY_HERO
        i = begin_sequence(g, t, sequence, card, NONE, target)
        g.stack[i].first = extra_attack
        g.stack[i].second = extra_health
    if t.cast_first == 1:
        g.stack[i].horizon = g.next_uid
    g.stack[i].amount = cost
    if k.noted != 0:
        leave_trace(g, t, i, extra_cost, extra_attack, extra_health, joined,
                    hand == s.n_hand)
    if k.kind != Kind.SPELL:  # for spells, once they are not countered
        add_card_overload(g, t, side, card)
    if hurt:
        deal_damage(g, t, hero_of(side), cost, NONE)


@kernel(VOID(GAME_T, TABLES_T, I8), inline=True)
def begin_power(g, t, target):
    """Begin to use the hero power, with a target (ref or NONE)."""
    s = g.side[g.me]
    s.mana -= power_cost(g, t, g.me)
    s.counter[Counter.NEXT_POWER_CHEAPER] = 0
    s.counter[Counter.POWER_DAMAGE_NOW] = s.counter[Counter.NEXT_POWER_DAMAGE]
    s.counter[Counter.NEXT_POWER_DAMAGE] = 0
    s.power_used += 1
    s.counter[Counter.POWERS_USED] += 1
    begin_sequence(g, t, Sequence.USE_POWER, s.power, NONE, target)


@kernel(VOID(GAME_T, TABLES_T, I8, I8), inline=True)
def begin_attack(g, t, attacker, defender):
    """Begin an attack with one character (ref) on another."""
    g.attacker = attacker
    g.attacker_uid = g.char[attacker].uid
    g.defender = defender
    g.defender_uid = g.char[defender].uid
    g.struck = 0
    g.char[attacker].attacks += 1
    if is_hero(attacker):
        g.stale |= g.counts_attacks
    begin_sequence(g, t, Sequence.ATTACK, g.char[attacker].card, attacker, NONE)


@kernel(VOID(GAME_T, TABLES_T))
def begin_end_of_turn(g, t):
    """Begin to end the turn; the other player's turn follows."""
    begin_sequence(g, t, Sequence.END_TURN, 0, NONE, NONE)
