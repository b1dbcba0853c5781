"""A second reference for `hsevo bench`: jumps among many pieces of code, as in the engine.

`games.reference` is a short loop, which stays in the instruction cache. The engine jumps among the
rows of card texts: its speed depends on mispredicted branches and on the instruction cache, which
differ between processors in another way. This is an interpreter of 512 instructions, some 55 KB of
code, that runs a program of random numbers: most steps mispredict a jump, half of them a branch.

It is written as LLVM's intermediate code and not optimised, so that it stays the same with other
versions of numba and LLVM. It must never change: it makes figures of different years comparable.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable

import llvmlite.binding as llvm
import numpy as np

CODES = 512
WORDS = 1024  # of memory: 8 KB

_HEAD = """
define i64 @run(i64 %steps, ptr %memory) {{
entry:
  %left = alloca i64
  %state = alloca i64
  %a = alloca i64
  %b = alloca i64
  store i64 %steps, ptr %left
  store i64 88172645463325252, ptr %state
  store i64 1, ptr %a
  store i64 2, ptr %b
  br label %next
next:
  %n = load i64, ptr %left
  %rest = sub i64 %n, 1
  store i64 %rest, ptr %left
  %more = icmp sgt i64 %n, 0
  br i1 %more, label %step, label %end
end:
  %result = load i64, ptr %b
  ret i64 %result
step:
  %s0 = load i64, ptr %state
  %l13 = shl i64 %s0, 13
  %s1 = xor i64 %s0, %l13
  %r7 = lshr i64 %s1, 7
  %s2 = xor i64 %s1, %r7
  %l17 = shl i64 %s2, 17
  %s3 = xor i64 %s2, %l17
  store i64 %s3, ptr %state
  %code = and i64 %s3, {mask}
  %high = lshr i64 %s3, 40
  switch i64 %code, label %do0 [{cases}]
"""
_INSTRUCTION = """
do{k}:
  %a{k} = load i64, ptr %a
  %i{k} = xor i64 %high, {p}
  %j{k} = and i64 %i{k}, {last}
  %at{k} = getelementptr i64, ptr %memory, i64 %j{k}
  %m{k} = load i64, ptr %at{k}
  %x{k} = mul i64 %a{k}, {odd}
  %y{k} = add i64 %x{k}, %m{k}
  store i64 %y{k}, ptr %a
  %t{k} = and i64 %y{k}, {bit}
  %is{k} = icmp ne i64 %t{k}, 0
  br i1 %is{k}, label %yes{k}, label %no{k}
yes{k}:
  %u{k} = xor i64 %y{k}, {q}
  store i64 %u{k}, ptr %at{k}
  %b{k} = load i64, ptr %b
  %c{k} = lshr i64 %y{k}, {shift}
  %d{k} = add i64 %b{k}, %c{k}
  store i64 %d{k}, ptr %b
  br label %next
no{k}:
  %e{k} = load i64, ptr %b
  %f{k} = add i64 %m{k}, %e{k}
  %g{k} = add i64 %f{k}, {q}
  store i64 %g{k}, ptr %at{k}
  br label %next
"""


def source() -> str:
    """Return the interpreter as LLVM's intermediate code."""
    cases = " ".join(f"i64 {k}, label %do{k}" for k in range(1, CODES))
    body = "".join(_INSTRUCTION.format(
        k=k, p=37 * k + 11, q=91 * k + 5, odd=2 * k + 3, bit=1 << k % 7, shift=1 + k % 13,
        last=WORDS - 1) for k in range(CODES))
    return _HEAD.format(mask=CODES - 1, cases=cases) + body + "}\n"


@functools.cache
def _compiled() -> tuple[Callable[[int, int], int], object]:
    """Compile it, in a fifth of a second; also return the objects that must stay alive."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(source()), machine)
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    return kind(engine.get_function_address("run")), engine


def dispatch(steps: int) -> int:
    """Run so many instructions, always the same ones; return what they compute."""
    memory = np.zeros(WORDS, np.int64)
    return _compiled()[0](steps, memory.ctypes.data)
