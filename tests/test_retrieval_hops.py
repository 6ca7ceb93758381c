"""The question put again to the names that a walk leads to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from graphrag.adapters.memory_projections import MemoryVectorIndex
from graphrag.domain import ConceptGraph
from graphrag.ports import Vectors
from graphrag.retrieval.channels import Query
from graphrag.retrieval.hops import GraphSearch, HopSettings
from graphrag.retrieval.links import around_names, with_names_replaced
from graphrag.retrieval.name_building import name_graph_of
from tests.retrieval_values import DIMENSION, Shelf, WordEmbedder

# Mississippi is named by the first passage; what happened there is told under another title.
STATES = {
    "mounds": ("Pocahontas Mounds", "Pocahontas Mounds is a site in Mississippi near Jackson."),
    "history": ("Twentieth state", "Mississippi became part of the federation in December 1817."),
    "river": ("Long river", "A river that runs past Jackson and has many boats."),
    "union": ("Trade union", "A union of workers became part of a strike."),
}
QUESTION = "When did the state of Pocahontas Mounds become part of the federation?"


class Listening(WordEmbedder):
    """Remembers which questions it embedded."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return super().embed_questions(texts)


def search(
    embedder: Listening, settings: HopSettings, allowed: list[int] | None = None
) -> list[str]:
    shelf = Shelf(STATES)
    vectors = MemoryVectorIndex(dimension=DIMENSION, fingerprint="f00d")
    texts = {each.number: each.chunk.embedded_text for each in shelf.numbered}
    vectors.update(list(texts), embedder.embed_passages(list(texts.values())), [], 1)
    graph = name_graph_of(shelf.numbered, shelf.titles, ConceptGraph(), 1)
    among = None if allowed is None else np.array(allowed, dtype=np.int64)
    query = Query(QUESTION, WordEmbedder().embed_questions([QUESTION])[0], among, 10)
    found = GraphSearch(
        graph,
        vectors,
        embedder.embed_questions,
        shelf.chunk_ids,
        settings,
        lambda ids: [chunk.text for chunk in shelf.chunks(ids)],
    )
    return [hit.chunk_id for hit in found.search(query).hits]


@pytest.mark.parametrize(
    "question, keys, other, expected",
    [
        ("When did Lothair II's mother die?", ["lothair ii"], "X", "When did X mother die?"),
        ("Who met Ann and Ann Lee?", ["ann", "ann lee"], "", "Who met and ?"),
        ("Who is Émile?", ["emile"], "Zola", "Who is Zola?"),
        ("Who is it?", ["bob"], "X", "Who is it?"),
        ("", ["bob"], "X", ""),
    ],
)
def test_names_are_replaced_where_they_stand(
    question: str, keys: list[str], other: str, expected: str
) -> None:
    assert with_names_replaced(around_names(question, keys), other) == expected


def test_the_question_is_put_again_without_its_names_and_with_each_bridge() -> None:
    embedder = Listening()
    search(embedder, HopSettings(bridges=2))
    assert embedder.asked[0] == "When did the state of become part of the federation?"
    assert "When did the state of Mississippi become part of the federation?" in embedder.asked
    assert len(embedder.asked) == 3


def test_no_bridges_mean_no_second_question() -> None:
    embedder = Listening()
    search(embedder, HopSettings(bridges=0))
    assert len(embedder.asked) == 1


def test_a_bridge_brings_up_the_passage_that_answers() -> None:
    hits = search(Listening(), HopSettings(weight=0.5))
    assert hits.index("history#0") < hits.index("union#0")


def test_a_second_question_finds_nothing_outside_the_filter() -> None:
    assert set(search(Listening(), HopSettings(), allowed=[1, 21])) <= {"mounds#0", "river#0"}
