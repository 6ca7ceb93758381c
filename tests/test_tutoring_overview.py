"""The main themes."""

from __future__ import annotations

from collections.abc import Mapping

from graphrag.domain import Concept, ConceptGraph, Mention, Relation
from graphrag.tutoring.overview import (
    Explained,
    ThemeLink,
    defining_sentence,
    joining,
    overview,
)


def tie(source: str, target: str, sentence: str = "") -> Relation:
    return Relation(source, "uses", target, 0.9, sentence, "notes", "notes#0")


#  two triangles, joined by one edge
GRAPH = ConceptGraph(
    (
        Concept("det", "determinant"),
        Concept("eig", "eigenvalue", definition="eig#0"),
        Concept("mat", "matrix", definition="mat#0"),
        Concept("mean", "mean"),
        Concept("prob", "probability", definition="prob#0"),
        Concept("var", "variance"),
    ),
    tuple(Mention("mat", "d", f"mat#{i}", 0, 6) for i in range(5))
    + tuple(Mention("prob", "d", f"prob#{i}", 0, 6) for i in range(3)),
    (),
    (
        tie("det", "mat"),
        tie("eig", "mat"),
        tie("eig", "det"),
        tie("mean", "prob"),
        tie("var", "prob"),
        tie("var", "mean"),
        tie("var", "mat", "The variance of a vector is a matrix."),
    ),
)
TEXTS = {
    "mat#0": "# Matrices\n\nWe begin. A matrix is a table of numbers. It has rows.",
    "eig#0": "An eigenvalue stretches.",
    "prob#0": "A probability is a share.",
}


def said_by(texts: Mapping[str, str]) -> Explained:
    """The passages that the concepts' definitions name, as far as there is a text."""

    def explained(concept: Concept) -> tuple[str, str] | None:
        key = concept.definition or ""
        return (key, texts[key]) if key in texts else None

    return explained


def test_themes_are_communities_named_by_their_central_concepts() -> None:
    themes = overview(GRAPH, said_by(TEXTS)).themes
    assert [{concept.id for concept in theme.concepts} for theme in themes] == [
        {"mat", "eig", "det"},
        {"prob", "mean", "var"},
    ]
    assert themes[0].name.startswith("matrix, ")
    assert themes[0].share == 0.625  # five of eight mentions


def test_themes_are_summed_up_by_defining_sentences() -> None:
    first = overview(GRAPH, said_by(TEXTS)).themes[0].summaries[0]
    assert (first.concept.id, first.chunk_id) == ("mat", "mat#0")
    assert first.sentence == "A matrix is a table of numbers."


def test_a_theme_is_not_summed_up_by_what_merely_names_its_concept() -> None:
    said = "An eigenvalue stretches its vectors."
    texts = {"mat#0": "Whoever holds a matrix should count its rows.", "eig#0": said}
    (summary,) = overview(GRAPH, said_by(texts)).themes[0].summaries
    assert summary.sentence == said


def test_links_say_how_themes_hang_together() -> None:
    (link,) = overview(GRAPH, said_by(TEXTS)).links
    assert (link.one, link.other, link.weight) == (0, 1, 0.9)
    assert link.relations[0].sentence == "The variance of a vector is a matrix."


def test_only_the_largest_themes_are_given() -> None:
    few = overview(GRAPH, said_by(TEXTS), themes=1)
    assert len(few.themes) == 1
    assert few.links == ()


def test_equal_graphs_give_equal_overviews() -> None:
    turned = ConceptGraph(GRAPH.concepts, GRAPH.mentions, (), GRAPH.relations[::-1])
    assert overview(turned, said_by(TEXTS)) == overview(GRAPH, said_by(TEXTS))


def test_an_empty_graph_has_no_themes() -> None:
    assert overview(ConceptGraph(), said_by({})).themes == ()


def test_the_sentence_that_opens_with_the_name_defines_it() -> None:
    text = "- row matrix: A matrix of one row.\n- matrix: A table of numbers in rows.\n"
    assert defining_sentence(Concept("x", "matrix"), text) == "matrix: A table of numbers in rows."


def test_a_text_that_never_names_the_concept_gives_its_first_sentence() -> None:
    text = "| a | b |\n\nIt is a table. There is more of it."
    assert defining_sentence(Concept("x", "matrix"), text) == "It is a table."
    assert defining_sentence(Concept("x", "matrix"), "") == ""


def test_a_sentence_that_says_what_a_concept_is_comes_before_one_that_opens_with_it() -> None:
    text = "A matrix has rows and columns. A matrix is a table of numbers."
    said = defining_sentence(Concept("mat", "matrix"), text)
    assert said == "A matrix is a table of numbers."


def test_themes_hang_together_first_by_a_sentence_that_names_both() -> None:
    silent = tie("eig", "prob", "It is a share.")
    graph = ConceptGraph(GRAPH.concepts, GRAPH.mentions, (), (*GRAPH.relations, silent))
    (link,) = overview(graph, said_by(TEXTS)).links
    assert link.relations[0].sentence == "The variance of a vector is a matrix."


def link(one: int, other: int, sentence: str = "It is said.") -> ThemeLink:
    return ThemeLink(one, other, 1.0, (tie(str(one), str(other), sentence),))


def test_each_theme_is_joined_to_the_others_once() -> None:
    links = [link(0, 1), link(1, 2), link(0, 2), link(2, 3)]
    joined = [(each.source_id, each.target_id) for each in joining(links, lambda _: True)]
    assert joined == [("0", "1"), ("1", "2"), ("2", "3")]


def test_a_link_that_tells_nothing_leaves_its_themes_to_the_next_one() -> None:
    links = [link(0, 1), link(0, 2, ""), link(1, 2)]
    joined = joining(links, lambda relation: bool(relation.sentence))
    assert [(each.source_id, each.target_id) for each in joined] == [("0", "1"), ("1", "2")]


def test_what_is_surely_a_concept_leads_a_theme() -> None:
    pair = tuple(Mention(key, "d", f"d#{i}", 0, 6) for key in ("a", "b") for i in range(3))
    concepts = (Concept("a", "a", weight=0.6), Concept("b", "b"))
    graph = ConceptGraph(concepts, pair, (), (tie("a", "b"),))
    assert [c.id for c in overview(graph, said_by({})).themes[0].concepts] == ["b", "a"]
