"""What the tests share: stand-ins, positions set up directly, random games, paths."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
