"""AlphaZero with hidden information: self-play with PUCT over worlds, in PyTorch.

    pip install -e '.[torch]'                    in the clone of hsevo
    python examples/alpha_zero.py 10             ten iterations of 48 games

All games of an iteration search at the same time. A simulation samples a new world of each game for
its player to move (`Games.worlds`), descends by PUCT in a tree of that player, and evaluates the
new nodes of all games in one call of the network.
"""

import sys

import numpy as np

import hsevo
from hsevo import learning

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as missing:
    print(f"error: {missing}; in the clone of hsevo: pip install -e '.[torch]'", file=sys.stderr)
    sys.exit(2)

DECKS = ("mage", "warrior", "shaman")
MOVES = 3662
EXPLORATION, NOISE, RATE, BATCH, EPOCHS = 1.5, 0.25, 0.001, 256, 4
COLUMNS = learning.layout()[lambda table: table["first"] < learning.blocks()["thrown"].offset]
CARDS, NUMBERS = (np.concatenate([one.first + one.stride * np.arange(*one.shape) for one in
                                  COLUMNS[COLUMNS.card == is_card].itertuples()])
                  for is_card in (True, False))  # where an observation has cards, and numbers


class Network(nn.Module):
    """A policy and a value with one hidden layer."""

    def __init__(self, card=16, width=128):
        super().__init__()
        self.card = nn.Embedding(4096, card, padding_idx=0)
        self.body = nn.Linear(card * len(CARDS) + len(NUMBERS), width)
        self.value, self.policy = nn.Linear(width, 1), nn.Linear(width, MOVES)

    def forward(self, seen):
        """Return logits of moves (n, 3662) and win values (n,), -1 to 1, of observations."""
        x = [self.card(seen[:, CARDS].int()).flatten(1), seen[:, NUMBERS].clip(-50, 50) / 10]
        x = torch.relu(self.body(torch.cat(x, 1)))
        return self.policy(x), torch.tanh(self.value(x)).squeeze(1)

    @torch.no_grad()
    def evaluate(self, games, masks):
        """Return probabilities of legal moves (n, 3662) and values for the players to move."""
        logits, value = self(torch.from_numpy(learning.observe(games)[0]))
        logits = logits.masked_fill(~torch.from_numpy(masks), -torch.inf)
        return logits.softmax(1).numpy(), value.numpy()


class Node:
    """Moves of one player, with priors, visits and sums of the player's values."""

    def __init__(self, player):
        self.player, self.at, self.children = player, {}, {}
        self.prior, self.visits, self.value = (np.zeros(0) for _ in range(3))

    def add(self, moves, prior):
        """Add the moves that no earlier world had."""
        new = [k for k, move in enumerate(moves) if move not in self.at]
        for k in new:
            self.at[moves[k]] = len(self.at)
        self.prior = np.append(self.prior, prior[new])
        self.visits, self.value = (np.append(one, np.zeros(len(new)))
                                   for one in (self.visits, self.value))

    def select(self, moves):
        """Return the legal move with the highest PUCT score; None if one has no prior yet."""
        if any(move not in self.at for move in moves):
            return None
        at = [self.at[move] for move in moves]
        visits = self.visits[at]
        score = self.value[at] / np.maximum(visits, 1) + (
            EXPLORATION * self.prior[at] * np.sqrt(1 + visits.sum()) / (1 + visits))
        return moves[int(score.argmax())]


def search(net, games, simulations, seed, noise=None):
    """Return the roots of the trees of games (n), for their players to move.

    noise: a numpy generator mixes Dirichlet noise into the priors of the roots.
    """
    roots = [Node(player) for player in games.current_player]
    for simulation in range(simulations + 1):  # the first evaluates the roots
        worlds = games.worlds(seed=seed + simulation)
        paths, nodes = [[] for _ in roots], [*roots]
        active = np.arange(len(roots))  # the games in which the descent goes on, as in `worlds`
        while len(active):
            masks, over = worlds.legal_actions(), worlds.is_over
            returns, players = worlds.returns(), worlds.current_player
            legal = [np.flatnonzero(mask).tolist() for mask in masks]
            chosen = [None if end else nodes[game].select(moves)
                      for game, moves, end in zip(active, legal, over, strict=True)]
            new = np.array([move is None for move in chosen]) & ~over
            if new.any():
                priors, values = net.evaluate(worlds.take(new), masks[new])
                for k, prior, value in zip(np.flatnonzero(new), priors, values, strict=True):
                    nodes[active[k]].add(legal[k], prior[legal[k]])
                    returns[k] = value if players[k] == 0 else -value, (
                        value if players[k] == 1 else -value)
            for k in np.flatnonzero(new | over):
                for node, at in paths[active[k]]:
                    node.visits[at] += 1
                    node.value[at] += returns[k][node.player]
            stay = ~(new | over)
            worlds = worlds.take(stay)
            active, moves = active[stay], [move for move in chosen if move is not None]
            if not moves:
                break
            worlds.apply(moves)
            for game, move, player in zip(active, moves, worlds.current_player, strict=True):
                node = nodes[game]
                paths[game].append((node, node.at[move]))
                nodes[game] = node.children.setdefault((move, player), Node(player))
        if simulation == 0 and noise is not None:
            for root in roots:
                drawn = noise.dirichlet(np.full(len(root.prior), 10 / len(root.prior)))
                root.prior = (1 - NOISE) * root.prior + NOISE * drawn
    return roots


def self_play(net, number, simulations, seed, max_turns=60):
    """Return observations, masks, visits and results of all decisions of `number` games."""
    random = np.random.default_rng(seed)
    pairs = [(a, b) for a in DECKS for b in DECKS]
    decks = [pairs[k % len(pairs)] for k in range(number)]
    games = hsevo.Games(*zip(*decks, strict=True), seed * 10**6 + np.arange(number),
                        max_turns=max_turns)
    kept, numbers, seats, clock = [], [], [], 0
    while games.running.any():
        running = np.flatnonzero(games.running)
        now = games.take(running)
        roots = search(net, now, simulations, seed * 10**6 + clock * 10**3, random)
        targets, moves = np.zeros((len(running), MOVES), np.float32), np.zeros(number, np.int64)
        for k, root in enumerate(roots):
            share = root.visits / root.visits.sum()
            targets[k, [*root.at]] = share
            moves[running[k]] = random.choice([*root.at], p=share)
        kept.append((learning.observe(now)[0], now.legal_actions(), targets))
        numbers.append(running)
        seats.append(now.current_player)
        games.apply(moves)
        clock += 1
    results = games.returns()[np.concatenate(numbers), np.concatenate(seats)]
    return [*map(np.concatenate, zip(*kept, strict=True)), results.astype(np.float32)]


def train(net, adam, data):
    """Fit the network to visits and results; return the mean losses of policy and value."""
    seen, masks, targets, results = map(torch.from_numpy, data)
    losses = []
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(seen)).split(BATCH):
            logits, value = net(seen[rows])
            chance = logits.masked_fill(~masks[rows], -1e9).log_softmax(1)
            parts = -(targets[rows] * chance).sum(1).mean(), functional.mse_loss(
                value, results[rows])
            adam.zero_grad()
            sum(parts).backward()
            adam.step()
            losses.append([part.item() for part in parts])
    return np.mean(losses, axis=0)


def learn(iterations, games=48, simulations=8, seed=1, report=print):
    """Return a network that learned from its own games."""
    torch.manual_seed(seed)
    net = Network()
    adam = torch.optim.Adam(net.parameters(), RATE)
    for iteration in range(iterations):
        data = self_play(net, games, simulations, seed * 1000 + iteration)
        policy, value = train(net, adam, data)
        report(f"iteration {iteration + 1}: {len(data[0]):,} decisions, policy loss {policy:.2f},"
               f" value loss {value:.2f}")
    return net


def win_rate(net, opponent, number=180, simulations=0, seed=1):
    """Return the win rate against an agent; simulations 0: by the highest prior alone."""
    pairs = [(a, b) for a in DECKS for b in DECKS]
    decks = [pairs[k // 2 % len(pairs)] for k in range(number)]
    games = hsevo.Games(*zip(*decks, strict=True), seed * 10**6 + np.arange(number))
    seats, clock = np.arange(number) % 2, 0
    while games.running.any():
        while (games.current_player == 1 - seats).any():
            games.ask(opponent, 1 - seats)  # makes moves in their games
        mine, moves = np.flatnonzero(games.running), np.zeros(number, np.int64)
        if len(mine):
            roots = search(net, games.take(mine), simulations, seed * 10**6 + clock * 10**3)
            moves[mine] = [[*root.at][int((root.visits + root.prior / 2).argmax())]
                           for root in roots]
            games.apply(moves)
        clock += 1
    return hsevo.win_rate((1 + games.returns()[np.arange(number), seats]) / 2)


if __name__ == "__main__":
    torch.set_num_threads(1)  # another number adds in another order, and takes another course
    network = learn(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
    for simulations in (0, 8):
        for opponent in ("random", "eva:2018"):
            rate = win_rate(network, opponent, simulations=simulations)
            print(f"{simulations} simulations against {opponent}: {100 * rate.value:.1f} % won"
                  f" ({100 * rate.low:.1f} to {100 * rate.high:.1f})", flush=True)
