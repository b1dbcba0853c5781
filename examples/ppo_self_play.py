"""PPO self-play in PyTorch, in one file: a baseline to change.

    pip install -e '.[env,torch]'        in the clone of hsevo
    python examples/ppo_self_play.py --out runs/ppo
    hsevo benchmark py:runs/ppo/player.py#player --panel protocol-1

You move for both players, and the network learns from the decisions of both. An action has three
parts: `what` is drawn first, then `at` and `where` given `what`. RUN/player.py is a copy of this
file, which plays the network that lies next to it.
"""

import argparse
import csv
import shutil
import sys
import time
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path

import numpy as np

import hsevo
from hsevo import learning
from hsevo.play.games import DRAW, WIN_0, WIN_1

try:
    import torch
    from torch import nn
    from torch.distributions import Categorical
except ImportError as missing:
    print(f"error: {missing}; in the clone of hsevo: pip install -e '.[env,torch]'",
          file=sys.stderr)
    sys.exit(2)

BLOCKS = ("decision", "player", "hero", "power", "weapon", "own_board", "enemy_board", "hand",
          "choices")
DECKS = ("warrior", "shaman", "mage")
OPPONENTS = ("random", "eva:2018", "rl:2026")


@dataclass
class Settings:
    """All that can be set, each as an option of the command line."""

    out: str = "runs/ppo"  # new folder of the log, the network and the player
    seed: int = 1
    decisions: int = 1_000_000  # of both players
    games: int = 256  # at once
    steps: int = 64  # decisions of each game in a batch
    epochs: int = 3  # passes over a batch
    minibatch: int = 512  # decisions in a gradient step
    rate: float = 0.0005  # learning rate of Adam, which falls linearly to a tenth
    discount: float = 1.0
    trace: float = 0.95  # lambda of the advantages
    clip: float = 0.2  # of the ratio of probabilities
    entropy: float = 0.01  # weight of the entropy
    value: float = 0.5  # weight of the value loss
    norm: float = 0.5  # largest norm of a gradient
    card: int = 16  # width of the embedding of cards
    row: int = 32  # width of a row: a minion, a card in hand ...
    width: int = 256  # width of the hidden layer
    evaluations: int = 5  # in the course of training
    evaluation_games: int = 720  # against each opponent, at least


def _rows(part):
    """Return of each value of a part which row it names, and its kind: to play a card, say."""
    blocks, table = learning.blocks(), learning.actions()
    table = table[table.part == part]
    starts = dict(zip(BLOCKS, np.cumsum([0, *(blocks[name].rows for name in BLOCKS)]),
                      strict=False))
    first = (table.row == 0) | (table.block != table.block.shift())
    rows = [starts[block or "decision"] + row
            for block, row in zip(table.block, table.row, strict=True)]
    return torch.tensor(rows), torch.tensor(first.cumsum().to_numpy() - 1)


class Network(nn.Module):
    """A policy and a value.

    A row of the observation, such as a minion, becomes a vector, by a linear layer of its block on
    its numbers and the embedding of its cards. A hidden layer x follows. The score of a choice is
    the dot product of the vector of the row that it names and a query, which is linear in x.
    """

    def __init__(self, card=16, row=32, width=256):
        super().__init__()
        layout, blocks = learning.layout(), learning.blocks()
        self.card = nn.Embedding(4096, card, padding_idx=0)
        self.rows, self.columns = nn.ModuleDict(), {}
        for block in BLOCKS:
            inside = layout[layout.name.str.startswith(f"{block}.")]
            places = (inside["first"] - blocks[block].offset).to_numpy()
            self.columns[block] = places[inside.card], places[~inside.card]
            self.rows[block] = nn.Linear(card + int((~inside.card).sum()), row)
        self.what_rows, self.what_kinds = _rows("what")
        self.at_rows, self.at_kinds = _rows("at")
        self.size, n = row, sum(blocks[block].rows for block in BLOCKS)
        self.body = nn.Linear(n * row, width)
        self.value = nn.Linear(width, 1)
        self.what = nn.Linear(width, (1 + int(self.what_kinds.max())) * row)
        self.at = nn.Linear(width + row, (1 + int(self.at_kinds.max())) * row)
        self.where = nn.Linear(width + row, 7)
        for head in (self.what, self.at, self.where, self.value):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)

    def see(self, observations):
        """Return the vectors of rows (n, rows, row) and the hidden layer (n, width)."""
        parts, vectors = learning.split(observations), []
        for block, (cards, numbers) in self.columns.items():
            part = parts[block].reshape(len(observations), -1, len(cards) + len(numbers))
            seen = torch.from_numpy(part[..., numbers].clip(-50, 50)).float() / 10
            known = self.card(torch.from_numpy(part[..., cards].astype(np.int64))).sum(2)
            vectors.append(torch.relu(self.rows[block](torch.cat([known, seen], 2))))
        rows = torch.cat(vectors, 1)
        return rows, torch.relu(self.body(rows.flatten(1)))

    def scores(self, queries, rows, named, kinds):
        """Return the logits (n, choices): of each the query of its kind times its row."""
        products = queries.unflatten(1, (-1, self.size)) @ rows.transpose(1, 2)
        return products[:, kinds, named]

    def forward(self, observations, what, at, where, actions=None, likeliest=False):
        """Draw actions (n, 3), or take the likeliest, unless they are given.

        Returns them with their log-probabilities, entropies and values, (n,) each. `what` (n, 58),
        `at` and `where` are masks; these are (n, 58, ...), or (n, ...) of given actions.
        """
        rows, x = self.see(observations)
        every = torch.arange(len(x))
        logits = self.scores(self.what(x), rows, self.what_rows, self.what_kinds)
        masks, chosen, log, entropy = [what], [], 0, 0
        for part in range(3):
            legal = torch.from_numpy(np.asarray(masks[part], bool))
            drawn = Categorical(logits=logits.masked_fill(~legal, -1e9), validate_args=False)
            chosen.append(actions[:, part] if actions is not None else
                          drawn.logits.argmax(1) if likeliest else drawn.sample())
            log, entropy = log + drawn.log_prob(chosen[part]), entropy + drawn.entropy()
            if part == 0:
                x_row = torch.cat([x, rows[every, self.what_rows[chosen[0]]]], 1)
                logits = self.scores(self.at(x_row), rows, self.at_rows, self.at_kinds)
                masks += [mask[every, chosen[0]] if mask.ndim == 3 else mask
                          for mask in (at, where)]
            elif part == 1:
                logits = self.where(x_row)
        return torch.stack(chosen, 1), log, entropy, self.value(x).squeeze(1)


@torch.no_grad()
def choose(network, seen, legal):
    """Return the likeliest move for each observation (n, 1055) with its bits of legal actions."""
    return learning.moves_of(network(seen, *learning.masks(legal), likeliest=True)[0].numpy())


class Player:
    """A Python player of hsevo. file: of its network, which is read at the first decision."""

    def __init__(self, file):
        self.file, self.network = file, None

    def decide_many(self, views):
        """Return a move of each view."""
        if self.network is None:  # a match asks in threads, so set it when it is complete
            saved = torch.load(self.file, weights_only=True)
            network = Network(**saved["sizes"])
            network.load_state_dict(saved["network"])
            self.network = network
        seen, legal = (np.concatenate(parts) for parts in zip(
            *(learning.observe(view.games) for view in views), strict=True))
        return choose(self.network, seen, legal)


player = Player(Path(__file__).with_name("network.pt"))


@torch.no_grad()
def points(network, opponent, decks, seeds, seat):
    """Play games from one seat; return 1 for each win of the network and 1/2 for each draw."""
    games = hsevo.Games(*decks, seeds)
    while True:
        while (games.ask(opponent, seat=1 - seat) >= 0).any():
            pass  # until the opponent has moved everywhere
        if not (running := games.running).any():
            return np.where(games.results == DRAW, 0.5, games.results == (WIN_0, WIN_1)[seat])
        moves = np.zeros(len(games), int)
        moves[running] = choose(network, *learning.observe(games.take(running)))
        games.step(moves)


def evaluate(network, games, seed):
    """Return the win rate, with its interval, against each of OPPONENTS.

    All pairs of decks meet. Each seed is played from both seats, so luck with cards cancels out.
    """
    pairs = list(product(DECKS, DECKS)) * -(-games // (2 * len(DECKS)**2))
    decks, seeds = [list(side) for side in zip(*pairs, strict=True)], seed + np.arange(len(pairs))
    return {opponent: hsevo.win_rate(np.stack(
        [points(network, opponent, decks, seeds, seat) for seat in (0, 1)], 1))
        for opponent in OPPONENTS}


def advantages(rewards, values, last, goes_on, same, discount, trace):
    """Return generalised advantages (T, n) of the players that acted, equations (17) and (18).

    rewards, values: (T, n) of the player that acts. last: (n,) values of what follows. goes_on:
    whether the game does. same: 1 if the same player acts next, else -1: games are zero-sum.
    Equations are those of docs/pages/explanation/learning.md.
    """
    result, after, advantage = torch.zeros_like(rewards), last, torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        sign = discount * goes_on[t] * same[t]
        delta = rewards[t] + sign * after - values[t]
        result[t] = advantage = delta + trace * sign * advantage
        after = values[t]
    return result


def losses(ratio, gain, value, target, entropy, given):
    """Return the parts of (19), which PPO minimises, of a minibatch: policy, value, entropy."""
    clipped = ratio.clamp(1 - given.clip, 1 + given.clip)
    policy = -torch.min(ratio * gain, clipped * gain).mean()
    return policy, (value - target).square().mean() / 2, -entropy.mean()


class Trainer:
    """A network, its games and its optimizer."""

    def __init__(self, given):
        torch.manual_seed(given.seed)
        self.given, self.random = given, np.random.default_rng(given.seed)
        self.sizes = {name: getattr(given, name) for name in ("card", "row", "width")}
        self.network = Network(**self.sizes)
        self.adam = torch.optim.Adam(self.network.parameters(), given.rate, eps=1e-5)
        self.env = hsevo.make_vec("battle", given.games, decks=DECKS, seed=given.seed, threads=1)
        self.seen, infos = self.env.reset()
        self.player, self.decisions, self.finished = infos["player"], 0, 0

    @torch.no_grad()
    def collect(self):
        """Play `steps` decisions in each game; return them as a dict of arrays (T * n, ...)."""
        every, steps = np.arange(self.given.games), []
        for _ in range(self.given.steps):
            seen, mover = self.seen, self.player
            actions, log, _, value = self.network(**_named(seen))
            what = actions[:, 0].numpy()
            self.seen, rewards, ended, cut, infos = self.env.step(actions.numpy())
            self.player = infos["player"]
            over = ended | cut
            self.finished += int(over.sum())
            steps.append({
                "observations": seen["observation"], "what": seen["what"],
                "at": seen["at"][every, what], "where": seen["where"][every, what],
                "actions": actions, "log": log, "value": value,
                "reward": torch.from_numpy(rewards).float(),
                "goes_on": torch.from_numpy(~over).float(),
                "same": torch.from_numpy(np.where(self.player == mover, 1.0, -1.0)).float()})
        self.decisions += self.given.steps * self.given.games
        batch = {name: (torch if torch.is_tensor(first) else np).stack(
            [step[name] for step in steps]) for name, first in steps[0].items()}
        batch["gain"] = advantages(batch["reward"], batch["value"],
                                   self.network(**_named(self.seen))[3], batch["goes_on"],
                                   batch["same"], self.given.discount, self.given.trace)
        batch["target"] = batch["gain"] + batch["value"]
        return {name: part.reshape(-1, *part.shape[2:]) for name, part in batch.items()}

    def update(self, batch):
        """Take the gradient steps of a batch; return its mean losses: policy, value, entropy."""
        given, shown = self.given, []
        left = 1 - 0.9 * min(1, self.decisions / given.decisions)
        self.adam.param_groups[0]["lr"] = given.rate * left
        for _ in range(given.epochs):
            for which in np.array_split(self.random.permutation(len(batch["log"])),
                                        max(1, len(batch["log"]) // given.minibatch)):
                part = {name: values[which] for name, values in batch.items()}
                _, log, entropy, value = self.network(**{name: part[name] for name in (
                    "observations", "what", "at", "where", "actions")})
                gain = (part["gain"] - part["gain"].mean()) / (part["gain"].std() + 1e-8)
                parts = losses((log - part["log"]).exp(), gain, value, part["target"], entropy,
                               given)
                loss = parts[0] + given.value * parts[1] + given.entropy * parts[2]
                self.adam.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), given.norm)
                self.adam.step()
                shown.append([one.item() for one in parts])
        return np.mean(shown, axis=0)

    def save(self, out):
        """Write the network, and the player that plays it."""
        torch.save({"sizes": self.sizes, "network": self.network.state_dict()}, out / "network.pt")
        shutil.copy(__file__, out / "player.py")


def _named(seen):
    return {"observations": seen["observation"],
            **{part: seen[part] for part in ("what", "at", "where")}}


def learn(given, show=print):
    """Train as the settings say; write the log and the network; return the last win rates."""
    out = Path(given.out)
    if out.exists():
        raise FileExistsError(f"--out {given.out} exists; choose a new folder")
    trainer, seconds, measured, rates = Trainer(given), 0.0, 0, {}
    out.mkdir(parents=True)
    with (out / "log.csv").open("w", newline="") as file:
        log = csv.writer(file)
        log.writerow(["decisions", "games", "cpu_seconds", "policy", "value", "entropy",
                      *(f"{one}{end}" for one in OPPONENTS for end in ("", "_low", "_high"))])
        while trainer.decisions < given.decisions:
            begun = time.process_time()
            parts = trainer.update(trainer.collect())
            seconds += time.process_time() - begun  # of learning, without evaluations
            row = [trainer.decisions, trainer.finished, f"{seconds:.1f}",
                   *(f"{part:.4f}" for part in parts)]
            if given.evaluations * trainer.decisions >= (measured + 1) * given.decisions:
                measured += 1
                rates = evaluate(trainer.network, given.evaluation_games, given.seed)
                row += [f"{number:.4f}" for rate in rates.values()
                        for number in (rate.value, rate.low, rate.high)]
                show(f"{trainer.decisions:,} decisions, {seconds:.0f} s: " + ", ".join(
                    f"{rate.percent()} against {one}" for one, rate in rates.items()), flush=True)
                trainer.save(out)
            log.writerow(row)
            file.flush()
    return rates


def main():
    """Read the options and train."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for field in fields(Settings):
        options.add_argument(f"--{field.name.replace('_', '-')}", type=field.type,
                             default=field.default)
    given = Settings(**vars(options.parse_args()))
    torch.set_num_threads(1)  # another number adds in another order, and takes another course
    print(", ".join(f"{name} {value}" for name, value in asdict(given).items()), flush=True)
    try:
        learn(given)
    except (FileExistsError, hsevo.HsevoError) as error:
        options.error(str(error))


if __name__ == "__main__":
    main()
