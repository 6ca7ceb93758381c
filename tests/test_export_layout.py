"""The layered layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.export.layout import draw

SIZE = (80.0, 30.0)


@st.composite
def layered(draw_: st.DrawFn) -> tuple[dict[str, int], list[tuple[str, str]]]:
    depths = {f"c{i}": draw_(st.integers(0, 4)) for i in range(draw_(st.integers(0, 14)))}
    names = sorted(depths)
    if not names:
        return {}, []
    pairs = draw_(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=30))
    return depths, pairs


def test_columns_run_from_left_to_right_and_edges_join_the_boxes() -> None:
    drawing = draw({"a": SIZE, "b": SIZE}, {"a": 0, "b": 1}, [("a", "b")])
    a, b = drawing.boxes["a"], drawing.boxes["b"]
    assert a.x + a.width < b.x
    assert a.y == b.y  # one edge runs level
    assert drawing.routes["a", "b"] == ((80.0, 15.0), (b.x, 15.0))


def test_two_crossed_edges_are_uncrossed() -> None:
    sizes = dict.fromkeys(["a", "b", "x", "y"], SIZE)
    drawing = draw(sizes, {"a": 0, "b": 0, "x": 1, "y": 1}, [("a", "y"), ("b", "x")])
    boxes = drawing.boxes
    assert (boxes["a"].y < boxes["b"].y) == (boxes["y"].y < boxes["x"].y)


def test_a_long_edge_passes_the_columns_between_beside_their_boxes() -> None:
    sizes = dict.fromkeys(["a", "b", "c"], SIZE)
    drawing = draw(sizes, {"a": 0, "b": 1, "c": 2}, [("a", "b"), ("b", "c"), ("a", "c")])
    between = drawing.boxes["b"]
    (left, y), (right, same) = drawing.routes["a", "c"][1:3]
    assert (left, right) == (between.x, between.x + between.width)
    assert y == same
    assert not between.y <= y <= between.y + between.height


def test_edges_that_do_not_go_deeper_are_left_out() -> None:
    drawing = draw({"a": SIZE, "b": SIZE}, {"a": 1, "b": 1}, [("a", "b"), ("a", "nobody")])
    assert drawing.routes == {}


def test_lone_concepts_stand_in_a_grid() -> None:
    drawing = draw({f"c{i}": SIZE for i in range(20)}, {}, [])
    assert drawing.height == pytest.approx(3 * 30 + 2 * 14)  # nine fit into 800 pixels


def test_nothing_is_drawn_of_nothing() -> None:
    drawing = draw({}, {}, [])
    assert (drawing.width, drawing.height) == (0.0, 0.0)


@given(layered())
def test_boxes_never_overlap_and_columns_hold_to_depth(
    case: tuple[dict[str, int], list[tuple[str, str]]],
) -> None:
    depths, edges = case
    drawing = draw(dict.fromkeys(depths, SIZE), depths, edges)
    boxes = drawing.boxes
    assert set(boxes) == set(depths)
    for one, first in boxes.items():
        assert first.x >= 0
        assert first.y >= -1e-6
        for other, second in boxes.items():
            if one < other:
                apart = (
                    first.x + first.width <= second.x
                    or second.x + second.width <= first.x
                    or first.y + first.height <= second.y + 1e-6
                    or second.y + second.height <= first.y + 1e-6
                )
                assert apart
    for one, other in drawing.routes:
        assert boxes[one].x + boxes[one].width < boxes[other].x


@given(layered())
def test_the_order_of_edges_does_not_matter(
    case: tuple[dict[str, int], list[tuple[str, str]]],
) -> None:
    depths, edges = case
    sizes = dict.fromkeys(depths, SIZE)
    assert draw(sizes, depths, edges) == draw(sizes, depths, edges[::-1])


def test_a_column_too_high_is_broken_into_several() -> None:
    sizes = {f"n{i:03d}": (100.0, 30.0) for i in range(400)}
    depths = {name: int(name > "n000") for name in sizes}
    edges = [("n000", name) for name in sizes if name > "n000"]
    drawing = draw(sizes, depths, edges)
    # 400 boxes below each other would be 17,600 high; 29 a column (root of 2.1 x 400).
    assert len({round(box.x) for box in drawing.boxes.values()}) == 1 + 14
    assert drawing.height < drawing.width < 3 * drawing.height
    root = drawing.boxes["n000"]
    assert all(
        box.x >= root.x + root.width for name, box in drawing.boxes.items() if name != "n000"
    )
