"""The runs that several measurements need: evolutions with their bests, and learned players."""

from __future__ import annotations

from studies.measure.works import Work

AGAINST_EVA = "--set 'references.against=[eva:2018]' --set references.games=4000"


def evolve(config: str, seed: int, options: str = "", called: str = "") -> Work:
    """Return an evolution; its folder is CONFIG-seed-SEED, if `called` says nothing else."""
    return Work(" ".join(filter(None, [f"hsevo evolve --config {config} --seed {seed}", options,
                                       "--out {out} --json"])),
                called=called or f"{config}-seed-{seed}")


def best(run: Work, games: int = 200) -> Work:
    """Return the best of a run, after so many games a pair of decks; it writes a YAML file."""
    return Work(f"hsevo export-best {{0}} --games-per-pair {games} --output {{out}} --json", (run,),
                called=f"{run.name}-best-{games}.yaml")


def paper(seed: int) -> Work:
    """Return an execution of the paper's experiment; seed 1 is also measured against EVA."""
    return evolve("cig2018", seed, AGAINST_EVA if seed == 1 else "")


def fast(seed: int) -> Work:
    """Return an execution of cig2018-fast, measured against EVA every five generations."""
    return evolve("cig2018-fast", seed, f"{AGAINST_EVA} --set references.every=5")


def learn(config: str, seed: int, options: str = "", *needs: Work, called: str = "") -> Work:
    """Return a learned player; `called`: of which kind it is, if options say so."""
    return Work(" ".join(filter(None, [f"hsevo learn --config {config} --seed {seed}", options,
                                       "--out {out}"])),
                needs, called=f"{called or config}-seed-{seed}")


def smoke(seed: int) -> Work:
    """Return a player of osfp-smoke."""
    return learn("osfp-smoke", seed)


def small(seed: int) -> Work:
    """Return a player of an eighth of osfp-small."""
    return learn("osfp-small", seed, "--set periods=5", called="osfp-small-5")


def full(seed: int) -> Work:
    """Return a player of all of osfp-small."""
    return learn("osfp-small", seed)
