"""A layered drawing of the concepts: foundations at the left, each column one step deeper.

Source: Sugiyama, Tagawa and Toda, IEEE SMC 1981: long edges pass through points of their
own in the columns between, columns are ordered by barycentres, and heights follow the
neighbours without changing that order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, sqrt

Pair = tuple[str, str]
Point = tuple[float, float]

_SWEEPS = 12
_BOX_GAP = 14.0
_POINT_GAP = 7.0
_COLUMN_GAP = 84.0
_GRID_GAP = 60.0
# Columns of some 190 pixels and rows of some 45 make a drawing twice as wide as high where
# there are as many rows as the root of 2.1 times the nodes.
_ROWS_SQUARED = 2.1
_FEWEST_ROWS = 24


@dataclass(frozen=True, slots=True)
class Box:
    """Where a concept stands: left and top edge, width and height, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes by concept id, and by (prerequisite, concept) the points that each edge passes,
    from the right edge of the one to the left edge of the other."""

    boxes: Mapping[str, Box]
    routes: Mapping[Pair, tuple[Point, ...]]
    width: float
    height: float


@dataclass(slots=True)
class _Columns:
    """Rows of nodes a column; a node is a concept id, or a point of a long edge."""

    rows: list[list[str]]
    before: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    after: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    chains: dict[Pair, list[str]] = field(default_factory=dict)


def draw(
    sizes: Mapping[str, tuple[float, float]],
    depths: Mapping[str, int],
    edges: Iterable[Pair],
    *,
    most_points: int = 6000,
) -> Drawing:
    """Place boxes of these (width, height) so that an edge (prerequisite, concept) runs
    from a column to one further right.

    ``depths`` gives each concept's column; edges whose ends are not so ordered are left
    out. A column too high for a drawing of about two to one is broken into several.
    Concepts without an edge stand in a grid below. With more than ``most_points`` points on
    long edges, or three to a box of the columns, those run straight.
    """
    kept = sorted(
        {
            (one, other)
            for one, other in edges
            if one in sizes and other in sizes and depths.get(one, 0) < depths.get(other, 0)
        }
    )
    joined = sorted({end for edge in kept for end in edge})
    columns = _columns(_places(joined, depths, kept), kept, most_points)
    _order(columns)
    heights = _heights(columns, sizes)
    lefts, widths = _lefts(columns, sizes)
    top = min((heights[n] - _half(n, sizes) for n in joined), default=0.0)
    boxes = {
        node: Box(
            lefts[column] + (widths[column] - sizes[node][0]) / 2,
            heights[node] - top - sizes[node][1] / 2,
            *sizes[node],
        )
        for column, row in enumerate(columns.rows)
        for node in row
        if node in sizes
    }
    passages = {
        node: ((left, y), (left + width, y))
        for left, width, row in zip(lefts, widths, columns.rows, strict=False)
        for node, y in ((node, heights[node] - top) for node in row if node not in sizes)
    }
    routes = {edge: _route(edge, columns.chains[edge], boxes, passages) for edge in kept}
    boxes |= _grid([node for node in sorted(sizes) if node not in boxes], sizes, boxes)
    width = max((box.x + box.width for box in boxes.values()), default=0.0)
    height = max((box.y + box.height for box in boxes.values()), default=0.0)
    return Drawing(boxes, routes, width, height)


def _most_rows(nodes: int) -> int:
    return max(_FEWEST_ROWS, ceil(sqrt(_ROWS_SQUARED * nodes)))


def _places(
    joined: Sequence[str], depths: Mapping[str, int], edges: Sequence[Pair]
) -> dict[str, int]:
    """Each node's column: by depth, and of a depth with too many nodes those that most lead
    on from stand furthest right."""
    most = _most_rows(len(joined))
    leads = Counter(one for one, _ in edges)
    by_depth: dict[int, list[str]] = defaultdict(list)
    for node in joined:
        by_depth[depths.get(node, 0)].append(node)
    places: dict[str, int] = {}
    column = 0
    for _, nodes in sorted(by_depth.items()):
        parts = ceil(len(nodes) / most)
        nodes.sort(key=lambda node: (leads[node], node))
        for index, node in enumerate(nodes):
            places[node] = column + index * parts // len(nodes)
        column += parts
    return places


def _columns(column_of: Mapping[str, int], edges: Sequence[Pair], most_points: int) -> _Columns:
    columns = _Columns([[] for _ in range(max(column_of.values(), default=-1) + 1)])
    for node, column in sorted(column_of.items()):
        columns.rows[column].append(node)
    points = sum(column_of[other] - column_of[one] - 1 for one, other in edges)
    most_points = min(most_points, 3 * _most_rows(len(column_of)) * len(columns.rows))
    for number, (one, other) in enumerate(edges):
        chain = [one]
        if points <= most_points:
            for column in range(column_of[one] + 1, column_of[other]):
                point = f"\0{number}:{column}"  # no concept id starts with NUL
                columns.rows[column].append(point)
                chain.append(point)
        chain.append(other)
        columns.chains[one, other] = chain
        for left, right in pairwise(chain):
            columns.after[left].append(right)
            columns.before[right].append(left)
    return columns


def _order(columns: _Columns) -> None:
    """Sort each column by the mean place of its neighbours, forth and back; the order with
    the fewest crossings of these sweeps stays."""
    best, fewest = [list(row) for row in columns.rows], _crossings(columns)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        neighbours = columns.before if forth else columns.after
        span = range(1, len(columns.rows)) if forth else range(len(columns.rows) - 2, -1, -1)
        for column in span:
            beside = columns.rows[column - 1 if forth else column + 1]
            place = {node: index for index, node in enumerate(beside)}
            row = columns.rows[column]
            scale = len(beside) / max(1, len(row))
            centre = {
                node: _mean([place[n] for n in neighbours[node] if n in place], index * scale)
                for index, node in enumerate(row)
            }
            row.sort(key=centre.__getitem__)
        crossings = _crossings(columns)
        if crossings < fewest:
            best, fewest = [list(row) for row in columns.rows], crossings
    columns.rows = best


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _crossings(columns: _Columns) -> int:
    """Crossings between neighbouring columns, counted with a Fenwick tree (Barth et al.)."""
    total = 0
    for left, right in pairwise(columns.rows):
        place = {node: index for index, node in enumerate(right)}
        tree = [0] * (len(right) + 1)
        seen = 0
        for node in left:
            ends = sorted(place[n] for n in columns.after[node] if n in place)
            for end in ends:
                index, before = end + 1, 0
                while index:
                    before += tree[index]
                    index -= index & -index
                total += seen - before
            for end in ends:
                index = end + 1
                while index < len(tree):
                    tree[index] += 1
                    index += index & -index
            seen += len(ends)
    return total


def _half(node: str, sizes: Mapping[str, tuple[float, float]]) -> float:
    return sizes[node][1] / 2 if node in sizes else 0.0


def _gap(one: str, other: str, sizes: Mapping[str, tuple[float, float]]) -> float:
    between = _BOX_GAP if one in sizes and other in sizes else _POINT_GAP
    return _half(one, sizes) + between + _half(other, sizes)


def _heights(columns: _Columns, sizes: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """The middle of each node: near its neighbours' mean, in order and without overlap."""
    heights: dict[str, float] = {}
    for row in columns.rows:
        _settle(row, [0.0] * len(row), heights, sizes)
    for sweep in range(_SWEEPS):
        span = columns.rows if sweep % 2 == 0 else columns.rows[::-1]
        for row in span:
            wishes = [
                _mean(
                    [heights[n] for n in (*columns.before[node], *columns.after[node])],
                    heights[node],
                )
                for node in row
            ]
            _settle(row, wishes, heights, sizes)
    return heights


def _settle(
    row: Sequence[str],
    wishes: Sequence[float],
    heights: dict[str, float],
    sizes: Mapping[str, tuple[float, float]],
) -> None:
    """Place a column as near to its wishes as order and gaps allow (least squares, by
    pooling adjacent violators); writes into ``heights``."""
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + _gap(one, other, sizes))
    blocks: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=False):
        total, count = wish - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before = blocks.pop()
            total, count = total + before[0], count + before[1]
        blocks.append((total, count))
    bases = [total / count for total, count in blocks for _ in range(count)]
    for node, base, offset in zip(row, bases, offsets, strict=False):
        heights[node] = base + offset


def _lefts(
    columns: _Columns, sizes: Mapping[str, tuple[float, float]]
) -> tuple[list[float], list[float]]:
    widths = [
        max((sizes[node][0] for node in row if node in sizes), default=0.0) for row in columns.rows
    ]
    lefts = [0.0]
    for width in widths:
        lefts.append(lefts[-1] + width + _COLUMN_GAP)
    return lefts, widths


def _route(
    edge: Pair,
    chain: Sequence[str],
    boxes: Mapping[str, Box],
    passages: Mapping[str, tuple[Point, Point]],
) -> tuple[Point, ...]:
    """A long edge runs level through each column between, so that it cuts no box."""
    start, stop = boxes[edge[0]], boxes[edge[1]]
    return (
        (start.x + start.width, start.y + start.height / 2),
        *(end for point in chain[1:-1] for end in passages[point]),
        (stop.x, stop.y + stop.height / 2),
    )


def _grid(
    lone: Sequence[str], sizes: Mapping[str, tuple[float, float]], boxes: Mapping[str, Box]
) -> dict[str, Box]:
    """The concepts without an edge, row by row below the rest."""
    right = max([800.0, *(box.x + box.width for box in boxes.values())])
    x, y = 0.0, max((box.y + box.height + _GRID_GAP for box in boxes.values()), default=0.0)
    grid: dict[str, Box] = {}
    tallest = 0.0
    for node in lone:
        width, height = sizes[node]
        if x and x + width > right:
            x, y, tallest = 0.0, y + tallest + _BOX_GAP, 0.0
        grid[node] = Box(x, y, width, height)
        x, tallest = x + width + _BOX_GAP, max(tallest, height)
    return grid
