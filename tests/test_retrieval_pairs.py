"""Passages read together with the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphrag.domain import Hit
from graphrag.retrieval.pairs import PairSettings, Told, both, with_partner
from graphrag.retrieval.rerank import Reranked, RerankSettings
from graphrag.retrieval.retrieve import RetrieverSettings
from tests.retrieval_values import LIBRARY, WordReranker, retriever_over

SON = Told(
    "Lothair II",
    "Lothair II was a king. He ruled for long. He was a son of Ermengarde of Tours.",
    "Lothair II\nLothair II was a king. He ruled for long. He was a son of Ermengarde of Tours.",
)
MOTHER = Told("Ermengarde of Tours", "She died in 851.", "Ermengarde of Tours\nShe died in 851.")
QUESTION = "When did the mother of Lothair II die?"


class Judge:
    """Gives a text the value of the first key that it holds, else 0; remembers what it read."""

    name = "judge"

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read.extend(texts)
        return [
            next((value for key, value in self.values.items() if key in text), 0.0)
            for text in texts
        ]


def hits(**scores: float) -> list[Hit]:
    ordered = sorted(scores, key=lambda name: -scores[name])
    return [Hit(f"{name}#0", rank, scores[name]) for rank, name in enumerate(ordered, 1)]


def read(found: Sequence[Hit]) -> Reranked:
    """As if the cross-encoder had read them all, alone."""
    return Reranked(list(found), {hit.chunk_id: 0.0 for hit in found})


def told(ids: Sequence[str]) -> list[Told]:
    return [Told(id_.upper(), f"{id_} text.", f"{id_} text.") for id_ in ids]


def ids_of(found: Sequence[Hit]) -> list[str]:
    return [hit.chunk_id.partition("#")[0] for hit in found]


def test_the_sentence_that_leads_to_the_other_stands_in_front_of_it() -> None:
    text = both(QUESTION, SON, MOTHER, PairSettings(sentences=1))
    assert text == (
        "Lothair II. He was a son of Ermengarde of Tours. Ermengarde of Tours\nShe died in 851."
    )


def test_sentences_keep_their_order_and_the_other_is_cut() -> None:
    text = both(QUESTION, SON, MOTHER, PairSettings(sentences=2, letters=9))
    assert text == (
        "Lothair II. Lothair II was a king. He was a son of Ermengarde of Tours. Ermengard"
    )


def test_the_best_partner_of_the_first_comes_second() -> None:
    led = hits(a=1.0, b=0.5, c=0.4, d=0.3)
    # With a quarter of the logit b has .5, c .4 + .5 = .9, and d .3 + .25 = .55.
    judge = Judge({"c#0 text": 2.0, "d#0 text": 1.0})
    found = with_partner(judge, "q", led, read(led), told, PairSettings(weight=0.25))
    assert ids_of(found) == ["a", "c", "b", "d"]
    assert [hit.rank for hit in found] == [1, 2, 3, 4]


def test_the_first_of_the_walk_stays_in_front_whatever_reranking_said() -> None:
    led, reranked = hits(a=1.0, b=0.5, c=0.4), hits(c=3.0, b=2.0, a=1.0)
    found = with_partner(Judge({}), "q", led, read(reranked), told, PairSettings(weight=0.25))
    assert ids_of(found) == ["a", "b", "c"]
    assert [hit.score for hit in found] == [3.0, 3.0, 3.0]


def test_of_equal_partners_the_earlier_is_taken() -> None:
    led = hits(a=1.0, b=0.5, c=0.4)
    # With a quarter of .4 c has .5, as b has.
    found = with_partner(
        Judge({"c#0 text": 0.4}), "q", led, read(led), told, PairSettings(weight=0.25)
    )
    assert ids_of(found) == ["a", "b", "c"]


def test_only_as_many_as_are_asked_for_are_read() -> None:
    led, judge = hits(a=1.0, b=0.5, c=0.4, d=0.3), Judge({})
    with_partner(judge, "q", led, read(led), told, PairSettings(others=2))
    assert len(judge.read) == 2


def test_a_lone_passage_or_no_others_leave_the_order_as_it_was() -> None:
    judge, one, two = Judge({}), hits(a=1.0), hits(b=2.0, a=1.0)
    assert with_partner(judge, "q", one, read(one), told, PairSettings(weight=0.25)) == one
    assert (
        with_partner(judge, "q", hits(a=2.0, b=1.0), read(two), told, PairSettings(others=0)) == two
    )
    assert judge.read == []


def test_what_was_not_read_alone_is_no_partner() -> None:
    led, judge = hits(a=1.0, b=0.5, c=0.4), Judge({"c#0 text": 9.0})
    found = with_partner(
        judge, "q", led, Reranked(led, {"a#0": 0, "b#0": 0}), told, PairSettings(weight=0.25)
    )
    assert ids_of(found) == ["a", "b", "c"]


def test_where_the_time_is_spent_no_pairs_are_read() -> None:
    reader = WordReranker()
    settings = RetrieverSettings(rerank=RerankSettings(seconds=1e-9))
    retriever_over(LIBRARY, reranker=reader, settings=settings).retrieve(QUESTION)
    assert not any(text.startswith("Lothair II. ") for text in reader.read)


def test_pairs_are_read_where_the_walk_leads_and_not_where_it_does_not() -> None:
    reader = WordReranker()
    retriever_over(LIBRARY, reranker=reader).retrieve(QUESTION)
    assert any("Lothair II. " in text and "Ermengarde of Tours" in text for text in reader.read)
    plain = WordReranker()
    settings = RetrieverSettings(linkage=2.0)
    retriever_over(LIBRARY, reranker=plain, settings=settings).retrieve(QUESTION)
    assert not any(text.startswith("Lothair II. ") for text in plain.read)
