"""Formulas are found in a text and brought to one spelling."""

from __future__ import annotations

import pytest

from graphrag.wording.formulas import formula_signs, segments


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\tfrac23 n^{3}", r"\frac{2}{3} n^3"),
        (r"A\mathbf{x} = \mathbf{b}", "Ax = b"),
        (r"\operatorname{rank} A \leq m", r"\operatorname{rank}A\le m"),
        (r"\left( A^{-1} \right)^T", "(A⁻¹)ᵀ"),
        (r"\|\mathbf{v}\| \neq 0", r"\lVert v \rVert ≠ 0"),
        ("λ = 2,", r"\lambda = 2"),
        (r"\det(A) = 0", "det(A) = 0"),
    ],
)
def test_spellings_of_one_formula_meet(one, other):
    assert formula_signs(one) == formula_signs(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A^{-1}", "A^{1}"),
        ("x_1 + x_2", "x_1 - x_2"),
        ("n^2", "n^3"),
        (r"(AB)^T = B^TA^T", r"(AB)^T = A^TB^T"),
        (r"a \leq b", r"a \geq b"),
        ("x^{12}", "x^1 2"),
    ],
)
def test_other_formulas_stay_apart(one, other):
    assert formula_signs(one) != formula_signs(other)


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("If $A$ has rank $r$, it holds.", ["A", "r"]),
        (r"So \(a = b\) and \[c = d\] hold.", ["a = b", "c = d"]),
        ("The system Ax = b is solvable.", ["Ax = b "]),
        ("Then P^2 = P holds.", ["P^2 = P "]),
        ("Set it to 5 - 10 bar on day 3.", []),
        ("The well-known theorem is on page 4.", []),
        ("It costs $5 and more.", []),
    ],
)
def test_formulas_are_found_with_and_without_marks(text, formulas):
    assert [inside for _, _, is_formula, inside in segments(text) if is_formula] == formulas


def test_segments_cover_the_text_in_order():
    text = r"If $A$ is square, Ax = b and \(x\) agree."
    found = list(segments(text))
    assert [start for start, *_ in found[1:]] == [stop for _, stop, *_ in found[:-1]]
    assert (found[0][0], found[-1][1]) == (0, len(text))


def test_a_long_number_is_cut_in_one_way_only():
    # With digits given back this would be tried in two to the power of 79 ways.
    text = f"The number {'7' * 80} stands alone."
    assert [inside for _, _, _, inside in segments(text)] == [text]
