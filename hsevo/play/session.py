"""One game of any two players: moves as objects, views, events, asking agents, saving, loading.

    game = Session(mage, warrior, (Seat("eva:2018", agent), None), seed=3)
    game.run()                           seated agents move until another player is to move
    game.moves                           the legal moves, as objects with text
    game.play(game.moves[0])             make a move and return its events
    game.ask(agent), game.scores         the move an agent would make here, and its scores
    game.view(1), game.events_for(1)     what player 1 may know
    game.save("game.json"), Session.load("game.json")

Player 0 has deck_0, player 1 deck_1; the seed determines who begins and all that is random. Two
seated agents play the same game as `match.Table` plays for a pairing with that seed.

Agents draw random numbers from a stream that belongs to the game but that its rules never read;
each decision advances it. `ask` does not advance it, so asking changes nothing; when the answer is
played, the stream advances as it would in a match. An agent that keeps a search tree between its
decisions (MCTS) does so only in its seat, not across a save, and not against an end-to-end policy,
whose matches are played without. Hosted players (`players.py`) draw by the game's seed alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from hsevo import __version__
from hsevo.agents.shared.agent import RANDOM, agent
from hsevo.cards.decks import Deck
from hsevo.config.models import is_closed
from hsevo.config.overlays import without_fatigue
from hsevo.engine.jit import fingerprint
from hsevo.engine.view.show import Scene, scene
from hsevo.engine.view.snapshot import snapshot
from hsevo.errors import ConfigError, GameError, quoted
from hsevo.files import DAMAGE, read_json, write_whole
from hsevo.play import players as hosted
from hsevo.play import rules
from hsevo.play.arguments import check_fatigue, check_first, check_rules, one_agent, player_number
from hsevo.play.asking import AskedGame
from hsevo.play.asking import Seat as Seat
from hsevo.play.card_numbers import CardInGame, CardNumbers
from hsevo.play.effects import effect_of, run
from hsevo.play.events import Event, seen_by, used_up
from hsevo.play.hosting import Bots
from hsevo.play.match import Setting, check_places
from hsevo.play.moves import Move, MoveCosts, Piece, move_of
from hsevo.play.opening import Hands, begun_with
from hsevo.play.participants import MOST_BYTES, agent_data, agent_of, deck_data, deck_of
from hsevo.play.position import Position, saved_start
from hsevo.play.python_players import is_value
from hsevo.play.recorder import Recorder, events_at
from hsevo.play.specs import short_names
from hsevo.play.view import phase, text_for, view
from hsevo.types import Array

FORMAT, VERSION = "hsevo game", 1


_OF_NOW = ("moves", "_now", "_costs", "_legal_actions")  # cached values of the current position
_NOBODY = np.concatenate([agent(RANDOM)] * 2)  # both seats wait for a person


class Session(AskedGame):
    """Play a game move by move, without names, files or pages.

    `hsevo.Game` (strength/games.py) adds these.

    Parameters
    ----------
    deck_0, deck_1 : Deck
        Decks of players 0 and 1.
    players : sequence of Seat or None, default (None, None)
        Players. None: no agent. An end-to-end policy that builds its deck builds one of the same
        class.
    seed : int, default 1
        Seed, 0 to 2**64 - 1.
    ruleset : str, default "cig2018"
        Version of cards and rules.
    information : str, default "fair"
        Information of look-aheads, one of config.INFORMATION. With "leaky", decks are shuffled at
        the beginning.
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
    CardError
        If the ruleset or a card is unknown.
    ConfigError
        If another argument is invalid.
    DeckError
        If a deck database is invalid.
    """

    _LISTS = "game.moves"
    _numbers_now: CardNumbers | None = None  # of the told game, once they were asked for
    # Of a world: the game that it goes on from, and the player who can't tell them apart (recall).
    _origin: tuple[Session, int] | None = None

    def __init__(self, deck_0: Deck, deck_1: Deck,
                 players: Sequence[Seat | None] = (None, None), seed: int = 1,
                 ruleset: str = "cig2018", information: str = "fair",
                 max_turns: int = 89, all_places: bool | None = None,
                 first: int | None = None, hands: Hands | None = None,
                 fatigue: bool = True) -> None:
        ruleset = ruleset if check_fatigue(fatigue) else without_fatigue(ruleset)
        check_rules(ruleset, (deck_0, deck_1), seed, information, max_turns, players)
        agents = [one_agent(player.agent) if player and player.agent is not None else None
                  for player in players]
        decks = hosted.built((deck_0, deck_1), agents, ruleset, int(seed))
        setting = Setting(ruleset, decks, information, int(max_turns), check_places(all_places),
                          check_first(first))
        start = None if hands is None else begun_with(hands, setting, int(seed))
        self._begin(players, setting, int(start.state[0]["rng"] if start else seed), start)

    @classmethod
    def at(cls, position: Position, players: Sequence[Seat | None] = (None, None),
           all_places: bool | None = None) -> Self:
        """Return a game that begins at a position.

        Look-aheads of agents are fair, even if the position comes from a game with closed deck
        lists.

        Parameters
        ----------
        position : Position
            The position.
        players : sequence of Seat or None, default (None, None)
            Players.
        all_places : bool, optional
            Whether `moves` contains every board position for a minion.

        Returns
        -------
        Self
            The game.

        Raises
        ------
        AgentError
            If an agent is unknown, damaged or unable to play here.
        ConfigError
            If `players` does not have two entries.
        """
        if len(players) != 2:
            raise ConfigError(f"players has {len(players)} entries, but must have 2")
        game, state = object.__new__(cls), position.state[0]
        setting = Setting(position.ruleset, position.decks, "fair", int(state["max_turns"]),
                          check_places(all_places))
        game._begin(players, setting, int(state["rng"]), position)
        return game

    def _begin(self, players: Sequence[Seat | None], setting: Setting, seed: int,
               start: Position | None = None) -> None:
        """Begin the game, at a position if one is given. Raises AgentError, ConfigError, GameError.
        """
        seats = [player or Seat(f"player {i}") for i, player in enumerate(players)]
        self.players: tuple[Seat, Seat] = (seats[0], seats[1])
        self.seed, self.setting = seed, setting
        self._start, self._is_sampled = start, False
        placeholder = agent(RANDOM)
        agents = [placeholder if seat.agent is None else one_agent(seat.agent) for seat in seats]
        self._seated = hosted.compiled(np.concatenate(agents))
        self._bots = Bots((hosted.among(agents[0]), hosted.among(agents[1])), setting, seed)
        table = self._table
        if start is not None:
            table.game = start.state[0]
        rules.note(table.game)
        if start is None:
            self._events = Recorder(table).opening()
        else:
            self._events = events_at(start.state[0], setting.ruleset)
        self._state = self._told = self._first = table.states()
        self._played: list[int] = []
        self._ends = [len(self._events)]  # how many events there were before each move
        self._history: list[Move] = []
        self._scores, self._answer = {}, None

    # -- state ----------------------------------------------------------------------------------

    # `_state`, STATE (1,), is the game as it is now; it is never changed, but replaced. `_told` is
    # the state up to which `_events`, `_history` and `_bots` tell of it: `apply` makes moves
    # without telling, which takes ten times as long, and `_tell` makes up for that when somebody
    # asks.

    @property
    def phase(self) -> str:
        """Type of the decision: "mulligan", "choice", "play" or "over"."""
        return phase(self._now)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Legal moves, in the order in which agents consider them. Empty after the end."""
        return tuple(map(self._move, self._legal_actions))

    @property
    def ruleset(self) -> str:
        """Version of cards and rules."""
        return self.setting.ruleset

    @property
    def _decks(self) -> tuple[Deck, ...]:
        """Deck lists of players 0 and 1, as at the beginning."""
        return self.setting.decks

    @property
    def information(self) -> str:
        """Information of look-aheads."""
        return self.setting.information

    @property
    def _offers_all_places(self) -> bool:
        """Whether the player to move is offered every place for a minion."""
        chosen = self.setting.all_places
        return self.players[self.player].agent is None if chosen is None else chosen

    def considers(self) -> frozenset[int]:
        """Return the moves that agents consider, without irrelevant board positions of minions.

        Returns
        -------
        frozenset of int
            Indices of the moves.
        """
        return frozenset(rules.legal_actions(self._state, self.setting.ruleset))

    @cached_property
    def _costs(self) -> tuple[MoveCosts, MoveCosts]:
        return rules.costs(self._state, self.setting.ruleset)

    def _move(self, index: int) -> Move:
        """Return a legal move as an object."""
        return move_of(self._now, self.setting.ruleset, index, self._costs)

    @property
    def history(self) -> tuple[Move, ...]:
        """Moves made so far."""
        self._tell()
        return tuple(self._history)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far, including hidden events."""
        self._tell()
        return tuple(self._events)

    def past(self) -> Iterator[tuple[Array, int, tuple[Event, ...]]]:
        """Yield the state before each move so far, the move, and its events.

        Yields
        ------
        tuple of (ndarray of STATE (1,), int, tuple of Event)
            State, index of the move, and events. The events before the first move are left out.
        """
        state, events = self._first, self.events
        for at, action in enumerate(self._played):
            yield state, action, events[self._ends[at]:self._ends[at + 1]]
            following = rules.after(state, self.setting.ruleset, action, all_places=True)
            assert following is not None, "a move that was made is legal"
            state = following

    def events_for(self, player: int) -> tuple[Event, ...]:
        """Return all events so far as one player saw them.

        Parameters
        ----------
        player : {0, 1}
            The player.

        Returns
        -------
        tuple of Event
            The events.
        """
        return tuple(seen_by(event, player_number(player)) for event in self.events)

    def view(self, player: int) -> dict[str, Any]:
        """Return the information of a player as plain data (see play.view).

        "graveyard" lists the cards that were used up in sight of both players, in order. "number"
        is the number of a card, as in `cards`.

        Parameters
        ----------
        player : {0, 1}
            The player.

        Returns
        -------
        dict
            The data.
        """
        player = player_number(player)
        seen = view(self._state[0], player, self.setting.ruleset, self._costs,
                    rules.legal_actions(self._state, self.setting.ruleset))
        numbers = self._numbers
        for name, owner in (("me", player), ("opponent", 1 - player)):
            seen[name]["graveyard"] = self._graveyard(owner)
            numbers.show(seen[name], owner)
        return seen

    def _graveyard(self, player: int) -> list[dict[str, str]]:
        """Return the cards of a player that were used up in sight of both, also before a world."""
        earlier = [] if self._origin is None else self._origin[0]._graveyard(player)
        return [*earlier, *used_up(self.events, player, self.setting.ruleset)]

    @property
    def cards(self) -> tuple[CardInGame, ...]:
        """All cards of the game in decks, hands and play, including what is hidden.

        Each has a `number`, which it keeps while it moves between deck, hand and board, also if it
        is transformed or changes sides. A card that is shuffled into a deck gets a new number,
        except in the mulligan. Numbers are random, so they tell nothing about hidden cards. In a
        world, the cards that its player has seen have the numbers of the game. Games that begin at
        a position or a result of `outcomes` have new numbers.

        Examples
        --------
        >>> game = hsevo.Game("mage", "warrior", seed=3)
        >>> held = game.view(0)["me"]["hand"][0]
        >>> [card.zone for card in game.cards if card.number == held["number"]]
        ['hand']
        """
        return tuple(self._numbers.cards(self._now, bool(self._state["ordered"][0]),
                                         self.setting.ruleset))

    @property
    def _numbers(self) -> CardNumbers:
        """The numbers of the cards now, which follow the moves from the first question on."""
        self._tell()
        if self._numbers_now is None:
            first = snapshot(self._first[0])
            if self._origin is None:
                numbers = CardNumbers(first, self.seed)
            else:
                game, player = self._origin
                numbers = CardNumbers.of_world(game._numbers, game._now, first, player, self.seed)
            for state, action, _ in self.past():
                self._table.game = state[0]
                Recorder(self._table, numbers).move(action)
            self._numbers_now = numbers
        return self._numbers_now

    def text(self, player: int) -> str:
        """Return the information of a player as text, as `hsevo.View.text` has it.

        Parameters
        ----------
        player : {0, 1}
            The player.

        Returns
        -------
        str
            Lines of at most 80 columns.
        """
        self._tell()
        number = player_number(player)
        return text_for(self._bots.decision(self.states(), number), number)

    def scene(self) -> Scene:
        """Return the board and both hands, with current costs.

        Returns
        -------
        Scene
            The board.
        """
        now, costs = scene(self._now, self.setting.ruleset), self._costs
        first, second = (
            replace(side, power_cost=paid.power, hand=tuple(
                replace(card, cost=cost)
                for card, cost in zip(side.hand, paid.hand, strict=True)))
            for side, paid in zip(now.sides, costs, strict=True))
        return replace(now, sides=(first, second))

    @property
    def _names(self) -> tuple[str, str]:
        """The players' names, short."""
        short = short_names(seat.name for seat in self.players)
        return short[self.players[0].name], short[self.players[1].name]

    def __str__(self) -> str:
        names = " against ".join(f"{name} ({deck.name})" for name, deck in zip(
            self._names, self.setting.decks, strict=True))
        how = f"turn {self.turn}, player {self.player} to move"
        return f"{names}, seed {self.seed}: {self.scene().outcome or how}"

    # -- playing --------------------------------------------------------------------------------

    def play(self, move: Move | int) -> tuple[Event, ...]:
        """Make a legal move.

        Parameters
        ----------
        move : Move or int
            The move, or its index.

        Returns
        -------
        tuple of Event
            Events of the move.

        Raises
        ------
        GameError
            If the move is not legal. The game is then unchanged.
        """
        legal_move = self._legal(move)
        self._tell()
        stream = self._taken(legal_move.index)
        happened = self._record(legal_move)
        self._played.append(legal_move.index)
        self._told["lookahead_rng"] = stream
        self._state = self._told
        self._end_move()
        return tuple(happened)

    def apply(self, action: Move | int) -> None:
        """Make a legal move, as `play` does, but ten times as fast: it returns no events.

        `events` and `history` contain the move nevertheless. They are computed when you read them.

        Parameters
        ----------
        action : Move or int
            The move, or its index, one of `legal_actions`.

        Raises
        ------
        GameError
            If the move is not legal. The game is then unchanged.
        """
        number = self._checked(action)
        stream = self._taken(number)
        state = rules.after(self._state, self.setting.ruleset, number, self._offers_all_places)
        if state is None:
            self._refuse(number)
        self._played.append(number)
        self._state = state
        self._state["lookahead_rng"] = stream
        self._end_move()

    def apply_effect(self, effect: str, target: int | str | Piece | None = None, *,
                     player: int | None = None, **arguments: Any) -> tuple[Event, ...]:
        """Change the game by an effect, such as "destroy", to set up a situation.

        The engine runs the effect like a text of a card: triggers answer it and deaths follow. No
        card is played, nothing is paid, and Spell Damage does not count. The effect is no move:
        `history`, `before` and `start` begin after it. `save` stores the game from there on, unless
        the game is over or deck lists are closed.

        Parameters
        ----------
        effect : str
            A word of the card files: damage, heal, buff, set_attack, set_health, give, remove,
            destroy, silence, freeze, transform, steal, return_to_hand, summon, draw, discard, add,
            shuffle, armor, equip, crystals and others. An unknown word raises an error that lists
            all.
        target : int or str or Piece, optional
            The character: its `uid`, its name, or a `Piece` of a move. Or a group: "all minions",
            "my minions", "enemy minions", "my hero", "enemy hero", "my characters", "enemies" or
            "all characters".
        player : {0, 1}, optional
            The player whose text it is: "my" in groups, and the player who draws or summons.
            Default: the player to move.
        **arguments
            What the effect takes: `n`, `attack`, `health`, `durability`, `card` or `keywords`.

        Returns
        -------
        tuple of Event
            What happened.

        Raises
        ------
        ConfigError
            If the effect or an argument is unknown, missing or out of range.
        CardError
            If a card is unknown or of a wrong type.
        GameError
            If the game is over, a mulligan or choice is open, or no such character is in play.

        Examples
        --------
        >>> side = {"class": "mage", "board": ["Loot Hoarder"], "deck": ["Wisp", "Wisp"]}
        >>> game = hsevo.Game.at({"me": side, "opponent": side})
        >>> events = game.apply_effect("destroy", "enemy minions")
        >>> len(game.view(1)["me"]["hand"])
        1
        >>> events = game.apply_effect("summon", card="Chillwind Yeti", n=2)
        >>> events = game.apply_effect("give", "my minions", keywords=["taunt"])
        """
        seat = self.player if player is None else player_number(player)
        planned = effect_of(effect, target, seat, self._now, self.ruleset, arguments)
        numbers = self._numbers.copy()
        state, happened = run(planned, self._table, self._told, numbers)
        self._numbers_now = numbers
        # A position does not tell which cards of closed deck lists were shown.
        self._is_sampled = bool(state["result"][0]) or is_closed(self.information)
        self._start = None if self._is_sampled else Position.of(state, self.ruleset,
                                                                self.setting.decks)
        self._state = self._told = self._first = (
            state if self._start is None else rules.copied(self._start.state))
        self.seed, self._played, self._history = int(state["rng"][0]), [], []
        self._events += happened
        self._ends = [len(self._events)]
        self.__dict__.pop("_known", None)  # what recall remembers
        self._clear_cache()
        return tuple(happened)

    def _end_move(self) -> None:
        """Forget what was known of the position before; refuse a game that the engine stopped."""
        self._clear_cache()
        if self._state["fault"][0]:
            raise GameError(f"the game with seed {self.seed} reached a limit of the engine at move"
                            f" {len(self._played)}; this is a bug in hsevo, please report it")

    def _record(self, move: Move) -> list[Event]:
        """Make a legal move in the state up to which the game is told, and tell of it."""
        self._bots.note_move(self._told[0], move.index)
        self._table.game = self._told[0]
        happened = Recorder(self._table, self._numbers_now).move(move.index)
        self._told = self._table.states()
        self._history.append(move)
        self._events += happened
        self._ends.append(len(self._events))
        return happened

    def _tell(self) -> None:
        """Tell of the moves that `apply` has made."""
        for action in self._played[len(self._history):]:
            now, ruleset = snapshot(self._told[0]), self.setting.ruleset
            self._record(move_of(now, ruleset, action, rules.costs(self._told, ruleset)))
        self._told = self._state

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: no scratch of 500 KB, unless a search tree is in it."""
        attributes = {name: value for name, value in super().__getstate__().items()
                      if name not in _OF_NOW}
        if "_table" in attributes and not self._table.has_tree:
            del attributes["_table"]
        return attributes

    def copy(self) -> Self:
        """Return an independent copy. The same moves lead to the same game in both.

        Returns
        -------
        Self
            The copy.
        """
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        table = copy.__dict__.pop("_table", None)
        if table is not None and table.has_tree:
            copy._table = table.copy()
        copy._bots, copy._played = self._bots.copy(), [*self._played]
        copy._events, copy._history = [*self._events], [*self._history]
        copy._ends = [*self._ends]
        if self._numbers_now is not None:
            copy._numbers_now = self._numbers_now.copy()
        return copy

    def _from(self, state: Array) -> Self:
        """Return a game that begins at a state, STATE (1,), with nobody in the seats."""
        game = object.__new__(type(self))
        game._continue(self, state)
        return game

    def _continue(self, game: Session, state: Array) -> None:
        """Begin at a state, STATE (1,), of a game, by its rules, with nobody in the seats."""
        self.players = (Seat("player 0"), Seat("player 1"))
        self.seed, self.setting = int(state["rng"][0]), game.setting  # of what is still to come
        self._seated = _NOBODY
        self._start, self._is_sampled = None, True
        self._state = self._told = self._first = state
        self._bots = Bots((False, False), self.setting, self.seed)
        self._events = events_at(state[0], self.setting.ruleset)
        self._played, self._history, self._ends = [], [], [1]
        self._scores, self._answer = {}, None

    @property
    def start(self) -> Position | None:
        """The position at which the game began. None: with both hands drawn."""
        if self._start is None and self._is_sampled:
            self._start = Position.of(rules.copied(self._first).view(np.recarray),
                                      self.setting.ruleset, self.setting.decks)
        return self._start

    def beginning(self) -> Session:
        """Return the same game before its first move, with the same players.

        Returns
        -------
        Session
            The game.
        """
        session = object.__new__(Session)
        session._begin(self.players, self.setting, self.seed, self.start)
        return session

    def before(self, step: int) -> Session:
        """Return the game before one of its moves.

        Parameters
        ----------
        step : int
            Number of the move, from 0.

        Returns
        -------
        Session
            The game.

        Raises
        ------
        GameError
            If there is no such move.
        """
        if not 0 <= step <= len(self._played):
            raise GameError(f"there is no decision {step}: the game has {len(self._played)},"
                            " numbered from 0")
        session = self.beginning()
        for action in self._played[:step]:
            session.apply(action)
        return session

    def _from_here(self) -> Session:
        """Return a world or an outcome as a game that begins at its current position."""
        if is_closed(self.information):
            raise GameError("a world or an outcome of a game with closed deck lists can't be saved,"
                            " because a file does not hold what the players have shown; save the"
                            " game that it comes from, or use pickle")
        game = object.__new__(type(self))
        game._begin(self.players, self.setting, int(self._state["rng"][0]), self.position())
        return game

    # -- saving ---------------------------------------------------------------------------------

    def save(self, path: str | Path | None = None) -> dict[str, Any]:
        """Return the game as data for json.dumps, and optionally write it to a file.

        Parameters
        ----------
        path : str or Path, optional
            File to write.

        Returns
        -------
        dict
            The data.

        Raises
        ------
        RunError
            If the file cannot be written.
        GameError
            If the game is a world or an outcome that a file can't hold: in a mulligan or a choice,
            after the end, or with closed deck lists.

        Notes
        -----
        A world or an outcome is saved as it is now, without the moves that were made in it. The
        data contain a Python player only if it is a function or class of a file. Otherwise its
        seat is empty after `load`.
        """
        if self._is_sampled:
            return self._from_here().save(path)
        data = {
            "format": FORMAT, "version": VERSION, "hsevo": __version__, "engine": fingerprint(),
            "ruleset": self.setting.ruleset, "information": self.setting.information,
            "max_turns": self.setting.max_turns, "seed": self.seed,
            "first": None if self.setting.first < 0 else self.setting.first,
            "decks": [deck_data(deck) for deck in self.setting.decks],
            "players": [{"name": seat.name, "agent": agent}
                        for seat, agent in zip(self.players, self._saved_agents, strict=True)],
            "all_places": self.setting.all_places, "moves": [*self._played],
            "lookahead_rng": int(self._state["lookahead_rng"][0]), "digest": self._digest()}
        if self.start is not None:
            data["position"] = Position.of(self.start.state, self.setting.ruleset,
                                           self.setting.decks).data  # names no file
        if path is not None:
            write_whole(Path(path), (json.dumps(data, indent=1) + "\n").encode())
        return data

    @classmethod
    def load(cls, source: dict[str, Any] | str | Path) -> Self:
        """Load a saved game by replaying its moves.

        Parameters
        ----------
        source : dict or str or Path
            Data or file of the game.

        Returns
        -------
        Self
            The game.

        Raises
        ------
        GameError
            If the source is not a saved game, or replaying leads to another position (for example
            with another engine).
        CardError
            If a card is unknown.
        """
        data = source if isinstance(source, dict) else read_json(
            Path(source), MOST_BYTES, GameError)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise GameError("this is not a saved game of hsevo")
        if data.get("version") != VERSION:
            raise GameError(f"the saved game has version {quoted(data.get('version'))}, but this"
                            f" hsevo reads version {VERSION}")
        try:
            return cls._replay(data)
        except DAMAGE as error:
            raise GameError(f"the saved game is damaged ({type(error).__name__}: {error})"
                            ) from None

    @classmethod
    def _replay(cls, data: dict[str, Any]) -> Self:
        decks = [deck_of(deck) for deck in data["decks"]]
        seats = [Seat(str(player["name"]), player["agent"] and agent_of(player["agent"]))
                 for player in data["players"]]
        rules_of = data["ruleset"], data["information"], data["max_turns"]
        check_rules(rules_of[0], (decks[0], decks[1]), data["seed"], *rules_of[1:], seats)
        places = check_places(data.get("all_places"))  # hsevo 0.5.0 did not store it
        game = object.__new__(cls)
        start = saved_start(data, (decks[0], decks[1])) if "position" in data else None
        setting = Setting(rules_of[0], (decks[0], decks[1]), *rules_of[1:], places,
                          check_first(data.get("first")))
        game._begin(seats, setting, data["seed"], start)
        engine_note = "" if data["engine"] == fingerprint() else (
            f"; it was played by the engine {data['engine']}, and this is {fingerprint()}")
        for number, move in enumerate(data["moves"], start=1):
            if move not in game._legal_actions:
                raise GameError(f"move {number} of the saved game, {quoted(move)}, is not legal"
                                f"{engine_note}")
            game.apply(move)
        if game._digest() != data["digest"]:
            raise GameError(f"replaying the saved game gives a different position{engine_note}")
        game._state = rules.copied(game._state)
        game._state["lookahead_rng"] = data["lookahead_rng"]
        return game

    # -- helpers --------------------------------------------------------------------------------

    @cached_property
    def _saved_agents(self) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """Return both agents as data, made once: a network is 300 KB of text."""
        return _saved(self.players[0]), _saved(self.players[1])

    def _legal(self, move: Move | int) -> Move:
        index = move.index if isinstance(move, Move) else self._checked(move)
        legal_move = self._move(index) if index in self._legal_actions else None
        if legal_move is None or (isinstance(move, Move) and legal_move != move):
            self._refuse(quoted(move) if isinstance(move, Move) else move)
        return legal_move

    def _clear_cache(self) -> None:
        """Drop the cached values of the previous position."""
        self._answer, self._scores = None, {}
        for name in _OF_NOW:
            self.__dict__.pop(name, None)

    def _digest(self) -> str:
        """Return 16 hex digits of the position."""
        return hashlib.sha256(repr(snapshot(self._state[0])).encode()).hexdigest()[:16]


def _saved(seat: Seat) -> dict[str, Any] | None:
    """Return a seat's agent as data; None for one that ends with this process."""
    record = seat.agent if seat.agent is None else one_agent(seat.agent)
    return None if record is None or is_value(record) else agent_data(record[0])
