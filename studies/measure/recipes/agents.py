"""Agents against others: matches, arenas, benchmarks, searches and other genomes."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from hsevo.runs.folder import RunFolder
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    constant,
    estimate,
    games,
    match,
    percent,
    rate,
    read,
    signed,
    value,
)
from studies.measure.recipes import AFTER, recipe
from studies.measure.recipes.experiment import counted, played
from studies.measure.recipes.runs import best, evolve
from studies.measure.works import Lab, Work
from studies.santos_ga import directions

SMALL = "?iterations=20&rollouts=5"  # the smaller budget S of tree searches
NINE = ("--decks warrior,shaman,mage,miracle-pirate-rogue,zoo-discard-warlock,reno-dragon-priest,"
        "secret-hunter,buff-paladin,murloc-druid")


@recipe
def arena(command: str) -> Figures:
    it = Work(command.replace("--out panel", "--out {out}"))

    def table(lab: Lab) -> str:
        lines = lab.text(it).splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("agent "))
        return "".join(f"{line}\n" for line in lines[begin:begin + 12])
    return {"output": read(table, it)}


@recipe
def benchmark(command: str) -> Figures:
    it = Work(f"{command} --out {{out}}")

    def rating(lab: Lab) -> str:
        found = re.search(r"rating (\S+) Elo \((.*?)\)", lab.text(it))
        assert found
        return f"{found[1]} Elo ({found[2]})"

    return {"rating": read(rating, it), "output": read(lambda lab: places(lab.text(it)), it)}


def places(text: str) -> str:
    """Return what hsevo benchmark prints, of the places the first, the last and those around it."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("place "))
    end = next((i for i in range(begin, len(lines)) if not lines[i]), len(lines))
    rows = lines[begin + 1:end]
    own = next(i for i, row in enumerate(rows) if "(this agent)" in row)
    kept = sorted({0, *range(max(own - 1, 0), min(own + 3, len(rows))), len(rows) - 1})
    shown: list[str] = []
    for before, i in zip([-1, *kept], kept, strict=False):
        shown += [*(["       ..."] if i > before + 1 else []), rows[i]]
    return "".join(f"{line.rstrip()}\n" for line in [*lines[:begin + 1], *shown])


# The panel

PANEL = Work("python -m tests.support.make_panel panel-2026b --out {out}", called="panel-2026b")
AFTER["panel-2026b"] = (
    Work("python -m tests.support.make_panel panel-2026b --ship {0}", (PANEL,)),)
CHAMPION = "eva:wide-reply:2026"


def panel_table(lab: Lab, name: str) -> pd.DataFrame:
    """Return a table of the panel's arena, agents without their options."""
    table = pd.read_csv(lab.folder(PANEL) / f"{name}.csv")
    return table.assign(**{column: table[column].str.partition("?")[0]
                           for column in ("agent", "opponent") if column in table})


def met(opponent: str) -> Figure:
    """Return the champion's rate against an agent of the panel."""
    def write(lab: Lab) -> str:
        table = panel_table(lab, "pairs")
        row = table[(table["agent"] == CHAMPION) & (table["opponent"] == opponent)].iloc[0]
        return percent(estimate(row, "rate"), 1)
    return read(write, PANEL)


def of_champion(write: Any) -> Figure:
    """Return a figure of the champion's row."""
    def found(lab: Lab) -> str:
        table = panel_table(lab, "ratings")
        return str(write(table[table["agent"] == CHAMPION].iloc[0]))
    return read(found, PANEL)


@recipe
def panel_2026b(command: str) -> Figures:
    def ratings(lab: Lab) -> str:
        rows = panel_table(lab, "ratings").to_dict("records")
        lines = [f"| `{row['agent']}` | {signed(estimate(row, 'rating', ''))} |" for row in rows]
        return "\n".join(["| agent | rating in Elo (95 %) |", "|---|---|", *lines, ""])

    def lead(row: Any) -> str:
        return f"{row['lead']:.0f} Elo ({row['lead_low']:.0f} to {row['lead_high']:.0f})"

    return {"games": read(lambda lab: f"{panel_table(lab, 'ratings')['games'].sum() // 2:,}",
                          PANEL),
            "each": of_champion(lambda row: f"{row['games']:,}"), "lead": of_champion(lead),
            "all": of_champion(lambda row: percent(estimate(row, "rate"), 1)),
            "gsv": met("gsv"), "eva": met("eva:2018"), "table": read(ratings, PANEL)}


# Tree searches


@recipe
def mcts(command: str) -> Figures:
    def met(a: str, b: str, games: int, options: str = "") -> Work:
        return match(a, b, f"--games {games}{options}")

    small, gsv = f"mcts:knowledge{SMALL}", "gsv"
    table = [met("mcts:knowledge", "greedy:metastone", 36),
             met("mcts:vanilla", "greedy:metastone", 90), met("mcts:knowledge", gsv, 90),
             met("mcts:vanilla", gsv, 90), met("mcts:knowledge", "mcts:vanilla", 36),
             met(small, gsv, 180), met(f"{small}&heuristic=santos", gsv, 180),
             met(f"{small}&final=secure", gsv, 108), met(f"{small}&reuse=no", gsv, 108)]
    vanilla = f"mcts:vanilla{SMALL}"
    return {"table": cells(*map(rate, table)),
            "vanilla-greedy": rate(met(vanilla, "greedy:metastone", 180)),
            "vanilla-gsv": rate(met(vanilla, gsv, 180)),
            "knowledge-greedy": rate(met(small, "greedy:metastone", 180)),
            "knowledge-gsv": value(met(small, gsv, 180)),
            "knowledge-vanilla": rate(met(small, vanilla, 2000, " --sprt 0 50"))}


# Agents that search EVA's turn, and other genomes

SEARCHES = ("eva:turn?nodes=100", "eva:turn", "eva:turn?depth=5", "eva:turn?depth=8&nodes=1000",
            "eva:turn?depth=15&nodes=10000", "eva:turn?samples=3",
            "eva:reply?depth=8&nodes=1000&hands=2&ends=6",
            "eva:reply?depth=8&nodes=1000&hands=4&ends=12")


@recipe
def turn_weights(command: str) -> Figures:
    options = "--games 3600 --seed 12"
    ours = [match(one, "eva:2018", options) for one in SEARCHES]
    return {"table": cells(*(rate(one, 1) for one in ours)), "games": games(ours[0]),
            "gsv-turn": rate(match("eva:turn", "gsv", options), 1),
            "gsv-reply": rate(match(SEARCHES[-1], "gsv", options), 1)}


GENOMES = {"one": "", "deck": "--set agent.genome=deck", "matchup": "--set agent.genome=matchup",
           "wide": "--set agent=eva:wide"}
STARTS = {"anywhere": "", "base": "--set evolution.start=base --set"
          " 'evolution.first_sigmas=[0,0.1]' --set evolution.sigma_max=0.2"}


def champion(genome: str, start: str, seed: int) -> Work:
    """Return the best of cig2018-fast with another genome."""
    options = " ".join(filter(None, ["--set references=null", GENOMES[genome], STARTS[start]]))
    return best(evolve("cig2018-fast", seed, options, f"{genome}-{start}-seed-{seed}"), 40)


def spec(genome: str, number: int = 0) -> str:
    """Return the agent of such a best."""
    return f"{'eva:wide' if genome == 'wide' else 'eva'}:{{{number}}}"


@recipe
def evolving(command: str) -> Figures:
    found = [match(spec(genome), "eva:2018", "--games 10008 --seed 4711",
                   champion(genome, start, seed))
             for start in STARTS for genome in GENOMES for seed in (1, 2, 3)]
    it = champion("one", "anywhere", 1).needs[0]
    return {"games": played(it), "best": constant("360", it), "match": games(found[0]),
            "table": cells(*(rate(one, 1) for one in found))}


@recipe
def evolving_direct(command: str) -> Figures:
    def three(genome: str) -> Figure:
        return cells(*(rate(match(
            spec(genome), spec("one", 1), "--games 10008 --seed 4712",
            champion(genome, "base", seed), champion("one", "base", seed)), 1)
            for seed in (1, 2, 3)))

    return {genome: three(genome) for genome in ("deck", "matchup", "wide")}


@recipe
def wide_champion(command: str) -> Figures:
    it = Work(f"{command} --json")
    return {"games": games(it), "rate": rate(it, 1)}


@recipe
def nine_champion(command: str) -> Figures:
    def met(opponent: str, many: int = 20088, decks: str = NINE) -> Work:
        return match("eva:wide:nine-2026", opponent, f"{decks} --games {many} --seed 5252".strip())

    eva, miller, three = (met("eva:2018"), met("dl:miller", 4050),
                          met("eva:wide:2026", 20016, ""))
    return {"games": games(eva), "eva": rate(eva), "wide": rate(met("eva:wide:2026")),
            "metastone": rate(met("greedy:metastone")), "miller": rate(miller),
            "miller-games": games(miller), "three": rate(three), "three-games": games(three)}


# Santos' genetic algorithm

SANTOS = evolve("santos-ga", 2017, called="santos-ga")


def fresh_rows(text: str) -> list[dict[str, str]]:
    """Return the lines of the table of fresh games: each begins with its number."""
    heads, *lines = [line.split() for line in text.splitlines()]
    return [dict(zip(heads, line[1:], strict=True)) for line in lines if line[0].isdigit()]


@recipe
def santos_ga(command: str) -> Figures:
    it = Work("python -m studies.santos_ga {0}", (SANTOS,))

    def one(pick: Any) -> Figure:
        def write(lab: Lab) -> str:
            row = pick(fresh_rows(lab.text(it)))
            return percent({"value": float(row["rate"]), "low": float(row["low"]),
                            "high": float(row["high"])}, 1)
        return read(write, it)

    def extreme(which: Any) -> Figure:
        return one(lambda rows: which((row for row in rows if "individual" in row["agent"]),
                                      key=lambda row: float(row["rate"])))

    def named(name: str) -> Figure:
        return one(lambda rows: next(row for row in rows if row["agent"] == name))

    def each(lab: Lab) -> str:
        row = fresh_rows(lab.text(it))[0]
        return f"{sum(int(row[name]) for name in ('wins', 'draws', 'losses')):,}"

    return {"games": counted(SANTOS), "each": read(each, it), "most": extreme(max),
            "least": extreme(min), "thesis": named("greedy:santos"),
            "metastone": named("greedy:metastone"),
            "survivors": read(lambda lab: f"{survivors(lab)}", SANTOS),
            "directions": read(direction_table, SANTOS),
            "cosine": read(lambda lab: f"{directions(_run(lab))[1]:.2f}", SANTOS),
            "random": read(lambda lab: f"{directions(_run(lab))[2]:.2f}", SANTOS)}


def _run(lab: Lab) -> RunFolder:
    return RunFolder(lab.folder(SANTOS))


def survivors(lab: Lab) -> int:
    """Return how many individuals the last populations of all executions have."""
    from hsevo.strength.champions import last_population

    return len(last_population(_run(lab))[0])


def direction_table(lab: Lab) -> str:
    """Return the survivors' mean direction beside the thesis'."""
    table = directions(_run(lab))[0]
    heads = ["", "minions", "tough minions", "cards in hand", "trade advantage",
             "mana of the board"]
    lines = [f"|{' |'.join(f' {head}' if head else '' for head in heads)} |", f"{'|---' * 6}|"]
    lines += [f"| {name} | {' | '.join(f'{cell:.3f}' for cell in table[name])} |"
              for name in ("survivors", "thesis")]
    return "\n".join([*lines, ""])


@recipe
def santos_luck(command: str) -> Figures:
    it = best(SANTOS, 100)

    def share(key: str) -> Figure:
        return read(lambda lab: f"{100 * lab.json(it)[key]:.1f} %", it)

    def each(lab: Lab) -> str:
        row = lab.json(it)["ranking"][0]
        return f"{row['wins'] + row['draws'] + row['losses']:,}"

    return {"in-run": share("run_rate"), "fresh": share("fresh_rate"), "games": read(each, it),
            "luck": read(lambda lab: f"{100 * lab.json(it)['optimism']:.1f} points", it)}
