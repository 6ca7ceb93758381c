"""An old Office file made by hand, for the tests of reading Outlook's messages."""

from __future__ import annotations

import struct
from collections.abc import Mapping


def make_ole(streams: Mapping[str, bytes]) -> bytes:
    """An old Office file (version 3, [MS-CFB]) of streams by path (at most one storage deep),
    all of them small: their bytes lie in sectors of 64 in the root's own stream."""
    storages = sorted({path.partition("/")[0] for path in streams if "/" in path})
    top = [path for path in streams if "/" not in path]
    inside = {name: [p for p in streams if p.startswith(f"{name}/")] for name in storages}
    order = [*storages, *top, *(path for name in storages for path in inside[name])]
    place = {path: number for number, path in enumerate(order, start=1)}
    small = b""
    chains: list[int] = []
    begins = {}
    for path, content in streams.items():
        begins[path] = len(chains)
        count = -(-len(content) // 64)
        chains += [*range(len(chains) + 1, len(chains) + count), 0xFFFFFFFE]
        small += content.ljust(count * 64, b"\0")

    def entry(name: str, kind: int, child: int, right: int, start: int, size: int) -> bytes:
        raw = (name + "\0").encode("utf-16-le")
        links = struct.pack("<III", 0xFFFFFFFF, right, child)
        head = raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), kind, 1) + links
        return head + bytes(36) + struct.pack("<IQ", start, size)

    none, sectors = 0xFFFFFFFF, -(-len(small) // 512)
    entries = b""
    for group in (order[: len(storages) + len(top)], *inside.values()):
        for path, after in zip(group, [*group[1:], ""], strict=True):
            right = place.get(after, none)
            if path in streams:
                name = path.rpartition("/")[2]
                entries += entry(name, 2, none, right, begins[path], len(streams[path]))
            else:
                entries += entry(path, 1, place[inside[path][0]], right, 0, 0)
    entries = entry("Root Entry", 5, 1, none, 0, len(small)) + entries
    directory = entries.ljust(-(-len(entries) // 512) * 512, b"\0")
    table = struct.pack(f"<{len(chains)}I", *chains)
    table = table.ljust(-(-len(table) // 512) * 512, b"\xff")
    fat: list[int] = []
    for count in (sectors, len(directory) // 512, len(table) // 512):
        fat += [*range(len(fat) + 1, len(fat) + count), 0xFFFFFFFE]
    fat.append(0xFFFFFFFD)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH6xII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1)
    header += struct.pack("<IIIII", sectors, 0, 4096, sectors + len(directory) // 512,
                          len(table) // 512)  # fmt: skip
    header += struct.pack("<II", 0xFFFFFFFE, 0) + struct.pack("<I", len(fat) - 1)
    header = header.ljust(512, b"\xff")
    body = small.ljust(sectors * 512, b"\0") + directory + table
    return header + body + struct.pack(f"<{len(fat)}I", *fat).ljust(512, b"\xff")
