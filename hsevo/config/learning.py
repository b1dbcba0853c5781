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
    """Optimistic smooth fictitious play: whom the learner meets, and when it joins the pool.

    The hyperparameters of Table IV of Xiao et al. (2023), and what their text leaves open.
    """

    self_play: Rate = 0.6
    """p: share of games against itself as it is now; 1: plain self-play."""
    threshold: Annotated[float, Field(gt=0, lt=1)] = 0.55
    """xi: the learner joins the pool if its score against each member is higher."""
    patience: Annotated[int, Field(ge=0, le=1000)] = 6
    """c: the learner also joins after more than so many periods in which it did not."""
    difficulty: Literal["hard", "variance", "even"] = "hard"
    """f: how often a member is met, by the learner's win rate w against it. hard: (1 - w)^power;
    variance: (w (1 - w))^power; even: all alike."""
    power: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """Exponent of f (difficulty): the higher, the more often the hard members are met."""
    score: Literal["mean", "rate"] = "rate"
    """Score that xi is compared with. mean: of +1 and -1, as the paper has it; rate: win rate."""
    outcome: Literal["learner", "opponent"] = "learner"
    """Player whose win is +1 in the score: the learner, or its opponent."""
    samples: Annotated[int, Field(ge=0, le=10**15)] = 0
    """Decisions after which the learner may join the pool, and the counts begin anew: at the end of
    the first period in which it has learned from so many (320000000 in the paper). 0: each
    period."""


class LearnerSettings(Section):
    """How the network learns from the games of a round, by Adam."""

    method: Literal["td", "ppo", "mmd"] = "td"
    """td: the values of what actions lead to, by TD(lambda), and the policy is a softmax of them;
    ppo: the policy itself, by proximal policy optimisation; mmd: by magnetic mirror descent, with
    the uniform policy as its magnet. Both learn values with a second network."""
    targets: Literal["td", "expected-sarsa"] = "td"
    """With method: td, what a position learns from the next own decision. td: the value of the
    position that was gone on with; expected-sarsa: the mean of all that it could go on with, by
    their probabilities (Expected SARSA(lambda)), which takes a pass over all options."""
    clip: Annotated[float, Field(gt=0, le=1)] = 0.2
    """With method: ppo, how far from 1 a ratio of probabilities has an effect."""
    entropy: Annotated[float, Field(ge=0, le=10)] = 0.01
    """With method: ppo, the weight of the policy's entropy; mmd: alpha, the pull of the magnet. An
    advantage has the deviation 1."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With method: mmd, eta: the larger, the further a round may take the policy."""
    temperature: Positive = 0.1
    """Temperature of the policy's softmax while it learns; the lower, the less it explores."""
    trace: Rate = 0.8
    """lambda: 1 learns from the outcome alone, 0 from the next position's value alone."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """gamma: what a reward is worth one own action earlier; 1: only winning counts, not when."""
    expert: Literal["none", "turn"] = "none"
    """turn: expert iteration. Actors search their turn with the network, as rl:RUN?search=turn
    does, and the network learns the values that the search found; none: no search."""
    depth: Annotated[int, Field(ge=1, le=LEVELS)] = 3
    """Search depth of the expert, in own actions."""
    nodes: Annotated[int, Field(ge=1, le=1_000_000)] = 50
    """Simulated actions of a decision of the expert, about; more search takes longer."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Adam's learning rate in the first round."""
    last_rate: Annotated[float, Field(gt=0, le=1)] = 0.0001
    """Learning rate at the end: it falls linearly to about this, round by round."""
    batch: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    """Batch size: positions of a step of Adam."""
    epochs: Annotated[int, Field(ge=1, le=100)] = 1
    """Passes over the positions of a round."""
    cards: Literal["number", "text", "both"] = "number"
    """How it knows a card. number: by weights of its own; text: by what the card says (cost, stats,
    keywords, words of its texts), so that cards it never met mean something; both: their sum."""
    card_dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """With cards: both, share of cards whose own weights are left out of a step of Adam."""

    @property
    def needs_options(self) -> bool:
        """Whether it learns from all options of a decision, not only from where it led."""
        return self.method != TD or self.targets == EXPECTED_SARSA


class NetworkSettings(Section):
    """The end-to-end policy (policy: end-to-end): its sizes, how it learns, and what it may see."""

    embedding: Width = 24
    """Dimension of a card's embedding."""
    width: Width = 32
    """Dimension of the vector of a place on the board, and hidden units of the heads."""
    lstm: Width = 96
    """Units of the LSTM, its memory of a game; Xiao et al.: 256."""
    history: bool = False
    """Whether it also sees the cards that both played so far, and the opponent's last turn."""
    rate: Annotated[float, Field(gt=0, le=1)] = 0.001
    """Adam's learning rate in the first round; Xiao et al.: 0.00007."""
    last_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """Learning rate at the end: it falls linearly to about this, round by round; null: it stays."""
    updates: Annotated[int, Field(ge=1, le=100_000)] = 4
    """Updates in each pass over the games of a round."""
    reuse: Annotated[int, Field(ge=1, le=100)] = 2
    """Passes over the games of a round."""
    discount: Annotated[float, Field(gt=0, le=1)] = 1.0
    """gamma: with less than 1, a later win is worth less."""
    clip: Annotated[tuple[float, float], Listed] = (0.001, 1.007)
    """Bounds of the importance ratios of V-trace, rho; [0, 1]: without section IV-F."""
    trace_clip: Annotated[tuple[float, float] | None, Listed] = None
    """Bounds of the ratios of V-trace's trace, c; null: those of clip."""
    gradient: Literal["ppo", "vtrace", "mmd"] = "ppo"
    """ppo: equation (7) of the paper; vtrace: equation (4), without section IV-F; mmd: magnetic
    mirror descent, with the uniform policy as its magnet, whose pull is `entropy`."""
    upgo_gradient: Literal["ppo", "vtrace", "mmd"] = "vtrace"
    """Gradient of UPGO, which the paper does not give. vtrace: weighted by the bounded ratio, as
    with Vinyals et al.; ppo, mmd: as `gradient`."""
    stepsize: Annotated[float, Field(gt=0, le=1000)] = 10.0
    """With gradient: mmd, eta: the larger, the further an update may take the policy."""
    epsilon: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """PPO's: by how much a ratio may differ from 1."""
    policy: Weight = 1.0
    """Weight of the policy gradient."""
    upgo: Weight = 1.0
    """Weight of UPGO's policy gradient (Vinyals et al., 2019)."""
    value: Weight = 1.0
    """Weight of the loss of values."""
    entropy: Rate = 0.01
    """Weight of the policy's entropy, which keeps it exploring."""
    kickstart: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """With start: weight of the cross-entropy to the teacher's moves in the first round; it falls
    linearly, round by round, to 0 after start_periods."""
    kickstart_decks: Annotated[float, Field(ge=0, le=1000)] = 0.0
    """With start and build: weight of the cross-entropy to human lists that are known, of the same
    classes; it falls as kickstart does. 0: it learns to build from nothing."""
    norm: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Maximum gradient norm; longer gradients are clipped to it."""
    isolate: bool = False
    """Hero isolation: a network for each class."""
    build: bool = False
    """Deck building: the network builds its decks, of the classes of `decks`, then plays them."""
    pick_hero: bool = False
    """PH: the network picks its class, among those of `decks`, before each game that it learns from
    (Xiao et al., section IV-B); in matches classes are given."""
    hero_entropy: Annotated[float, Field(ge=0, le=1000)] = 1.0
    """With pick_hero: factor of that pick's entropy in the loss, on top of `entropy`."""
    random_cards: bool = True
    """random-CB: with build, the first 0, 1, 2 or 4 cards of a deck are random in training."""
    opponent_deck: Literal["hidden", "known", "peek"] = "hidden"
    """known: the network sees the opponent's deck list, as no fair player does. peek: the first n
    cards that it chose, n from 0 to 30 drawn for each game, also while both build; the learner's
    opponents never see more than it does (Xiao et al., section IV-H, but that in self-play both
    teach)."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Device of the updates; games are played on CPUs, by the workers."""
    processes: Annotated[int, Field(ge=1, le=64)] = 1
    """Processes that update together (torch's DDP); with cuda, each on a GPU of its own."""
    actors: Literal["rounds", "queue", "ring"] = "rounds"
    """rounds: games are played in turn with learning. Else at the same time, by the newest network
    (Xiao et al., section IV-E), and no two runs are alike. queue: rounds wait, each is learned from
    as often as with rounds, and playing waits while it is full. ring: each update draws uniformly
    from the last rounds, and playing never waits."""
    ahead: Annotated[int, Field(ge=1, le=100)] = 1
    """Rounds that the queue or ring holds; the more, the older are the games."""

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
        """The bounds of the ratios of V-trace's trace, c."""
        return self.trace_clip or self.clip


class LearningReferences(Section):
    """Against whom the learner is measured while it learns; it does not learn from these games."""

    against: Annotated[tuple[Name, ...], Listed] = ("random", "eva:2018")
    """Specs of the reference opponents (hsevo agents)."""
    every: Count = 1
    """Periods from one measurement to the next; the last period is always measured."""
    games: Count = 360
    """Games against each at least, half from either seat with the same deals."""


class _Shared(Section):
    """A part of the decks with settings; a plain number sets only its share."""

    share: Share = 0.0
    """How often such a deck is drawn, to scale."""

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, given: Any) -> Any:
        return {"share": given} if isinstance(given, int | float) else given


class Changed(_Shared):
    """Human lists in which some cards are others."""

    cards: Annotated[int, Field(ge=1, le=30)] = 5
    """How many of the 30 cards are taken out; as many are drawn from all that its class may play.
    """


class Files(_Shared):
    """Decks of files, or with names, each as often as the others."""

    decks: Annotated[tuple[Text, ...], Listed, Field(max_length=10_000)] = ()
    """Names, files, codes or URLs."""

    @model_validator(mode="after")
    def _some(self) -> Self:
        if self.share and not self.decks:
            raise ValueError("no deck could be drawn from it; name some:"
                             f" {{share: {self.share:g}, decks: [mage, mine.txt]}}")
        return self


class DeckShares(Section):
    """Decks drawn anew for each game, by shares; a class first, each as often as the others."""

    human: Share = 0.0
    """Human lists, of those groups of near-equal lists that are known; the groups that are held out
    are met in measurements alone."""
    changed: Changed = Changed()
    """Human lists with some other cards: a share, or {share: 0.2, cards: 5}."""
    drawn: Share = 0.0
    """Legal lists drawn from all that a class may play."""
    files: Files = Files()
    """{share: 0.1, decks: [mage, mine.txt]}; their classes are as they are."""
    classes: Annotated[tuple[Name, ...], Listed, Field(max_length=9)] = ()
    """Classes of the decks that are drawn; []: all nine."""
    without: Name | None = None
    """A split of cards, fifth-1 to fifth-5 or a set, as gadgetzan: no deck that is drawn has one of
    these, or a card that may bring one; in lists they give way to others. null: all cards."""

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
        return f"drawn anew for each game: {', '.join(parts)}; of {of}{out}"


def _which(decks: Any) -> str:
    return "<shares>" if isinstance(decks, dict | DeckShares) else "<list>"


# A list of decks, or shares. The tags in <> are no part of a key.
Decks = Annotated[
    Annotated[tuple[Text, ...], Listed, Field(min_length=1, max_length=100),
              Tag("<list>")]
    | Annotated[DeckShares, Tag("<shares>")], Discriminator(_which)]


class Plan(Section):
    """A player that learns: decks, periods, learner, opponents, references."""

    FOLDER = "configs/learning"
    BESIDE = {"decks": beside, "files": beside, "ruleset": yaml_beside,  # noqa: RUF012
              "start": agent_beside, "pretrained": agent_beside, "against": agent_beside}

    name: RunName = "learn"
    """Beginning of the run folder's name; default: the name of the config file."""
    policy: Literal["afterstate", "end-to-end"] = "afterstate"
    """afterstate: scores what each action leads to, in compiled code (section learner);
    end-to-end: a network in PyTorch chooses from what it sees (section network)."""
    seed: Seed = 1
    """The same seed gives the same results."""
    ruleset: Ruleset = "cig2018"
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    decks: Decks
    """Names, files, codes or URLs, of which all pairs play; or shares of decks that are drawn anew
    for each game: {human: 0.7, changed: 0.2, drawn: 0.1}."""
    max_turns: Turns = 89
    """A game that is not over after this many player turns is a draw."""
    start: Name = SCRATCH
    """scratch, or the agent from whose games against itself the first periods learn: eva:2018. Of
    end-to-end: the teacher of the first periods, whose moves it imitates in its own games, while it
    learns by them (kickstarting)."""
    start_periods: Annotated[int, Field(ge=0, le=1_000_000)] = 1
    """Periods that learn from these games, or over which a teacher's weight falls to 0; with start:
    scratch, none."""
    pretrained: Name | None = None
    """The learned player whose weights the network begins with, such as rl:2026 or rl:RUN, to learn
    on from them with other decks, say; null: random weights."""
    periods: Annotated[int, Field(ge=1, le=10_000)] = 10
    """Learning periods, counted from 0. Each ends with a checkpoint, and perhaps a new member of
    the pool."""
    rounds: Count = 10
    """Rounds of a period: the same net plays all games of a round, and then learns from them."""
    games: Count = 32
    """Games of each ordered pair of decks in a round; of decks that are drawn, of a whole round."""
    against: Name | None = None
    """Only opponent, to probe how exploitable it is; null: the learner itself and the pool."""
    learner: LearnerSettings = LearnerSettings()
    """How the network of `afterstate` learns."""
    network: NetworkSettings = NetworkSettings()
    """The network of `end-to-end`, and how it learns."""
    osfp: OsfpSettings = OsfpSettings()
    """Opponents while it learns."""
    references: LearningReferences = LearningReferences()
    """Opponents that it is measured against."""
    payoff_games: Annotated[int, Field(ge=0, le=1_000_000)] = 2
    """Games of each pair of decks and seat, of every two checkpoints (payoff.csv); 0: none. Of
    decks that are drawn: pairs of games with the same two decks."""
    workers: Workers = Workers()
    """How games run in parallel."""
    out: Text | None = None
    """The run folder; null: runs/NAME-seed-SEED-DATE-TIME."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.policy == END_TO_END and self.shares:
            raise ValueError("decks are shares, but an end-to-end policy learns with a list of"
                             " decks, such as [mage, shaman, warrior]")
        if self.policy == END_TO_END and self.start != SCRATCH and not self.start_periods:
            raise ValueError(f"start is {self.start}, and start_periods 0: the teacher would teach"
                             f" nothing; give it periods, or start: {SCRATCH}")
        own = self.network
        if own.kickstart_decks and not (own.build and self.start != SCRATCH):
            raise ValueError("network.kickstart_decks needs network.build, decks to learn, and"
                             " start, a teacher whose weight falls alike")
        if self.pretrained is not None and self.policy == END_TO_END:
            raise ValueError(f"pretrained is {self.pretrained}, but an end-to-end policy begins"
                             " with random weights")
        if self.pretrained is not None and self.learner.cards != "number":
            raise ValueError(f"pretrained is {self.pretrained}, and learner.cards"
                             f" {self.learner.cards}, but only cards known by number can be learned"
                             " on from; leave one out")
        if self.policy != END_TO_END and self.imitates >= self.periods:
            raise ValueError(f"start_periods is {self.start_periods}, and there are"
                             f" {self.periods} periods: none is left to learn from its own games")
        each = OPTION_BYTES if self.learner.needs_options else GAME_BYTES
        if problem := memory_problem(self.games_per_round * self.rounds_held, "games of a round"
                                     if self.rounds_held == 1 else
                                     f"games of {self.rounds_held} rounds", each):
            raise ValueError(f"{problem}; take fewer games, and more rounds")
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
