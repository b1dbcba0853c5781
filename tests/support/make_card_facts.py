"""Write data/card_facts.csv: ids, names and numbers of the game's own cards, no texts.

    python -m tests.support.make_card_facts BUILD=WHEEL [BUILD=WHEEL ...]

Source: CardDefs.xml in the PyPI wheels hearthstone 3.18.23180 (patch 10.2, February 2018),
hearthstone 3.8.18792 (patch 8.0.4, May 2017), and hearthstone_data 25770.1 (patch 12.0, August
2018) and 30103.2 (patch 14.0, April 2019), which cannot be installed beside the version that reads
deck codes: fetch them with `pip download --no-deps hearthstone==3.18.23180`. A row of build 23180
for each card of cig2018, and one of another build for each card of its ruleset where that differs
or is new. Builds that are not named keep their rows. Columns: build, id, name, type,
class, cost, attack, health (a weapon's durability), race, rarity, set, collectible, overload,
spell_damage, tags (of those in TAGS, by name, separated by spaces).
"""

import csv
import sys
import zipfile
from xml.etree import ElementTree

from hsevo.cards.tables import cards
from tests.support import DATA

FACTS = DATA / "card_facts.csv"
RULESETS = {"23180": "cig2018", "18792": "msg2017", "25770": "cig2018-wild",
            "30103": "rise2019"}  # by build
NUMBERS = {
    "type": "CARDTYPE",
    "class": "CLASS",
    "cost": "COST",
    "attack": "ATK",
    "health": "HEALTH",
    "race": "CARDRACE",
    "rarity": "RARITY",
    "set": "CARD_SET",
    "collectible": "COLLECTIBLE",
    "overload": "OVERLOAD_OWED",
    "spell_damage": "SPELLPOWER",
}
# In the order of hsevo.cards.terms.Keyword; 10.2 still calls some by older names.
TAGS = (
    "TAUNT", "CHARGE", "DIVINE_SHIELD", "WINDFURY", "STEALTH", "POISONOUS", "LIFESTEAL", "FREEZE",
    "CANT_ATTACK", "CANT_BE_TARGETED_BY_SPELLS", "DEATHRATTLE", "INSPIRE", "SECRET", "COMBO",
    "BATTLECRY", "ENRAGED", "AURA",
    "RUSH", "ECHO",
)  # fmt: skip
COLUMNS = ("build", "id", "name", *NUMBERS, "tags")


def facts(entity: ElementTree.Element) -> dict[str, str]:
    """Return the row of one card, without its build."""
    tags = {tag.get("name"): tag.get("value") for tag in entity.iter("Tag")}
    name = entity.findtext("Tag[@name='CARDNAME']/enUS") or entity.findtext("Tag[@name='CARDNAME']")
    row = {"id": entity.get("CardID", ""), "name": name or ""}
    row |= {column: tags.get(key) or "0" for column, key in NUMBERS.items()}
    if row["overload"] == "0":  # 30103 has the amount elsewhere
        row["overload"] = tags.get("OVERLOAD") or "0"
    row["health"] = tags.get("HEALTH") or tags.get("DURABILITY") or "0"
    return row | {"tags": " ".join(name for name in TAGS if tags.get(name, "0") != "0")}


def read(wheel: str, build: str) -> dict[str, dict[str, str]]:
    """Return the rows of the cards of a build's ruleset, by id."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("CardDefs.xml"))
        with archive.open(name) as file:
            root = ElementTree.parse(file).getroot()
    ours = cards(RULESETS[build])
    read = map(facts, root.iter("Entity"))
    return {row["id"]: row | {"build": build} for row in read if row["id"] in ours}


def known() -> dict[str, dict[str, dict[str, str]]]:
    """Return the rows of the file by build and id."""
    builds: dict[str, dict[str, dict[str, str]]] = {build: {} for build in RULESETS}
    with FACTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            builds[row["build"]][row["id"]] = row
    return builds


def main(arguments: list[str]) -> None:
    """Write the facts of the named builds, and keep those of the others."""
    builds = known()
    for argument in arguments:
        build, wheel = argument.split("=", 1)
        builds[build] = read(wheel, build)
    main_build, *others = RULESETS
    first = builds[main_build]
    rows = [first[id] for id in sorted(first)]
    for build in others:
        rows += [
            row for id, row in sorted(builds[build].items())
            if id not in first or any(row[key] != first[id][key] for key in row.keys() - {"build"})
        ]
    with FACTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
