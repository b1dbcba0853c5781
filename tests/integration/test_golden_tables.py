"""The bytes of what small runs, contests, environments and pages write stay as they are."""

import json
from pathlib import Path

import pytest

from tests.support.golden_tables import FILE, golden

pytestmark = pytest.mark.slow


def test_every_table_has_the_stored_bytes(tmp_path: Path) -> None:
    """If this fails, tests/support/golden_tables.py says what to do."""
    assert dict(golden(tmp_path)) == json.loads(FILE.read_text(encoding="utf-8"))
