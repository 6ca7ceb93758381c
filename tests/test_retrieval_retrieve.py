"""A question's way through channels, fusion and reranking."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar

import numpy as np
import pytest

from graphrag.domain import Channel
from graphrag.errors import ModelError, QueryError
from graphrag.ports import Vectors
from graphrag.retrieval.retrieve import Retriever, RetrieverSettings
from tests.retrieval_values import (
    DIMENSION,
    LIBRARY,
    MemoryKeywordIndex,
    MemoryVectorIndex,
    Shelf,
    WordEmbedder,
    WordReranker,
    retriever_over,
)

MOTHER = "When did the mother of Lothair II die?"


def found(retriever: Retriever, question: str, **options: object) -> list[str]:
    retrieval = retriever.retrieve(question, **options)  # type: ignore[arg-type]
    return [passage.chunk.document_id for passage in retrieval.passages]


def test_a_passage_two_names_away_is_found() -> None:
    walked = found(retriever_over(LIBRARY), MOTHER, k=2, rerank=False)
    assert walked == ["lothair", "ermengarde"]


def test_without_the_graph_the_second_hop_is_missed() -> None:
    assert "ermengarde" not in found(
        retriever_over(LIBRARY, graph=False), MOTHER, k=2, rerank=False
    )


def test_a_graph_hit_tells_the_names_that_led_to_it() -> None:
    retrieval = retriever_over(LIBRARY).retrieve(MOTHER, k=2, rerank=False)
    assert retrieval.passages[1].channels["graph"].path == ("lothair ii", "ermengarde of tours")


def test_every_stage_that_ran_shows_its_hits_and_time() -> None:
    retrieval = retriever_over(LIBRARY).retrieve(MOTHER)
    stages = ["bm25", "vector", "graph", "fused", "reranked"]
    assert list(retrieval.stages) == stages
    assert set(stages) | {"embedding", "passages"} == set(retrieval.seconds)
    for hits in retrieval.stages.values():
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_a_passage_shows_where_each_stage_had_it() -> None:
    passage = retriever_over(LIBRARY).retrieve("slurry pump valve", k=1).passages[0]
    assert passage.channels["bm25"].rank == passage.channels["reranked"].rank == 1
    assert (passage.source, passage.title) == ("/notes/pump.md", "Slurry pump")
    assert passage.metadata["format"] == "markdown"


def test_a_reranked_score_is_a_probability() -> None:
    # Three terms of the question are in the text: logit 2, 1 / (1 + exp(-2)) = 0.881.
    passage = retriever_over(LIBRARY).retrieve("slurry pump valve", k=1).passages[0]
    assert passage.score == pytest.approx(0.8808, abs=1e-4)


@pytest.mark.parametrize("channel", ["bm25", "vector", "graph"])
def test_a_single_channel_decides_alone(channel: Channel) -> None:
    retrieval = retriever_over(LIBRARY).retrieve(
        "Lothair II", channels=[channel], rerank=False, k=1
    )
    assert list(retrieval.stages) == [channel, "fused"]
    assert retrieval.passages[0].chunk.document_id == "lothair"


@pytest.mark.parametrize("question", [MOTHER, "valve", "Ermengarde of Tours"])
def test_nothing_outside_the_filter_is_ever_seen(question: str) -> None:
    shelf = Shelf(LIBRARY)
    inside = [n.number for n in shelf.numbered if n.chunk.document_id in ("pump", "ermengarde")]
    retrieval = retriever_over(LIBRARY).retrieve(
        question, allowed=np.array(sorted(inside), dtype=np.int64)
    )
    seen = {hit.chunk_id for hits in retrieval.stages.values() for hit in hits}
    assert seen
    assert seen <= {"pump#0", "ermengarde#0"}


def test_a_filter_that_leaves_nothing_gives_no_passages() -> None:
    retrieval = retriever_over(LIBRARY).retrieve(MOTHER, allowed=np.zeros(0, dtype=np.int64))
    assert retrieval.passages == ()
    assert retrieval.candidates == 0


def test_an_empty_library_gives_no_passages() -> None:
    assert retriever_over({}).retrieve("anything").passages == ()


def test_the_numbers_of_chunks_do_not_matter() -> None:
    plain, shifted = retriever_over(LIBRARY), retriever_over(LIBRARY, first=1000)
    assert plain.retrieve(MOTHER).passages == shifted.retrieve(MOTHER).passages


@pytest.mark.parametrize("graph", [True, False])
def test_of_two_equal_passages_the_one_of_more_authority_comes_first(graph: bool) -> None:
    twins = {
        "a": ("Lothair II", "Lothair II was king."),
        "b": ("Lothair II", "Lothair II was king."),
        "c": ("Kings", "Of Lothair II and others."),
    }
    metadata = {"a": {"authority": "0.2"}, "b": {"authority": "0.9"}}
    retriever = retriever_over(twins, graph=graph, metadata=metadata)
    assert found(retriever, "Who was Lothair II?", k=2, rerank=False) == ["b", "a"]
    assert found(retriever, "Who was Lothair II?", k=2) == ["b", "a"]


def test_a_statement_is_embedded_as_the_passages_are() -> None:
    class Listening(WordEmbedder):
        asked: ClassVar[list[str]] = []

        def embed_questions(self, texts: Sequence[str]) -> Vectors:
            self.asked.extend(texts)
            return super().embed_questions(texts)

    retriever_over(LIBRARY, graph=False, embedder=Listening()).retrieve_many(
        ["The pump is primed.", "Is the pump primed?"]
    )
    assert Listening.asked == ["Is the pump primed?"]


@pytest.mark.parametrize("linkage, questions", [(0.0, 7), (2.0, 2)])
def test_second_questions_are_embedded_only_where_names_may_lead(
    linkage: float, questions: int
) -> None:
    class Listening(WordEmbedder):
        asked: ClassVar[list[str]] = []

        def embed_questions(self, texts: Sequence[str]) -> Vectors:
            self.asked.extend(texts)
            return super().embed_questions(texts)

    Listening.asked.clear()
    settings = RetrieverSettings(linkage=linkage)
    retriever_over(LIBRARY, embedder=Listening(), settings=settings).retrieve(MOTHER, rerank=False)
    # The question; it without its name; where names may lead, it with each of five others.
    assert len(Listening.asked) == questions


def test_equal_scores_are_in_the_order_of_ids() -> None:
    twins = dict.fromkeys(("b", "c", "a"), ("Same", "the same valve"))
    assert found(retriever_over(twins, graph=False), "valve", k=3) == ["a", "b", "c"]


def test_the_reranker_is_not_asked_when_it_is_off() -> None:
    reranker = WordReranker()
    retriever_over(LIBRARY, reranker=reranker).retrieve(MOTHER, rerank=False)
    assert reranker.read == []


def test_many_questions_get_what_each_gets_alone() -> None:
    retriever = retriever_over(LIBRARY)
    questions = [MOTHER, "slurry pump valve", "E1042"]
    together = retriever.retrieve_many(questions)
    assert [r.passages for r in together] == [retriever.retrieve(q).passages for q in questions]


def test_threads_get_what_one_gets() -> None:
    retriever = retriever_over(LIBRARY)
    questions = [MOTHER, "slurry pump valve", "E1042", "Ermengarde of Tours"] * 5
    with ThreadPoolExecutor(4) as pool:
        found_together = list(pool.map(lambda q: retriever.retrieve(q).passages, questions))
    assert found_together == [retriever.retrieve(q).passages for q in questions]


def test_vectors_of_another_model_are_refused() -> None:
    with pytest.raises(ModelError, match="not made by words"):
        Retriever(
            embedder=WordEmbedder(),
            reranker=WordReranker,
            keyword=MemoryKeywordIndex(),
            vectors=MemoryVectorIndex(dimension=DIMENSION, fingerprint="another"),
            names=None,
            chunks=Shelf({}),
        )


@pytest.mark.parametrize(
    "options, message",
    [
        ({"k": 0}, "k 0"),
        ({"channels": []}, "channels none"),
        ({"channels": ["bm26"]}, "bm26"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        found(retriever_over(LIBRARY), "pump", **options)


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(QueryError, match="question is empty"):
        retriever_over(LIBRARY).retrieve("  ")


def test_a_chunk_that_has_just_been_removed_is_left_out() -> None:
    retriever = retriever_over(LIBRARY)
    shelf = retriever._chunks
    whole = shelf.chunks
    shelf.chunks = lambda ids=None: [c for c in whole(ids) if c.document_id != "pump"]  # type: ignore[method-assign]
    documents = found(retriever, "slurry pump valve", k=5)
    assert "pump" not in documents
    assert "belt" in documents


def test_a_lone_code_finds_first_what_holds_it_to_the_letter() -> None:
    library = {
        "other": ("E1043", "E1043 E1043. A code of the pump."),
        "near": ("Code E1042-B", "The code E1042-B is another one: E1042-B, code E1042-B."),
        "right": ("Faults", "Whoever reads the list of faults, long as it is, finds E1042 in it."),
    }
    for rerank in (False, True):
        assert found(retriever_over(library), "code E1042", rerank=rerank)[0] == "right"


def place_of_ermengarde(question: str, votes: float) -> int:
    settings = RetrieverSettings(linkage=2.0, graph_votes=votes)  # the walk never leads
    order = found(retriever_over(LIBRARY, settings=settings), question, rerank=False)
    return order.index("ermengarde")


def test_a_walk_from_names_that_does_not_lead_has_a_vote() -> None:
    assert place_of_ermengarde(MOTHER, votes=50) < place_of_ermengarde(MOTHER, votes=0)


def test_a_walk_from_no_name_has_no_vote() -> None:
    nameless = "which mother had a death"
    assert place_of_ermengarde(nameless, votes=50) == place_of_ermengarde(nameless, votes=0)
