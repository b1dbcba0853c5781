"""What checking a folder found."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

SHOWN = 10  # problems listed; the rest is counted


@dataclass(kw_only=True)
class Checked:
    """What was checked, and the problems found."""

    done: bool = False
    sums: bool = False  # whether the folder has SHA-256 of its files
    games: int = 0  # checked, or played again
    problems: list[str] = field(default_factory=list)

    def text(self, path: Path) -> str:
        """Return the first problems of a folder, a line each, and how many more there are."""
        lines = [f"{path}: {problem}" for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"{path}: and {len(self.problems) - SHOWN} problems more")
        return "\n".join(lines)
