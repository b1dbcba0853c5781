"""Learn to play with MaskablePPO of Stable-Baselines3, in minutes on a CPU.

    pip install -e '.[sb3]'        in the clone of hsevo, after PyTorch
    python examples/sb3_ppo.py

`Board` is all that Hearthstone needs of its own: the numbers of cards are names, not sizes, so that
each gets an embedding. The policy and the value are one layer each on top of it.

With --out DIR, it saves the model, and next to it a copy of this file that plays it, as the agent
py:DIR/player.py#player.
"""

import argparse
import shutil
import sys
import threading
import time
from pathlib import Path

import numpy as np

import hsevo
from hsevo import learning

try:
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn
except ImportError as missing:
    print(f"error: {missing}; in the clone of hsevo: pip install -e '.[sb3]'", file=sys.stderr)
    sys.exit(2)

COLUMNS = learning.layout()[lambda table: table["first"] < learning.blocks()["thrown"].offset]
CARDS, NUMBERS = (np.concatenate([one.first + one.stride * np.arange(*one.shape) for one in
                                  COLUMNS[COLUMNS.card == is_card].itertuples()])
                  for is_card in (True, False))  # where an observation has cards, and numbers


class Board(BaseFeaturesExtractor):
    """What a player sees, as a hidden layer: cards by their embedding, numbers by their size."""

    def __init__(self, space, card=16, width=128):
        super().__init__(space, width)
        self.card = nn.Embedding(4096, card, padding_idx=0)
        self.body = nn.Linear(card * len(CARDS) + len(NUMBERS), width)

    def forward(self, seen):
        """Return features, (n, width), of observations, (n, 1055)."""
        cards = self.card(seen[:, CARDS].long()).flatten(1)
        return torch.relu(self.body(torch.cat([cards, seen[:, NUMBERS].clip(-50, 50) / 10], 1)))


class Player:
    """A Python player of hsevo: a saved model that takes the likeliest moves."""

    def __init__(self, file):
        self.file, self.model = file, None
        self.lock = threading.Lock()  # a match asks in threads, and policies of SB3 keep a state

    def decide_many(self, views):
        """Return a move of each view."""
        seen, legal = (np.concatenate(parts) for parts in zip(
            *((learning.observe(view.games)[0], view.games.legal_moves()) for view in views),
            strict=True))
        with self.lock:
            if self.model is None:
                self.model = MaskablePPO.load(self.file, device="cpu",
                                              custom_objects={"policy_kwargs": POLICY})
            return self.model.predict(seen, action_masks=legal, deterministic=True)[0]


POLICY = {"features_extractor_class": Board, "net_arch": []}
player = Player(Path(__file__).with_name("model.zip"))


def learn(steps=400_000, seed=1, opponent="eva:2018", games=64):
    """Return a policy that learned from `steps` decisions in games against an opponent."""
    env = hsevo.make_sb3("battle", num_envs=games, opponent=opponent)
    model = MaskablePPO(
        "MlpPolicy", env, seed=seed, device="cpu", learning_rate=1e-3, n_steps=64, batch_size=1024,
        n_epochs=2, gamma=1.0, ent_coef=0.01, verbose=1,
        policy_kwargs=POLICY)
    return model.learn(steps, log_interval=1 + steps // 100_000)


def win_rate(model, opponent, games=2000, seed=2):
    """Return the win rate in fresh games, with its interval; the likeliest action is taken."""
    env = hsevo.make_sb3("battle", num_envs=min(games, 100), opponent=opponent, seed=seed)
    rewards, _ = evaluate_policy(model, env, games, return_episode_rewards=True)
    return hsevo.win_rate((np.array(rewards) + 1) / 2)


def main():
    """Learn against one opponent, and measure against two."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, default=400_000, help="decisions to learn from")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--opponent", default="eva:2018", help="whom it learns against")
    options.add_argument("--out", type=Path, help="a new folder for the model and its player")
    given = options.parse_args()
    if given.out and given.out.exists():
        options.error(f"--out {given.out} exists; choose a new folder")
    torch.set_num_threads(1)  # another number adds in another order, and takes another course
    try:
        model = learn(given.steps, given.seed, given.opponent)
    except hsevo.HsevoError as error:
        options.error(str(error))
    spent = time.process_time()
    print(f"learned from {model.num_timesteps:,} decisions in {spent:.0f} CPU seconds")
    if given.out:
        given.out.mkdir(parents=True)
        model.save(given.out / "model.zip")
        shutil.copy(__file__, given.out / "player.py")
    print("measuring, which takes about a minute ...", flush=True)
    for opponent in ("random", "eva:2018"):
        rate = win_rate(model, opponent)
        print(f"against {opponent}: {100 * rate.value:.1f} % won"
              f" ({100 * rate.low:.1f} to {100 * rate.high:.1f})")


if __name__ == "__main__":
    main()
