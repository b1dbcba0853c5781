"""Compare this version's games per second with those of a commit, in alternating pairs.

    make bench BASE=e67e709
    python -m studies.paired_speed COMMIT [PAIRS] [SCALE]    6 pairs; SCALE times as many games

The speed of shared machines changes within minutes, so the versions alternate, and what counts is
the ratio of CPU times of each pair. Both play the same matches (seed 7, one process). The commit
is checked out in build/base and uses the packages of this environment.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median

from hsevo.errors import ConfigError

ROOT = Path(__file__).parents[1]
BASE = ROOT / "build" / "base"
# Who plays whom, and how many games take about two seconds.
MATCHES = {("random", "greedy:metastone"): 18_000, ("greedy:metastone", "gsv"): 1_800,
           ("eva:2018", "greedy:metastone"): 9_000, ("rl:2026", "eva:2018"): 3_600}
WORK = """
import sys, time, hsevo
a, b, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
options = dict(seed=7, workers=1, backend="serial")
hsevo.match(a, b, games=18, **options)
before = time.process_time()
result = hsevo.match(a, b, games=games, **options)
print(time.process_time() - before, result.wins)
"""


def check_out(commit: str) -> Path:
    """Return the folder with a commit's files. Raises ConfigError."""
    names = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"],
                           cwd=ROOT, capture_output=True, text=True, check=False)
    if names.returncode:
        raise ConfigError(f"no commit {commit!r} in this repository; `git log` lists the commits")
    folder = BASE / names.stdout.strip()[:12]
    if not folder.exists():
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", folder, commit], cwd=ROOT,
                       check=True)
    return folder


def seconds(folder: Path, a: str, b: str, games: int) -> tuple[float, int]:
    """Return the CPU seconds and the wins of a match that the version in a folder plays."""
    done = subprocess.run([sys.executable, "-c", WORK, a, b, str(games)], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise ConfigError(f"the version in {folder} cannot play {a} against {b}:"
                          f" {done.stderr.strip().splitlines()[-1]}")
    time, wins = done.stdout.split()
    return float(time), int(wins)


def main() -> None:
    """Print the ratios of all matches."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    base, pairs = check_out(sys.argv[1]), int((sys.argv[2:] or ["6"])[0])
    scale = float((sys.argv[3:] or ["1"])[0])
    print(f"games per CPU second, relative to {base.name}: median (lowest to highest of {pairs})")
    for (a, b), games in MATCHES.items():
        ratios, wins = [], set()
        for pair in range(pairs):
            order = (ROOT, base) if pair % 2 else (base, ROOT)
            times = {folder: seconds(folder, a, b, max(int(games * scale), 18))
                     for folder in order}
            ratios.append(times[base][0] / times[ROOT][0])
            wins |= {won for _, won in times.values()}
        same = "the same wins" if len(wins) == 1 else "DIFFERENT wins"
        print(f"{a} against {b}: {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}),"
              f" {same}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except ConfigError as error:
        sys.exit(f"hsevo: {error}")
