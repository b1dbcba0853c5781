"""OSFP in small games: exploitability of the latest policy, median and range of some seeds."""

from __future__ import annotations

import pandas as pd

from studies.measure.figures import Figure, Figures, read
from studies.measure.recipes import pictured, recipe
from studies.measure.works import Lab, Work
from studies.osfp_study import GAMES, OPPONENTS, ends
from studies.ways_study import ENTROPIES, FADES, RATES, WAYS, chosen

PLAIN, EVEN, OSFP = OPPONENTS  # plain self-play; pool, all alike; OSFP


def study(command: str) -> Work:
    """Return a study of figures.yml; what it draws goes into its own folder."""
    words = command.split()
    words[3] = "{out}"
    return Work(" ".join(words))


def end(work: Work, game: str, opponents: str) -> Figure:
    """Return the median and range at the end: "0.039 (0.007 to 0.079)"."""
    def write(lab: Lab) -> str:
        table = ends(pd.read_csv(lab.folder(work) / "osfp.csv"))
        least, middle, most = table.loc[[(GAMES[game][0], opponents)]].to_numpy()[0]
        return f"{middle:.3f} ({least:.3f} to {most:.3f})"
    return read(write, work)


def both(work: Work, **opponents: str) -> Figures:
    """Return the figures of the two short games, as rps-KEY and kuhn-KEY."""
    return {f"{game}-{key}": end(work, game, name) for game in ("rps", "kuhn")
            for key, name in opponents.items()}


def millions(work: Work) -> Figure:
    """Return how many games each learner played: "4.6 million"."""
    return read(lambda lab: f"{pd.read_csv(lab.folder(work) / 'osfp.csv')['games'].max() / 1e6:.1f}"
                " million", work)


@recipe
def osfp(command: str) -> Figures:
    it = study(command)
    pictured("osfp", it, "osfp.svg")
    return {"games": millions(it)} | both(it, osfp=OSFP, self=PLAIN, even=EVEN)


@recipe
def osfp_flat(command: str) -> Figures:
    it = study(command)
    return {"rps": end(it, "rps", OSFP), "kuhn": end(it, "kuhn", OSFP)}


@recipe
def osfp_entropy(command: str) -> Figures:
    return both(study(command), osfp=OSFP, self=PLAIN)


@recipe
def osfp_leduc(command: str) -> Figures:
    it = study(command)
    pictured("osfp-leduc", it, "osfp.svg")
    # a property of the game; a test checks it
    return {"uniform": read(lambda lab: "2.374", it)} | leduc(it)


def leduc(work: Work) -> Figures:
    """Return the figures of Leduc poker."""
    return {"osfp": end(work, "leduc", OSFP), "self": end(work, "leduc", PLAIN),
            "even": end(work, "leduc", EVEN)}


@recipe
def osfp_leduc_little(command: str) -> Figures:
    return leduc(study(command))


@recipe
def osfp_leduc_steep(command: str) -> Figures:
    return {"osfp": end(study(command), "leduc", OSFP)}


@recipe
def ways(command: str) -> Figures:
    it = study(command)
    pictured("ways", it, "osfp.svg")

    def write(lab: Lab) -> str:
        folder = lab.folder(it)
        settings = chosen(pd.read_csv(folder / "tuning.csv")).set_index(["game", "way"])
        found = ends(pd.read_csv(folder / "osfp.csv"))
        titles = [title for title, _ in GAMES.values() if title in settings.index]
        lines = [f"| | {' | '.join(f'{title} | settings' for title in titles)} |",
                 f"|---|{len(titles) * '---|---|'}"]
        for way in WAYS:
            row = [way]
            for title in titles:
                least, middle, most = found.loc[(title, way)]
                rate, entropy, fade, _ = settings.loc[(title, way)]
                row += [f"{middle:.3f} ({least:.3f} to {most:.3f})",
                        f"{rate:g}, {entropy:g}{', falling' * bool(fade)}"]
            lines.append(f"| {' | '.join(row)} |")
        return "\n".join(lines) + "\n"

    grid = len(RATES) * len(ENTROPIES) * len(FADES)
    return {"table": read(write, it), "games": millions(it),
            "settings": read(lambda lab: f"{grid}", it)}
