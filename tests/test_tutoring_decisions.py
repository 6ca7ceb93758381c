"""The decisions file."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphrag.domain import Decision
from graphrag.errors import QueryError
from graphrag.tutoring.decisions import read_decisions, write_decisions

EXAMPLE = """\
# decided in March
accept eigenvalue needs determinant  # the text says so
reject vector needs matrix

add "what needs what" needs logic
merge PCA = principal component analysis
split set (music) != set
alias matrix = matrices
ignore example
"""

DECISIONS = [
    Decision("accept", "eigenvalue", "determinant", "the text says so"),
    Decision("reject", "vector", "matrix"),
    Decision("add", "what needs what", "logic"),
    Decision("merge", "PCA", "principal component analysis"),
    Decision("split", "set (music)", "set"),
    Decision("alias", "matrix", "matrices"),
    Decision("ignore", "example"),
]


def test_a_file_as_people_write_it_is_read() -> None:
    assert read_decisions(EXAMPLE) == DECISIONS


def test_decisions_are_written_plainly() -> None:
    written = write_decisions(DECISIONS, heading="decided in March")
    assert written == EXAMPLE.replace("\n\n", "\n")


def test_loose_spaces_windows_ends_and_a_byte_order_mark_are_fine() -> None:
    text = "\ufeff  accept   a   needs  b \r\n\r\nignore:  c\r\n"
    assert read_decisions(text) == [Decision("accept", "a", "b"), Decision("ignore", "c")]


def test_names_with_marks_of_their_own_come_through() -> None:
    names = ["C#", "C++", 'the "dual"', "a = b", "what needs", "x\ny", "#1", "線形代数", "a  b"]
    decisions = [Decision("merge", name, "other") for name in names]
    assert read_decisions(write_decisions(decisions)) == decisions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("accept a needs b\nacept a needs c", r"line 2: 'acept' is no decision; use one of accept"),
        ("accept a requires b", r"line 1: write `accept NAME needs NAME`"),
        ("merge a needs b", r"line 1: write `merge NAME = NAME`"),
        ('accept "a needs b', r"line 1: a quote \" is not closed"),
        ('accept "a" b needs c', r"line 1: 'a b' is not one name"),
        ("accept a needs", r"line 1: '' is not one name"),
        ("ignore", r"line 1: '' is not one name"),
        ("merge a = a", r"line 1: both names are 'a'"),
        ("\naccept a needs b\n# why\nreject a needs b", r"line 4: .* contradicts line 2"),
        ("merge a = b\nsplit b != a", r"line 2: .* contradicts line 1"),
        ("merge PCA = b\nsplit B != pca", r"line 2: .* contradicts line 1"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        read_decisions(text)


def test_the_same_decision_twice_counts_once() -> None:
    assert read_decisions("ignore a\nignore a\n") == [Decision("ignore", "a")]


def test_accepting_and_adding_one_edge_agree() -> None:
    assert len(read_decisions("accept a needs b\nadd a needs b\n")) == 2


NAMES = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12).filter(
    lambda name: bool(name.strip())
)


@example("accept", "0", "0\xa00")
@given(st.sampled_from(["accept", "reject", "add", "merge", "split", "alias"]), NAMES, NAMES)
def test_every_name_survives_the_file(kind: str, concept: str, other: str) -> None:
    if concept == other:
        return
    decision = Decision(kind, concept, other)  # type: ignore[arg-type]
    assert read_decisions(write_decisions([decision])) == [decision]
