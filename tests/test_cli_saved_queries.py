"""Cypher statements kept by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag.cli.saved_queries import parameters_of, save_query, saved_queries, saved_query
from graphrag.errors import QueryError

NEEDS = "MATCH (c {name: $name})-[:REQUIRES]->(p) WHERE p.weight > $least AND $name <> p.name"


def test_a_statement_is_kept_by_name_and_found_again(tmp_path: Path) -> None:
    file = save_query(tmp_path, "needs", NEEDS)
    assert file == tmp_path / "queries" / "needs.cypher"
    assert saved_query(tmp_path, "needs").strip() == NEEDS
    save_query(tmp_path, "needs", "RETURN 1")
    assert saved_queries(tmp_path) == {"needs": "RETURN 1"}


def test_parameters_are_listed_once_in_their_order() -> None:
    assert parameters_of(NEEDS) == ["name", "least"]


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x" * 65])
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(QueryError, match="is no name for a query"):
        save_query(tmp_path, name, "RETURN 1")


def test_an_unknown_name_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="keep one with --save"):
        saved_query(tmp_path, "needs")
    save_query(tmp_path, "themes", "RETURN 1")
    with pytest.raises(QueryError, match="no saved query 'needs'; there are: themes"):
        saved_query(tmp_path, "needs")
