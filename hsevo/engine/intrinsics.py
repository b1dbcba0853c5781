"""Functions of kernels that numba cannot write in Python: copy bytes, prefetch, read a clock.

Interpreted (NUMBA_DISABLE_JIT=1) they are Python functions that have the same effect.
"""

from __future__ import annotations

import time
from typing import Any

import numba
import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def _copy_bytes(typingctx: Any, target: Any, source: Any, start: Any, stop: Any) -> Any:
    """Copy the bytes from `start` to `stop` of one record over another."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, from_ = (builder.gep(builder.bitcast(record, cgutils.voidptr_t), [args[2]])
                     for record in args[:2])
        cgutils.raw_memcpy(builder, to, from_, builder.sub(args[3], args[2]), 1)
        return context.get_dummy_value()

    return types.void(target, source, types.intp, types.intp), generate


@intrinsic
def _fetch_bytes(typingctx: Any, array: Any, row: Any) -> Any:
    """Prefetch the bytes of a row of an array, to be written."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = context.make_array(signature.args[0])(context, builder, args[0])
        stride = cgutils.unpack_tuple(builder, rows.strides)[0]
        byte, number = cgutils.voidptr_t, cgutils.int32_t
        first = builder.gep(builder.bitcast(rows.data, byte), [builder.mul(args[1], stride)])
        kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        with cgutils.for_range_slice(builder, stride.type(0), stride, stride.type(64)) as (at, _):
            write, keep, data = number(1), number(3), number(1)
            builder.call(fetch, [builder.gep(first, [at]), write, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def _read_clock(typingctx: Any) -> Any:
    """Return seconds of the system's monotonic clock."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ir, word = cgutils.ir, cgutils.intp_t
        timespec = cgutils.alloca_once(builder, ir.ArrayType(word, 2))  # seconds, nanoseconds
        kind = ir.FunctionType(cgutils.int32_t, [cgutils.int32_t, cgutils.voidptr_t])
        read = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        builder.call(read, [cgutils.int32_t(time.CLOCK_MONOTONIC),
                            builder.bitcast(timespec, cgutils.voidptr_t)])
        parts = [builder.sitofp(builder.extract_value(builder.load(timespec), i), ir.DoubleType())
                 for i in (0, 1)]
        return builder.fadd(parts[0], builder.fmul(parts[1], ir.DoubleType()(1e-9)))

    return types.float64(), generate


HAS_CLOCK = hasattr(time, "clock_gettime")  # not on Windows

if config.DISABLE_JIT:

    def seconds_now() -> float:
        """Return seconds of a monotonic clock."""
        return time.monotonic()

    def prefetch_row(array: Any, row: int) -> None:
        """Do nothing: there is no processor's cache to fill."""

    def copy_bytes(target: Any, source: Any, start: int, stop: int) -> None:
        """Copy the fields that begin in bytes `start` to `stop` of a record over another."""
        for name, (_, offset, *_) in target.dtype.fields.items():
            if start <= offset < stop:
                target[name] = source[name]

    np.seterr(over="ignore")  # the random streams wrap around on purpose
else:

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def seconds_now() -> float:
        """Return seconds of a monotonic clock."""
        return _read_clock() if HAS_CLOCK else 0.0

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def prefetch_row(array: Any, row: int) -> None:
        """Prefetch a row of an array (any index: it is only a hint to the processor)."""
        _fetch_bytes(array, row)

    @numba.njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def copy_bytes(target: Any, source: Any, start: int, stop: int) -> None:
        """Copy the bytes from `start` to `stop` of a record over another with the same ones."""
        _copy_bytes(target, source, start, stop)
