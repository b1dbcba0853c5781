"""The sections and keys of a learning config: what a player learns from, and for how long.

    configs/learning/NAME.yaml + --set key=value --config.load(, model=Plan)--> Plan
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from hsevo.config.mistakes import memory_problem
from hsevo.config.models import (
    Count,
    Listed,
    Name,
    Rate,
    Ruleset,
    RunName,
    Section,
    Seed,
    Share,
    Text,
    Turns,
    Workers,
)
from hsevo.config.named import agent_beside, beside, yaml_beside
from hsevo.errors import names_or_count

Positive = Annotated[float, Field(gt=0, le=10)]
Weight = Annotated[float, Field(ge=0, le=1000)]
Width = Annotated[int, Field(ge=1, le=10_000)]
SCRATCH, END_TO_END = "scratch", "end-to-end"
GAME_BYTES = 60_000  # of what a game leaves to learn from: 27,000 measured, copied once
OPTION_BYTES = 700_000  # the same with all options: 343,000 measured of a policy that knows nothing
TURN = "turn"
TD, PPO, MMD = "td", "ppo", "mmd"
EXPECTED_SARSA = "expected-sarsa"
LEVELS = 15  # as in agents/shared/scratch.py, which is above this package


class OsfpSettings(Section):
    """Optimistic smooth fictitious play, with the learner's opponents and its opponent pool.

    The hyperparameters are from Table IV of Xiao et al. (2023). The other keys are choices that
    their text leaves open.
    """

    self_play: Rate = 0.6
    """p, the share of games against the current version of the learner. 1 is plain self-play."""
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.55
    """xi. The learner joins the opponent pool if its score against each member is higher."""
    patience: Annotated[int, Field(ge=0, le=1000)] = 6
    """c. The learner also joins after more than c periods without joining."""
    difficulty: Literal["hard", "variance", "even"] = "hard"
    """f, the sampling weight of a pool member by the learner's win rate w against it. hard is (1 -
    w)^power, variance is (w (1 - w))^power, and even gives all members the same weight."""
    power: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """Exponent of f (difficulty). With a higher value, hard members are drawn more often."""
    score: Literal["mean", "rate"] = "rate"
    """Score to compare with xi. mean is the mean of +1 and -1, as in the paper. rate is the win
    rate."""
    outcome: Literal["learner", "opponent"] = "learner"
    """Player whose win counts as +1 in the score: the learner or its opponent."""
    samples: Annotated[int, Field(ge=0, le=10**15)] = 0
    """Minimum number of decisions to learn from before the learner may join the opponent pool and
    the counts are reset, at the end of a period. 0 allows it after each period. The paper uses
    320000000."""


class LearnerSettings(Section):
    """How the network learns from the games of a training iteration, with Adam."""

    method: Literal["td", "ppo", "mmd"] = "td"
    """td learns action values by TD(lambda), with a softmax of them as the policy. ppo learns the
    policy by proximal policy optimisation. mmd uses magnetic mirror descent, with the uniform
    policy as its magnet. ppo and mmd learn values with a second network."""
    targets: Literal["td", "expected-sarsa"] = "td"
    """With method: td, the target of a position from the player's next decision. td uses the value
    of the chosen position. expected-sarsa uses the mean over all options by their probabilities
    (Expected SARSA(lambda)), which takes a pass over all options."""
    clip: Annotated[float, Field(gt=0, le=1)] = 0.2
    """With method: ppo, the clipping range of the probability ratio around 1."""
    entropy: Annotated[float, Field(ge=0, le=10)] = 0.01
    """With method: ppo, the weight of the policy's entropy. With method: mmd, alpha, the strength
    of the magnet. Advantages are scaled to a standard deviation of 1."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With method: mmd, eta. A larger value allows larger policy changes per training iteration."""
    temperature: Positive = 0.1
    """Temperature of the policy's softmax during learning. A lower value explores less."""
    trace: Rate = 0.8
    """lambda. 1 learns only from the outcome, and 0 only from the next position's value."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """gamma, the discount per action of the player. With 1, the time of a win does not matter."""
    expert: Literal["none", "turn"] = "none"
    """turn is expert iteration. Actors search their turn with the network, as in
    rl:RUN?search=turn, and the network learns the values of the search. none turns the search
    off."""
    depth: Annotated[int, Field(ge=1, le=LEVELS)] = 3
    """Search depth of the expert, in actions of the player."""
    nodes: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    """Approximate number of simulated actions per decision of the expert."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Adam's learning rate in the first training iteration."""
    last_rate: Annotated[float, Field(gt=0, le=1)] = 0.0001
    """Approximate learning rate at the end. The rate falls linearly with each training
    iteration."""
    batch: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    """Batch size of Adam, in positions."""
    epochs: Annotated[int, Field(ge=1, le=100)] = 1
    """Passes over the positions of a training iteration."""
    cards: Literal["number", "text", "both"] = "number"
    """Representation of a card. number gives each card its own weights. text uses the card's data
    (cost, stats, keywords, words of its texts), which generalises to unseen cards. both adds
    them."""
    card_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """With cards: both, the share of cards whose own weights are left out of a step of Adam."""

    @property
    def needs_options(self) -> bool:
        """Whether it learns from all options of a decision, not only from the chosen option."""
        return self.method != TD or self.targets == EXPECTED_SARSA


class NetworkSettings(Section):
    """The network of an end-to-end policy, its training and its observation."""

    embedding: Width = 24
    """Dimension of a card's embedding."""
    width: Width = 32
    """Dimension of the vector of a board position, and hidden units of the heads."""
    lstm: Width = 96
    """Units of the LSTM, the memory of a game. Xiao et al. use 256."""
    history: bool = False
    """Also observe the cards that both players have played, and the opponent's last turn."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Adam's learning rate in the first training iteration. Xiao et al. use 0.00007."""
    last_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Approximate learning rate at the end. The rate falls linearly with each training iteration.
    If null, it is constant."""
    updates: Annotated[int, Field(ge=1, le=100_000)] = 4
    """Updates in each pass over the games of a training iteration."""
    reuse: Annotated[int, Field(ge=1, le=100)] = 2
    """Passes over the games of a training iteration."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """gamma. With a value below 1, a later win is worth less."""
    clip: Annotated[tuple[float, float], Listed] = (0.001, 1.007)
    """Bounds of V-trace's importance ratios rho. [0, 1] leaves out section IV-F of the paper."""
    trace_clip: Annotated[tuple[float, float] | None, Listed] = None
    """Bounds of V-trace's ratios c. If null, the bounds of clip."""
    gradient: Literal["ppo", "vtrace", "mmd"] = "ppo"
    """ppo is equation (7) of the paper. vtrace is equation (4), without section IV-F. mmd is
    magnetic mirror descent, with the uniform policy as its magnet and `entropy` as its strength."""
    upgo_gradient: Literal["ppo", "vtrace", "mmd"] = "vtrace"
    """Gradient of UPGO, which the paper does not define. vtrace weights it by the bounded ratio, as
    in Vinyals et al. ppo and mmd use the same form as `gradient`."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With gradient: mmd, eta. A larger value allows larger policy changes per update."""
    epsilon: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """PPO's clipping range of the ratio around 1."""
    policy: Weight = 1.0
    """Weight of the policy gradient."""
    upgo: Weight = 1.0
    """Weight of UPGO's policy gradient (Vinyals et al., 2019)."""
    value: Weight = 1.0
    """Weight of the value loss."""
    entropy: Rate = 0.01
    """Weight of the policy's entropy, which supports exploration."""
    kickstart: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """With start, the weight of the cross-entropy to the teacher's moves in the first training
    iteration. It falls linearly to 0 after start_periods."""
    kickstart_decks: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """With start and build, the weight of the cross-entropy to known human lists of the same
    classes. It falls like kickstart. With 0, deck building is learned from scratch."""
    norm: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Maximum gradient norm. Longer gradients are clipped."""
    isolate: bool = False
    """Hero isolation, with a network for each class."""
    build: bool = False
    """Deck building. The network builds decks of the classes in `decks`, and then plays them."""
    pick_hero: bool = False
    """PH. The network picks its class from the classes in `decks` before each training game (Xiao
    et al., section IV-B). In matches the class is given."""
    hero_entropy: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """With pick_hero, a factor of the entropy of the class choice in the loss, in addition to
    `entropy`."""
    random_cards: bool = True
    """random-CB. With build, the first 0, 1, 2 or 4 cards of a deck are random in training."""
    opponent_deck: Literal["hidden", "known", "peek"] = "hidden"
    """known shows the network the opponent's deck list, which is perfect information. peek shows
    the first n cards that the opponent chose, also while both build, with n drawn from 0 to 30
    for each game. The learner's opponents never see more than the learner. This follows section
    IV-H of Xiao et al., except that in self-play both sides are used for training."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Device of the updates. Workers play the games on CPUs."""
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Processes that update together (torch's DDP). With cuda, each process uses a different
    GPU."""
    actors: Literal["rounds", "queue", "ring"] = "rounds"
    """rounds alternates games and learning. The other modes play and learn at the same time, with
    the newest network (Xiao et al., section IV-E), and their runs are not reproducible. With
    queue, each training iteration waits in a queue, its games are used as often as with rounds,
    and playing waits while the queue is full. With ring, each update draws uniformly from the
    last training iterations, and playing never waits."""
    ahead: Annotated[int, Field(ge=1, le=100)] = 1
    """Training iterations that the queue or ring holds. With a larger value, the games are
    older."""

    @field_validator("clip", "trace_clip")
    @classmethod
    def _ordered(cls, clip: tuple[float, float] | None) -> tuple[float, float] | None:
        if clip is not None and not 0 <= clip[0] <= clip[1] <= 1000:
            raise ValueError("must be a lower and a higher bound, from 0 to 1000")
        return clip

    @model_validator(mode="after")
    def _one_hero(self) -> Self:
        if self.pick_hero and self.isolate:
            raise ValueError("pick_hero picks one network's hero, and isolate has a network for"
                             " each class; set only one of them")
        return self

    @property
    def trace_bounds(self) -> tuple[float, float]:
        """Bounds c of the ratios of V-trace's trace."""
        return self.trace_clip or self.clip


class LearningReferences(Section):
    """Agents to measure the learner against. You do not train on these games."""

    against: Annotated[tuple[Name, ...], Listed] = ("random", "eva:2018")
    """Specs of the reference opponents (hsevo agents)."""
    every: Count = 1
    """Interval in periods between two measurements. The last period is always measured."""
    games: Count = 360
    """Minimum number of games against each agent, half of them from either seat with the same
    shuffles."""


class _Shared(Section):
    """A group of decks with settings. A plain number only sets its share."""

    share: Share = 0.0
    """Relative frequency of the group."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, entry: Any) -> Any:
        return {"share": entry} if isinstance(entry, int | float) else entry


class Changed(_Shared):
    """Human lists with some cards replaced."""

    cards: Annotated[int, Field(ge=1, le=30)] = 5
    """Number of the 30 cards that are replaced by random cards of the class and neutral cards."""


class Files(_Shared):
    """Decks from files or by name, all with the same frequency."""

    decks: Annotated[tuple[Text, ...], Listed, Field(max_length=10_000)] = ()
    """Names, files, codes or URLs."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.share and not self.decks:
            raise ValueError(f"no deck can be drawn from it; set some, for example {{share:"
                             f" {self.share:g}, decks: [mage, mine.txt]}}")
        return self


class DeckShares(Section):
    """Decks drawn for each game by shares. A class is drawn first, all with the same frequency."""

    human: Share = 0.0
    """Human lists from the known groups of similar lists. The held-out groups are only used for
    measurements."""
    changed: Changed = Changed()
    """Human lists with some cards replaced: a share, or {share: 0.2, cards: 5}."""
    drawn: Share = 0.0
    """Random legal lists of all cards of a class."""
    files: Files = Files()
    """{share: 0.1, decks: [mage, mine.txt]}. They keep their own classes."""
    classes: Annotated[tuple[Name, ...], Listed, Field(max_length=9)] = ()
    """Classes of the drawn decks. [] takes all nine."""
    without: Name | None = None
    """A fold of cards (fifth-1 to fifth-5) or a set, for example gadgetzan. Drawn decks do not have
    these cards or cards that may create them. Other cards replace them in lists. If null, all
    cards are used."""

    @model_validator(mode="after")
    def _any(self) -> Self:
        if not sum(self.parts):
            raise ValueError("all shares are 0, so no deck can be drawn; give one of human,"
                             " changed, drawn and files a share above 0")
        return self

    @property
    def parts(self) -> tuple[float, float, float, float]:
        """The shares of human, changed and drawn lists, and of decks of files, to scale."""
        return self.human, self.changed.share, self.drawn, self.files.share

    @property
    def says(self) -> str:
        """The shares in words."""
        words = ("human lists", f"human lists with {self.changed.cards} other cards",
                 "lists drawn from all cards", names_or_count(self.files.decks))
        total, of = sum(self.parts), ", ".join(self.classes) or "nine classes"
        parts = [f"{100 * part / total:.3g} % {word}"
                 for part, word in zip(self.parts, words, strict=True) if part]
        out = f", without the cards of {self.without}" if self.without else ""
        return f"drawn for each game: {', '.join(parts)}; of {of}{out}"


def _which(decks: Any) -> str:
    return "<shares>" if isinstance(decks, dict | DeckShares) else "<list>"


# A list of decks, or shares. The tags in <> are no part of a key.
Decks = Annotated[
    Annotated[tuple[Text, ...], Listed, Field(min_length=1, max_length=100),
              Tag("<list>")]
    | Annotated[DeckShares, Tag("<shares>")], Discriminator(_which)]


class Plan(Section):
    """A player that learns. You set its decks, learner, opponents and reference opponents."""

    FOLDER = "configs/learning"
    BESIDE = {"decks": beside, "files": beside, "ruleset": yaml_beside,  # noqa: RUF012
              "start": agent_beside, "pretrained": agent_beside, "against": agent_beside}

    name: RunName = "learn"
    """Prefix of the run folder's name. Default: the name of the config file."""
    policy: Literal["afterstate", "end-to-end"] = "afterstate"
    """afterstate scores the position after each action, in compiled code (section learner).
    end-to-end is a PyTorch network that chooses from its observation (section network)."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    decks: Decks
    """Names, files, codes or URLs, with games for all pairs. Or shares of decks that are drawn for
    each game: {human: 0.7, changed: 0.2, drawn: 0.1}."""
    max_turns: Turns = 89
    """A game that is not over after this number of player turns is a draw."""
    start: Name = SCRATCH
    """scratch, or an agent (for example eva:2018) whose games against itself are the first training
    data. For end-to-end, the agent is a teacher whose moves the learner imitates in its own
    games (kickstarting)."""
    start_periods: Annotated[int, Field(ge=0, le=1_000_000)] = 1
    """Number of periods that learn from these games, or over which the teacher's weight falls to 0.
    Not used with start: scratch."""
    pretrained: Name | None = None
    """Learned player whose weights initialise the network, for example rl:2026 or rl:RUN, to
    continue with other decks. If null, random weights."""
    periods: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Number of periods, counted from 0. Each ends with a checkpoint, which may join the opponent
    pool."""
    rounds: Count = 10
    """Training iterations (rounds) per period. The same network plays all games of a round, and
    then learns from them."""
    games: Count = 32
    """Games of each ordered pair of decks in a round. If decks are drawn, all games of a round."""
    against: Name | None = None
    """Train against this opponent only, to measure how exploitable it is. If null, the learner
    itself and the opponent pool."""
    learner: LearnerSettings = LearnerSettings()
    """Training of the network of `afterstate`."""
    network: NetworkSettings = NetworkSettings()
    """The network of `end-to-end`, and its training."""
    osfp: OsfpSettings = OsfpSettings()
    """Opponents during training."""
    references: LearningReferences = LearningReferences()
    """Reference opponents that the learner is measured against."""
    payoff_games: Annotated[int, Field(ge=0, le=1_000_000)] = 2
    """Games for each pair of decks and seat, of every two checkpoints (payoff.csv). If decks are
    drawn, pairs of games with the same two decks. 0 turns this off."""
    workers: Workers = Workers()
    """Parallel execution of games."""
    out: Text | None = None
    """The run folder. If null, runs/NAME-seed-SEED-DATE-TIME."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.policy == END_TO_END and self.shares:
            raise ValueError("decks are shares, but an end-to-end policy learns with a list of"
                             " decks, such as [mage, shaman, warrior]")
        if self.policy == END_TO_END and self.start != SCRATCH and not self.start_periods:
            raise ValueError(f"start is {self.start}, and start_periods 0, so the teacher would"
                             f" have no effect; set start_periods above 0, or start: {SCRATCH}")
        own = self.network
        if own.kickstart_decks and not (own.build and self.start != SCRATCH):
            raise ValueError("network.kickstart_decks needs network.build and a teacher (start)")
        if self.pretrained is not None and self.policy == END_TO_END:
            raise ValueError(f"pretrained is {self.pretrained}, but an end-to-end policy begins"
                             " with random weights")
        if self.pretrained is not None and self.learner.cards != "number":
            raise ValueError(f"pretrained is {self.pretrained}, and learner.cards"
                             f" {self.learner.cards}, but pretrained needs learner.cards number;"
                             " remove one")
        if self.policy != END_TO_END and self.imitates >= self.periods:
            raise ValueError(f"start_periods is {self.start_periods}, but must be less than periods"
                             f" ({self.periods}), to leave some for learning from its own games")
        each = OPTION_BYTES if self.learner.needs_options else GAME_BYTES
        if problem := memory_problem(self.games_per_round * self.rounds_held, "games of a round"
                                     if self.rounds_held == 1 else
                                     f"games of {self.rounds_held} rounds", each):
            raise ValueError(f"{problem}; use fewer games and more rounds")
        return self

    @property
    def games_per_round(self) -> int:
        """All games of a round."""
        return self.games * self.deck_pairs

    @property
    def rounds_held(self) -> int:
        """How many rounds are in memory: one is played, and one learned from, beside those ahead.
        """
        own = self.network
        return 1 if self.policy != END_TO_END or own.actors == "rounds" else own.ahead + 2

    @property
    def builds(self) -> bool:
        """Whether the policy builds its decks."""
        return self.policy == END_TO_END and self.network.build

    @property
    def shares(self) -> DeckShares | None:
        """What decks are drawn from, anew for each game; None: all pairs of a list play."""
        return self.decks if isinstance(self.decks, DeckShares) else None

    @property
    def deck_names(self) -> tuple[str, ...]:
        """The names of decks in the config: all of them, or of shares those of files."""
        return self.decks.files.decks if isinstance(self.decks, DeckShares) else self.decks

    @property
    def deck_pairs(self) -> int:
        """How many ordered pairs of decks play as often as each other; 1 if they are drawn."""
        return 1 if self.shares else len(self.deck_names)**2

    @property
    def rounds_in_all(self) -> int:
        """The number of rounds of all periods."""
        return self.periods * self.rounds

    @property
    def imitates(self) -> int:
        """How many periods learn from the games of `start`, or from what it would do."""
        return 0 if self.start == SCRATCH else self.start_periods
