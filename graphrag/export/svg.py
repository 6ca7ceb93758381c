"""The strongest prerequisites as one drawing, layered left to right by depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import wrap
from unicodedata import east_asian_width

from graphrag.domain import Concept, ConceptGraph, Learner, Prerequisite
from graphrag.export.layout import Drawing, draw
from graphrag.export.words import State, markup, skeleton, states
from graphrag.prerequisites.order import PrerequisiteOrder

FILLS: Mapping[State, tuple[str, str]] = {
    "known": ("#d3efd2", "#4d9a54"),
    "shaky": ("#fdebc2", "#c48a17"),
    "ready": ("#d6e7fb", "#3f7fc4"),
    "later": ("#f1f1f1", "#a9a9a9"),
    "unknown": ("#eef3f8", "#7d93a8"),
}
_LEGEND: Sequence[tuple[State, str]] = (
    ("known", "known"),
    ("shaky", "half known"),
    ("ready", "ready to learn"),
    ("later", "later"),
)
LINE_HEIGHT = 15.0
_LETTER = 6.7
_PADDING = 11.0
_LONGEST_LINE = 22
_MOST_LINES = 3
_MARGIN = 28.0


def label_lines(name: str) -> list[str]:
    """A name broken into at most three lines of some 22 letters, the rest as an ellipsis."""
    lines = wrap(" ".join(name.split()) or "?", _LONGEST_LINE, break_on_hyphens=False)
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1][: _LONGEST_LINE - 1] + "…"]
    return lines


def box_size(lines: Sequence[str]) -> tuple[float, float]:
    """Width and height in pixels of a box around these lines; wide letters count double."""
    longest = max(sum(2 if east_asian_width(x) in "WF" else 1 for x in line) for line in lines)
    return 2 * _PADDING + _LETTER * max(4, longest), 14.0 + LINE_HEIGHT * len(lines)


def drawing_of(graph: ConceptGraph, edges: Sequence[Prerequisite]) -> Drawing:
    """The layout of the graph's concepts by these edges."""
    order = PrerequisiteOrder(edges, (concept.id for concept in graph.concepts))
    sizes = {concept.id: box_size(label_lines(concept.name)) for concept in graph.concepts}
    return draw(sizes, order.depths, ((edge.prerequisite_id, edge.concept_id) for edge in edges))


def curve(points: Sequence[tuple[float, float]]) -> str:
    """SVG path data that leaves, passes and reaches the points horizontally."""
    parts = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        if y == to_y:
            parts.append(f"H{to_x:.1f}")
            continue
        bend = (to_x - x) / 2
        parts.append(f"C{x + bend:.1f},{y:.1f} {to_x - bend:.1f},{to_y:.1f} {to_x:.1f},{to_y:.1f}")
    return "".join(parts)


def write_svg(graph: ConceptGraph, learner: Learner | None = None) -> str:
    """A picture without scripts: boxes by depth, solid arrows for certain prerequisites,
    thinner for likely and dashed for possible ones, colours by the learner's state. Each
    concept shows its strongest prerequisites (see ``words.skeleton``)."""
    edges = skeleton(graph)
    drawing = drawing_of(graph, edges)
    state = states(graph, learner)
    legend = 34.0 if learner is not None else 0.0
    width = max(drawing.width, 420.0 if legend else 0.0) + 2 * _MARGIN
    height = drawing.height + 2 * _MARGIN + legend
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{-_MARGIN} {-_MARGIN - legend} {width:.1f} {height:.1f}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12.5">',
        "<defs>"
        '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto" markerUnits="userSpaceOnUse"><path d="M0,0.8L8,4L0,7.2z" fill="#6b7c8c"/>'
        "</marker></defs>",
        f'<rect x="{-_MARGIN}" y="{-_MARGIN - legend}" width="{width:.1f}" '
        f'height="{height:.1f}" fill="#ffffff"/>',
        *(_legend(legend) if legend else ()),
    ]
    names = {concept.id: concept.name for concept in graph.concepts}
    for edge in edges:
        route = drawing.routes[edge.prerequisite_id, edge.concept_id]
        title = f"{names[edge.concept_id]} needs {names[edge.prerequisite_id]} ({edge.status})"
        dash = ' stroke-dasharray="5 4"' if edge.status == "possible" else ""
        stroke = 1.7 if edge.status == "certain" else 1.1
        lines.append(
            f'<path d="{curve(route)}" fill="none" stroke="#6b7c8c" stroke-opacity="0.75" '
            f'stroke-width="{stroke}"{dash} marker-end="url(#tip)">'
            f"<title>{markup(title)}</title></path>"
        )
    for concept in sorted(graph.concepts, key=lambda concept: concept.id):
        lines.extend(_box(concept, drawing, state[concept.id]))
    return "\n".join([*lines, "</svg>", ""])


def _box(concept: Concept, drawing: Drawing, state: State) -> list[str]:
    box = drawing.boxes[concept.id]
    fill, stroke = FILLS[state]
    text = label_lines(concept.name)
    first = box.y + box.height / 2 - (len(text) - 1) * LINE_HEIGHT / 2 + 4.5
    spans = "".join(
        f'<tspan x="{box.x + box.width / 2:.1f}" y="{first + i * LINE_HEIGHT:.1f}">'
        f"{markup(line)}</tspan>"
        for i, line in enumerate(text)
    )
    return [
        f'<g><title>{markup(concept.name)}</title><rect x="{box.x:.1f}" y="{box.y:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}" rx="6" fill="{fill}" '
        f'stroke="{stroke}"/>',
        f'<text text-anchor="middle" fill="#1d2730">{spans}</text></g>',
    ]


def _legend(height: float) -> list[str]:
    lines, x = [], 0.0
    y = -height
    for state, words in _LEGEND:
        fill, stroke = FILLS[state]
        lines.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="14" height="14" rx="3" fill="{fill}" '
            f'stroke="{stroke}"/><text x="{x + 20:.0f}" y="{y + 11.5:.1f}">{words}</text>'
        )
        x += 44 + 6.5 * len(words)
    return lines
