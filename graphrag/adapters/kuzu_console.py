"""The child process of the Cypher console: one statement over a read-only graph.

Run as a file by ``kuzu_graph``, not imported: it knows nothing of the package, so it
starts fast and there is nothing in it to reach. It reads one JSON value (path, statement,
parameters, limit, memory, seconds) and writes one (columns, rows, truncated; or error).
Once the graph is open it gives up the right to open or write any file and to grow.
"""

from __future__ import annotations

import ctypes

# Kùzu's binding imports these when a value of their kind comes by; then no file can be opened.
import datetime  # noqa: F401
import decimal
import importlib.util  # noqa: F401
import json
import math
import resource
import sys
import uuid  # noqa: F401
from pathlib import Path
from types import ModuleType
from typing import Any

LONGEST_REPLY = 32 << 20
_BUFFER_POOL = 128 << 20
_SMALLEST_MAP = 1 << 30

# From linux/landlock.h; the numbers are the same on every architecture.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_RESTRICT_SELF = 446
_NO_NEW_PRIVILEGES = 38
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights each version knows
_BIND_AND_CONNECT = 3


def main() -> None:
    request = json.load(sys.stdin.buffer)
    try:
        reply = _reply(request)
    except RuntimeError as error:  # the only exception class Kùzu has
        reply = json.dumps({"error": str(error)})
    except (TypeError, ValueError, OverflowError) as error:  # of parameters, before the query
        reply = json.dumps({"error": f"a parameter cannot be used: {error}"})
    except MemoryError:
        reply = json.dumps({"error": "out of memory"})
    sys.stdout.buffer.write(reply.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _reply(request: dict[str, Any]) -> str:
    kuzu = _import_kuzu()
    size = Path(request["path"]).stat().st_size
    database = kuzu.Database(
        request["path"],
        read_only=True,
        buffer_pool_size=_BUFFER_POOL,
        max_db_size=max(_SMALLEST_MAP, 1 << (2 * size).bit_length()),
        max_num_threads=2,
    )
    connection = kuzu.Connection(database)
    # Reads the catalog pages and starts the threads before the doors close.
    connection.execute("CALL show_tables() RETURN name")
    _confine(int(request["memory"]), int(request["seconds"]))
    result = connection.execute(request["statement"], request["parameters"])
    if isinstance(result, list):
        return json.dumps({"error": "only one statement is allowed"})
    return _encoded(result, int(request["limit"]))


def _import_kuzu() -> Any:
    """Kùzu without its asynchronous connection: that alone imports asyncio and ssl, which
    take as long as all the rest of this process."""
    unused = ModuleType("kuzu.async_connection")
    unused.AsyncConnection = None  # type: ignore[attr-defined]
    sys.modules[unused.__name__] = unused
    import kuzu

    return kuzu


def _confine(memory: int, seconds: int) -> None:
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + memory,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (2 * seconds + 2,) * 2)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _leave_the_file_system()
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _leave_the_file_system() -> None:
    """Where the kernel has Landlock (Linux 5.13), give up every path and TCP as well.

    Elsewhere the limits on open and written files still hold; what they leave is to make
    an empty folder, which the guard refuses.
    """
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None)
    version = libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return
    files = (1 << _FILE_RIGHTS[min(version, max(_FILE_RIGHTS))]) - 1
    network = _BIND_AND_CONNECT if version >= 4 else 0
    rights = (ctypes.c_uint64 * 2)(files, network)
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, rights, 16 if network else 8, 0)
    if ruleset >= 0 and libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0)


def _encoded(result: Any, limit: int) -> str:
    rows: list[str] = []
    length = 0
    truncated = False
    while result.has_next():
        if len(rows) == limit or length > LONGEST_REPLY:
            truncated = True
            break
        row = json.dumps([_plain(value) for value in result.get_next()])
        rows.append(row)
        length += len(row)
    columns = json.dumps(result.get_column_names())
    return (
        f'{{"columns": {columns}, "rows": [{", ".join(rows)}], '
        f'"truncated": {json.dumps(truncated)}}}'
    )


def _plain(value: Any) -> Any:
    """The value in JSON's types; nodes and edges without inner ids and the keys of others."""
    if isinstance(value, dict) and "_label" in value:
        inner = ("_id", "_src", "_dst")
        value = {k: v for k, v in value.items() if k not in inner and v is not None}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, decimal.Decimal):  # sums of INT64 are INT128, which come as decimals
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


if __name__ == "__main__":
    main()
