"""Build machine code for a wheel, and put it there: `make wheel`.

    python hatch_build.py        compiles every entry point for a common CPU: build/machine_code.bin
    HSEVO_MACHINE_CODE=build/machine_code.bin python -m hatchling build -t wheel

Without HSEVO_MACHINE_CODE wheels are pure, and the first game compiles. Machine code is for one
minor version of Python and one platform, which the wheel's name says, and for the versions of numba
and llvmlite that compiled it: with others hsevo compiles (hsevo/engine/code_cache.py). Compiling
needs nm, of binutils.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILE = Path(__file__).with_name("build") / "machine_code.bin"
INSIDE = "hsevo/engine/machine_code.bin"
# By architecture: LLVM's name of a CPU, and its features, each of which hsevo looks for on a
# computer before it loads the machine code.
CPUS = {
    # https://gitlab.com/x86-psABIs/x86-64-ABI: Haswell (2013), Zen (2017) and all later ones
    "x86_64": ("x86-64-v3", "avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe"
                            " popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave"),
    "aarch64": ("generic", "fp-armv8 neon"),
}
GLIBC = "manylinux_2_17"  # has each of EXTERNAL; numba itself needs a newer one
# What machine code may call: LLVM aborts the process if a name is missing there.
EXTERNAL = re.compile(r"_?Py\w+|numba_\w+|clock_gettime|cos|exp|log|log1p|mem(cpy|move|set)|pow")


class MachineCode(BuildHookInterface):  # type: ignore[type-arg]
    """Put the file that HSEVO_MACHINE_CODE names into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the file, and name the wheel after this Python and platform."""
        file = os.environ.get("HSEVO_MACHINE_CODE")
        if not file or version == "editable":
            return
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        build_data["force_include"][file] = INSIDE
        build_data["pure_python"] = False
        build_data["tag"] = f"{python}-{python}{sys.abiflags}-{GLIBC}_{platform.machine()}"


def compile_all() -> None:
    """Compile every entry point of hsevo for a common CPU, and write FILE."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in CPUS:
        sys.exit(f"hatch_build: machine code is for Linux on {' or '.join(CPUS)}; this is"
                 f" {sys.platform} on {machine}")
    if not shutil.which("nm"):
        sys.exit("hatch_build: there is no nm; install binutils")
    cpu, features = CPUS[machine]
    os.environ["NUMBA_CPU_NAME"] = cpu  # before numba is imported
    os.environ["NUMBA_CPU_FEATURES"] = ",".join(f"+{name}" for name in features.split())
    os.environ["NUMBA_DISABLE_INTEL_SVML"] = "1"
    from hsevo.engine import jit
    from hsevo.engine.code_cache import write_shipped
    from tests.support.compiled import entry_points

    FILE.parent.mkdir(exist_ok=True)
    target, course = jit.target(), jit.course()  # before somebody edits a source meanwhile
    codes = {}
    for entry in entry_points("hsevo"):
        print(f"hatch_build: compiling {entry.name()}", flush=True)
        codes[entry.name()] = entry.machine_code()
    check_names(codes)
    write_shipped(FILE, target, jit.cpu_features(), course, codes)
    print(f"hatch_build: {len(codes)} entry points, {FILE.stat().st_size / 1e6:.1f} MB: {FILE}")


def check_names(codes: dict[str, bytes]) -> None:
    """Exit if machine code calls what other computers may not have."""
    import pickle

    for name, code in codes.items():
        (_, _, (object_code, _)), *_ = pickle.loads(code)
        file = FILE.with_suffix(".o")
        file.write_bytes(object_code)
        told = subprocess.run(["nm", "--undefined-only", "--format=just-symbols", file],
                              capture_output=True, text=True, check=True).stdout.split()
        file.unlink()
        if strange := [called for called in told if not EXTERNAL.fullmatch(called)]:
            sys.exit(f"hatch_build: {name} calls {', '.join(strange)}; is it on every computer?"
                     " Then add it to EXTERNAL")


if __name__ == "__main__":
    compile_all()
