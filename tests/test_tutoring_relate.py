"""How two concepts are related."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Concept, ConceptGraph, Evidence, Prerequisite, Relation
from graphrag.tutoring.relate import all_relations, in_words, relate


def graph(*relations: Relation, prerequisites: tuple[Prerequisite, ...] = ()) -> ConceptGraph:
    ids = sorted({end for one in relations for end in (one.source_id, one.target_id)})
    return ConceptGraph(tuple(Concept(name, name) for name in ids), (), prerequisites, relations)


def said(source: str, target: str, weight: float = 0.9) -> Relation:
    return Relation(source, "uses", target, weight, f"{source} uses {target}.", "notes", "notes#0")


def test_a_step_keeps_its_own_direction_and_its_sentence() -> None:
    paths = relate("c", "a", graph(said("a", "b"), said("b", "c")))
    assert [path.concept_ids for path in paths] == [("c", "b", "a")]
    assert [step.sentence for step in paths[0].steps] == ["b uses c.", "a uses b."]


def test_prerequisites_are_steps_with_the_sentence_of_their_best_evidence() -> None:
    edge = Prerequisite(
        "a",
        "b",
        0.9,
        "certain",
        (
            Evidence("order", 1.0),
            Evidence("cue", 0.6, "a may use b.", "weak", "weak#0"),
            Evidence("cue", 0.9, "a requires b.", "notes", "notes#1"),
        ),
    )
    (path,) = relate("a", "b", graph(prerequisites=(edge,)))
    (step,) = path.steps
    assert (step.kind, step.sentence, step.chunk_id) == ("requires", "a requires b.", "notes#1")


def test_suppressed_edges_are_no_steps() -> None:
    edge = Prerequisite("a", "b", 0.9, "suppressed")
    assert relate("a", "b", graph(prerequisites=(edge,))) == []


def test_an_explaining_detour_is_better_than_a_hub() -> None:
    hub = [Relation("hub", "co_occurs", f"n{i}", 0.5) for i in range(30)]
    joined = [Relation("hub", "co_occurs", end, 0.5) for end in ("a", "b")]
    chain = [said("a", "x"), said("x", "y"), said("y", "b")]
    paths = relate("a", "b", graph(*hub, *joined, *chain))
    assert paths[0].concept_ids == ("a", "x", "y", "b")


def test_further_paths_are_different_ones() -> None:
    links = [said("a", "x"), said("x", "b"), said("a", "y", 0.6), said("y", "b", 0.6)]
    paths = relate("a", "b", graph(*links))
    assert [path.concept_ids for path in paths] == [("a", "x", "b"), ("a", "y", "b")]
    assert relate("a", "b", graph(*links), k=1) == paths[:1]


def test_each_kind_of_direct_relation_is_told() -> None:
    direct = said("a", "b")
    contrast = Relation("a", "contrasts", "b", 0.9, "a, unlike b, is flat.")
    near = Relation("a", "co_occurs", "b", 0.9)
    paths = relate("a", "b", graph(direct, contrast, near))
    assert [path.steps[0].kind for path in paths] == ["uses", "contrasts"]


def test_strangers_and_equals_have_no_path() -> None:
    world = graph(said("a", "b"), said("c", "d"))
    assert relate("a", "c", world) == []
    assert relate("a", "a", world) == []
    assert relate("nobody", "a", world) == []


def test_of_two_equal_relations_the_spoken_one_stays() -> None:
    silent = Relation("a", "uses", "b", 0.99)
    assert all_relations(graph(silent, said("a", "b", 0.5))) == [said("a", "b", 0.5)]


RELATIONS = st.lists(
    st.builds(
        Relation,
        st.sampled_from("abcdef"),
        st.sampled_from(["uses", "kind_of", "co_occurs", "requires"]),
        st.sampled_from("abcdef"),
        st.floats(0, 1),
    ),
    max_size=20,
)


@given(RELATIONS)
def test_paths_are_chains_without_repeats_in_a_fixed_order(relations: list[Relation]) -> None:
    paths = relate("a", "f", graph(*relations))
    assert paths == relate("a", "f", graph(*reversed(relations)))
    for path in paths:
        assert path.concept_ids[0] == "a"
        assert path.concept_ids[-1] == "f"
        assert len(set(path.concept_ids)) == len(path.concept_ids) == len(path.steps) + 1
        for step, one, other in zip(
            path.steps, path.concept_ids, path.concept_ids[1:], strict=False
        ):
            assert {step.source_id, step.target_id} == {one, other}


def test_a_guess_is_told_as_treated_together() -> None:
    evidence = (Evidence("cue", 0.4, "Rank plus nullity is the width.", "d", "d#0"),)
    edge = Prerequisite("rank", "nullity", 0.35, "possible", evidence)
    (path,) = relate("rank", "nullity", graph(prerequisites=(edge,)))
    assert [step.kind for step in path.steps] == ["co_occurs"]


def test_the_bare_item_of_a_list_gives_way_to_a_sentence() -> None:
    listed = Evidence("section", 1.0, "span", "d", "d#0")
    said = Evidence("cue", 0.5, "A basis needs a span.", "d", "d#1")
    edge = Prerequisite("basis", "span", 0.97, "certain", (listed, said))
    (path,) = relate("basis", "span", graph(prerequisites=(edge,)))
    assert [step.sentence for step in path.steps] == ["A basis needs a span."]


def test_a_relation_reads_as_a_clause() -> None:
    relation = Relation("svd", "kind_of", "unheard of", 0.9)
    assert in_words(relation, {"svd": "SVD"}) == "SVD is a kind of unheard of"
