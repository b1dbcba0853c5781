"""Damage files as a failing disk, an editor or an enemy would: the same for the same random stream.

    mutate(data, suffix, random) -> bytes
"""

import io
import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

SNIPPETS = [
    b"", b"\0", b"\n", b"\r\n", b",", b"\"", b"'", b"#", b"[", b"]", b"{", b"}", b": ", b"- ",
    b"&x ", b"*x", b"<<: ", b"!!python/object/apply:os.system [x]", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\x1b[31mFORGED\x1b[2J", b"\xc2\x9b31m", "\u202eFORGED".encode(), b"\nhsevo: FORGED\n",
    b"=cmd|'/c calc'!A1", b"@SUM(1)", b"../../../etc/passwd", b"\\0", b"\\ud800", b"\\x1b[3m",
    b"nan", b"inf", b"-inf", b"1e999", b"-1", b"0", b"9223372036854775808", b"1" * 5000, b"1.5",
    b"true", b"null", b"2018-02-30", b"59:59:59", b"[" * 5000, b"a: {" * 500, b"%PDF", b"NaN",
    b"Infinity", b"-0", b"99999999", b"1_0", b"0x1F", b"eva:2018", b"x" * 100_000,
]
VALUES: list[Any] = [
    None, True, -1, 0, 1.5, 10**9, 2**63, -(2**70), 10**30, 1e308, float("nan"), float("inf"),
    "", "x",
    "\x1b[31mFORGED", "a\nhsevo: FORGED", "=1+1", "\0", "\u202eFORGED", "x" * 10_000, [], {}, [[]],
    [None], {"a": 1}, ["x"] * 1000, "random", "mage", "eva:2018", "cig2018",
]


def mutate(data: bytes, suffix: str, random: Random) -> bytes:
    """Return data with one to three mutations; some know the format of the file."""
    ways = [*_BYTES, *(2 * _OF_FORMAT.get(suffix, []))]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        try:
            data = random.choice(ways)(data, random)
        except (ValueError, LookupError, RecursionError, OSError, pa.ArrowException):
            continue  # no such format any more
    return data


def _flip(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1:]


def _cut(data: bytes, random: Random) -> bytes:
    return data[:random.randrange(len(data) + 1)]


def _drop(data: bytes, random: Random) -> bytes:
    at, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[:at] + data[min(end, at + 200):]


def _swap(data: bytes, random: Random) -> bytes:
    a, b, c = sorted(random.randrange(len(data) + 1) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def _insert(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(SNIPPETS) + data[at:]


def _repeat(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + data[at:at + 100] * random.choice((2, 50)) + data[at + 100:]


def _swap_lines(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"".join(lines)


def _drop_line(data: bytes, random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def _cell(data: bytes, random: Random) -> bytes:
    """Put something else into a cell of a CSV file."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    cells = lines[at].split(b",")
    cells[random.randrange(len(cells))] = random.choice(SNIPPETS)
    lines[at] = b",".join(cells)
    return b"\n".join(lines)


def _yaml_value(data: bytes, random: Random) -> bytes:
    """Put something else behind a key."""
    lines = data.split(b"\n")
    keyed = [i for i, line in enumerate(lines) if b":" in line]
    at = random.choice(keyed)
    key = lines[at].partition(b":")[0]
    value = random.choice([*SNIPPETS, *(json.dumps(value).encode() for value in VALUES)])
    lines[at] = key + b": " + value
    return b"\n".join(lines)


def _json_value(data: bytes, random: Random) -> bytes:
    """Put something else in the place of a value, or take it away."""
    tree = json.loads(data)
    spots: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in inner:
            spots.append((node, key))
            if isinstance(value, dict | list):
                walk(value)

    walk(tree)
    shallow = spots[:40] if random.random() < 0.5 else spots
    node, key = random.choice(shallow)
    if random.random() < 0.2:
        del node[key]
    else:
        node[key] = random.choice(VALUES)
    return json.dumps(tree).encode()


def _parquet_column(data: bytes, random: Random) -> bytes:
    """Change a column: other values, another type, none at all, or more rows."""
    table = pq.read_table(io.BytesIO(data))
    at = random.randrange(table.num_columns)
    name, n = table.column_names[at], table.num_rows
    ways: list[Callable[[], Any]] = [
        lambda: table.drop([name]),
        lambda: table.set_column(at, name, pa.array([random.choice((
            "x", "\x1b[31mFORGED", "=1+1", "a\nb"))] * n)),
        lambda: table.set_column(at, name, pa.array([random.choice((
            -1, 0, 2**62, 10**9))] * n)),
        lambda: table.set_column(at, name, pa.array([random.choice((
            1.5, float("nan"), 1e308))] * n)),
        lambda: table.set_column(at, name, pa.array([None] * n, pa.int64())),
        lambda: table.set_column(at, name, pa.array([random.choice((
            [1], {"a": 1}, True, b"\xff", Decimal("1.5"), date(2018, 2, 3), 2**64 - 1))] * n)),
        lambda: table.set_column(at, name, table.column(at).dictionary_encode()),
        lambda: table.replace_schema_metadata({b"pandas": random.choice((b"{", b"[1]", b"{}"))}),
        lambda: table.rename_columns([random.choice(table.column_names)] * table.num_columns),
        lambda: table.slice(0, n // 2),
        lambda: table.slice(0, 0),
        lambda: pa.concat_tables([table] * 50),
        lambda: table.set_column(at, name, table.column(at).take(
            pa.array([random.randrange(n) for _ in range(n)]))),
    ]
    out = io.BytesIO()
    pq.write_table(random.choice(ways)(), out)
    return out.getvalue()


_BYTES = [_flip, _cut, _drop, _swap, _insert, _repeat]
_LINES = [_swap_lines, _drop_line]
_OF_FORMAT = {
    ".csv": [_cell, _cell, *_LINES], ".yaml": [_yaml_value, _yaml_value, *_LINES],
    ".json": [_json_value, _json_value, _json_value], ".txt": _LINES,
    ".parquet": [_parquet_column, _parquet_column, _parquet_column]}
