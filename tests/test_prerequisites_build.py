"""The concept graph of small courses, with the real language pipeline and toy vectors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.domain import ConceptGraph, Decision, GivenConcept, Prerequisite
from graphrag.prerequisites.scoring import PAIR_THRESHOLD
from graphrag.prerequisites.weighing import UNSHOWN
from tests.concept_graphs import build
from tests.concept_values import document

LESSONS = [
    document("# Vector\n\nA vector is a list of numbers. Every vector has a length. We add a "
             "vector to a vector.", "01-vector.md"),
    document("# Matrix\n\nA matrix is a table of numbers. Each column of a matrix is a vector. A "
             "matrix acts on a vector.", "02-matrix.md"),
    document("# Determinant\n\nA determinant is a number that belongs to a matrix. The determinant "
             "of a matrix depends on every vector in it.", "03-determinant.md"),
    document("# Eigenvalue\n\n## Prerequisites\n\n- determinant: it finds them\n- matrix\n\n"
             "## Definition\n\nAn eigenvalue is a factor of a matrix. Eigenvalues do not require "
             "calculus.", "04-eigenvalue.md"),
    document("# Calculus\n\nCalculus is the study of change. Calculus needs limits. Calculus is "
             "long.", "05-calculus.md"),
]  # fmt: skip


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def edges(graph: ConceptGraph) -> dict[tuple[str, str], Prerequisite]:
    return {(e.concept_id, e.prerequisite_id): e for e in graph.prerequisites}


def test_a_listed_prerequisite_is_certain_and_keeps_its_sentence(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS)
    edge = edges(graph)["eigenvalue", "determinant"]
    assert (edge.status, edge.weight, edge.direct) == ("certain", 0.97, True)
    assert edge.evidence[0].kind == "section"
    assert edge.evidence[0].sentence == "determinant: it finds them"
    assert edge.evidence[0].document_id == "04-eigenvalue.md"


def test_nothing_is_inferred_for_a_concept_whose_author_lists_its_needs(
    spotter: SpacySpotter,
) -> None:
    graph, _ = build(spotter, LESSONS)
    needs = {b for (a, b), e in edges(graph).items() if a == "eigenvalue" and e.in_force}
    assert needs == {"determinant", "matrix"}


def test_definitions_give_direction(spotter: SpacySpotter) -> None:
    graph, scorer = build(spotter, LESSONS)
    assert ("vector", "matrix") not in edges(graph)
    forward, backward = scorer.score([("determinant", "matrix"), ("matrix", "determinant")])
    assert forward > backward


def test_a_denied_need_is_not_proposed(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS)
    assert ("eigenvalue", "calculus") not in edges(graph)


def test_the_graph_is_a_function_of_its_inputs(spotter: SpacySpotter) -> None:
    assert build(spotter, LESSONS)[0] == build(spotter, list(LESSONS))[0]


def test_what_is_open_is_no_edge_and_nothing_is_for_one_whose_author_lists_its_needs(
    spotter: SpacySpotter,
) -> None:
    twins = document(
        "# Sailing\n\nBoth the **ketch** and the **yawl** sail. A yawl and a ketch have a mizzen. "
        "The yawl and the ketch differ. The ketch and the yawl sail.",
        "06-sailing.md",
    )
    graph, _ = build(spotter, [*LESSONS, twins])
    pairs = {(e.concept_id, e.prerequisite_id) for e in graph.open}
    assert {("ketch", "yawl"), ("yawl", "ketch")} <= pairs
    assert not pairs & {pair for a, b in edges(graph) for pair in ((a, b), (b, a))}
    assert "eigenvalue" not in {concept for concept, _ in pairs}
    assert {(e.status, e.in_force) for e in graph.open} == {("open", False)}


def test_everything_is_sorted(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS)
    assert list(graph.concepts) == sorted(graph.concepts, key=lambda c: c.id)
    assert list(edges(graph)) == sorted(edges(graph))


def test_every_edge_has_evidence(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS)
    assert all(edge.evidence for edge in graph.prerequisites)


def test_what_is_hardly_likely_is_an_edge_only_with_something_to_show(
    spotter: SpacySpotter,
) -> None:
    notes = document(
        "# Boats\n\nA ketch sails. A yawl sails. The ketch and the yawl have a mizzen. A sloop has "
        "none. A sloop, a ketch and a yawl sail. The sloop sails, the yawl sails.",
        "06-boats.md",
    )
    graph, _ = build(spotter, [*LESSONS, notes])
    shown = {"definition", "title", "cue", "link"}
    weak = [e for e in graph.prerequisites if e.weight < UNSHOWN]
    assert all(shown & {each.kind for each in e.evidence} for e in weak)
    assert any(not shown & {each.kind for each in e.evidence} for e in graph.open)


def test_concepts_know_the_chunk_that_defines_them(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS)
    defined = {c.id: c.definition for c in graph.concepts}
    assert defined["determinant"] == "03-determinant.md#0"


def test_people_overrule_the_documents(spotter: SpacySpotter) -> None:
    graph, scorer = build(
        spotter,
        LESSONS,
        Decision("reject", "Eigenvalues", "matrices", "not in this course"),
        Decision("add", "vector", "calculus", "motion first"),
    )
    found = edges(graph)
    assert found["eigenvalue", "matrix"].status == "rejected"
    assert found["eigenvalue", "matrix"].reason == "not in this course"
    stated = found["vector", "calculus"]
    assert (stated.status, stated.weight) == ("certain", 1.0)
    assert (stated.evidence[0].kind, stated.evidence[0].sentence) == ("stated", "motion first")
    assert scorer.score([("vector", "calculus")])[0] >= PAIR_THRESHOLD


def test_decisions_on_unknown_names_are_passed_over(spotter: SpacySpotter) -> None:
    graph, _ = build(spotter, LESSONS, Decision("reject", "nothing known", "vector"))
    assert graph.concepts


def test_mutual_lists_make_corequisites_and_one_direction(spotter: SpacySpotter) -> None:
    both = [
        document("# Alpha\n\nAlpha is a thing.\n\n## Prerequisites\n\n- Beta", "alpha.md"),
        document("# Beta\n\nBeta is a thing.\n\n## Prerequisites\n\n- Alpha", "beta.md"),
    ]
    graph, _ = build(spotter, both)
    assert sorted(e.status for e in graph.prerequisites) == ["certain", "suppressed"]
    assert [(r.source_id, r.kind, r.target_id) for r in graph.relations
            if r.kind == "corequisite"] == [("alpha", "corequisite", "beta")]  # fmt: skip


def test_a_prerequisite_without_a_document_is_a_concept(spotter: SpacySpotter) -> None:
    lonely = [document("# Alpha\n\nText.\n\n## Prerequisites\n\n- set theory", "alpha.md")]
    graph, _ = build(spotter, lonely)
    assert ("alpha", "set-theory") in edges(graph)


def test_front_matter_and_links_are_read(spotter: SpacySpotter) -> None:
    lessons = [
        document("# Alpha\n\nAlpha is a thing.", "01-alpha.md"),
        document("# Beta\n\nBeta is a thing.", "02-beta.md", {"prerequisites": ("Alpha",)}),
    ]
    graph, _ = build(spotter, lessons)
    assert edges(graph)["beta", "alpha"].evidence[0].kind == "front_matter"


def test_a_joint_title_needs_for_both(spotter: SpacySpotter) -> None:
    lessons = [
        document("# Field\n\nA field is a set.", "01.md"),
        document("# Kernel and image\n\nA **kernel** is a set. An **image** is a set. The "
                 "kernel and the image are sets.\n\n## Prerequisites\n\n- field", "02.md"),
    ]  # fmt: skip
    graph, _ = build(spotter, lessons)
    assert {a for a, b in edges(graph) if b == "field"} >= {"kernel", "image"}


def test_relations_keep_kind_and_sentence(spotter: SpacySpotter) -> None:
    lessons = [
        document("# Notes\n\n## Square\n\nA square is a special case of a rectangle. A square is "
                 "even.\n\n## Rectangle\n\nA rectangle differs from an ellipse. A rectangle is "
                 "flat.\n\n## Ellipse\n\nAn ellipse is round. An ellipse is flat.", "01.md"),
    ]  # fmt: skip
    graph, _ = build(spotter, lessons)
    found = {(r.source_id, r.kind, r.target_id): r.sentence for r in graph.relations}
    assert found["square", "kind_of", "rectangle"].startswith("A square is a special case")
    assert ("ellipse", "contrasts", "rectangle") in found


def test_a_syllabus_gives_the_nodes(spotter: SpacySpotter) -> None:
    given = (GivenConcept("V", "Vectors"), GivenConcept("D", "Determinants"))
    graph, scorer = build(spotter, LESSONS[:3], given=given)
    assert [c.id for c in graph.concepts] == ["D", "V"]
    assert len(scorer.score([("D", "V"), ("Determinant", "vector"), ("D", "unknown thing")])) == 3
    assert scorer.score([("D", "unknown thing")]) == [0.0]


def test_a_blank_or_odd_corpus_does_no_harm(spotter: SpacySpotter) -> None:
    empty = replace(document("# x"), text="", blocks=(), title="")
    for documents in (
        [],
        [empty],
        [document("# $$\n\n$a$ $b$"), document("# 国際\n\n標準化。", "b")],
    ):
        graph, _ = build(spotter, documents)
        assert graph.prerequisites == ()


def test_stated_needs_are_transitive_for_the_scorer(spotter: SpacySpotter) -> None:
    chain = [
        document("# Alpha\n\nText.\n\n## Prerequisites\n\n- Beta", "a.md"),
        document("# Beta\n\nText.\n\n## Prerequisites\n\n- Gamma", "b.md"),
        document("# Gamma\n\nText.", "c.md"),
    ]
    _, scorer = build(spotter, chain)
    forward, backward = scorer.score([("alpha", "gamma"), ("gamma", "alpha")])
    assert (forward, backward) == (pytest.approx(0.97), pytest.approx(0.0, abs=0.031))
