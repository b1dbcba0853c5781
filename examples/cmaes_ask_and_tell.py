"""CMA-ES on EVA's weights by ask and tell, in plain Python: fitness is the win rate in matches.

    python examples/cmaes_ask_and_tell.py

All candidates of a generation play the same shuffles against one opponent.
"""

import sys

import cma

import hsevo

OPPONENT, DECKS = "greedy:metastone", ["mage", "warrior", "shaman"]


def search(generations=10, size=8, games=180, seed=1):
    """Return the agent at the mean of the distribution after some generations."""
    eva = hsevo.Agent("eva:2018").genome
    es = cma.CMAEvolutionStrategy((eva.low + eva.high) / 2, 0.3, {
        "bounds": [eva.low.tolist(), eva.high.tolist()], "popsize": size, "seed": seed,
        "verbose": -9})
    for generation in range(generations):
        weights = es.ask()
        rates = [hsevo.match(hsevo.Agent.of_vector(vector), OPPONENT, games, decks=DECKS,
                             seed=seed + generation).rate.value for vector in weights]
        es.tell(weights, [-rate for rate in rates])
        print(f"generation {generation}: best {100 * max(rates):.1f} %,"
              f" mean {100 * sum(rates) / size:.1f} %, sigma {es.sigma:.3f}", flush=True)
    return hsevo.Agent.of_vector(es.result.xfavorite, "cma-es")


if __name__ == "__main__":
    try:
        # The rates above are of the games that selected; a match with another seed is not biased.
        print(hsevo.match(search(), OPPONENT, 2000, decks=DECKS, seed=1000))
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
