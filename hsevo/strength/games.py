"""`hsevo.Game`, one game move by move, and `hsevo.Games`, many games at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import Deck, DeckLike, each_deck
from hsevo.config import ruleset_of, whole
from hsevo.engine.view.show import scene_text
from hsevo.errors import ConfigError
from hsevo.files import probe, write_whole
from hsevo.play.games import GameBatch
from hsevo.play.match import check_places
from hsevo.play.moves import Move
from hsevo.play.position import Position
from hsevo.play.session import Seat, Session
from hsevo.replays import chances as estimates
from hsevo.replays import own
from hsevo.replays.chances import GAMES
from hsevo.replays.lethal import BUDGET, MOST_BUDGET, Lethal, LethalSearch
from hsevo.strength.agents import AgentLike, as_agent, each_agent, refuse_hosted


class Game(Session):
    """One game of any two players, move by move.

    deck_0, deck_1: the decks of players 0 and 1, by name, file, code, URL or Deck. players: an
    agent each, or None for a player that moves through Python. seed: fixes everything random; two
    agents play the same game as in a match with this seed.
    information: what look-aheads of agents may know, "fair", "closed" (then they guess deck lists)
    or another of config.INFORMATION. all_places: whether `moves` have every place on the board
    where a minion can be put (True), or only the right end and places that matter, which are what
    agents consider (False); None: every place for a player without an agent.

    `moves` are the legal moves, `play(move)` makes one, `run()` lets the agents move until another
    player's turn, `ask(agent)` returns the move that an agent would make, `view(player)` what a
    player may know, `events` what happened; `save()` and `load` store a game.

    Raises DeckError, AgentError, CardError, ConfigError.

    >>> game = hsevo.Game("mage", "warrior", players=["eva:2018", None], seed=3)
    >>> game.run()
    >>> game.player, [move.text for move in game.moves][:1]
    (1, ['end the turn'])
    >>> events = game.play(game.moves[0])
    >>> sorted(game.view(1))[:3]
    ['choices', 'max_turns', 'me']
    >>> hsevo.Game.load(game.save()).turn == game.turn
    True
    """

    def __init__(self, deck_0: DeckLike, deck_1: DeckLike,
                 players: Sequence[AgentLike | Seat | None] = (None, None), seed: int = 0,
                 ruleset: str = "cig2018", information: str = "fair",
                 max_turns: int = 89, all_places: bool | None = None) -> None:
        _refuse_players(players)
        decks = Deck(deck_0), Deck(deck_1)
        seats = [as_player(one, decks, at) for at, one in enumerate(players)]
        super().__init__(*decks, seats, seed, ruleset_of(ruleset), information, max_turns,
                         all_places)

    @classmethod
    def at(cls, position: Position | Mapping[str, Any] | str | Path,
           players: Sequence[AgentLike | Seat | None] = (None, None),
           all_places: bool | None = None) -> Self:
        """Return a game that begins at a position: an `hsevo.Position`, its file or its data.

        players, all_places: as of `Game`. Deck lists are open (information "fair"). Raises
        ConfigError, CardError, AgentError.

        >>> side = {"class": "mage", "deck_list": "mage", "unknown_in_hand": 3}
        >>> game = hsevo.Game.at({"me": side, "opponent": side}, ["eva:2018", "random"])
        >>> game.run()
        >>> game.over
        True
        """
        _refuse_players(players)
        start = as_position(position)
        seats = [as_player(one, start.decks, at) for at, one in enumerate(players)]
        return super().at(start, seats, all_places)

    def ask(self, agent: Any = None) -> Move:
        """Return the move that an agent would make; default: the agent whose turn it is.

        agent: an agent in any form. The game does not change; `scores` then holds the agent's
        scores of the moves. Raises AgentError, GameError.
        """
        return super().ask(as_player(agent, self.setting.decks, self.player))

    def replay(self, path: str | Path, *, chances: int = GAMES) -> Path:
        """Write the game so far as a page to step through, as `hsevo replay --html`; return `path`.

        chances: see `hsevo.replay`; with a player that has no agent, eva:2018 plays on. While a
        game of one agent against such a player runs, the page hides the agent's hand, secrets and
        options, and has no chances. Raises ConfigError, RunError if it cannot be written.

        >>> game = hsevo.Game("mage", "warrior", players=["random", "eva:2018"], seed=3)
        >>> game.run()
        >>> game.replay("game.html").name
        'game.html'
        """
        file, games = Path(path), whole("chances", chances, 0, estimates.MOST_GAMES)
        probe(file)
        text = own.as_page(self, games)
        write_whole(file, text.encode())
        return file

    def lethal(self, budget: int = BUDGET) -> Lethal:
        """Return whether the player to move can win before its turn ends, and by which moves.

        budget: actions that the search simulates, at most. Its `answer` is "yes" (whatever comes),
        "no", "chance" (`low` is the probability) or "unknown" within the budget; `line` has the
        indices of the moves. Only what the player knows is used. Raises ConfigError.

        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> game.lethal().answer
        'no'
        """
        search = LethalSearch(self.setting.ruleset, self.setting.information == "leaky",
                              whole("budget", budget, 1, MOST_BUDGET))
        return search.lethal(estimates.states_of(
            self, [move.index for move in self.history]).take([-1]))

    def __str__(self) -> str:
        """Return the board as lines of at most 80 columns, without what a lone player may not know.

        One seat has an agent and the game runs: its hand and secrets are only counted.
        """
        now, lines = self.scene(), []
        seated = [seat.agent is not None for seat in self.players]
        if sum(seated) == 1 and not self.over:
            hidden = seated.index(True)
            side, sides = now.sides[hidden], list(now.sides)
            lines = [f"hidden of {self._names[hidden]}: {len(side.hand)} in hand,"
                     f" {len(side.secrets)} secrets"]
            sides[hidden] = replace(side, hand=(), secrets=())
            now = replace(now, sides=(sides[0], sides[1]))
        lines = [*scene_text(now, self._names).splitlines(), *lines]
        return "\n".join(fill(line, 80, subsequent_indent="    ") for line in lines)

    def __repr__(self) -> str:
        return f"Game({super().__str__()})"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Games(GameBatch):
    """Many games at once, for learners and experiments: step them together, in compiled code.

    decks_0, decks_1: the decks of players 0 and 1; one for all games, or a list with one per game.
    seeds: integers (n,) >= 0, one per game, which fix everything random in it. max_turns: player
    turns after which a game is a draw. ordered: shuffle decks now instead of drawing at random.
    all_places: whether a minion can be put at every place on the board; default: only where its
    place matters now, else at the right end.

    Raises DeckError, CardError, ValueError.

    >>> games = hsevo.Games("mage", "warrior", range(100))
    >>> games
    Games(100 games, 100 running, cig2018)
    >>> games.legal_moves().shape
    (100, 3662)
    >>> for _ in range(10):
    ...     games.step(games.sample(seed := 1))
    >>> moves = games.ask("eva:2018", seat=0)
    >>> bool(games.running.all())
    True
    """

    def __init__(self, decks_0: DeckLike | Sequence[DeckLike],
                 decks_1: DeckLike | Sequence[DeckLike], seeds: Any, ruleset: str = "cig2018",
                 max_turns: int = 89, ordered: bool = False, all_places: bool = False) -> None:
        ruleset = ruleset_of(ruleset)
        begun = GameBatch.new(_decks(decks_0), _decks(decks_1), seeds, ruleset, max_turns,
                                  ordered, check_places(all_places) is True)
        super().__init__(begun.states, ruleset, begun.all_places)

    @classmethod
    def new(cls, *arguments: Any, **named: Any) -> Self:
        """Begin games: the same as Games(...)."""
        return cls(*arguments, **named)

    def take(self, which: Any) -> Self:
        """Return a copy of some of the games: indices (m,), bool (n,) or a slice."""
        taken = super().take(which)
        other = object.__new__(type(self))
        GameBatch.__init__(other, taken.states, taken.ruleset, taken.all_places)
        return other

    def ask(self, agents: Any, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Let compiled agents move once in each running game; return the moves, int64 (n,).

        agents: one for all games, two (one per seat), or n (one per game), in any form. seat: move
        only in games where it is the turn of this player, 0 or 1; None: of either. A move is -1
        where none was made. Raises AgentError, ValueError, GameError.
        """
        return super().ask(_records(agents), seat, information)


def as_position(given: Position | Mapping[str, Any] | str | Path) -> Position:
    """Return a position from itself, its file or its data. Raises ConfigError, CardError."""
    if isinstance(given, str | Path):
        return Position.read(given)
    return given if isinstance(given, Position) else Position(given)


def as_player(given: AgentLike | Seat | None, decks: Sequence[Deck],
              at: int) -> Seat | None:
    """Return an agent as the player that sits at seat `at` with the deck of that number.

    Raises AgentError.
    """
    if given is None or isinstance(given, Seat):
        return given
    agent = as_agent(given)
    record = agent.on(decks)
    return Seat(agent.name, record if record.ndim == 1 else record[:, at, 1 - at])


def _records(given: Any) -> npt.NDArray[np.void]:
    if isinstance(given, np.ndarray):
        return given
    listed = each_agent(given)
    refuse_hosted(listed)
    return np.concatenate([as_agent(one).on(None) for one in listed]).astype(AGENT)


def _decks(given: Any) -> Deck | list[Deck]:
    """Return one deck, or one a game: a list of decks; a list of cards is no deck here."""
    if isinstance(given, str):
        return Deck(given)
    read = [Deck(one) for one in each_deck(given)]
    return read[0] if isinstance(given, Path | Deck) else read


def _refuse_players(players: Any) -> None:
    """Raise ConfigError for what are no two players."""
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise ConfigError(f"players is {players!r}, but must be two, an agent or None each")
