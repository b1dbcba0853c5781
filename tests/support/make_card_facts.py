"""Write data/card_facts.csv: ids, names and numbers of the game's own cards, no texts.

    python -m tests.support.make_card_facts 23180=WHEEL 18792=WHEEL

Source: CardDefs.xml in the PyPI wheels hearthstone 3.18.23180 (patch 10.2, February 2018) and
3.8.18792 (patch 8.0.4, May 2017), which cannot be installed beside the version that reads deck
codes: fetch them with `pip download --no-deps hearthstone==3.18.23180`. A row of build 23180 for
each card that hsevo has, and one of build 18792 where that differs. Columns: build, id, name, type,
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
)  # fmt: skip
COLUMNS = ("build", "id", "name", *NUMBERS, "tags")


def facts(entity: ElementTree.Element) -> dict[str, str]:
    """Return the row of one card, without its build."""
    tags = {tag.get("name"): tag.get("value") for tag in entity.iter("Tag")}
    name = entity.findtext("Tag[@name='CARDNAME']/enUS") or entity.findtext("Tag[@name='CARDNAME']")
    row = {"id": entity.get("CardID", ""), "name": name or ""}
    row |= {column: tags.get(key) or "0" for column, key in NUMBERS.items()}
    row["health"] = tags.get("HEALTH") or tags.get("DURABILITY") or "0"
    return row | {"tags": " ".join(name for name in TAGS if tags.get(name, "0") != "0")}


def read(wheel: str, build: str) -> dict[str, dict[str, str]]:
    """Return the rows of the cards that hsevo has, by id."""
    with zipfile.ZipFile(wheel) as archive, archive.open("hearthstone/CardDefs.xml") as file:
        root = ElementTree.parse(file).getroot()
    ours = cards()
    return {row["id"]: row | {"build": build} for row in map(facts, root) if row["id"] in ours}


def main(arguments: list[str]) -> None:
    """Write the facts of both builds."""
    wheels = dict(argument.split("=", 1) for argument in arguments)
    new, old = (read(wheels[build], build) for build in ("23180", "18792"))
    rows = [new[id] for id in sorted(new)]
    rows += [
        row for id, row in sorted(old.items())
        if id in new and any(row[key] != new[id][key] for key in row.keys() - {"build"})
    ]
    with FACTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
