"""A game that somebody plays, so far, as the steps of a replay.

    as_page(game, games) -> HTML    of steps(game) and meeting(game)
    line(game, step, moves)         steps of another line from a step of it on

Moves of agents get their scores by asking the agents again. While a game of one agent against a
player without one runs, that player may see the page: then the agent's hand, secrets, options and
draws are not in it, nor chances, which would tell of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.engine.jit import fingerprint
from hsevo.engine.view.show import Lasting, Scene, SceneHeld
from hsevo.play.events import seen_by
from hsevo.play.session import Session
from hsevo.play.specs import legend, short_names
from hsevo.replays.chances import Chances, estimate
from hsevo.replays.exercises import plays
from hsevo.replays.page import ALONE, Around, page
from hsevo.replays.replay import Step, StoredMatch, decision, ended, plain_option
from hsevo.replays.wording import YOU
from hsevo.texts import say

CARD, SECRET = SceneHeld("", "hidden card", 0, 0, 0), Lasting(0, "", "hidden")


def as_page(game: Session, games: int, where: str = "a game", seat: int | None = None,
            chances: Chances | None = None, around: Around = ALONE) -> str:
    """Return a game so far as a page to step through.

    games: that are played on from each point of the curve of chances, if nothing is hidden. where:
    the beginning of the title. seat: of the human whose page it is, and who is spoken to; until a
    game between two has ended, what this player may not know is not in it. A player without an
    agent is on the lower side (of two, that of the seat), and the chances are that player's.
    chances: a curve that tells of nothing hidden, instead of one that is estimated. around: its
    line under the title is the game's seed, and the steps at which its address opens a game are
    those at which the player on the lower side made a move.
    """
    viewer, moves = viewer_of(game, seat), [move.index for move in game.history]
    below = seat or 0
    if [player.agent is None for player in game.players] == [False, True]:
        below = 1
    chances = chances or estimate(game, moves, games if viewer is None else 0)
    address = around.tries[0]
    tried = plays(game, below) if address and viewer is None else ()
    around = around._replace(about=f"seed {game.seed}, ruleset {game.setting.ruleset}",
                             tries=(address, tried))
    return page(meeting(game, where, seat), 0, list(steps(game, viewer, seat)), chances, viewer,
                below, around)


def line(game: Session, step: int, moves: Sequence[str], seat: int | None = None) -> list[Step]:
    """Return the steps of other moves, by their texts, from a step of a game on.

    There is one before each move, and last how the game stands then; none if something is hidden,
    of which the moves might tell. seat: of who is spoken to; None: nobody.
    """
    if viewer_of(game, seat) is not None:
        return []
    ahead, shown = game.before(step), []
    for text in moves:
        move = next((option for option in ahead.moves if option.text == text), None)
        if move is None:
            break
        shown.append(Step(ahead.scene(), (plain_option(move),), 0))
        ahead.play(move.index)
    names = names_of(game, seat)
    return [*shown, Step(ended(ahead, names) if ahead.over else ahead.scene())]


def meeting(game: Session, where: str = "a game", seat: int | None = None) -> StoredMatch:
    """Return a game as a match of one game: player 0 is a, player 1 is b. seat: as of `steps`."""
    deck_a, deck_b = game.setting.decks
    agents = [agent(RANDOM) if player.agent is None else np.atleast_1d(player.agent)
              for player in game.players]
    row = {"deck_a": deck_a.name, "deck_b": deck_b.name, "games": 1, "seed": game.seed}
    a, b = names_of(game, seat)
    short = short_names([a, b])
    return StoredMatch(row, (short[a], short[b]), np.concatenate(agents), game.setting,
                       fingerprint(), where, b_first=seat == 1, legend=tuple(legend(short)))


def names_of(game: Session, seat: int | None) -> tuple[str, str]:
    """Return the names of both players. seat: who is spoken to; None: nobody."""
    names = [player.name if seat is None or player.agent is not None else
             YOU if at == seat else say("game.opponent") for at, player in enumerate(game.players)]
    return names[0], names[1]


def steps(game: Session, viewer: int | None, seat: int | None = None) -> Iterator[Step]:
    """Yield a game's decisions so far, and last where it stands now, without options.

    viewer: as `viewer_of` returns it. seat: of who is spoken to; None: nobody.
    """
    replayed, seen = game.beginning(), 0
    for move in game.history:
        events, seen = replayed.events[seen:], len(replayed.events)
        if viewer in (None, replayed.player):
            step = decision(replayed, events, move.index)
        else:
            step = Step(replayed.scene(), events=events)
            replayed.play(move.index)
        yield _for(viewer, step)
    scene = ended(replayed, names_of(game, seat)) if replayed.over else replayed.scene()
    yield _for(viewer, Step(scene, events=replayed.events[seen:]))


def viewer_of(game: Session, seat: int | None = None) -> int | None:
    """Return the player from which the other's cards are hidden; None: all may be seen.

    seat: who looks at a game between two people.
    """
    seated = [player.agent is not None for player in game.players]
    if game.over or all(seated):
        return None
    return seated.index(False) if any(seated) else seat


def _for(viewer: int | None, step: Step) -> Step:
    """Return a step as a player may see it."""
    if viewer is None:
        return step
    return replace(step, scene=_covered(step.scene, 1 - viewer),
                   events=tuple(seen_by(event, viewer) for event in step.events))


def _covered(scene: Scene, player: int) -> Scene:
    """Return a scene in which a player's hand and secrets are only counted."""
    side = scene.sides[player]
    side = replace(side, hand=(CARD,) * len(side.hand), secrets=(SECRET,) * len(side.secrets))
    return replace(scene, sides=(side, scene.sides[1]) if player == 0 else (scene.sides[0], side))
