"""The players of any deck, rl:2026 and rl:2027."""

from __future__ import annotations

import hsevo
from hsevo.play.formats import FORMATS
from studies.measure.figures import (
    Figure,
    Figures,
    cells,
    games,
    match,
    mean_cpu,
    percent,
    rate,
    read,
)
from studies.measure.recipes import recipe
from studies.measure.recipes.learning import learned
from studies.measure.recipes.runs import learn
from studies.measure.works import Lab, Work

PLAYER, POLICY, TEXT, NEWEST = "rl:2026", "rl:ppo-2026", "rl:text-2026", "rl:2027"
OPPONENTS = ("eva:2018", "eva:wide:nine-2026", "gsv")
CLASSES = ("Druid", "Hunter", "Mage", "Paladin", "Priest", "Rogue", "Shaman", "Warlock", "Warrior")
SEARCHES = {"reply": 504, "tree&iterations=37": 1008, "tree&iterations=370": 504,
            "tree&iterations=3700": 180}
HELD_OUT = "--decks human:held-out --games 4000 --seed 27"


def held_out(opponent: str, player: str = PLAYER, options: str = HELD_OUT) -> Work:
    """Return a match on human lists that it never met."""
    return match(player, opponent, options)


def with_class(name: str, work: Work) -> Figure:
    """Return the rate of a match with the lists of a class."""
    def write(lab: Lab) -> str:
        row = next(row for row in lab.json(work)["classes"] if row["class"] == name)
        return percent(row["rate"], 1)
    return read(write, work)


@recipe
def any_deck(command: str) -> Figures:
    works = [held_out(opponent) for opponent in OPPONENTS]
    return {"games": games(works[0]),
            "eva": rate(works[0], 1),
            "table": cells(*(rate(work, 1) for work in works),
                           *(with_class(name, work) for name in CLASSES for work in works))}


@recipe
def any_deck_classes(command: str) -> Figures:
    works = [held_out(player, player) for player in ("eva:2018", PLAYER)]
    return {"games": games(works[0]),
            "rogue": with_class("Rogue", works[0]), "warrior": with_class("Warrior", works[0]),
            "table": cells(*(with_class(name, work) for name in CLASSES for work in works))}


@recipe
def any_deck_run(command: str) -> Figures:
    run = learn("any-deck", 1)

    def course(lab: Lab) -> str:
        table = hsevo.Learned(lab.folder(run)).references
        *some, last = (f"{100 * one:.1f} %" for one in
                       table[table["opponent"] == OPPONENTS[0]]["rate"])
        return f"{', '.join(some)} and {last}"

    return {"games": learned(run), "cpu": mean_cpu([run]), "course": read(course, run)}


@recipe
def any_deck_competition(command: str) -> Figures:
    return {"eva": rate(match(PLAYER, "eva:2018", "--games 4000 --seed 27"), 1)}


@recipe
def any_deck_search(command: str) -> Figures:
    options = HELD_OUT.replace("4000", "400")
    works = [held_out(opponent, f"{PLAYER}?search=turn", options)
             for opponent in ("gsv", "eva:wide-reply:2026", PLAYER)]
    return {"games": games(works[0]), "table": cells(*(rate(work, 1) for work in works))}


@recipe
def any_deck_worlds(command: str) -> Figures:
    """Return rates against the search of the turn; the longest plays with one kind of decks."""
    works = [match(f"{PLAYER}?search={search}", f"{PLAYER}?search=turn",
                   f"--games {n} --seed 42{decks}")
             for search, n in SEARCHES.items() for decks in ("", " --decks human:held-out")]
    return {"table": cells(*(rate(work, 1) for work in works[:-1]))}


# Settings of the recipe changed one at a time, and the seeds that each learns with.
PARTS = {
    "recipe of `rl:2026`": ("", (1, 2, 3)),
    "cards by number and by text": ("--set learner.cards=both", (1,)),
    "cards only by text": ("--set learner.cards=text", (1,)),
    "only human lists": ("--set decks.human=1 --set decks.changed=0 --set decks.drawn=0", (1,)),
    "only random lists of the cards that a class may play":
        ("--set decks.human=0 --set decks.changed=0 --set decks.drawn=1", (1,)),
    "60 % of games in self-play, the others against its opponent pool":
        ("--set osfp.self_play=0.6", (1,)),
}


@recipe
def any_deck_parts(command: str) -> Figures:
    """Return rates of players that learned for a tenth of the recipe's length."""
    short = "--set periods=6 --set 'references.against=[]'"
    runs = {(name, seed): learn("any-deck", seed, f"{short} {settings}".strip(),
                                called=f"any-deck-part-{place}")
            for place, (name, (settings, seeds)) in enumerate(PARTS.items()) for seed in seeds}
    works = {key: [match("rl:{0}", opponent, HELD_OUT, run) for opponent in ("eva:2018", "gsv")]
             for key, run in runs.items()}

    def write(lab: Lab) -> str:
        lines = ["| | seed | against `eva:2018` | `gsv` |", "|---|---|---|---|"]
        for (name, seed), some in works.items():
            rates = (percent(lab.json(one)["rate"], 1) for one in some)
            lines.append(f"| {name} | {seed} | " + " | ".join(rates) + " |")
        return "\n".join(lines)

    every = [one for some in works.values() for one in some]
    return {"length": learned(next(iter(runs.values()))), "match": games(every[0]),
            "table": read(write, *every)}


@recipe
def any_deck_both(command: str) -> Figures:
    run = learn("any-deck", 1, "--set learner.cards=both", called="any-deck-both")
    works = [match("rl:{0}", opponent, f"{decks}--games 4000 --seed 27", run)
             for opponent in OPPONENTS for decks in ("--decks human:held-out ", "")]
    return {"table": cells(*(rate(work, 1) for work in works))}


@recipe
def any_deck_text(command: str) -> Figures:
    """Return rates of the player that knows cards by their texts, and of cards that no set has."""
    kinds = (" --decks human:held-out", "")
    works = [match(TEXT, opponent, f"--games 4000 --seed 94{decks}")
             for opponent in OPPONENTS for decks in kinds]
    duels = [match(TEXT, PLAYER, f"--games 8000 --seed 94{decks}") for decks in kinds]
    other = match(TEXT, "eva:2018", "--games 4000 --seed 94 --ruleset hearthsim --decks"
                                    " taunts-1,bodies-1,bodies-2,bodies-3")
    return {"table": cells(*(rate(work, 1) for work in works)), "duel": rate(duels[0], 1),
            "duel-competition": rate(duels[1], 1), "other": rate(other, 1)}


@recipe
def any_deck_ppo(command: str) -> Figures:
    """Return rates of the policy that PPO made of the player, and the player's own, by new games.
    """
    kinds = (" --decks human:held-out", "")
    rows = {name: [match(name, opponent, f"--games 4000 --seed 44{decks}")
                   for decks in kinds for opponent in OPPONENTS] for name in (PLAYER, POLICY)}
    duels = [match(POLICY, PLAYER, f"--games 8000 --seed 44{decks}") for decks in kinds]
    works = [work for some in rows.values() for work in some]
    return {"duel-games": games(duels[0]), "table": cells(*(rate(work, 1) for work in works)),
            "duel": rate(duels[0], 1), "duel-competition": rate(duels[1], 1)}


@recipe
def any_year(command: str) -> Figures:
    """Return rates of the player of cards of all years: old lists, duels, and lists of all years.
    """
    held = "--decks human:held-out --seed 95"
    works = [match(NEWEST, opponent, f"{held} --games 4000") for opponent in OPPONENTS]
    again = [match(NEWEST, opponent, "--decks human:held-out --seed 197 --games 4000")
             for opponent in OPPONENTS]
    duels = {name: match(NEWEST, player, f"{held} --games 8000")
             for name, player in (("duel", PLAYER), ("policy", POLICY), ("text", TEXT))}
    later = [match(NEWEST, opponent, f"{held} --games 4000 --ruleset rise2019")
             for opponent in OPPONENTS]
    return {"games": games(works[0]), "eva": rate(works[0], 1), "gsv": rate(works[2], 1),
            "eva-again": rate(again[0], 1), "nine-again": rate(again[1], 1),
            "gsv-again": rate(again[2], 1), "duel-games": games(duels["duel"]),
            "table": cells(*(rate(work, 1) for work in works),
                           *(with_class(name, work) for name in CLASSES for work in works)),
            "later": cells(*(rate(work, 1) for work in later)),
            **{name: rate(work, 1) for name, work in duels.items()}}


@recipe
def any_year_search(command: str) -> Figures:
    """Return rates of its searches against the search of the turn of rl:2026."""
    works = [match(f"{NEWEST}?search={search}", f"{PLAYER}?search=turn",
                   f"--games {n} --seed 96 --decks human:held-out")
             for search, n in {"turn": 4000, **SEARCHES}.items()]
    return {"table": cells(*(rate(work, 1) for work in works))}


@recipe
def any_deck_ppo_run(command: str) -> Figures:
    return {"games": learned(learn("any-deck-ppo", 1))}


@recipe
def speed_learner(command: str) -> Figures:
    it = Work(command)
    return {"two": read(lambda lab: f"{lab.json(it)['two_workers']:.2f}", it)}


@recipe
def any_deck_series(command: str) -> Figures:
    works = {name: Work(f"{command.replace('conquest', name)} --json") for name in FORMATS}
    lines = {"conquest": "Conquest", "last-hero-standing": "Last Hero Standing"}

    def write(lab: Lab) -> str:
        rows = []
        for name, work in works.items():
            found = lab.json(work)
            rows.append(f"| {lines[name]} | {percent(found['rate'], 1)} |"
                        f" {percent(found['games'], 1)} |")
        return "\n".join(["| format | series won | games won |", "|---|---|---|", *rows])
    return {"table": read(write, *works.values())}


@recipe
def network_sizes(command: str) -> Figures:
    it = Work(command.replace("build/sizes", "{out}"))

    def rows(lab: Lab) -> list[str]:
        return [f"| {one['width']} | {one['games']:,} | {one['cpu'] / 60:.1f} |"
                f" {one['games_per_second']:,.0f} | "
                + " | ".join(percent(one["rates"][name], 1) for name in ("eva:2018", "gsv")) + " |"
                for one in lab.json(it)]

    head = ["| units | games | CPU minutes | games/s | against `eva:2018` | `gsv` |",
            "|---|---|---|---|---|---|"]
    return {"table": read(lambda lab: "\n".join([*head, *rows(lab)]), it)}
