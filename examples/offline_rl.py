"""Clone the play of a data set with a masked policy in PyTorch: a start for offline RL.

    pip install -e '.[torch]'        in the clone of hsevo
    hsevo dataset eva:2018 eva:2018 --games 6000 --out data/eva
    python examples/offline_rl.py data/eva --out runs/clone

The policy learns the actions by cross-entropy: `what`, then `at` and `where` given `what`. The
agent py:runs/clone/player.py#player is a copy of this file, which plays the network next to it.
"""

import argparse
import shutil
import sys
from pathlib import Path

import numpy as np

import hsevo
from hsevo import learning

try:
    import torch
    from torch import nn
except ImportError as missing:
    print(f"error: {missing}; in the clone of hsevo: pip install -e '.[torch]'", file=sys.stderr)
    sys.exit(2)

COLUMNS = learning.layout()[lambda table: table["first"] < learning.blocks()["thrown"].offset]
CARDS, NUMBERS = (np.concatenate([one.first + one.stride * np.arange(*one.shape) for one in
                                  COLUMNS[COLUMNS.card == is_card].itertuples()])
                  for is_card in (True, False))  # where an observation has cards, and numbers


class Policy(nn.Module):
    """Three heads on a hidden layer: `what`, and `at` and `where` given `what`."""

    def __init__(self, card=16, width=512):
        super().__init__()
        self.card = nn.Embedding(4096, card, padding_idx=0)
        self.body = nn.Sequential(nn.Linear(card * len(CARDS) + len(NUMBERS), width), nn.ReLU(),
                                  nn.Linear(width, width), nn.ReLU())
        self.chosen = nn.Embedding(58, width)
        self.heads = nn.ModuleList(nn.Linear(width, choices) for choices in (58, 17, 7))

    def forward(self, seen, legal, actions=None):
        """Return actions (n, 3), the likeliest unless given, and their log-probabilities (n,)."""
        numbers = torch.from_numpy(seen[:, NUMBERS].clip(-50, 50)).float() / 10
        cards = self.card(torch.from_numpy(seen[:, CARDS].astype(np.int64))).flatten(1)
        x, chosen, total = self.body(torch.cat([cards, numbers], 1)), [], 0
        for part, (head, mask) in enumerate(zip(self.heads, learning.masks(legal), strict=True)):
            if part == 1:
                x = torch.relu(x + self.chosen(chosen[0]))
            mask = mask[np.arange(len(x)), chosen[0]] if part else mask
            log = head(x).masked_fill(~torch.from_numpy(mask), -1e9).log_softmax(1)
            chosen.append(log.argmax(1) if actions is None else actions[:, part])
            total = total + log.gather(1, chosen[part][:, None])[:, 0]
        return torch.stack(chosen, 1), total

    @torch.no_grad()
    def decide_many(self, views):
        """Return a move of each view, so that a policy is a Python player of hsevo."""
        seen, legal = map(np.concatenate,
                          zip(*(learning.observe(view.games) for view in views), strict=True))
        return learning.moves_of(self(seen, legal)[0].numpy())


if (SAVED := Path(__file__).with_name("network.pt")).exists():
    player = Policy()
    player.load_state_dict(torch.load(SAVED, weights_only=True))


def minibatches(data, random, held_out=False, winners=False, size=512):
    """Yield observations, legal actions and actions, file by file; hold a tenth of games out."""
    for batch in data.batches():
        use = (batch["game"] // 2 % 10 == 0) == held_out  # two games have the same seed
        rows = random.permutation(np.flatnonzero(use & (batch["return"] > 0) if winners else use))
        actions = np.stack([batch[part] for part in ("what", "at", "where")], 1).astype(np.int64)
        for some in (rows[at:at + size] for at in range(0, len(rows), size)):
            yield batch["observation"][some], batch["legal"][some], torch.from_numpy(actions[some])


def clone(data, epochs=4, winners=False, seed=1, rate=1e-3):
    """Return a policy that learned the actions of all decisions, or of the winners."""
    torch.manual_seed(seed)
    policy, random = Policy(), np.random.default_rng(seed)
    adam = torch.optim.Adam(policy.parameters())
    for epoch in range(epochs):
        adam.param_groups[0]["lr"] = rate * (1 - epoch / epochs)
        for seen, legal, actions in minibatches(data, random, winners=winners):
            adam.zero_grad()
            (-policy(seen, legal, actions)[1].mean()).backward()
            adam.step()
        with torch.no_grad():
            right = np.concatenate([(policy(seen, legal)[0] == actions).all(1) for seen, legal,
                                    actions in minibatches(data, random, held_out=True)])
        print(f"epoch {epoch + 1}: {100 * right.mean():.1f} % of held-out actions", flush=True)
    return policy


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("data", help="folder of hsevo dataset")
    options.add_argument("--out", type=Path, default="runs/clone", help="new folder of the player")
    options.add_argument("--winners", action="store_true", help="learn only from winners")
    for name, value in (("epochs", 4), ("seed", 1), ("games", 1000)):
        options.add_argument(f"--{name}", type=int, default=value)
    given = options.parse_args()
    if given.out.exists():
        options.error(f"--out {given.out} exists; choose a new folder")
    torch.set_num_threads(1)  # another number adds in another order, and takes another course
    try:
        policy = clone(hsevo.read_dataset(given.data), given.epochs, given.winners, given.seed)
        given.out.mkdir(parents=True)
        torch.save(policy.state_dict(), given.out / "network.pt")
        shutil.copy(__file__, given.out / "player.py")
        for opponent in ("random", "eva:2018"):
            played = hsevo.match(f"py:{given.out}/player.py#player", opponent, given.games)
            print(f"{played.rate.percent()} against {opponent}", flush=True)
    except hsevo.HsevoError as error:
        options.error(str(error))
