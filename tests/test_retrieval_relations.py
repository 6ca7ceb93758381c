"""Names that stand beside the relations of a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from graphrag.domain import ConceptGraph
from graphrag.retrieval.name_building import name_graph_of
from graphrag.retrieval.relations import (
    RelationSettings,
    Visits,
    nearness,
    related,
    relation_words,
)
from tests.retrieval_values import Shelf, retriever_over

FILMS = {
    "a": (
        "Quiet Rain",
        "Quiet Rain was filmed in Oslo. It was directed by Anna Berg, paid by Nordfilm.",
    ),
    "oslo": ("Oslo", "Oslo is a capital."),
    "berg": ("Anna Berg", "Anna Berg was born in 1950."),
    "nord": ("Nordfilm", "Nordfilm is a company."),
}


def sent(question_names: Sequence[str], words: Sequence[str], **visits: float) -> dict[str, float]:
    """What each passage is sent; ``visits`` of the passages, 1 where not given."""
    shelf = Shelf(FILMS)
    graph = name_graph_of(shelf.numbered, shelf.titles, ConceptGraph(), 1)
    ids = shelf.chunk_numbers()
    texts = {each.chunk.id: each.chunk.text for each in shelf.numbered}
    rows = np.array([visits.get(id_.partition("#")[0], 1.0) for id_ in ids.values()])
    found = related(
        graph,
        [graph.find([name])[name] for name in question_names],
        words,
        Visits(rows, np.ones(len(graph.frequency))),
        ids=shelf.chunk_ids,
        read=lambda chunk_ids: [texts[chunk_id] for chunk_id in chunk_ids],
        settings=RelationSettings(),
    )
    return dict(zip((id_.partition("#")[0] for id_ in ids.values()), found.tolist(), strict=True))


def test_the_words_of_relations_are_what_is_left_without_names_and_function_words() -> None:
    question = "Who is the director of Quiet Rain, and when did he die?"
    assert relation_words(question, ["quiet rain"]) == ["director"]


def test_nearness_falls_with_the_distance_in_words() -> None:
    text = "It was directed by Anna Berg, paid by Nordfilm."
    # "anna" stands 2 words behind "directed", "nordfilm" 6
    near = nearness(text, ["anna berg", "nordfilm", "oslo"], ["director"], reach=4.0)
    assert near == pytest.approx({"anna berg": 1 / (1 + 2 / 4), "nordfilm": 1 / (1 + 6 / 4)})


def test_words_of_a_relation_add_up_and_those_within_the_name_do_not_count() -> None:
    text = "The director and producer Director Smith left."
    # The name fills places 4 and 5: "director" stands 3 before it, "producer" 1.
    near = nearness(text, ["director smith"], ["director", "producer"], reach=1.0)
    assert near == pytest.approx({"director smith": 1 / (1 + 3) + 1 / (1 + 1)})


@pytest.mark.parametrize("form", ["directed", "directors", "direction", "director"])
def test_a_relation_is_known_in_its_other_forms(form: str) -> None:
    assert nearness(f"Anna {form} it.", ["anna"], ["director"], reach=4.0)


@pytest.mark.parametrize("form", ["direful", "dire", "motherboards"])
def test_words_that_only_begin_alike_are_others(form: str) -> None:
    assert not nearness(f"Anna {form} it.", ["anna"], ["director", "mother"], reach=4.0)


def test_the_name_beside_the_relation_gets_the_most() -> None:
    found = sent(["quiet rain"], ["director"])
    assert found["berg"] > found["nord"] > found["oslo"] > 0
    assert found["a"] == 0
    assert sum(found.values()) == pytest.approx(1)


def test_where_no_relation_is_found_nothing_is_sent() -> None:
    assert set(sent(["quiet rain"], ["spouse"]).values()) == {0.0}


def test_a_name_without_a_relation_keeps_its_part() -> None:
    # Two passages are named; only one of them tells of a director.
    found = sent(["quiet rain", "oslo"], ["director"])
    assert sum(found.values()) == pytest.approx(1 / 2)


def test_what_no_walker_reached_is_sent_nothing() -> None:
    assert sent(["quiet rain"], ["director"], berg=0.0)["berg"] == 0


def test_the_director_of_each_of_two_films_comes_forward() -> None:
    library = {
        "a": ("Quiet Rain", "Directed by Anna Berg after a play that was sold by Carl Dahl."),
        "b": ("Loud Snow", "Directed by Gina Holm after a play that was sold by Emil Falk."),
        "dahl": ("Carl Dahl", "Carl Dahl wrote plays."),
        "berg": ("Anna Berg", "Anna Berg was born in 1950."),
        "falk": ("Emil Falk", "Emil Falk wrote plays."),
        "holm": ("Gina Holm", "Gina Holm was born in 1960."),
    }
    question = "Which film has the older director, Quiet Rain or Loud Snow?"
    found = retriever_over(library).retrieve(question, k=4, rerank=False)
    assert {passage.chunk.document_id for passage in found.passages} == {"a", "b", "berg", "holm"}
