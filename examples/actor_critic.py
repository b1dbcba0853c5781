"""Learn to beat random play in PyTorch, within a minute: an advantage actor-critic (A2C).

    pip install -e '.[env,torch]'        in the clone of hsevo
    python examples/actor_critic.py

All places share one embedding of cards. `what` is drawn first; `at` and `where` are then drawn by
the logits and the masks of that `what`.
"""

import sys

import numpy as np

import hsevo
from hsevo import learning

try:
    import torch
    from torch import nn
    from torch.distributions import Categorical
except ImportError as missing:
    print(f"error: {missing}; in the clone of hsevo: pip install -e '.[env,torch]'",
          file=sys.stderr)
    sys.exit(2)

# Games at once, their steps in an update, lambda of the returns, the bonus, Adam's learning rate.
GAMES, STEPS, TRACE, ENTROPY, RATE = 256, 16, 0.95, 0.01, 0.001
COLUMNS = learning.layout()[lambda table: table["first"] < learning.blocks()["thrown"].offset]
CARDS, NUMBERS = (np.concatenate([one.first + one.stride * np.arange(*one.shape) for one in
                                  COLUMNS[COLUMNS.card == is_card].itertuples()])
                  for is_card in (True, False))  # where an observation has cards, and numbers


class ActorCritic(nn.Module):
    """A policy and a value with one hidden layer."""

    def __init__(self, card=16, width=128):
        super().__init__()
        self.card = nn.Embedding(4096, card, padding_idx=0)
        self.body = nn.Linear(card * len(CARDS) + len(NUMBERS), width)
        self.value = nn.Linear(width, 1)
        self.heads = nn.ModuleDict({"what": nn.Linear(width, 58), "at": nn.Linear(width, 58 * 17),
                                    "where": nn.Linear(width, 58 * 7)})

    def forward(self, seen):
        """Draw actions (n, 3); return them with their log-probabilities, entropies and values."""
        numbers, actions, chance, entropy = torch.from_numpy(seen["observation"]), [], 0, 0
        x = [self.card(numbers[:, CARDS].int()).flatten(1), numbers[:, NUMBERS].clip(-50, 50) / 10]
        x = torch.relu(self.body(torch.cat(x, 1)))
        for part, head in self.heads.items():
            legal = torch.from_numpy(seen[part]) == 1
            logits = head(x).view(legal.shape).masked_fill(~legal, -1e9)
            drawn = Categorical(logits=logits[range(len(x)), actions[0]] if actions else logits)
            actions.append(drawn.sample())
            chance, entropy = chance + drawn.log_prob(actions[-1]), entropy + drawn.entropy()
        return torch.stack(actions, 1).numpy(), chance, entropy, self.value(x).squeeze(1)


def learn(updates=100, seed=1, opponent="random"):
    """Return a network that learned from `updates` times GAMES times STEPS decisions."""
    torch.manual_seed(seed)
    net, env = ActorCritic(), hsevo.make_vec("battle", GAMES, opponent=opponent, seed=seed)
    adam, seen = torch.optim.Adam(net.parameters(), RATE), env.reset()[0]
    for _ in range(updates):
        steps, loss = [], 0
        for _ in range(STEPS):
            actions, *outputs = net(seen)
            seen, rewards, ended, cut, _ = env.step(actions)
            steps.append((*outputs, torch.tensor(rewards).float(), torch.tensor(~(ended | cut))))
        target = after = net(seen)[-1].detach()
        for chance, entropy, value, reward, goes_on in reversed(steps):  # TD(lambda) returns
            target = reward + goes_on * (TRACE * target + (1 - TRACE) * after)
            after = value.detach()
            loss += ((target - value)**2 / 2 - (target - after) * chance - ENTROPY * entropy).mean()
        adam.zero_grad()
        (loss / STEPS).backward()
        adam.step()
    return net


@torch.no_grad()
def win_rate(net, games=2000, seed=2, opponent="random"):
    """Return which share of fresh games it wins, of each environment the first."""
    env = hsevo.make_vec("battle", games, opponent=opponent, seed=seed)
    seen, won, over = env.reset()[0], np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        seen, rewards, ended, cut, _ = env.step(net(seen)[0])
        won, over = won | ((rewards > 0) & ~over), over | ended | cut
    return hsevo.win_rate(won)


if __name__ == "__main__":
    torch.set_num_threads(1)  # another number adds in another order, and takes another course
    try:
        rate = win_rate(learn())
    except hsevo.HsevoError as error:  # gymnasium is missing: the line says how to install it
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"against random play: {100 * rate.value:.1f} % won"
          f" ({100 * rate.low:.1f} to {100 * rate.high:.1f})")
