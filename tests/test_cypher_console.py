"""The Cypher console reads the graph and can do nothing else."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.adapters import kuzu_console
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.domain import Concept, ConceptGraph, Prerequisite
from graphrag.errors import QueryError, StoreError
from graphrag.ports import GraphSnapshot

SECRET = "the secret of the file"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("console")
    (folder / "secret.csv").write_text(f"{SECRET}\n")
    names = [f"c{i}" for i in range(40)]
    chain = itertools.pairwise(names)
    graph = ConceptGraph(
        tuple(Concept(name, name.upper()) for name in sorted(names)),
        (),
        tuple(Prerequisite(one, other, 0.5, "likely") for one, other in chain),
    )
    KuzuGraph(folder / "graph.kuzu").replace(GraphSnapshot(graph=graph), 1)
    return folder


@pytest.fixture
def graph(place: Path) -> Iterator[KuzuGraph]:
    """A graph with what must not change around it: the folder and the working directory."""
    before = _contents(place)
    here = sorted(os.listdir("."))
    yield KuzuGraph(place / "graph.kuzu", query_seconds=4, query_memory=300 << 20)
    assert _contents(place) == before
    assert sorted(os.listdir(".")) == here


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- what is allowed ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("MATCH (c:Concept) RETURN count(c)", [(40,)]),
        ("match (c:Concept) return count(c);", [(40,)]),
        ("MATCH (c:Concept {id: 'c3'})-[:REQUIRES]->(p) RETURN p.name", [("C4",)]),
        ("MATCH (c:Concept) WHERE c.id = 'c1' OPTIONAL MATCH (c)-[r]->(p) RETURN p.id", [("c2",)]),
        ("UNWIND [3, 1, 2] AS x WITH x ORDER BY x SKIP 1 LIMIT 1 RETURN x * 2 AS y", [(4,)]),
        ("RETURN 1 AS x UNION ALL RETURN 2 AS x", [(1,), (2,)]),
        ("// a remark\nRETURN 'a//b' /* ; CREATE */ , \"/*\"", [("a//b", "/*")]),
        (
            "RETURN 'DELETE', 'it\\'s; DROP', \"say \\\"x\\\"\"",
            [("DELETE", "it's; DROP", 'say "x"')],
        ),
        ("RETURN 'a\\\\b\\n\\u00e9'", [("a\\b\né",)]),
        ("MATCH (c:Concept) WHERE c.id = 'c7' RETURN c.name AS `create`", [("C7",)]),
        ("RETURN size('国際') AS n, 1.5e1 AS e, [1, 2][1] AS i, -3 % 2 AS m", [(2, 15.0, 1, -1)]),
        (
            "MATCH (a:Concept {id: 'c0'})-[r:REQUIRES* SHORTEST 1..30]->(b:Concept {id: 'c3'}) "
            "RETURN length(r)",
            [(3,)],
        ),
        (
            "MATCH (a:Concept) WHERE EXISTS { MATCH (a)-[:REQUIRES]->(:Concept {id: 'c5'}) } "
            "RETURN a.id",
            [("c4",)],
        ),
        ("RETURN CASE WHEN 1 < 2 THEN 'yes' ELSE 'no' END", [("yes",)]),
        ("UNWIND [9223372036854775807, 1] AS x RETURN sum(x)", [(9223372036854775808,)]),
        ("RETURN date('2020-01-02'), 1.0 / 0", [("2020-01-02", "inf")]),
    ],
)
def test_reading_statements_give_their_rows(
    graph: KuzuGraph, statement: str, rows: list[tuple[object, ...]]
) -> None:
    # Kùzu runs the parts of a UNION side by side, so their rows come in either order.
    assert sorted(graph.query(statement).rows, key=repr) == sorted(rows, key=repr)


def test_parameters_are_values_and_never_cypher(graph: KuzuGraph) -> None:
    hostile = "c1'}) DETACH DELETE n //"
    rows = graph.query(
        "MATCH (c:Concept) WHERE c.id IN $ids RETURN c.id, $x",
        {"ids": ["c1", hostile], "x": hostile},
    )
    assert rows.rows == (("c1", hostile),)
    assert rows.columns[0] == "c.id"


def test_results_stop_at_the_limit_and_say_so(graph: KuzuGraph) -> None:
    rows = graph.query("MATCH (c:Concept) RETURN c.id ORDER BY c.id", limit=3)
    assert (len(rows.rows), rows.truncated) == (3, True)
    whole = graph.query("MATCH (c:Concept) RETURN c.id", limit=40)
    assert (len(whole.rows), whole.truncated) == (40, False)


def test_nodes_come_without_inner_ids(graph: KuzuGraph) -> None:
    (row,) = graph.query("MATCH (c:Concept {id: 'c1'}) RETURN c").rows
    expected = {"_label": "Concept", "id": "c1", "name": "C1", "aliases": [], "weight": 1.0}
    assert row == ({**expected, "given": False},)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("", "there is no statement"),
        (" ; ", "there is no statement"),
        ("COPY Concept TO 'x.csv'", "only reading statements are allowed: COPY at position 1"),
        ("MATCH (n) SET n.name = 1", "only reading statements are allowed: SET at position 11"),
        ("RETURN 1; RETURN 2", "a second one begins at position 10"),
        ("RETURN 'open", "an open string at position 8"),
        ("RETURN 1 /* open", "an open comment at position 10"),
        ("CALL threads=2", "CALL threads at position 6 is not allowed"),
        ("MATCH (n RETURN n", "Parser exception"),
        ("MATCH (n:Nothing) RETURN n", "Table Nothing does not exist"),
        ("RETURN '\\q'", "unknown escape"),
        ("RETURN 1" + " " * 20_000, "at most 20000"),
        ("RETURN $missing", "parameter $missing at position 8 has no value"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(graph: KuzuGraph, statement: str, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        graph.query(statement)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value", [[1, 2], {"a": 1}, "x\0y", "y" * 1_000_000, None, True, -1.5, [None, "a"]]
)
def test_json_values_are_parameters(graph: KuzuGraph, value: object) -> None:
    assert graph.query("RETURN $x", {"x": value}).rows == ((value,),)


def test_an_empty_list_is_a_parameter_to_look_in(graph: KuzuGraph) -> None:
    statement = "MATCH (c:Concept) WHERE c.id IN $ids RETURN c.id"
    assert graph.query(statement, {"ids": []}).rows == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("caf\udce9", "cannot be written as UTF-8"),
        ([1, "a"], "."),
        (object(), "no JSON"),
        ({1: {2, 3}}, "no JSON"),
        ({"a": [None, {"b": 1}]}, "pass flat parameters"),
    ],
)
def test_other_parameters_are_refused_in_one_line(
    graph: KuzuGraph, value: object, message: str
) -> None:
    with pytest.raises(QueryError, match=message) as caught:
        graph.query("RETURN $x", {"x": value})
    assert "\n" not in str(caught.value)
    assert "console failed" not in str(caught.value)


def test_a_missing_graph_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="graphrag ingest"):
        KuzuGraph(tmp_path / "none").query("RETURN 1")


# --- what is not ----------------------------------------------------------------------

WRITES = [
    "CREATE (:Concept {id: 'evil'})",
    "MATCH (c:Concept) SET c.name = 'evil'",
    "MATCH (c:Concept) DETACH DELETE c",
    "MATCH (c:Concept)-[r]->() DELETE r",
    "MERGE (:Concept {id: 'evil'})",
    "MATCH (a:Concept {id: 'c0'}), (b:Concept {id: 'c9'}) CREATE (a)-[:REQUIRES]->(b)",
    "CREATE NODE TABLE Evil(id STRING PRIMARY KEY)",
    "CREATE MACRO evil(x) AS x + 1",
    "CREATE SEQUENCE evil",
    "DROP TABLE REQUIRES",
    "ALTER TABLE Concept ADD evil STRING",
    "COMMENT ON TABLE Concept IS 'evil'",
    "BEGIN TRANSACTION",
    "COMMIT",
    "ROLLBACK",
    "CHECKPOINT",
    "UNWIND [1] AS x CREATE (:Concept {id: 'evil'})",
    "WITH 1 AS x MERGE (:Concept {id: 'evil'}) ON CREATE SET x = 1",
]
FILES = [
    "COPY (MATCH (c:Concept) RETURN c.id) TO '{folder}/evil.csv'",
    "COPY (MATCH (c:Concept) RETURN c.id) TO 'evil.csv'",
    "COPY (MATCH (c:Concept) RETURN c.id) TO '{folder}/evil.parquet'",
    "LOAD FROM '{folder}/secret.csv' (header=false) RETURN *",
    "LOAD WITH HEADERS (x STRING) FROM '{folder}/secret.csv' RETURN x",
    "LOAD FROM \"/etc/passwd\" (file_format='csv') RETURN *",
    "COPY Concept FROM '{folder}/secret.csv'",
    "EXPORT DATABASE '{folder}/evil'",
    "IMPORT DATABASE '{folder}'",
    "ATTACH '{folder}/graph.kuzu' AS other (dbtype kuzu)",
    "DETACH other",
    "USE other",
    "INSTALL httpfs",
    "LOAD EXTENSION httpfs",
    "LOAD EXTENSION '{folder}/evil.so'",
    "UNINSTALL json",
    "UPDATE json",
    "MATCH (c:Concept) LOAD FROM '{folder}/secret.csv' RETURN *",
]
CALLS = [
    "CALL threads=8",
    "CALL timeout=0",
    "CALL home_directory='{folder}'",
    "CALL file_search_path='{folder}'",
    "CALL spill_to_disk=true",
    "CALL enable_zone_map=false",
    "CALL show_attached_databases() RETURN *",
    "CALL CREATE_FTS_INDEX('Concept', 'evil', ['name'])",
    "CALL create_vector_index('Concept', 'evil', 'weight')",
    "CALL project_graph('evil', ['Concept'], ['REQUIRES'])",
    "CALL current_setting('threads') RETURN *",
    "CALL clear_warnings()",
    "CALL `show_tables`() RETURN *",
    "CALL show_tables RETURN *",
]
PYTHON = [
    "LOAD FROM request RETURN *",
    "LOAD FROM os RETURN *",
    "COPY Concept FROM request",
    "LOAD FROM $rows RETURN *",
]


def _disguised(statement: str) -> list[str]:
    """The statement in other spellings that mean the same to a lexer, or might."""
    first, _, rest = statement.partition(" ")
    return [
        statement,
        statement.lower(),
        f"  \n\t{statement} ;",
        f"/* RETURN */ {statement}",
        f"// RETURN\n{statement}",
        f"// RETURN\r{statement}",
        f"{first}/**/ {rest}",
        f"RETURN 1; {statement}",
        f"RETURN 1;{statement};",
        f"EXPLAIN {statement}",
        f"EXPLAIN RETURN 1; {statement}",
        f"PROFILE {statement}",
        f"RETURN '\\'; {statement} //'",
        f"RETURN 'a' ; /* */ {statement} // '",
        f"RETURN `a` /* ` */; {statement}",
        f"\ufeff{statement}",
        f"\u00a0{statement}",
        f"{first}\u00a0{rest}",
        f"RETURN 1 {statement}",
        f"RETURN 1\x00; {statement}",
    ]


def _families() -> list[str]:
    statements = [*WRITES, *FILES, *CALLS, *PYTHON]
    plain = [_disguised(statement)[0] for statement in statements]
    turned = [
        _disguised(statement)[1 + (i + j * 7) % 19]
        for i, statement in enumerate(statements)
        for j in range(4)
    ]
    return list(dict.fromkeys(plain + turned))


ESCAPES = _families()


def test_there_are_enough_escapes_to_mean_something() -> None:
    assert len(ESCAPES) >= 200


@pytest.mark.parametrize("statement", ESCAPES)
def test_no_escape_gets_past_the_guard_or_does_anything(
    graph: KuzuGraph, place: Path, statement: str
) -> None:
    """Either refused, or harmless: then it gave none of the secret and changed nothing."""
    try:
        rows = graph.query(statement.replace("{folder}", str(place)))
    except QueryError:
        return
    assert SECRET not in repr(rows)
    assert rows.rows == (("'; " + statement.split("'; ", 1)[-1].removesuffix("'"),),)


@pytest.mark.parametrize("statement", [*WRITES, *FILES, *PYTHON])
def test_the_process_itself_can_neither_write_nor_open_files(
    graph: KuzuGraph, place: Path, tmp_path: Path, statement: str
) -> None:
    """What the guard refuses is run behind its back."""
    request = {
        "path": str(place / "graph.kuzu"),
        "statement": statement.replace("{folder}", str(place)),
        "parameters": {},
        "limit": 10,
        "memory": 300 << 20,
        "seconds": 2,
    }
    ended = subprocess.run(
        [sys.executable, "-I", kuzu_console.__file__],
        input=json.dumps(request).encode(),
        capture_output=True,
        cwd=tmp_path,
        env={},
        timeout=20,
        check=False,
    )
    assert SECRET.encode() not in ended.stdout
    assert b"root:" not in ended.stdout
    assert list(tmp_path.iterdir()) == []


ENDLESS = [
    "UNWIND range(1, 100000000000) AS x RETURN sum(x)",
    "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN count(*)",
    "UNWIND range(1, 3000000) AS x UNWIND range(1, 3000000) AS y RETURN x + y ORDER BY x + y",
]
HUNGRY = [
    "RETURN size(range(1, 1000000000))",
    "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN collect(x + y)",
    "RETURN size(repeat('x', 2000000000))",
    "RETURN repeat('x', 400000000)",
    "UNWIND range(1, 10000000) AS x RETURN collect(repeat('x', 1000))",
    "WITH range(1, 30000000) AS a RETURN size(list_concat(a, list_concat(a, a)))",
    "MATCH p = (a)-[:REQUIRES*1..30]->(b), q = (c)-[:REQUIRES*1..30]->(d) RETURN collect(p), q",
]


@pytest.mark.parametrize("statement", [*ENDLESS, *HUNGRY])
def test_no_statement_runs_on_or_eats_the_machine(place: Path, statement: str) -> None:
    bounded = KuzuGraph(place / "graph.kuzu", query_seconds=1.5, query_memory=300 << 20)
    with pytest.raises(QueryError, match="bound its hops or add a LIMIT"):
        bounded.query(statement)


def test_a_huge_result_is_cut() -> None:
    rows = kuzu_console.LONGEST_REPLY
    assert rows <= 64 << 20
