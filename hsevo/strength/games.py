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
from hsevo.play import recall
from hsevo.play.arguments import check_first, player_number
from hsevo.play.games import GameBatch
from hsevo.play.match import Setting, check_places
from hsevo.play.moves import Move
from hsevo.play.opening import Hands
from hsevo.play.outcomes import Outcome
from hsevo.play.position import Position
from hsevo.play.recall import InformationState, information_state
from hsevo.play.session import Seat, Session
from hsevo.replays import chances as estimates
from hsevo.replays import own
from hsevo.replays.chances import GAMES
from hsevo.replays.lethal import BUDGET, MOST_BUDGET, Lethal, LethalSearch
from hsevo.strength.agents import AgentLike, as_agent, each_agent, refuse_hosted


class Game(Session):
    """Play one game of any two players, move by move.

    `moves` are the legal moves. `play(move)` makes a move. `run()` lets the agents move until it is
    the turn of a player without an agent. `ask(agent)` returns the move that an agent would make.
    `view(player)` is the information of a player, and `events` is the history. `save()` and
    `load()` store a game.

    Parameters
    ----------
    deck_0, deck_1 : deck
        Decks of players 0 and 1: name, file, deck code, URL or `hsevo.Deck`.
    players : sequence of agent or None, default (None, None)
        An agent for each player. None: you move for this player.
    seed : int, default 1
        Seed of everything random. Two agents play the same game as in a match with this seed.
    ruleset : str, default "cig2018"
        Version of cards and rules.
    information : str, default "fair"
        Information of look-aheads: "fair", "closed" (agents guess deck lists), "closed:match",
        "closed:bigrams", "closed:uniform" or "leaky" (agents have perfect information).
    max_turns : int, default 89
        Player turns after which the game is a draw.
    all_places : bool, optional
        Whether `moves` contains every board position for a minion. False: only positions that
        agents consider. Default: every position for a player without an agent.
    first : {0, 1}, optional
        Player who begins. Default: by chance, from the seed.
    hands : sequence of two, optional
        Starting hands of players 0 and 1: names of cards of the deck, such as
        `["Fireball", "2x Frostbolt"]`, or None for a hand that is drawn. The game then begins at a
        position, with another seed. Needs open deck lists.
    fatigue : bool, default True
        Whether a player without cards to draw takes damage. False: the ruleset becomes an overlay
        with `Rules.fatigue=0`.

    Raises
    ------
    DeckError
        If a deck is unknown or invalid.
    AgentError
        If an agent is unknown, damaged or unable to play here.
    CardError
        If a ruleset or card is unknown or invalid.
    ConfigError
        If an argument has a wrong type or is out of range.

    Examples
    --------
    >>> game = hsevo.Game("mage", "warrior", players=["eva:2018", None], seed=3)
    >>> game.run()
    >>> game.player, [move.text for move in game.moves][:1]
    (1, ['end the turn'])
    >>> events = game.play(game.moves[0])
    >>> sorted(game.view(1))[:3]
    ['choices', 'max_turns', 'me']
    >>> hsevo.Game.load(game.save()).turn == game.turn
    True
    >>> fixed = hsevo.Game("mage", "warrior", hands=[["Fireball", "Frostbolt"], None], first=0)
    >>> [card["name"] for card in fixed.view(0)["me"]["hand"]][:2]
    ['Fireball', 'Frostbolt']
    """

    def __init__(self, deck_0: DeckLike, deck_1: DeckLike,
                 players: Sequence[AgentLike | Seat | None] = (None, None), seed: int = 1,
                 ruleset: str = "cig2018", information: str = "fair",
                 max_turns: int = 89, all_places: bool | None = None,
                 first: int | None = None, hands: Hands | None = None,
                 fatigue: bool = True) -> None:
        _refuse_players(players)
        decks = Deck(deck_0), Deck(deck_1)
        seats = [as_player(player, decks, at) for at, player in enumerate(players)]
        super().__init__(*decks, seats, seed, ruleset_of(ruleset), information, max_turns,
                         all_places, first, hands, fatigue)

    @classmethod
    def at(cls, position: Position | Mapping[str, Any] | str | Path,
           players: Sequence[AgentLike | Seat | None] = (None, None),
           all_places: bool | None = None) -> Self:
        """Return a game that begins at a position.

        Deck lists are open (information "fair").

        Parameters
        ----------
        position : Position or mapping or str or Path
            An `hsevo.Position`, its data or its file.
        players : sequence of agent or None, default (None, None)
            An agent for each player. None: you move for this player.
        all_places : bool, optional
            Whether `moves` contains every board position for a minion, as in `hsevo.Game`.

        Returns
        -------
        Self
            The game.

        Raises
        ------
        ConfigError
            If the position or an argument is invalid.
        CardError
            If a ruleset or card is unknown or invalid.
        AgentError
            If an agent is unknown, damaged or unable to play here.

        Examples
        --------
        >>> side = {"class": "mage", "deck_list": "mage", "unknown_in_hand": 3}
        >>> game = hsevo.Game.at({"me": side, "opponent": side}, ["eva:2018", "random"])
        >>> game.run()
        >>> game.over
        True
        """
        _refuse_players(players)
        start = as_position(position)
        seats = [as_player(player, start.decks, at) for at, player in enumerate(players)]
        return super().at(start, seats, all_places)

    def ask(self, agent: Any = None) -> Move:
        """Return the move that an agent would make, without changing the game.

        Afterwards `scores` has the agent's scores of the moves.

        Parameters
        ----------
        agent : agent, optional
            Agent in any form. Default: the agent of the player to move.

        Returns
        -------
        Move
            The move.

        Raises
        ------
        AgentError
            If an agent is unknown, damaged or unable to play here.
        GameError
            If the game is over, or no agent is given.
        """
        return super().ask(as_player(agent, self.setting.decks, self.player))

    def batch(self, n: int = 1) -> Games:
        """Return the game as many equal games, for batches of playouts.

        Parameters
        ----------
        n : int, default 1
            Number of games.

        Returns
        -------
        Games
            The games. They have equal random streams, so the same moves lead to the same games.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> games = game.batch(1000).worlds(player=0, seed=1)
        >>> games.play_out(seed=1)
        >>> wins = (games.returns()[:, 0] > 0).sum()
        """
        equal = super().batch(n)
        return Games._of(equal.states, equal.ruleset, equal.all_places)

    def worlds(self, player: int, n: int = 1, seed: int = 1) -> list[Self]:
        """Return games that one player cannot tell from this game: see `hsevo.GameState.worlds`.

        The player has known the same in them until now: `information_state` says so.

        Parameters
        ----------
        player : {0, 1}
            The player who does not know the hidden information.
        n : int, default 1
            Number of worlds.
        seed : int, default 1
            Seed of the samples.

        Returns
        -------
        list of Game
            The worlds. Their history begins here, and nobody has a seat in them.

        Raises
        ------
        GameError
            If the opponent is in the middle of a choice, whose options the player does not know.
        ConfigError
            If `n` or `seed` is out of range.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> worlds = game.worlds(player=0, n=8, seed=1)
        >>> world = worlds[0]
        >>> world.apply(world.legal_actions()[0])
        """
        worlds = super().worlds(player, n, seed)
        recall.go_on(worlds, self, player)
        return worlds

    def outcomes(self, action: int, most: int = 100) -> list[Outcome[Self]] | None:
        """Return the possible results of an action: see `hsevo.GameState.outcomes`.

        Both players have known the same in them until now: `information_state` says so.

        Parameters
        ----------
        action : int
            Index of a legal move.
        most : int, default 100
            Maximum number of results, before equal results are merged.

        Returns
        -------
        list of Outcome or None
            The results, each with `probability`, `game` and `text`. Unpack one as a pair of the
            probability and the game after the action. None: there are more results than `most`.

        Raises
        ------
        GameError
            If the move is not legal.
        ConfigError
            If `most` is out of range.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> outcome = game.outcomes(0)[0]
        >>> outcome.game.turn
        2
        """
        results = super().outcomes(action, most)
        if results is not None:
            recall.result_of(results, self, self._checked(action))
        return results

    def information_state(self, player: int) -> InformationState:
        """Return everything that a player has known in the game so far: perfect recall.

        Two games with equal keys look the same to the player now and looked the same before.

        Parameters
        ----------
        player : {0, 1}
            The player.

        Returns
        -------
        InformationState
            `key` (32 hex digits) and `events`, int16 (n, 9): all events so far as the player saw
            them, with the columns of `hsevo.play.recall.COLUMNS`.

        Notes
        -----
        The key depends on the player's view at each of its own decisions, its actions, and all
        events that it has seen. `hsevo.learning.observe(game.batch())` is the current observation.
        """
        return information_state(self, player_number(player))

    def replay(self, path: str | Path, *, chances: int = GAMES) -> Path:
        """Write the game so far as a page to step through, as `hsevo replay --html` does.

        Parameters
        ----------
        path : str or Path
            HTML file to write.
        chances : int, default 100
            Games played from each point of the curve of win probabilities, 0 to 10,000. 0: no
            curve. eva:2018 plays for a player without an agent.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        ConfigError
            If `chances` is out of range.
        RunError
            If the file cannot be written.

        Notes
        -----
        If one player has an agent and the game is not over, the page has no curve, and it hides the
        agent's hand, secrets and options.

        Examples
        --------
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
        """Return whether the player to move can win before its turn ends, and the winning moves.

        The search uses only information that the player has.

        Parameters
        ----------
        budget : int, optional
            Maximum number of simulated actions.

        Returns
        -------
        Lethal
            `answer` is "yes" (certain), "no", "chance" (`low` is the probability) or "unknown"
            (budget exceeded). `line` has the indices of the moves.

        Raises
        ------
        ConfigError
            If the budget is out of range.

        Examples
        --------
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
    """Play many games at once, in compiled code, for learners and experiments.

    Parameters
    ----------
    decks_0, decks_1 : deck or sequence of decks
        Decks of players 0 and 1: one for all games, or one for each game.
    seeds : array_like of int, shape (n,)
        Seed of everything random in each game, not negative.
    ruleset : str, default "cig2018"
        Version of cards and rules.
    max_turns : int, default 89
        Player turns after which a game is a draw.
    ordered : bool, default False
        Shuffle decks at the beginning. False: each draw is random.
    all_places : bool, default False
        Allow a minion at every board position. False: only where the position matters, otherwise at
        the right end.
    first : {0, 1}, optional
        Player who begins all games. Default: by chance, from the seed of each game.

    Raises
    ------
    DeckError
        If a deck is unknown or invalid.
    CardError
        If a ruleset or card is unknown or invalid.
    ValueError
        If arguments do not fit together.

    Examples
    --------
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
                 max_turns: int = 89, ordered: bool = False, all_places: bool = False,
                 first: int | None = None) -> None:
        ruleset = ruleset_of(ruleset)
        setting = Setting(ruleset, (), "leaky" if ordered else "fair", max_turns,
                          check_places(all_places), check_first(first))
        begun = GameBatch.under(setting, _decks(decks_0), _decks(decks_1), seeds)
        super().__init__(begun.states, ruleset, begun.all_places)

    @classmethod
    def new(cls, *arguments: Any, **named: Any) -> Self:
        """Begin games, as the constructor does.

        Parameters
        ----------
        *arguments
            Positional arguments of `hsevo.Games`.
        **named
            Keyword arguments of `hsevo.Games`.

        Returns
        -------
        Self
            The games.
        """
        return cls(*arguments, **named)

    def ask(self, agents: Any, seat: Any = None,
            information: str = "fair") -> npt.NDArray[np.int64]:
        """Let compiled agents move once in each running game: unlike `hsevo.Game.ask`, make it.

        Parameters
        ----------
        agents : agent or sequence of agents
            One agent for all games, two (one for each seat), or n (one for each game), in any form.
        seat : {0, 1} or array_like, optional
            Move only where it is the turn of this player. Default: in all games.
        information : str, default "fair"
            Information of look-aheads, as in `hsevo.Game`.

        Returns
        -------
        ndarray of int64, shape (n,)
            The moves. -1 where no move was made.

        Raises
        ------
        AgentError
            If an agent is unknown, damaged or unable to play here.
        ValueError
            If arguments do not fit together.
        GameError
            If a game reaches a limit of the engine.
        """
        return super().ask(_records(agents), seat, information)


def as_position(position: Position | Mapping[str, Any] | str | Path) -> Position:
    """Return a position from itself, its file or its data. Raises ConfigError, CardError."""
    if isinstance(position, str | Path):
        return Position.read(position)
    return position if isinstance(position, Position) else Position(position)


def as_player(player: AgentLike | Seat | None, decks: Sequence[Deck],
              at: int) -> Seat | None:
    """Return an agent as the player that sits at seat `at` with the deck of that number.

    Raises AgentError.
    """
    if player is None or isinstance(player, Seat):
        return player
    agent = as_agent(player)
    record = agent.on(decks)
    return Seat(agent.name, record if record.ndim == 1 else record[:, at, 1 - at])


def _records(agents: Any) -> npt.NDArray[np.void]:
    if isinstance(agents, np.ndarray):
        return agents
    listed = each_agent(agents)
    refuse_hosted(listed)
    return np.concatenate([as_agent(agent).on(None) for agent in listed]).astype(AGENT)


def _decks(decks: Any) -> Deck | list[Deck]:
    """Return one deck, or a list with a deck for each game; a list of cards is no deck here."""
    if isinstance(decks, str):
        return Deck(decks)
    read = [Deck(deck) for deck in each_deck(decks)]
    return read[0] if isinstance(decks, Path | Deck) else read


def _refuse_players(players: Any) -> None:
    """Raise ConfigError for anything but two players."""
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise ConfigError(f"players is {players!r}, but must be two items, each an agent or None")
