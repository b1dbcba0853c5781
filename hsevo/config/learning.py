"""The sections and keys of a learning config: what a player learns from, and for how long.

    configs/learning/NAME.yaml + --set key=value --config.load(, model=Plan)--> Plan
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
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
    """The share p of games against the current version of the learner. 1 is plain self-play."""
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.55
    """The threshold xi. The learner joins the opponent pool if its score against every member is
    above xi."""
    patience: Annotated[int, Field(ge=0, le=1000)] = 6
    """The patience c. The learner also joins if it has not joined for more than c periods."""
    difficulty: Literal["hard", "variance", "even"] = "hard"
    """The function f, which computes the sampling weight of a pool member from the learner's win
    rate w against this member. hard is (1 - w)^power, variance is (w (1 - w))^power, and even gives
    all members the same weight."""
    power: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """Exponent of f (difficulty). A higher value draws difficult members more often."""
    score: Literal["mean", "rate"] = "rate"
    """Score to compare with xi. mean is the mean of the results +1 and -1, as in Xiao et al. rate
    is the win rate."""
    outcome: Literal["learner", "opponent"] = "learner"
    """Player whose win counts as +1 in the score, the learner or its opponent."""
    samples: Annotated[int, Field(ge=0, le=10**15)] = 0
    """Minimum number of decisions to learn from, before the learner may join the opponent pool and
    the counts are reset at the end of a period. With 0, the learner may join after each period.
    Xiao et al. use 320000000."""


class LearnerSettings(Section):
    """How the network learns from the games of a training iteration, with Adam."""

    method: Literal["td", "ppo", "mmd"] = "td"
    """td learns action values by TD(lambda), and its policy is a softmax of these values. ppo
    learns the policy by proximal policy optimisation. mmd learns the policy by magnetic mirror
    descent, with the uniform policy as the magnet. ppo and mmd learn values with a second
    network."""
    targets: Literal["td", "expected-sarsa"] = "td"
    """With method: td, the part of a position's target that comes from the player's next decision.
    td uses the value of the chosen option. expected-sarsa uses the expected value over all options
    (Expected SARSA(lambda)), which takes a pass of the network over all options."""
    clip: Annotated[float, Field(gt=0, le=1)] = 0.2
    """With method: ppo, the clipping range of the probability ratio around 1."""
    entropy: Annotated[float, Field(ge=0, le=10)] = 0.01
    """With method: ppo, the weight of the policy's entropy. With method: mmd, the strength of the
    magnet (alpha). Advantages are scaled to a standard deviation of 1."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With method: mmd, the step size (eta). A larger value allows larger policy changes per
    training iteration."""
    temperature: Positive = 0.1
    """Temperature of the policy's softmax during learning. A lower value explores less."""
    trace: Rate = 0.8
    """The trace parameter lambda. 1 learns only from the outcome, and 0 learns only from the value
    of the next position."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The discount gamma per action of the player. With 1, the time of a win has no effect."""
    expert: Literal["none", "turn"] = "none"
    """turn is expert iteration. In training games, players search their turn with the network (as
    in rl:RUN?search=turn), and the network learns the values that the search finds. none turns the
    search off."""
    asked: Annotated[float, Field(ge=0.0001, le=1)] = 0.1
    """With method: ppo or mmd and start, the share of decisions at which the teacher is asked."""
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
    """Number of passes over the positions of a training iteration."""
    cards: Literal["number", "text", "both"] = "number"
    """Representation of a card. number gives each card its own weights. text uses the card's data
    (cost, attack, health, keywords, words of its texts), which generalises to unseen cards. both
    adds the two representations."""
    card_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """With cards: both, the share of cards whose own weights each step of Adam leaves out."""

    @property
    def needs_options(self) -> bool:
        """Whether it learns from all options of a decision, not only from the chosen option."""
        return self.method != TD or self.targets == EXPECTED_SARSA


class NetworkSettings(Section):
    """The network of an end-to-end policy, its training and its observation."""

    embedding: Width = 24
    """Dimension of a card's embedding."""
    width: Width = 32
    """Dimension of the vector of a board position, and number of hidden units of the heads."""
    lstm: Width = 96
    """Number of units of the LSTM, which is the memory of a game. Xiao et al. use 256."""
    history: bool = False
    """If true, the network also observes the cards that both players have played, and the
    opponent's last turn."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Adam's learning rate in the first training iteration. Xiao et al. use 0.00007."""
    last_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Approximate learning rate at the end. The rate falls linearly with each training iteration.
    If null, the rate is constant."""
    updates: Annotated[int, Field(ge=1, le=100_000)] = 4
    """Number of updates in each pass over the games of a training iteration."""
    reuse: Annotated[int, Field(ge=1, le=100)] = 2
    """Number of passes over the games of a training iteration."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """The discount gamma. With a value below 1, a later win is worth less than an earlier win."""
    clip: Annotated[tuple[float, float], Listed] = (0.001, 1.007)
    """Bounds of V-trace's importance ratios rho. [0, 1] omits section IV-F of Xiao et al."""
    trace_clip: Annotated[tuple[float, float] | None, Listed] = None
    """Bounds of V-trace's ratios c. If null, the bounds of clip."""
    gradient: Literal["ppo", "vtrace", "mmd"] = "ppo"
    """ppo is equation (7) of Xiao et al. vtrace is their equation (4), without section IV-F. mmd is
    magnetic mirror descent, with the uniform policy as the magnet. Its strength is `entropy`."""
    upgo_gradient: Literal["ppo", "vtrace", "mmd"] = "vtrace"
    """Policy gradient of UPGO, which Xiao et al. do not define. vtrace weights the gradient by the
    bounded ratio, as in Vinyals et al. ppo and mmd use the same form as in `gradient`."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With gradient: mmd, the step size (eta). A larger value allows larger policy changes per
    update."""
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
    iteration. The weight falls linearly to 0 over start_periods."""
    kickstart_decks: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """With start and build, the weight of the cross-entropy to known human decks of the same
    classes. It falls in the same way as kickstart. With 0, the policy learns deck building from
    scratch."""
    norm: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Maximum norm of the gradient, which is clipped to this norm."""
    isolate: bool = False
    """If true, each class has its own network (hero isolation)."""
    build: bool = False
    """If true, the network builds decks of the classes in `decks`, and then plays these decks."""
    pick_hero: bool = False
    """If true, the network picks its class from the classes in `decks` before each training game
    (PH in Xiao et al., section IV-B). In matches, the class is given."""
    hero_entropy: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """With pick_hero, an additional factor of the entropy of the class choice in the loss."""
    random_cards: bool = True
    """With build, if true, the first 0, 1, 2 or 4 cards of a deck are random in training
    (random-CB in Xiao et al.)."""
    opponent_deck: Literal["hidden", "known", "peek"] = "hidden"
    """Information about the opponent's deck. hidden shows nothing. known shows the whole list. peek
    shows the first n cards that the opponent chose, also while both players build, and each game
    draws n from 0 to 30. The learner's opponents never see more than the learner. This follows
    section IV-H of Xiao et al., except that both sides of self-play are used for training."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Device for the updates. Workers play the games on CPUs."""
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Number of processes that compute an update together (torch's DDP). With cuda, each process
    uses a different GPU."""
    actors: Literal["rounds", "queue", "ring"] = "rounds"
    """rounds alternates games and learning. queue and ring play and learn at the same time, with
    the newest network (Xiao et al., section IV-E), and their runs are not reproducible. With queue,
    the games of each training iteration wait in a queue, are used as often as with rounds, and the
    players wait while the queue is full. With ring, each update draws uniformly from the games of
    the last training iterations, and the players never wait."""
    ahead: Annotated[int, Field(ge=1, le=100)] = 1
    """With queue and ring, number of training iterations that are stored. With a larger value, the
    games are older when the network learns from them."""

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
    """Reference opponents of the learner. Their games are not used for training."""

    against: Annotated[tuple[Name, ...], Listed] = ("random", "eva:2018")
    """Specs of the reference opponents (hsevo agents)."""
    every: Count = 1
    """Interval in periods between two measurements. The last period is always measured."""
    games: Count = 360
    """Minimum number of games against each agent. Each shuffle is played twice, with swapped
    seats."""


class _Shared(Section):
    """A group of decks with settings. A plain number sets only the share of the group."""

    share: Share = 0.0
    """Relative frequency of the group."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, entry: Any) -> Any:
        return {"share": entry} if isinstance(entry, int | float) else entry


class Changed(_Shared):
    """Human decks with some cards replaced."""

    cards: Annotated[int, Field(ge=1, le=30)] = 5
    """Number of the 30 cards that are replaced by random cards of the class or neutral cards."""


class Files(_Shared):
    """Decks from files or by name, all with the same frequency."""

    decks: Annotated[tuple[Text, ...], Listed, Field(max_length=10_000)] = ()
    """The decks, as names, files, codes or URLs."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.share and not self.decks:
            raise ValueError(f"no deck can be drawn from it; set some, for example {{share:"
                             f" {self.share:g}, decks: [mage, mine.txt]}}")
        return self


class DeckShares(Section):
    """Shares of groups of decks, from which each game draws its decks. Each game draws the classes
    first, all with the same probability."""

    human: Share = 0.0
    """Share of human decks from the known groups of similar decks. The held-out groups are used
    only for measurements."""
    changed: Changed = Changed()
    """Human decks with some cards replaced: a share, or {share: 0.2, cards: 5}."""
    drawn: Share = 0.0
    """Share of random legal decks from all cards that a class may use."""
    files: Files = Files()
    """Given decks, which keep their own classes, for example {share: 0.1, decks: [mage,
    mine.txt]}."""
    classes: Annotated[tuple[Name, ...], Listed, Field(max_length=9)] = ()
    """Classes of the drawn decks. [] stands for all nine classes."""
    without: Name | None = None
    """Cards to leave out: a fold (fifth-1 to fifth-5) or a set, for example gadgetzan. Drawn decks
    contain neither these cards nor cards that may create them. In human decks, other cards replace
    them. If null, all cards are used."""

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


def _several(names: Any) -> Any:
    """Return one name, or a list of names, as a tuple."""
    if isinstance(names, str):
        return (names,)
    return tuple(names) if isinstance(names, list) else names


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
    """Either a list of decks (names, files, codes or URLs), of which all pairs play, or shares, by
    which each game draws its decks, for example {human: 0.7, changed: 0.2, drawn: 0.1}."""
    max_turns: Turns = 89
    """A game that is not over after this number of player turns is a draw."""
    start: Name = SCRATCH
    """scratch, or an agent (for example eva:2018) whose games against itself are the first training
    data. With policy: end-to-end, or learner.method: ppo or mmd, the agent is a teacher, whose
    moves the learner imitates while the learner plays (kickstarting)."""
    start_periods: Annotated[int, Field(ge=0, le=1_000_000)] = 1
    """Number of periods that learn from the games of start, or imitate it. With policy: end-to-end,
    the teacher's weight falls to 0 over these periods. Not used with start: scratch."""
    pretrained: Annotated[Annotated[tuple[Name, ...], Field(min_length=1)] | None,
                          BeforeValidator(_several)] = None
    """Learned player whose weights initialise the network, for example rl:2026 or rl:RUN. You can
    then continue its training with other decks. The player must have the same learner.cards (number
    or text). If you name several players, for example [rl:RUN, rl:OTHER], the network starts with
    the mean of their weights. If null, random weights."""
    periods: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Number of periods (checkpoint intervals), counted from 0. Each period ends with a checkpoint,
    which may join the opponent pool."""
    rounds: Count = 10
    """Number of training iterations (rounds) per period. In a training iteration, the same network
    plays all games, and then learns from these games."""
    games: Count = 32
    """Games of each ordered pair of decks in a training iteration. If decks are drawn, number of
    all games in a training iteration."""
    against: Name | None = None
    """The only opponent in training, to measure its exploitability. If null, the learner itself and
    the opponent pool."""
    learner: LearnerSettings = LearnerSettings()
    """Training of the network of `afterstate`."""
    network: NetworkSettings = NetworkSettings()
    """The network of `end-to-end`, and its training."""
    osfp: OsfpSettings = OsfpSettings()
    """Opponents during training."""
    references: LearningReferences = LearningReferences()
    """Measurements of the learner against reference opponents."""
    payoff_games: Annotated[int, Field(ge=0, le=1_000_000)] = 2
    """Games of every two checkpoints at the end, for each pair of decks in each seat (payoff.csv).
    If decks are drawn, number of pairs of games with swapped seats. 0 turns these games off."""
    workers: Workers = Workers()
    """Parallel execution of games."""
    out: Text | None = None
    """The run folder. If null, runs/NAME-seed-SEED-DATE-TIME."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.policy == END_TO_END and self.shares:
            raise ValueError("decks are shares, but an end-to-end policy learns with a list of"
                             " decks, such as [mage, shaman, warrior]")
        taught = self.policy == END_TO_END or self.learner.method != TD
        if taught and self.start != SCRATCH and not self.start_periods:
            raise ValueError(f"start is {self.start}, and start_periods 0, so the teacher would"
                             f" have no effect; set start_periods above 0, or start: {SCRATCH}")
        own = self.network
        if own.kickstart_decks and not (own.build and self.start != SCRATCH):
            raise ValueError("network.kickstart_decks needs network.build and a teacher (start)")
        if self.pretrained is not None and self.policy == END_TO_END:
            raise ValueError(f"pretrained is {', '.join(self.pretrained)}, but an end-to-end policy"
                             " begins with random weights")
        if not taught and self.imitates >= self.periods:
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
