"""What checking a folder found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from pathlib import Path

from hsevo.objects import Fields

SHOWN = 10  # problems listed; the rest is counted


@dataclass(kw_only=True)
class Checked(ABC):
    """What was checked, and the problems found."""

    done: bool = False
    sums: bool = False  # whether the folder has SHA-256 of its files
    games: int = 0  # checked, or played again
    problems: list[str] = field(default_factory=list)

    @property
    def FIELDS(self) -> Fields:
        """What it shows as JSON: all that was counted."""
        counted = {one.name: one.name for one in fields(self)}
        return {"ok": lambda self: not self.problems, **counted}

    @property
    @abstractmethod
    def outcome(self) -> str:
        """What was checked and adds up, in words."""

    @property
    def unsigned(self) -> str:
        """What to say of a folder without SHA-256; else ""."""
        return "" if self.sums else "; it has no SHA-256, for an older hsevo wrote it"

    def sentence(self, path: Path) -> str:
        """Return what a folder is in which nothing was wrong."""
        return f"{path}: {'done' if self.done else 'not finished'}; {self.outcome}"

    def text(self, path: Path) -> str:
        """Return the first problems of a folder, a line each, and how many more there are."""
        lines = [f"{path}: {problem}" for problem in self.problems[:SHOWN]]
        if len(self.problems) > SHOWN:
            lines.append(f"{path}: and {len(self.problems) - SHOWN} problems more")
        return "\n".join(lines)
