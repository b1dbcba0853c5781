"""The sequences of play as rows: the order of events in playing a card, attacks and ends of turns.

Source: the Advanced rulebook of the Hearthstone wiki (playing a minion, a spell, a weapon; combat;
end and start of turn). The engine runs these rows like card texts.
"""

from hsevo.cards.ops import Op
from hsevo.cards.terms import Amount, Event, Selector, Sequence
from hsevo.cards.vocabulary.model import Row, Value, Who

# Each RAISE resolves all its triggers, in order of play, before the next row.
PLAY_MINION = (
    Row(Op.RAISE, event=Event.PLAYED),
    Row(Op.RAISE, event=Event.SUMMONED),
    Row(Op.DEATHS),  # auras count in the Battlecry (Dispatch Kodo)
    Row(Op.TEXT),  # Battlecry or Combo
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.AFTER_PLAYED),
    Row(Op.RAISE, event=Event.AFTER_SUMMONED),
    Row(Op.DEATHS),
)
# A Magnetic minion that joins a Mech is played, but not summoned, and no longer in play when what
# answers the play of a minion would affect it (hearthstone.wiki.gg, Magnetic).
PLAY_MAGNETIC = (
    Row(Op.RAISE, event=Event.PLAYED),
    Row(Op.DEATHS),
    Row(Op.JOIN),
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.AFTER_PLAYED),
    Row(Op.DEATHS),
)
PLAY_SPELL = (
    Row(Op.RAISE, event=Event.PLAYED),
    Row(Op.DEATHS),  # what the cast triggers is resolved before the spell's effect
    Row(Op.STOP_IF_COUNTERED, rows=4),
    Row(Op.TARGETED),
    Row(Op.TEXT),
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.AFTER_PLAYED),
    Row(Op.DEATHS),
)
PLAY_WEAPON = (
    Row(Op.RAISE, event=Event.PLAYED),
    Row(Op.TEXT),  # before the old weapon is destroyed
    Row(Op.EQUIP_PLAYED),
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.AFTER_PLAYED),
    Row(Op.DEATHS),
)
PLAY_HERO = (
    Row(Op.RAISE, event=Event.PLAYED),
    Row(Op.DEATHS),
    Row(Op.HERO_PLAYED),
    Row(Op.TEXT),
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.AFTER_PLAYED),
    Row(Op.DEATHS),
)
USE_POWER = (
    Row(Op.TEXT),
    Row(Op.DEATHS),
    Row(Op.RAISE, event=Event.POWER_USED),
    Row(Op.DEATHS),
)
ATTACK = (
    Row(Op.RAISE, event=Event.ATTACKS),
    Row(Op.RAISE, event=Event.ATTACKS, again=True),  # if the defender has changed
    Row(Op.DEATHS),
    Row(Op.STRIKE),
    Row(Op.RAISE, event=Event.AFTER_ATTACK),
    Row(Op.DEATHS),
)
END_TURN = (
    Row(Op.MARK_DELAYED),
    Row(Op.RAISE, event=Event.TURN_END),
    Row(Op.DEATHS),
    Row(Op.END_FOR_TURN),
    Row(Op.DEATHS),
    Row(Op.PASS_TURN),
    Row(Op.DEATHS),  # auras that hold only in one player's turn
    Row(Op.RAISE, event=Event.TURN_START),
    Row(Op.DEATHS),
    Row(Op.FATIGUE_DRAW),
    Row(Op.DEATHS),
)
# a spell that a text casts: nothing reacts to the cast
CAST = (
    Row(Op.TEXT),
    Row(Op.DEATHS),
)
# Lifesteal while healing hurts: wiki, Auchenai Soulpriest
DRAIN = (
    Row(Op.HEAL, Who(Selector.MY_HERO), Value(Amount.EVENT)),
)
# a hero or a weapon that a text plays, likewise
BECOME = (
    Row(Op.HERO_PLAYED),
    Row(Op.TEXT),
    Row(Op.DEATHS),
)
EQUIP = (
    Row(Op.TEXT),
    Row(Op.EQUIP_PLAYED),
    Row(Op.DEATHS),
)
SEQUENCES = {
    Sequence.PLAY_MINION: PLAY_MINION,
    Sequence.PLAY_MAGNETIC: PLAY_MAGNETIC,
    Sequence.PLAY_SPELL: PLAY_SPELL,
    Sequence.PLAY_WEAPON: PLAY_WEAPON,
    Sequence.USE_POWER: USE_POWER,
    Sequence.ATTACK: ATTACK,
    Sequence.END_TURN: END_TURN,
    Sequence.CAST: CAST,
    Sequence.PLAY_HERO: PLAY_HERO,
    Sequence.DRAIN: DRAIN,
    Sequence.BECOME: BECOME,
    Sequence.EQUIP: EQUIP,
}
