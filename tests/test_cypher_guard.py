"""The guard's tokens: what is checked is what is run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.adapters.cypher_guard import guarded, tokenize
from graphrag.errors import QueryError

FRAGMENTS = st.lists(
    st.sampled_from(
        [
            *("RETURN 1", "MATCH (n)", "RETURN n", "CREATE (n)", "COPY", ";", "'", '"', "`", "\\"),
            *("/*", "*/", "//", "\n", "\r", " ", "'a'", "`b`", "$p", "-[:R]->", "set", ".", "1."),
            *("\u00a0", "\u2028", "é", "\\'", "\\u0027", "{", "}", "EXPLAIN", "CALL show_tables()"),
        ]
    ),
    max_size=9,
)


@given(FRAGMENTS, st.sampled_from(["", " "]))
def test_what_is_let_through_reads_the_same_when_read_again(
    fragments: list[str], joint: str
) -> None:
    try:
        safe = guarded(joint.join(fragments), {"p": 1})
    except QueryError:
        return
    assert guarded(safe, {"p": 1}) == safe
    tokens = tokenize(safe)
    assert not [token for token in tokens if token.text in (";", "//", "/*", "*/", "\\")]
    assert not {token.keyword for token in tokens} & {"CREATE", "COPY", "SET"}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_string_stays_one_token(text: str) -> None:
    quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    (_, token) = tokenize(f"RETURN {quoted}")
    assert token.kind == "string"
    assert token.text == quoted


@pytest.mark.parametrize(
    ("statement", "safe"),
    [
        ("MATCH (n)\n// x\nRETURN n ;", "MATCH (n) RETURN n"),
        ("RETURN/* */1", "RETURN 1"),
        ('RETURN "it\'s"', "RETURN 'it\\'s'"),
        ("RETURN '\\u0041\\t'", "RETURN 'A\t'"),
        ("MATCH (a)-[:R*1..3]->(b) RETURN a.x<-1", "MATCH (a)-[:R*1..3]->(b) RETURN a.x<-1"),
        ("RETURN 1.5e-3, .5, 0x1F", "RETURN 1.5e-3, .5, 0x1F"),
    ],
)
def test_statements_are_put_together_again(statement: str, safe: str) -> None:
    assert guarded(statement) == safe


def test_a_parameter_that_is_not_used_is_told() -> None:
    with pytest.raises(QueryError, match="parameter 'name' is not used"):
        guarded("MATCH (c:Concept {name: $nam}) RETURN c", ["nam", "name"])
