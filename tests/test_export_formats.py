"""Every format holds the graph, and nothing that a name could smuggle in."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import networkx
import pytest
from lxml import etree

from graphrag.domain import Belief, Concept, ConceptGraph, Learner, Prerequisite
from graphrag.errors import QueryError
from graphrag.export import SUFFIXES, export
from graphrag.export.words import skeleton, states
from tests.export_graphs import GRAPH, HOSTILE, HOSTILE_NAMES, LEARNER

SVG = "{http://www.w3.org/2000/svg}"


def as_xml_holds_it(text: str) -> str:
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", "\ufffd", text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_graphs_give_equal_texts_in_utf8(suffix: str) -> None:
    turned = ConceptGraph(
        GRAPH.concepts[::-1], GRAPH.mentions[::-1], GRAPH.prerequisites[::-1], GRAPH.relations
    )
    assert export(turned, suffix) == export(GRAPH, suffix)
    assert export(HOSTILE, suffix, learner=LEARNER).encode("utf-8")
    assert export(ConceptGraph(), suffix).encode("utf-8")


def test_another_ending_is_refused_with_the_choice() -> None:
    with pytest.raises(QueryError, match=r"'.docx'; use one of .graphml, .json"):
        export(GRAPH, ".docx")


# --- GraphML -------------------------------------------------------------------------


def graphml(graph: ConceptGraph) -> networkx.MultiDiGraph:
    text = export(graph, ".graphml")
    return networkx.read_graphml(io.BytesIO(text.encode("utf-8")), force_multigraph=True)


def test_graphml_is_read_by_networkx() -> None:
    network = graphml(GRAPH)
    assert network.nodes["eigenvalue"] == {
        "name": "Eigenvalue",
        "aliases": "characteristic value",
        "weight": 0.9,
        "given": False,
        "definition": "d.md#2",
    }
    edges = [facts for _, _, facts in network.out_edges("eigenvalue", data=True)]
    assert edges[0]["sentence"] == "An eigenvalue requires a matrix."
    assert [(facts["status"], facts["direct"]) for facts in edges] == [
        ("certain", True),
        ("likely", False),
    ]
    assert len(network.edges) == 5


def test_graphml_keeps_hostile_names_as_text() -> None:
    network = graphml(HOSTILE)
    names = [as_xml_holds_it(name) for name in HOSTILE_NAMES]
    assert sorted(facts["name"] for _, facts in network.nodes(data=True)) == sorted(names)
    assert len(network.edges) == len(HOSTILE.prerequisites) + len(HOSTILE.relations)


def test_graphml_tells_the_learners_state() -> None:
    text = export(GRAPH, ".graphml", learner=LEARNER)
    network = networkx.read_graphml(io.BytesIO(text.encode("utf-8")))
    assert {key: facts["state"] for key, facts in network.nodes(data=True)} == {
        "vector": "known",
        "matrix": "ready",
        "eigenvalue": "later",
    }


# --- JSON ----------------------------------------------------------------------------


def test_json_holds_every_value() -> None:
    value = json.loads(export(GRAPH, ".json", learner=LEARNER))
    assert value["concepts"][0]["name"] == "Eigenvalue"
    assert value["mentions"][0]["start"] == 3
    assert value["prerequisites"][0]["evidence"][1]["sentence"].startswith("An eigenvalue")
    assert value["relations"][0]["kind"] == "uses"
    assert value["learner"]["beliefs"][0]["probability"] == 0.9


def test_json_gives_hostile_names_back() -> None:
    value = json.loads(export(HOSTILE, ".json"))
    assert {concept["name"] for concept in value["concepts"]} == set(HOSTILE_NAMES)


# --- Cypher --------------------------------------------------------------------------


def test_cypher_creates_nodes_and_edges_one_a_line() -> None:
    lines = [line for line in export(GRAPH, ".cypher").splitlines() if not line.startswith("//")]
    assert lines[1] == (
        "CREATE (:Concept {id: 'matrix', name: 'Matrix', aliases: [], weight: 1.0, "
        "given: true, definition: ''});"
    )
    assert lines[-1] == (
        "MATCH (a:Concept {id: 'matrix'}), (b:Concept {id: 'vector'}) CREATE (a)-[:RELATED "
        "{kind: 'uses', weight: 0.8, sentence: 'A matrix uses vectors.', document: 'd.md'}]->(b);"
    )
    assert len(lines) == 3 + 4 + 1


def test_cypher_strings_cannot_be_left() -> None:
    literal = re.compile(r"'(?:[^'\\\n]|\\.)*'")
    for line in export(HOSTILE, ".cypher").splitlines():
        if not line.startswith("//"):
            bare = literal.sub("", line)
            assert re.fullmatch(r"(CREATE|MATCH) [\w\s(){}:,.;\[\]>-]*;", bare), bare


# --- DOT -----------------------------------------------------------------------------


def dot_strings(line: str) -> list[str]:
    return [
        match.replace('\\"', '"').replace("\\\\", "\\")
        for match in re.findall(r'"((?:[^"\\]|\\.)*)"', line)
    ]


def test_dot_draws_direct_prerequisites_in_force_from_foundation_to_concept() -> None:
    lines = export(GRAPH, ".dot").splitlines()
    assert [line.strip() for line in lines if "->" in line] == [
        '"matrix" -> "eigenvalue" [style=solid, penwidth=1.93];',
        '"vector" -> "matrix" [style=dashed, penwidth=1.16];',
    ]


def test_dot_strings_cannot_be_left() -> None:
    bare_line = re.compile(r"[\w\s\[\]=,;>{}.-]*")
    for line in export(HOSTILE, ".dot").splitlines():
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        assert bare_line.fullmatch(bare), bare
    named = {text for line in export(HOSTILE, ".dot").splitlines() for text in dot_strings(line)}
    assert 'quote " and \\" and \\' in named


# --- SVG -----------------------------------------------------------------------------


def test_svg_has_a_box_a_concept_and_a_path_an_edge() -> None:
    root = etree.fromstring(export(GRAPH, ".svg").encode("utf-8"))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Eigenvalue needs Matrix (certain)",
        "Matrix needs Vector (possible)",
        "Eigenvalue",
        "Matrix",
        "Vector",
    ]


def test_svg_keeps_hostile_names_as_text() -> None:
    root = etree.fromstring(export(HOSTILE, ".svg").encode("utf-8"))
    kinds = {etree.QName(element).localname for element in root.iter()}
    assert kinds <= {"svg", "defs", "marker", "path", "rect", "g", "title", "text", "tspan"}
    titles = {title.text for title in root.iter(f"{SVG}title")}
    assert as_xml_holds_it(HOSTILE_NAMES[0]) in titles


def test_drawings_show_the_strongest_needs_and_none_that_follow_from_them() -> None:
    names = ["goal", "a", "b", "c", "d", "e"]
    graph = ConceptGraph(
        tuple(Concept(name, name) for name in sorted(names)),
        prerequisites=(
            Prerequisite("goal", "a", 0.9, "likely"),
            Prerequisite("goal", "b", 0.8, "likely"),  # follows from goal - a - b
            Prerequisite("goal", "c", 0.7, "likely"),
            Prerequisite("goal", "d", 0.6, "likely"),  # the fourth
            Prerequisite("goal", "e", 0.4, "possible"),  # there is something surer
            Prerequisite("a", "b", 0.4, "possible"),  # the best guess
            Prerequisite("a", "e", 0.3, "possible"),
        ),
    )
    drawn = [(edge.concept_id, edge.prerequisite_id) for edge in skeleton(graph)]
    assert drawn == [("a", "b"), ("goal", "a"), ("goal", "c")]
    edges = page_values(export(graph, ".html"))["edges"]
    assert len(edges) == 7
    assert sum(bool(edge["path"]) for edge in edges) == 3


# --- HTML ----------------------------------------------------------------------------


def page_values(text: str) -> dict[str, list[dict[str, object]]]:
    parts = re.findall(r'<script type="application/json" id="graph">(.*?)</script>', text, re.S)
    assert len(parts) == 1
    value: dict[str, list[dict[str, object]]] = json.loads(parts[0])
    return value


def test_the_page_holds_places_states_and_evidence() -> None:
    definitions = {"matrix": "A matrix is a table."}
    value = page_values(export(GRAPH, ".html", learner=LEARNER, definitions=definitions))
    eigenvalue, matrix, vector = value["concepts"]
    assert vector["x"] < matrix["x"] < eigenvalue["x"]  # type: ignore[operator]
    assert (vector["state"], matrix["state"]) == ("known", "ready")
    assert matrix["definition"] == "A matrix is a table."
    assert value["edges"][0]["evidence"] == [
        {"kind": "cue", "sentence": "An eigenvalue requires a matrix.", "document": "d.md"}
    ]
    assert value["edges"][0]["counted"] == "by the order in which they are introduced"
    assert [edge["reason"] for edge in value["left_out"]] == ["weaker than the rest"]


def test_the_page_loads_nothing() -> None:
    text = export(GRAPH, ".html")
    addresses = set(re.findall(r"https?://[^\"'\s]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a namespace, never fetched
    assert not re.search(r"<(?:link|img|iframe|script[^>]*\ssrc)", text)
    assert "default-src 'none'" in text


def test_names_reach_the_page_as_data_only() -> None:
    hostile = replace(LEARNER, name="</title><script>alert(1)</script>")
    text = export(HOSTILE, ".html", learner=hostile)
    assert text.count("<script") == 2
    assert text.count("</script") == 2
    assert "<script>alert" not in text
    assert {concept["name"] for concept in page_values(text)["concepts"]} == set(HOSTILE_NAMES)


def test_states_tell_half_known_from_hardly_known_and_say_nothing_of_lone_concepts() -> None:
    graph = ConceptGraph(
        concepts=tuple(Concept(name, name) for name in ("a", "b", "c", "d", "lone")),
        prerequisites=(
            Prerequisite("b", "a", 0.9, "certain"),
            Prerequisite("c", "a", 0.9, "certain"),
            Prerequisite("d", "c", 0.9, "certain"),
        ),
    )
    probabilities = {"a": 0.8, "b": 0.4, "c": 0.2, "lone": 0.2}
    beliefs = {key: Belief(key, value, 0.0) for key, value in probabilities.items()}
    assert states(graph, Learner("ada", beliefs)) == {
        "a": "known",
        "b": "shaky",
        "c": "ready",
        "d": "later",
        "lone": "unknown",
    }
