"""HSReplay XML: read back by the packages that read such files, it is the game that was played."""

import io
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hearthstone.enums import BlockType, CardType, GameTag, MetaDataType, PlayState, State, Zone

from hsevo import config
from hsevo.cards.decks import read_deck
from hsevo.cli import main
from hsevo.config import Workers
from hsevo.evolution.experiment import Evolution
from hsevo.play.events import What
from hsevo.play.workers import open_workers
from hsevo.replays import replay
from hsevo.replays import xml as replay_xml
from hsevo.replays.meeting import Meeting
from hsevo.runs.folder import Run

pytest.importorskip("hsreplay")
from hslog import packets
from hslog.export import EntityTreeExporter
from hsreplay.document import HSReplayDocument

DECKS = ["shaman", "mage", "warrior"]
PAIRS = [("mage", "shaman", 0), ("warrior", "mage", 0), ("mage", "mage", 1),
         ("shaman", "warrior", 1), ("warrior", "warrior", 0)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    plan = config.change(config.load("smoke"), {
        "games": 2, "decks": DECKS, "evolution.generations": 1, "evolution.mu": 2,
        "evolution.lambda": 2})
    run = Run.create(tmp_path_factory.mktemp("xml") / "run", plan,
                     [read_deck(name) for name in plan.decks])
    with open_workers(Workers(backend="serial")) as executor:
        Evolution(run, executor).complete()
    run.close()
    return run


class Told:
    """A game read back: what its table was before each block of a move, and at the end."""

    def __init__(self, text: str) -> None:
        (self.tree,) = HSReplayDocument.from_xml_file(io.BytesIO(text.encode())).to_packet_tree()
        self.exporter = EntityTreeExporter(self.tree)
        self.tables: list[Any] = []
        self.hits: list[int] = []
        self.deaths = 0
        for packet in self.tree:
            if isinstance(packet, packets.Block) and packet.type != BlockType.DEATHS:
                self.tables.append(self.table())
            self.exporter.export_packet(packet)
            self.look(packet)
        self.last = self.table()

    @property
    def game(self) -> Any:
        return self.exporter.game

    def look(self, packet: Any) -> None:
        """Count damage and deaths."""
        if isinstance(packet, packets.Block):
            for one in packet.packets:
                self.look(one)
                if packet.type == BlockType.DEATHS and one.tag == GameTag.ZONE:
                    dead = self.game.find_entity_by_id(one.entity)
                    self.deaths += dead.type == CardType.MINION and one.value == Zone.GRAVEYARD
        elif isinstance(packet, packets.MetaData) and packet.meta == MetaDataType.DAMAGE:
            self.hits.append(packet.data)

    def table(self) -> Any:
        """Return both sides as the entities have them."""
        return [self.side(player) for player in (1, 2)]

    def side(self, player: int) -> Any:
        mine = [one for one in self.game.entities if one.tags.get(GameTag.CONTROLLER) == player
                and one is not self.game.players[player - 1]]
        tags = self.game.players[player - 1].tags
        hero = self.game.find_entity_by_id(tags[GameTag.HERO_ENTITY])

        def there(zone: Zone) -> list[Any]:
            found = [one for one in mine if one.zone == zone
                     and (zone != Zone.PLAY or one.tags.get(GameTag.ZONE_POSITION))]
            return sorted(found, key=lambda one: one.tags.get(GameTag.ZONE_POSITION, 0))

        return {
            "health": hero.tags[GameTag.HEALTH] - hero.tags.get(GameTag.DAMAGE, 0),
            "armor": hero.tags.get(GameTag.ARMOR, 0),
            "mana": tags.get(GameTag.RESOURCES, 0) + tags.get(GameTag.TEMP_RESOURCES, 0)
            - tags.get(GameTag.RESOURCES_USED, 0) - tags.get(GameTag.OVERLOAD_LOCKED, 0),
            "board": [(one.card_id, one.tags.get(GameTag.ATK, 0),
                       one.tags[GameTag.HEALTH] - one.tags.get(GameTag.DAMAGE, 0),
                       one.tags.get(GameTag.TAUNT, 0)) for one in there(Zone.PLAY)],
            "hand": [(one.card_id, one.tags.get(GameTag.COST, 0)) for one in there(Zone.HAND)],
            "deck": len(there(Zone.DECK)), "secrets": sorted(
                one.card_id for one in there(Zone.SECRET)),
            "to move": tags.get(GameTag.CURRENT_PLAYER, 0)}


def expected(scene: Any) -> Any:
    return [{"health": side.health, "armor": side.armor, "mana": side.mana,
             "board": [(m.card, m.attack, m.health, int("taunt" in m.words)) for m in side.board],
             "hand": [(card.card, card.cost) for card in side.hand], "deck": side.deck,
             "secrets": sorted(secret.card for secret in side.secrets),
             "to move": int(scene.me == player)} for player, side in enumerate(scene.sides)]


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def played(run: Run, request: pytest.FixtureRequest) -> tuple[Meeting, list[Any], Told]:
    deck_a, deck_b, k = request.param
    meeting = replay.find(run, deck_a=deck_a, deck_b=deck_b)
    steps = list(replay.steps(meeting, k))
    return meeting, steps, Told(replay_xml.document(meeting, k, steps))


def blocks(steps: list[Any]) -> list[Any]:
    """Return the steps that are a block: all but ends of turns and choices."""
    return [step for step in steps if step.options and step.options[step.taken].by]


def test_the_entities_are_the_table_before_every_move_and_at_the_end(played: Any) -> None:
    _, steps, told = played
    moves = blocks(steps)
    assert len(moves) == len(told.tables) > 10
    for step, table in zip(moves, told.tables, strict=True):
        assert table == expected(step.scene)
    assert told.last == expected(steps[-1].scene)


def test_the_winner_and_the_turns_come_out(played: Any) -> None:
    meeting, steps, told = played
    end = steps[-1].scene
    states = [player.tags[GameTag.PLAYSTATE] for player in told.game.players]
    assert states == [PlayState.WON if end.result == player + 1 else PlayState.LOST
                      for player in (0, 1)]
    assert told.game.tags[GameTag.STATE] == State.COMPLETE
    assert told.game.tags[GameTag.TURN] == end.turn
    assert told.game.first_player.player_id == steps[0].scene.me + 1
    assert [player.name.split()[-1] for player in told.game.players] == [
        f"({meeting.row['deck_a']})", f"({meeting.row['deck_b']})"]
    heroes = {"shaman": "HERO_02", "mage": "HERO_08", "warrior": "HERO_01"}
    assert [player.starting_hero.card_id for player in told.game.players] == [
        heroes[meeting.row["deck_a"]], heroes[meeting.row["deck_b"]]]


def test_moves_are_blocks_of_who_made_them_at_whom(played: Any) -> None:
    _, steps, told = played
    found = [packet for packet in told.tree
             if isinstance(packet, packets.Block) and packet.type != BlockType.DEATHS]
    for step, block in zip(blocks(steps), found, strict=True):
        option = step.options[step.taken]
        fights = option.text.startswith("attack ")
        assert block.type == (BlockType.ATTACK if fights else BlockType.PLAY)
        side = step.scene.sides[option.by.player]
        card = {"hand": side.hand, "board": side.board}.get(option.by.zone)
        card = card[option.by.number].card if card else (
            side.power.card if option.by.zone == "power" else side.hero_card)
        assert told.game.find_entity_by_id(block.entity).card_id == card
        assert bool(block.target) == bool(option.at)


def seen(steps: list[Any], what: What) -> list[Any]:
    """Return the events of a kind, of those that were on the table before the move."""
    found = []
    for before, after in pairwise(steps):
        there = {one.uid for side in before.scene.sides for one in (*side.board, side.weapon)
                 if one} | {side.hero_uid for side in before.scene.sides}
        if before.options and (by := before.options[before.taken].by) and by.zone == "hand":
            there |= {m.uid for m in after.scene.sides[by.player].board}  # the one that is played
        found += [event for event in after.events if event.what is what and event.uid in there]
    return found


def test_deaths_are_those_that_died_and_each_has_its_damage(played: Any) -> None:
    _, steps, told = played
    boards = [{m.uid for side in step.scene.sides for m in side.board} for step in steps]
    died = [event for event in seen(steps, What.DIED)
            if any(event.uid in board for board in boards)]
    assert told.deaths == len(died) > 0
    hurt = [event for event in seen(steps, What.DAMAGED) if event.amount]
    assert sorted(told.hits) == sorted(event.amount for event in hurt)
    killed = {event.uid for event in hurt if event.lethal} & {event.uid for event in died}
    assert killed  # a minion that dies of damage shows how much it was
    life = [[side.health + side.armor for side in step.scene.sides] for step in steps]
    lost = sum(max(x - y, 0) for before, after in pairwise(life)
               for x, y in zip(before, after, strict=True))
    assert sum(told.hits) >= lost > 0


def test_damage_comes_before_deaths_and_those_before_what_they_change(played: Any) -> None:
    """As in a log of the game; who attacks and is attacked is told until the damage is done."""
    _, _, told = played
    fights = deadly = 0
    for block in told.tree:
        if not isinstance(block, packets.Block) or block.type == BlockType.DEATHS:
            continue
        kinds = [one.type if isinstance(one, packets.Block) else getattr(one, "meta", None)
                 for one in block.packets]
        deaths = [i for i, kind in enumerate(kinds) if kind == BlockType.DEATHS]
        harm = [i for i, kind in enumerate(kinds) if kind == MetaDataType.DAMAGE]
        assert len(deaths) <= 1
        assert not (deaths and harm) or harm[-1] < deaths[0]
        buried = {one.entity for i in deaths for one in block.packets[i].packets}
        assert not [one for i in deaths for one in block.packets[i + 1:]
                    if getattr(one, "entity", None) in buried and one.tag == GameTag.DAMAGE]
        deadly += bool(deaths)
        if block.type == BlockType.ATTACK:
            fights += 1
            ends = [i for i, one in enumerate(block.packets)
                    if getattr(one, "tag", None) == GameTag.ATTACKING]
            assert len(ends) == 2
            assert all(ends[0] < i < ends[1] for i in harm)
            assert all(i > ends[1] for i in deaths)
    assert fights
    assert deadly


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.xml"
    result = CliRunner().invoke(main, ["replay", str(run.path), "--hsreplay", str(file)])
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{file}: HSReplay XML\n"
    assert Told(file.read_text(encoding="utf-8")).game.tags[GameTag.STATE] == State.COMPLETE


def test_without_the_package_it_is_said_at_once(
        run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hsreplay", None)
    file = tmp_path / "game.xml"
    result = CliRunner().invoke(main, ["replay", str(run.path), "--hsreplay", str(file)])
    assert result.exit_code == 2
    assert "pip install hsreplay" in result.stderr
    assert not file.exists()
