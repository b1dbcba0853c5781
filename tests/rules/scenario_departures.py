"""Where the simulator behind the scenario files is known to depart from the rules.

A departure says to which steps it applies, and blanks what it touches in a state. A step that
differs is one of its cases if it applies, and the states here and there are the same but for that.
scenario_exceptions.csv gives the source for each, by its name.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from hsevo.cards.ops import Op
from hsevo.cards.terms import Event, Kind
from hsevo.cards.vocabulary.model import Card
from hsevo.engine.record.state import BOARD
from tests.support.state_adapter import CTHUN
from tests.support.state_compare import ANY, Pool, State, differences

Step = dict[str, Any]
COUNTERSPELL, SPELLBENDER, BRANN, NAGA = "EX1_287", "tt_010", "LOE_077", "LOE_038"
FULL_MANA = 10


class Case:
    """A step that differs: the state before it, the action, the states after it in the file."""

    def __init__(self, cards: Mapping[str, Card], before: State, step: Step) -> None:
        self.cards, self.before, self.action = cards, before, step["action"]
        self.after: list[State] = [outcome["state"] for outcome in step["outcomes"]]
        self.me: int = before["turn_player"]
        self.other = 1 - self.me
        self.card = cards.get(self.action.get("card", ""))
        self.mine, self.theirs = before["players"][self.me], before["players"][self.other]

    def has(self, *ids: str) -> bool:
        """Tell whether one of these cards is played, or in play before or after."""
        states = (self.before, *self.after)
        weapons = [player["weapon"] for state in states for player in state["players"]]
        inplay = [minion for _, minion in self.minions(*states)] + [w for w in weapons if w]
        return self.is_played(*ids) or any(one["id"] in ids for one in inplay)

    def is_spell(self) -> bool:
        """Tell whether a spell is played."""
        return self.card is not None and self.card.kind is Kind.SPELL

    def does(self, op: Op) -> bool:
        """Tell whether the card that is played does an op."""
        return self.card is not None and any(row.op is op for row in _text(self, self.card))

    def is_played(self, *ids: str) -> bool:
        """Tell whether one of these cards is played."""
        return self.action.get("card") in ids

    def minions(self, *states: State) -> list[tuple[int, State]]:
        """Return the minions that are known, with their players, in some states."""
        boards = [(p, m) for s in states for p in range(2) for m in s["players"][p]["board"]]
        return [(player, minion) for player, minion in boards if minion["id"] in self.cards]

    def rattles(self, op: Op) -> bool:
        """Tell whether a minion in play has a Deathrattle that does an op."""
        rows = (row for _, m in self.minions(self.before) for row in self.text_of(m).deathrattle)
        return any(row.op is op for row in rows)

    def text_of(self, minion: State) -> Card:
        """Return a minion's card."""
        return self.cards[minion["id"]]

    def countered(self) -> bool:
        """Tell whether Counterspell answered."""
        there = [state["players"][self.other]["secrets"] for state in (self.before, self.after[0])]
        return self.is_spell() and COUNTERSPELL in there[0] and COUNTERSPELL not in there[1]


def _text(case: Case, card: Card) -> list[Any]:
    options = [case.cards[id] for id in card.options]
    return [row for part in (card, *options) for row in (*part.play, *part.combo)]


@dataclass(frozen=True)
class Departure:
    """What the file does otherwise: to which steps it applies, and what of a state it touches."""

    name: str
    applies: Callable[[Case], bool]
    blank: Callable[[Case, State], None]


def _drop(state: State, keys: tuple[str, ...]) -> None:
    for key in keys:
        state.pop(key, None)


def _spell_damage(case: Case, state: State) -> None:
    """Blank Spell Damage, what depends on it, and (of a spell that it empowers) all else."""
    for player in state["players"]:
        _drop(player, ("spellpower",))
        _drop(player["weapon"] or {}, ("atk",))
        _drop(player["hero"], ("atk",))
    if case.is_spell():
        state["players"] = []


def _gives_though_silenced(case: Case) -> bool:
    return any(
        "silenced" in minion["kw"] and case.text_of(minion).spell_damage > 0
        for _, minion in case.minions(case.before, *case.after)
    )


def _spellpower(case: Case, state: State) -> None:
    for player in state["players"]:
        _drop(player, ("spellpower",))


def _all(case: Case, state: State) -> None:
    state["players"] = []
    _drop(state, ("result",))


def _rested_hero(case: Case, state: State) -> None:
    """Blank whether the hero can attack."""
    _drop(state["players"][case.me]["hero"], ("can_attack",))


def _is_overfull(case: Case) -> bool:
    return any(len(p["board"]) > BOARD for state in case.after for p in state["players"])


def _places(case: Case, state: State) -> None:
    """Blank the order of the minions."""
    for player in state["players"]:
        player["board"].sort(key=repr_of)


def repr_of(part: State) -> str:
    """Return a text by which equal minions or cards sort alike."""
    kept = {key: value for key, value in part.items() if key != "can_attack"}
    return repr(sorted((k, sorted(v) if isinstance(v, list) else v) for k, v in kept.items()))


def _places_for_the_other(case: Case) -> bool:
    gives_away = any(
        row.op is Op.SUMMON and row.theirs
        for _, minion in case.minions(case.before)
        for row in case.text_of(minion).deathrattle
    )
    return gives_away or case.does(Op.PULL)


def _silence(case: Case, state: State) -> None:
    for minion in state["players"][case.me]["board"]:
        if minion["id"] == case.action["card"]:
            _drop(minion, ("kw", "can_attack"))


def _damage_of_stolen(case: Case, state: State) -> None:
    """Blank the health of what may have been damaged before it changed sides."""
    hurt = {(1 - p, m["id"]) for p, m in case.minions(case.before) if m["hp"] < m["max_hp"]}
    for player in range(2):
        for minion in state["players"][player]["board"]:
            if (player, minion["id"]) in hurt:
                _drop(minion, ("hp",))


def _doubled(case: Case, state: State) -> None:
    """Blank the boards if Brann was stolen, else what stealing does to health."""
    _damage_of_stolen(case, state)
    if any(minion["id"] == BRANN for minion in state["players"][case.me]["board"]):
        for player in state["players"]:
            _drop(player, ("board", "spellpower"))


def _draws(case: Case, state: State) -> None:
    """Blank what drawing cards changes."""
    player = state["players"][case.me]
    _drop(player, ("hand", "deck", "fatigue"))
    _drop(player["hero"], ("hp", "armor"))


def _secretkeeper(case: Case, state: State) -> None:
    for minion in state["players"][case.other]["board"]:
        if minion["id"] == "EX1_080":
            _drop(minion, ("atk", "hp", "max_hp"))


def _own_secrets(case: Case, state: State) -> None:
    _drop(state["players"][case.me], ("secrets",))


def _their_secrets(case: Case, state: State) -> None:
    _drop(state["players"][case.other], ("secrets", "board"))


def _hands(case: Case, state: State) -> None:
    """Blank the order of hands."""
    for player in state["players"]:
        player["hand"].sort(key=repr_of)


def _gives_deathrattles(case: Case) -> bool:
    return any(
        "deathrattle" in minion["kw"] and not case.text_of(minion).deathrattle
        for _, minion in case.minions(case.before)
    )


def _owners(case: Case, state: State) -> None:
    """Blank whose the minions are, and their places."""
    board = [minion for player in state["players"] for minion in player["board"]]
    for minion in board:
        _drop(minion, ("can_attack",))
    board.sort(key=repr_of)
    for player in state["players"]:
        player["board"] = board


def _bot(case: Case, state: State) -> None:
    _hands(case, state)
    for player in state["players"]:
        for minion in player["board"]:
            _drop(minion, ("can_attack",))


def _used_weapon(case: Case) -> bool:
    weapon = case.theirs["weapon"]
    return weapon is not None and weapon["dur"] < case.cards[weapon["id"]].health


def _stats_of(*ids: str) -> Callable[[Case, State], None]:
    """Return what blanks attack and health of these minions, of all without ids."""

    def blank(case: Case, state: State) -> None:
        for _, minion in case.minions(state):
            if not ids or minion["id"] in ids:
                _drop(minion, ("atk", "hp", "max_hp"))

    return blank


def _cthun(case: Case, state: State) -> None:
    for player in state["players"]:
        _drop(player, ("cthun",))
        for card in player["hand"]:
            if card["id"] == CTHUN:
                _drop(card, ("atk", "hp"))


def _choice(case: Case, state: State) -> None:
    """Blank the options of a choice."""
    if "choice" in state:
        state["choice"]["options"] = []


def _cards_of(*ids: str) -> Callable[[Case, State], None]:
    """Return what blanks attack and health of these cards in hands, of all without ids."""

    def blank(case: Case, state: State) -> None:
        for player in state["players"]:
            for card in player["hand"]:
                if not ids or card["id"] in ids:
                    _drop(card, ("atk", "hp"))

    return blank


def _keywords(case: Case, state: State) -> None:
    """Blank the keywords of minions."""
    for _, minion in case.minions(state):
        _drop(minion, ("kw",))


def _costs(case: Case, state: State) -> None:
    """Blank the costs of cards."""
    for player in state["players"]:
        for card in player["hand"]:
            _drop(card, ("cost",))


def _hand(case: Case, state: State) -> None:
    """Blank the mover's hand."""
    _drop(state["players"][case.me], ("hand",))


def _is_chosen_or_open(case: Case) -> bool:
    """Tell whether a choice is taken or offered while something answers what comes after it."""
    choice = case.action["t"] == "choose" or any("choice" in state for state in case.after)
    after = (Event.AFTER_PLAYED, Event.AFTER_SUMMONED)
    cards = [case.text_of(m) for _, m in case.minions(case.before)]
    cards += [case.cards[id] for player in case.before["players"] for id in player["secrets"]]
    return choice and any(t.event in after for card in cards for t in card.triggers)


def _varies(case: Case) -> bool:
    """Tell whether the outcome has an unknown card in play."""
    boards = [p["board"] + [p["weapon"]] for state in case.after for p in state["players"]]
    return any(one and one["id"] == ANY for board in boards for one in board)


def _attacks_with(case: Case, card: str) -> bool:
    """Tell whether a minion or weapon attacks."""
    if case.action["t"] != "attack":
        return False
    place = case.action["attacker"][1]
    by = case.mine["weapon"] if place < 0 else case.mine["board"][place]
    return by is not None and by["id"] == card


def _several_die(case: Case) -> bool:
    """Tell whether two minions die, and something answers a death."""
    before = Counter((p, m["id"]) for p, m in case.minions(case.before))
    gone = max((before - Counter((p, m["id"]) for p, m in case.minions(state))).total()
               for state in case.after)
    cards = [case.text_of(m) for _, m in case.minions(case.before)]
    return gone > 1 and any(
        card.deathrattle or any(t.event is Event.DIED for t in card.triggers) for card in cards
    )


def _secret_is_gone(case: Case) -> bool:
    left = min(len(state["players"][case.other]["secrets"]) for state in case.after)
    return left < len(case.theirs["secrets"])


def _waiting_secrets(case: Case, state: State) -> None:
    _drop(state["players"][case.other], ("secrets",))


def _sword(case: Case, state: State) -> None:
    """Blank what Sword of Justice gives, and what is left of it."""
    _stats_of()(case, state)
    for player in state["players"]:
        _drop(player, ("weapon",))
        _drop(player["hero"], ("atk", "can_attack"))


def _paid(case: Case, state: State) -> None:
    """Blank the costs of cards, and the mana left."""
    _costs(case, state)
    _drop(state["players"][case.me]["mana"], ("avail",))


def _is_full(case: Case) -> bool:
    return any(len(state["players"][case.me]["board"]) == BOARD for state in case.after)


def _dreadsteeds(case: Case, state: State) -> None:
    for player in state["players"]:
        player["board"] = [m for m in player["board"] if m["id"] != "AT_019"]


DEPARTURES = (
    Departure("silenced_spell_damage", _gives_though_silenced, _spell_damage),
    Departure("enchanted_spell_damage", lambda c: c.is_played("EX1_584"), _spellpower),
    Departure("overfull_board", _is_overfull, _all),
    Departure("opponents_place", _places_for_the_other, _places),
    Departure("silenced_in_hand", lambda c: c.action["t"] == "play", _silence),
    Departure(
        "stolen_is_healed", lambda c: c.does(Op.STEAL) or c.rattles(Op.STEAL), _damage_of_stolen
    ),
    Departure(
        "stolen_brann_doubles",
        lambda c: c.does(Op.STEAL) and any(m["id"] == BRANN for m in c.theirs["board"]),
        _doubled,
    ),
    Departure("shout_draws_nothing", lambda c: c.is_played("NEW1_036"), _draws),
    Departure("printed_durability", lambda c: c.is_played("EX1_558") and _used_weapon(c), _draws),
    Departure("own_secrets_alone", lambda c: c.card is not None and c.card.secret, _secretkeeper),
    Departure(
        "countered_is_not_cast",
        lambda c: (
            c.countered()
            and any(t.event is Event.AFTER_PLAYED for _, m in c.minions(c.before)
                    for t in c.text_of(m).triggers)
        ),
        _all,
    ),
    Departure(
        "countered_secret",
        lambda c: c.countered() and c.card is not None and c.card.secret,
        _own_secrets,
    ),
    Departure(
        "bends_the_countered",
        lambda c: c.countered() and SPELLBENDER in c.theirs["secrets"],
        _their_secrets,
    ),
    Departure("returns_in_front", lambda c: c.does(Op.RETURN), _hands),
    Departure("attack_is_forgotten", lambda c: c.does(Op.BECOME_HERO), _rested_hero),
    Departure("casters_deathrattle", _gives_deathrattles, _owners),
    Departure("deaths_one_by_one", _several_die, _all),
    Departure("secret_in_vain", _secret_is_gone, _waiting_secrets),
    Departure(
        "set_drops_auras",
        lambda c: c.does(Op.SET_ATTACK) or c.does(Op.SET_HEALTH),
        _stats_of(),
    ),
    Departure("fools_bane_looks_for_prey", lambda c: c.has("KAR_028"), _rested_hero),
    # cards with another text there
    Departure("valiant_gives_health", lambda c: c.has("AT_049"), _stats_of()),
    Departure("champion_helps_himself", lambda c: c.has("AT_090"), _stats_of("AT_090")),
    Departure("sally_hits_friends", lambda c: c.has("CFM_341"), _all),
    Departure("king_counts_himself", lambda c: c.is_played("GVG_046"), _stats_of("GVG_046")),
    Departure("leaper_helps_one", lambda c: c.is_played("GVG_048"), _stats_of()),
    Departure("warmaul_never_misses", lambda c: _attacks_with(c, "GVG_054"), _all),
    Departure("curator_draws_dragons_first", lambda c: c.is_played("KAR_061"), _hands),
    Departure("ghoul_hits_itself", lambda c: c.is_played("OG_149"), _stats_of("OG_149")),
    Departure("weaver_gets_four", lambda c: c.is_played("OG_188"), _stats_of("OG_188")),
    Departure(
        "drawn_spells_draw_nothing",
        lambda c: c.is_played("LOE_110t", "AT_035t", "GVG_056t"),
        _draws,
    ),
    Departure("usher_does_nothing", lambda c: c.has("OG_302"), _cthun),
    Departure("overload_of_one", lambda c: c.is_played("CFM_313"), _choice),
    Departure(
        "neighbours_are_spared",
        lambda c: _attacks_with(c, "GVG_113") or _attacks_with(c, "AT_067"),
        _all,
    ),
    Departure("kodo_keeps_enchantments", lambda c: "CFM_800" in c.theirs["secrets"], _cards_of()),
    Departure("chum_helps_all", lambda c: c.is_played("CFM_650"), _cards_of()),
    Departure("reincarnate_steals", lambda c: c.is_played("FP1_025"), _all),
    Departure("baron_counts_played", lambda c: c.card is not None, _cards_of("CFM_064")),
    Departure("servant_draws", lambda c: c.is_played("OG_087"), _all),
    Departure("cloakfield_is_nothing", lambda c: c.is_played("PART_004"), _keywords),
    Departure("soul_silences_itself", lambda c: c.is_played("FP1_016"), _keywords),
    Departure("swarmer_rests_early", lambda c: c.has("OG_034"), _keywords),
    Departure("loatheb_waits", lambda c: c.is_played("FP1_030"), _costs),
    Departure(
        "sacrifice_for_minions_alone",
        lambda c: (
            c.action["t"] == "attack"
            and c.action["attacker"][1] < 0
            and "EX1_130" in c.theirs["secrets"]
        ),
        _all,
    ),
    Departure(
        "dart_before_power",
        lambda c: c.action["t"] == "power" and "LOE_021" in c.theirs["secrets"],
        _all,
    ),
    Departure("answers_before_choice", _is_chosen_or_open, _all),
    Departure(
        "brann_discovers_late", lambda c: c.has(BRANN) and c.action["t"] == "choose", _hand
    ),
    Departure(
        "full_heal_hurts_in_full", lambda c: c.has("EX1_591") and c.does(Op.HEAL_FULL), _all
    ),
    Departure(
        "polymorphed_is_copied",
        lambda c: {"CFM_620", "EX1_294"} <= set(c.theirs["secrets"]),
        _all,
    ),
    Departure(
        "sword_is_for_the_played", lambda c: c.card is not None and c.has("EX1_366"), _sword
    ),
    Departure("own_price_first", lambda c: c.has(NAGA, "AT_045"), _paid),
    Departure(
        "mechano_is_not_doubled", lambda c: c.is_played("GVG_107") and c.has(BRANN), _keywords
    ),
    Departure(
        "nzoth_in_order",
        lambda c: c.is_played("OG_133") and _is_full(c),
        _all,
    ),
    Departure("dreadsteed_on_own_turn", lambda c: c.action["t"] == "end", _dreadsteeds),
    Departure("anubarak_leaves_no_place", lambda c: c.has("AT_036"), _places),
    Departure(
        "alarm_wakes",
        lambda c: (
            c.action["t"] == "end"
            and any(minion["id"] == "EX1_006" for minion in c.theirs["board"])
        ),
        _bot,
    ),
)


# Legal actions that the file has otherwise: the name, and whether it explains an action.
LEGAL: tuple[tuple[str, Callable[[Case, State], bool]], ...] = (
    ("sniper_does_nothing", lambda c, a: a["t"] == "power" and c.has("GVG_087")),
    (
        "jade_blossom_with_all_mana",
        lambda c, a: a.get("card") == "CFM_713" and c.mine["mana"]["max"] == FULL_MANA,
    ),
    (
        "immune_can_be_aimed_at",
        lambda c, a: c.theirs["hero"]["immune"] and a.get("target") == [c.other, -1],
    ),
    ("drake_refreshes_on_use", lambda c, a: a["t"] == "power" and c.has("AT_008")),
    ("recruits_need_room", lambda c, a: a.get("card") == "OG_273"),
    (
        "played_on_a_full_board",
        lambda c, a: a["t"] == "play" and len(c.mine["board"]) == BOARD,
    ),
)


def explained(case: Case, actions: list[State]) -> set[str]:
    """Return the names of what explains that actions are legal only here or there; '' for none."""
    return {next((name for name, explains in LEGAL if explains(case, a)), "") for a in actions}


def is_departure(
    case: Case, found: list[State], pool: Pool, known: AbstractSet[str], may_agree: bool = False
) -> bool:
    """Tell whether a known departure, or several, explain the states found here.

    `may_agree`: without any, too.
    """

    def blanked(which: tuple[Departure, ...], state: State) -> State:
        state = copy.deepcopy(state)
        for one in which:
            one.blank(case, state)
        return state

    if "generated_varies" in known and _varies(case) and any(
        not differences(x, y, pool) for x in case.after for y in found
    ):
        return True
    acting = tuple(one for one in DEPARTURES if one.name in known and one.applies(case))
    for which in (*([()] if may_agree else []), *((one,) for one in acting), acting):
        there = [blanked(which, state) for state in case.after]
        here = [blanked(which, state) for state in found]
        if (which or may_agree) and all(
            any(not differences(x, y, pool) for x in there) for y in here
        ):
            return True
    return False
