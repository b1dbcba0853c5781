"""Any stored game again: played from its seed, shown move by move, compared with what is stored.

    find(run, ...) or contests.find(...) -> StoredMatch (one stored match: replay.py)
      steps(meeting, k)  plays game k again: at every decision the boards, hands and options, each
                         with the agent's score, what happened since, and the outcome: plain data
        lines(meeting, k)  the same as text; page.py makes a page of the steps

    StoredMatch             a with deck_a against b with deck_b, and all that a game of it needs
    check(meeting)          plays all its games again: does every total come out as it is stored?
    play_again(meeting, k)  the result of one of them
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from hsevo.agents.genomes.decks import joined, on_decks
from hsevo.agents.registry import ACTIONS, KINDS, PROBABILITIES, draws, weighs_replies
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import cards
from hsevo.engine.jit import fingerprint
from hsevo.engine.record.state import DRAW, WIN_1
from hsevo.engine.view.show import PLAYERS, Scene, ScenePlace, scene_text
from hsevo.errors import (
    ConfigError,
    DeckError,
    GameError,
    RunError,
    brief,
    did_you_mean,
    quoted,
    resuming,
)
from hsevo.play import hosting, match, players
from hsevo.play.events import Event, What
from hsevo.play.moves import Move, MoveKind
from hsevo.play.session import Seat, Session
from hsevo.play.specs import legend, short_names
from hsevo.runs.folder import RunFolder
from hsevo.runs.tables import individuals, weights_of
from hsevo.types import Array

COUNTS = tuple(name for name in match.RESULT.names or () if name != "faults")


@dataclass(frozen=True)
class StoredMatch:
    """One stored match: a with deck_a against b with deck_b, and all that a game of it needs."""

    row: dict[str, Any]  # deck_a, deck_b, games, seed, the counts that are stored; maybe the moves
    names: tuple[str, str]  # of a and b, short
    agents: Array  # AGENT (2,), a and b
    setting: match.Setting
    engine: str  # fingerprint of the engine that played it
    where: str  # it was played: the generation of a run, or a folder
    b_first: bool = False  # in the title: the user asked for b as a
    legend: tuple[str, ...] = ()  # play.specs.legend of the two

    @property
    def pairing(self) -> Any:
        """The match as a row of match.PAIRING."""
        names = [deck.name for deck in self.setting.decks]
        decks = names.index(self.row["deck_a"]), names.index(self.row["deck_b"])
        return np.array([(0, 1, *decks, self.row["games"], self.row["seed"])], match.PAIRING)[0]

    def seed(self, k: int) -> int:
        """Return the seed of game k, as hsevo.Game and hsevo.Games take it."""
        return (int(self.row["seed"]) + k) % 2**64

    def moves(self, k: int) -> list[int] | None:
        """Return the stored moves of game k; None if its agents play it again from its seed.

        Raises RunError if they are damaged.
        """
        text = self.row.get("moves")
        if not isinstance(text, str) or not text:
            return None
        try:
            return hosting.played_moves(text, k)
        except ValueError:
            raise RunError(f"{self.where} is damaged: the moves of a game are not numbers"
                           ) from None

    def __str__(self) -> str:
        first, second = self.players[::-1 if self.b_first else 1]
        return f"{self.where}: {first} against {second}"

    @property
    def players(self) -> tuple[str, str]:
        """The two agents with their decks: "individual 7 (mage)"."""
        a, b = self.names
        return f"{a} ({self.row['deck_a']})", f"{b} ({self.row['deck_b']})"


def check(meeting: StoredMatch) -> list[str]:
    """Play all games of a match again; return what differs from what is stored, in words."""
    if meeting.moves(0) is None:
        pairings = np.array([meeting.pairing], match.PAIRING)
        replayed = hosting.play_block(pairings, meeting.agents, meeting.setting)[0]
    else:
        try:
            games = [play_again(meeting, k) for k in range(meeting.row["games"])]
        except GameError as error:
            return [str(error)]
        replayed = {name: sum(int(game[name]) for game in games) for name in COUNTS}
    return [f"{name} {int(replayed[name])}, stored {int(meeting.row[name])}"
            for name in COUNTS
            if name in meeting.row and int(replayed[name]) != int(meeting.row[name])]


def play_again(meeting: StoredMatch, k: int) -> Any:
    """Return the RESULT of game k, played once more as a match does, or by its stored moves."""
    moves, pairing = meeting.moves(k), meeting.pairing
    pairing["games"], pairing["seed"] = 1, meeting.seed(k)
    if moves is None:
        return hosting.play_block(np.array([pairing], match.PAIRING), meeting.agents,
                                  meeting.setting)[0]
    return hosting.play_again(pairing, meeting.agents, meeting.setting, moves)


def verdict(meeting: StoredMatch) -> tuple[str, bool]:
    """Check a match; return a line that says how it went, and whether all came out as stored."""
    problems, note = check(meeting), ""
    if meeting.engine != fingerprint():
        note = (f"it was played by engine {brief(meeting.engine)}, but this is engine"
                f" {fingerprint()}, whose games may differ")
    if problems:
        said = "; ".join([*problems, note] if note else problems)
        return f"hsevo: NOT reproduced, the match differs from the stored one: {said}", False
    games = (f"reproduced: all {meeting.row['games']} games of the match end as stored"
             if meeting.row["games"] > 1 else "reproduced: the game ends as stored")
    return games + (f", although {note}" if note else ""), True


SCORED = {kind.chooser: kind.scored for kind in KINDS.values()}  # of compiled agents
PLAYED, WON = "play", "win"  # begin the worth of a move by a probability: that it is drawn, or wins
SAME = "same as below"  # the worth of a move that is made with an equal card
UNWEIGHED = "not weighed"  # of one that the agent does not consider
LONGEST = 20_000  # decisions in a game of at most 89 turns; far beyond any, so a loop ends


@dataclass(frozen=True)
class Option:
    """A legal move at a decision."""

    move: int  # engine.game.moves
    text: str
    worth: str  # the agent's score of it, or in words
    score: float | None  # None if `worth` is words
    by: ScenePlace | None  # what it is made with
    at: ScenePlace | None  # and what it is aimed at


@dataclass(frozen=True)
class Step:
    """A decision: the game before it, the options, and the index of the one that was taken.

    events: what happened since the step before. The last step of a game is its end, without
    options. Costs in the scene are what the cards cost now.
    """

    scene: Scene
    options: tuple[Option, ...] = ()
    taken: int = -1
    events: tuple[Event, ...] = ()


def meetings(run: RunFolder, execution: int | None = None, generation: int | None = None,
             a: int | str | None = None, b: int | str | None = None, deck_a: str | None = None,
             deck_b: str | None = None) -> pd.DataFrame:
    """Return the stored matches that fit, in order; None fits all, but for the generation.

    execution, generation: by default the last. a, b: ids of individuals, or names of fixed
    opponents, either of whom may be the row's a: then the row's deck_b is that of `a`.
    Raises RunError if the run has no such generation, individual or deck, ConfigError for no such
    name.
    """
    execution, generation = _moment(run, execution, generation)
    a, b = number_of(run, "a", a), number_of(run, "b", b)
    table = run.matches_of(execution, generation)
    known = sorted({*map(int, table["a"]), *map(int, table["b"])})
    for asked, opponent in ((a, b), (b, a)):
        if asked is not None:
            _individual(known, asked, opponent, generation)
    deck_a, deck_b = (deck_of(_decks(run), deck, "the run") for deck in (deck_a, deck_b))
    there = _fits(table, a, b, deck_a, deck_b) | _fits(table, b, a, deck_b, deck_a)
    rows: pd.DataFrame = table[there].reset_index(drop=True)
    return rows


def with_names(run: RunFolder, table: pd.DataFrame) -> pd.DataFrame:
    """Return stored matches with the names of fixed opponents in place of their ids -1, -2 ..."""
    names = {-1 - i: name for i, name in enumerate(run.opponents.names)}
    if not names:
        return table
    return table.assign(a=table["a"].replace(names), b=table["b"].replace(names))


def find(run: RunFolder, execution: int | None = None, generation: int | None = None,
         a: int | str | None = None, b: int | str | None = None, deck_a: str | None = None,
         deck_b: str | None = None, part: int | None = None) -> StoredMatch:
    """Return one stored match: row `part` of those that `meetings` returns, from 0.

    Without `part`, what is not given is the best of the generation, the second best, and the first
    deck that each of them plays. Raises RunError if there is no such match, ConfigError for no such
    name.
    """
    execution, generation = _moment(run, execution, generation)
    population = run.table(run.names[0])
    a, b = number_of(run, "a", a), number_of(run, "b", b)
    if part is None:
        a, b = _best(run, population, execution, generation, a, b)
        deck_a, deck_b = deck_a or _first_deck(run, a), deck_b or _first_deck(run, b)
    rows = meetings(run, execution, generation, a, b, deck_a, deck_b)
    row = chosen(rows, part, f"{run.path}: generation {generation} has no match of"
                             f" {_whom(a, deck_a)} and {_whom(b, deck_b)}")
    asked = a, b, *(deck_of(_decks(run), deck, "the run") for deck in (deck_a, deck_b))
    decks = [_decks(run).index(str(row[f"deck_{side}"])) for side in "ab"]
    (spec_a, agent_a), (spec_b, agent_b) = (
        _player(run, population, execution, int(row[side])) for side in "ab")
    both, names = joined([agent_a, agent_b], len(run.decks)), short_names(run.opponents.names)
    ours = {spec: names.get(spec, spec) for spec in (spec_a, spec_b)}
    return StoredMatch(row, (ours[spec_a], ours[spec_b]), on_decks(both, *decks), run.setting,
                       str(run.about.get("engine")),
                       f"execution {row['execution']}, generation {row['generation']}",
                       is_b(row, asked), (*legend(ours),))


def is_b(row: Mapping[str, Any], asked: Sequence[Any]) -> bool:
    """Return whether a stored match is what was asked for only with its sides exchanged.

    asked: a, b, deck_a, deck_b, None for any.
    """
    return any(wanted not in (None, row[key])
               for wanted, key in zip(asked, ("a", "b", "deck_a", "deck_b"), strict=True))


def _player(run: RunFolder, population: pd.DataFrame, execution: int,
            number: int) -> tuple[str, Array]:
    """Return name and agent, AGENT (1,), of an individual, or of a fixed opponent (number < 0).

    Raises RunError.
    """
    try:
        if number < 0:
            opponents = run.opponents
            return opponents.names[-1 - number], opponents.agents[-1 - number:][:1]
        return f"individual {number}", run.genome.build(weights_of(population, execution, [number]))
    except LookupError:
        raise RunError(f"{run.path} is damaged: it has a match of {number}, which is not in"
                       " population.csv") from None


def chosen(rows: pd.DataFrame, part: int | None, none: str) -> dict[str, Any]:
    """Return the row with a number, from 0; the first without one.

    none: what to say if there is no row. Raises RunError.
    """
    if rows.empty:
        raise RunError(f"{none}; list its matches with hsevo replay FOLDER --list")
    if not 0 <= (part or 0) < len(rows):
        raise RunError(f"there is no part {part}: {len(rows):,} matches fit, 0 to {len(rows) - 1};"
                       " list them with --list")
    return {str(name): value for name, value in rows.iloc[part or 0].items()}


def deck_of(names: Sequence[str], deck: str | None, where: str) -> str | None:
    """Return the name of one of some decks, known by its name, file, code or URL; None of None.

    Raises RunError if it is not one of them.
    """
    if deck is None or deck in names:
        return deck
    with suppress(DeckError):
        if (name := read_deck(deck).name) in names:
            return name
    raise RunError(f"unknown deck {quoted(deck)}{did_you_mean(deck, names)}; {where} has"
                   f" {', '.join(names)}")


def steps(meeting: StoredMatch, k: int) -> Iterator[Step]:
    """Play game k (from 0) of a match and yield its steps; the last one is its end.

    Raises RunError if there is no such game, GameError if the steps and the match differ.
    """
    games = int(meeting.row["games"])
    if not 0 <= k < games:
        has = f"{games} games, 0 to {games - 1}" if games > 1 else "one game, number 0"
        raise RunError(f"there is no game {k}: the match has {has}")
    game, seen, stored = begin(meeting, k), 0, meeting.moves(k)
    for number in range(LONGEST if stored is None else len(stored)):
        if game.over:
            break
        events, seen = game.events[seen:], len(game.events)
        yield decision(game, events, None if stored is None else stored[number])
    yield Step(ended(game), events=game.events[seen:])
    _compare(meeting, k, game)


def lines(meeting: StoredMatch, k: int) -> Iterator[str]:
    """Play game k (from 0) of a match and yield its lines; raises what `steps` raises."""
    played = steps(meeting, k)
    first = next(played)  # is there such a game at all?
    yield from (headline(meeting, k), *meeting.legend)
    yield from step_lines(first, meeting.names)
    for step in played:
        yield from step_lines(step, meeting.names)


def headline(meeting: StoredMatch, k: int) -> str:
    """Return which game of a match it is, and the seed with which hsevo.Game begins it."""
    row = meeting.row
    order = f" (of {row['deck_a']} against {row['deck_b']})" if meeting.b_first else ""
    which = f"game {k} of {row['games']}, " if row["games"] > 1 else ""
    return f"{which}seed {meeting.seed(k)}{order}, ruleset {meeting.setting.ruleset}"


def step_lines(step: Step, names: tuple[str, str] = PLAYERS) -> Iterator[str]:
    """Yield a step as lines: the scene, and each option with its score, -> the one taken."""
    yield f"\n== {scene_text(step.scene, names)}"
    for i, option in enumerate(step.options):
        yield f"{'->' if i == step.taken else '  '} {option.worth:>12}  {option.text}"


def begin(meeting: StoredMatch, k: int) -> Session:
    """Return game k of a match, at its beginning, with both agents in their seats."""
    pairing, setting = meeting.pairing, meeting.setting
    players = [Seat(name, agent[None])
               for name, agent in zip(meeting.names, meeting.agents, strict=True)]
    deck_a, deck_b = (setting.decks[pairing[f"deck_{side}"]] for side in "ab")
    return Session(deck_a, deck_b, players, meeting.seed(k), setting.ruleset,
                   setting.information, setting.max_turns)


def decision(game: Session, events: tuple[Event, ...], stored_move: int | None = None) -> Step:
    """Return the game and its options, and make the agent's choice, or `stored_move`.

    Raises GameError if that is not legal.
    """
    mover = game.players[game.player].agent
    asked = game.ask().index if mover is not None and (
        stored_move is None or scored_by(mover)) else None
    taken, options = asked if stored_move is None else stored_move, weighed(game, mover)
    indices = [move.index for move in game.moves]
    if taken not in indices:
        raise GameError(f"a stored move, {taken}, is not legal in turn {game.turn}: the game was"
                        " damaged, or played by another engine")
    step = Step(game.scene(), options, indices.index(taken), events)
    game.play(taken)
    return step


def weighed(game: Session, mover: Array | None) -> tuple[Option, ...]:
    """Return the options of who is to move, with the scores of `mover`, who was asked last.

    mover: AGENT (1,); None: nobody was asked.
    """
    scored, scores, considered = scored_by(mover), game.scores, game.considers()
    replies = mover is not None and weighs_replies(mover[0])
    if mover is not None and scored == PROBABILITIES:
        scored = PLAYED if draws(mover[0]) else WON
    return tuple(
        Option(move.index, spoken(move.text),
               *_worth(game, move, scores, scored, replies or move.index not in considered),
               *_ends(move))
        for move in game.moves)


def plain_option(move: Move) -> Option:
    """Return a move as an option without a score."""
    return Option(move.index, spoken(move.text), "", None, *_ends(move))


def spoken(text: str) -> str:
    """Return a move in words as it is told of a player."""
    return text.replace("the own hero", "its own hero")


def scored_by(agent: Array | None) -> str:
    """Return what the scores of an agent, AGENT (1,), are: see AgentKind; "" for none."""
    if agent is None:
        return ""
    hosted = players.among(agent)
    return players.scored(agent[0]) if hosted else SCORED[int(agent["kind"][0])]


def ended(game: Session, names: tuple[str, str] | None = None) -> Scene:
    """Return how a game ended, the outcome with names of the players. Default: their own."""
    scene = game.scene()
    names = names or (game.players[0].name, game.players[1].name)
    heroes = {side.hero_uid for side in scene.sides}
    hits = [event.by_card for event in game.events
            if event.what is What.DAMAGED and event.uid in heroes and event.amount]
    last = cards(game.setting.ruleset).get(hits[-1]) if hits else None
    return replace(scene, outcome=ending(scene, names, game.setting.max_turns,
                                         last.name if last else ""))


def ending(scene: Scene, names: tuple[str, str], max_turns: int, killer: str = "") -> str:
    """Return who won a game that is over, how, and in which turn and round.

    killer: the name of the card that dealt the last damage to a hero, or "".
    """
    lives = [side.health + side.armor for side in scene.sides]
    left = f"; health and armor {lives[0]} to {lives[1]}"
    turn = min(scene.turn, max_turns)
    when = f"turn {turn} (round {(turn + 1) // 2})"
    if scene.result == DRAW:
        why = "both heroes died" if max(lives) <= 0 else "no winner before the turn limit"
        return f"draw in {when}: {why}{left}"
    winner = int(scene.result == WIN_1)
    side = scene.sides[1 - winner]
    return (f"{names[winner]} ({scene.sides[winner].hero}) wins in {when}: the hero of"
            f" {names[1 - winner]} ({side.hero}) dies{f' to {killer}' if killer else ''}{left}")


def _ends(move: Move) -> tuple[ScenePlace | None, ScenePlace | None]:
    """Return what a move is made with and at, where it is one thing in play or in hand."""
    if move.kind in (MoveKind.CHOOSE, MoveKind.THROW_BACK):
        return None, None
    by, at = (ScenePlace(piece.player, piece.zone, piece.position) if piece else None
              for piece in (move.source, move.target))
    return by, at


def _worth(game: Session, move: Move, scores: Mapping[int, float], scored: str,
           partly: bool) -> tuple[str, float | None]:
    """Return the agent's score of an option, in words and as a number, if it is one.

    scored: see AgentKind; in place of PROBABILITIES, PLAYED or WON. partly: whether the agent
    may leave such moves out, as one that scores only moves to the best ends.
    """
    score = scores.get(move.index)
    if not scored:
        return "", None
    if scored in (PLAYED, WON) and score is not None:
        return f"{scored} {100 * score:.1f} %", score
    if scored == ACTIONS and (game.phase != "play" or move.kind is MoveKind.END_TURN):
        return "0", 0.0  # not simulated: an open choice, or the end of the turn
    if score is None:
        return (UNWEIGHED if partly else SAME), None  # an equal card comes later
    if np.isinf(score):
        return "wins" if score > 0 else "loses", None
    return f"{score:+.4f}", score


def _compare(meeting: StoredMatch, k: int, game: Session) -> None:
    """Play the game once more as a match does; the one that was shown must be the same."""
    once = play_again(meeting, k)
    ended = int(once["wins_a"] + 2 * once["wins_b"] + 3 * once["draws"])
    turns = min(game.turn, game.setting.max_turns)
    if (game.result, turns) != (ended, int(once["turns"])):
        raise GameError(f"game {k} was replayed as '{game.scene().outcome}', but its result in the"
                        " match differs; this is a bug in hsevo, please report it")


def _moment(run: RunFolder, execution: int | None, generation: int | None) -> tuple[int, int]:
    """Return execution and generation, the last ones by default. Raises RunError."""
    last = dict(run.committed())  # execution -> its last generation
    if not last:
        raise RunError(f"{run.path} has no generation yet; continue with:"
                       f" {resuming('evolve', run.path)}")
    execution = max(last) if execution is None else execution
    if execution not in last:
        raise RunError(f"{run.path} has no execution {execution}; it has 1 to {max(last)}")
    generation = last[execution] if generation is None else generation
    if not 0 <= generation <= last[execution]:
        raise RunError(f"{run.path} has no generation {generation}; it has 0 to {last[execution]}")
    return execution, generation


def _fits(table: pd.DataFrame, a: int | None, b: int | None = None, deck_a: str | None = None,
          deck_b: str | None = None) -> Any:
    wanted = {"a": a, "b": b, "deck_a": deck_a, "deck_b": deck_b}
    there = pd.Series(True, table.index)
    for name, value in wanted.items():
        there &= True if value is None else table[name] == value
    return there


def _best(run: RunFolder, population: pd.DataFrame, execution: int, generation: int,
          a: int | None, b: int | None) -> tuple[int, int]:
    """Return two players: who is not given is the best by fitness of those that met the other."""
    field = individuals(population, execution, generation)
    ranked = [int(i) for i in field["id"][np.argsort(-field["fitness"], kind="stable")]]
    table = run.matches_of(execution, generation)
    ranked += sorted({*map(int, table["a"]), *map(int, table["b"])} - {*ranked},
                     reverse=True)  # champions of earlier generations, then fixed opponents
    a = _individual(_met(ranked, table, b) if a is None else ranked, a, b, generation)
    return a, _individual(_met(ranked, table, a) if b is None else ranked, b, a, generation)


def _met(ranked: list[int], table: pd.DataFrame, opponent: int | None) -> list[int]:
    """Return those that met a player; all if it did not play at all."""
    if opponent not in ranked:
        return ranked
    rows = table[_fits(table, opponent) | _fits(table, None, opponent)]
    met = {*rows["a"], *rows["b"]}
    return [i for i in ranked if i in met]


def number_of(run: RunFolder, side: str, player: int | str | None) -> int | None:
    """Return the number of a player: 7 of "7" or "individual-7", -1 of the first fixed opponent.

    side: what it was given as. Raises ConfigError for anything else.
    """
    names, word = run.opponents.names, str(player).removeprefix("individual-")
    if player is None or re.fullmatch(r"-?[0-9]{1,18}", word):
        return None if player is None else int(word)
    for known in (names, [*short_names(names).values()]):
        if word in known:
            return -1 - known.index(word)
    more = f", and its fixed opponents by their names{did_you_mean(word, names)}" if names else ""
    raise ConfigError(f"{side} is {quoted(str(player))}, but individuals of a run are named by"
                      f" number, for example 7{more}")


def _individual(ranked: list[int], asked: int | None, opponent: int | None, generation: int) -> int:
    """Return the individual that was asked for, else the best one except `opponent`."""
    if asked is None:
        best = next((i for i in ranked if i != opponent), None)
        if best is None:
            raise RunError(f"generation {generation} has fewer than two individuals, so it has no"
                           " game; name another generation")
        return best
    if asked not in ranked:
        known = ", ".join(map(str, sorted(ranked)))
        raise RunError(f"individual {asked} did not play in generation {generation}, but {known}")
    if asked == opponent:
        raise RunError(f"individual {asked} does not play against itself")
    return asked


def _whom(individual: int | None, deck: str | None) -> str:
    return f"{'anyone' if individual is None else individual} ({deck or 'any deck'})"


def _first_deck(run: RunFolder, number: int) -> str:
    """Return the first deck that a player plays; fixed opponents (number < 0) may have others."""
    theirs = run.config.opponent_decks if number < 0 else None
    return _decks(run)[theirs[0] if theirs else 0]


def _decks(run: RunFolder) -> list[str]:
    return [deck.name for deck in run.decks]
