"""Each way to lose a passage, planted and named."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from graphrag.domain import Answer, Citation, Hit, Refusal, Retrieval
from graphrag.evaluation.why import Surroundings, as_json, locate, why
from graphrag.resources import schema
from tests.answering_values import passage

QUESTION = "At what pressure is the seal flushed?"
WANTED = passage("The seal is flushed at 2.4 bar.", document="docs/pump.md")
OTHERS = [passage(f"Other text {n}.", document=f"docs/other{n}.md") for n in range(40)]
ALL = [WANTED, *OTHERS]
CHUNKS = [p.chunk for p in ALL]
TEXTS = {p.chunk.document_id: p.chunk.text for p in ALL}


def ranking(rank: int | None, length: int = 40) -> tuple[Hit, ...]:
    """Hits with the wanted chunk at a rank, or nowhere."""
    order = [p.chunk.id for p in OTHERS[:length]]
    if rank is not None:
        order.insert(rank - 1, WANTED.chunk.id)
    return tuple(Hit(chunk_id, n, 1 / n) for n, chunk_id in enumerate(order, start=1))


def retrieved(*, shown: bool, **ranks: int | None) -> Retrieval:
    passages = (OTHERS[0], WANTED) if shown else tuple(OTHERS[:5])
    return Retrieval(QUESTION, passages, {name: ranking(rank) for name, rank in ranks.items()})


def diagnose(retrieval, expects="2.4 bar", *, refused=(), chunks=CHUNKS, texts=TEXTS, **around):
    expected = locate(expects, chunks, texts, refused)
    surroundings = Surroundings(**around)
    return why(QUESTION, expects, expected=expected, retrieval=retrieval, surroundings=surroundings)


GOOD = {"bm25": 1, "vector": 1, "fused": 1, "reranked": 1}
FOUND = retrieved(shown=True, **GOOD)


def answer(text: str, *chunk_ids: str, warnings: tuple[str, ...] = ()) -> Answer:
    citations = tuple(Citation(n, c[:-2], c, "", True) for n, c in enumerate(chunk_ids, start=1))
    return Answer(QUESTION, "lookup", text, citations, (), "ollama:small", warnings)


def test_a_document_that_is_absent():
    found = diagnose(FOUND, "7.7 bar")
    assert found.stage == "not in the corpus"
    assert "ingest" in found.mend


def test_a_file_that_could_not_be_read():
    found = diagnose(FOUND, "scan.pdf", refused=[("docs/scan.pdf", "no text layer")])
    assert found.stage == "refused at reading"
    assert "no text layer" in found.finding


def test_words_that_may_be_in_a_file_that_could_not_be_read():
    found = diagnose(FOUND, "7.7 bar", refused=[("docs/scan.pdf", "no text layer")])
    assert found.stage == "refused at reading"


def test_an_answer_split_across_chunks():
    texts = {**TEXTS, "docs/long.md": "The flow rate is\n\n9.9 litres a minute."}
    found = diagnose(FOUND, "flow rate is 9.9 litres", texts=texts)
    assert found.stage == "split by chunking"
    assert "docs/long.md" in found.finding


def test_a_passage_that_the_filter_keeps_out():
    found = diagnose(FOUND, allowed=lambda chunk_id: "pump" not in chunk_id)
    assert found.stage == "filtered"


def test_a_version_that_was_replaced():
    found = diagnose(
        FOUND, superseded=lambda chunk_id: "docs/pump-v2.md" if chunk_id == "docs/pump.md#0" else ""
    )
    assert found.stage == "superseded"
    assert "docs/pump-v2.md" in found.finding


def test_a_passage_that_only_vectors_could_find():
    lost = retrieved(shown=False, bm25=None, vector=31, fused=38, reranked=None)
    found = diagnose(lost)
    assert found.stage == "low in bm25"
    assert "31st" in found.finding


def test_a_passage_that_only_keywords_could_find():
    found = diagnose(retrieved(shown=False, bm25=22, vector=None, fused=33, reranked=None))
    assert found.stage == "low in vectors"


def test_a_passage_that_no_channel_found():
    found = diagnose(retrieved(shown=False, bm25=None, vector=None, fused=None))
    assert found.stage == "low in bm25"
    assert "not at all" in found.finding


def test_a_passage_that_one_channel_had_high_and_fusion_lost():
    found = diagnose(retrieved(shown=False, bm25=2, vector=None, fused=35, reranked=None))
    assert found.stage == "lost in fusion"
    assert "--channel bm25" in found.mend


def test_a_passage_that_the_reranker_put_low():
    found = diagnose(retrieved(shown=False, bm25=2, vector=3, fused=2, reranked=12))
    assert found.stage == "lost in reranking"
    assert "2nd after fusion and 12th" in found.finding


def test_a_passage_beyond_the_budget():
    found = diagnose(FOUND, budget=lambda passages: passages[:1])
    assert found.stage == "cut by the budget"
    assert "writer.window" in found.mend


def test_a_question_below_the_floor():
    refusal = Refusal(QUESTION, "lookup", "", "below the floor")
    assert diagnose(FOUND, ask=lambda _: refusal).stage == "below the floor"


def test_a_model_that_declined():
    refusal = Refusal(QUESTION, "lookup", "", "the model declined", (), "ollama:small")
    found = diagnose(FOUND, ask=lambda _: refusal)
    assert found.stage == "declined by the model"
    assert "ollama:small" in found.finding


def test_a_passage_that_the_model_ignored():
    other = answer("It is flushed daily.", OTHERS[0].chunk.id)
    assert diagnose(FOUND, ask=lambda _: other).stage == "in the prompt but not used"


def test_a_sentence_that_the_check_struck():
    struck = answer("Else.", OTHERS[0].chunk.id, warnings=("“It is 2.5 bar” was struck: no.",))
    assert diagnose(FOUND, ask=lambda _: struck).stage == "struck by the check"


def test_an_answer_that_uses_the_passage():
    good = answer("It is flushed at 2.4 bar [1].", WANTED.chunk.id)
    assert diagnose(FOUND, ask=lambda _: good).stage == "answered"


@pytest.mark.parametrize("expects", ["docs/pump.md#0", "docs/pump.md", "pump.md", "at 2.4 bar"])
def test_the_expected_passage_is_found_by_id_path_or_words(expects):
    assert [c.id for c in locate(expects, CHUNKS, TEXTS).chunks] == ["docs/pump.md#0"]


def test_the_furthest_of_several_passages_decides():
    twin = replace(WANTED.chunk, id="docs/copy.md#0", document_id="docs/copy.md")
    found = diagnose(FOUND, chunks=[*CHUNKS, twin])
    assert (found.stage, found.chunk_id) == ("answered", WANTED.chunk.id)


def test_a_deeper_retrieval_gives_the_ranks():
    deep = retrieved(shown=False, bm25=17, vector=39, fused=33, reranked=None)
    found = diagnose(
        retrieved(shown=False, bm25=None, vector=None, fused=None), deep=lambda _: deep
    )
    assert found.ranks["bm25"] == 17


def test_the_diagnosis_holds_to_its_schema():
    value = json.loads(json.dumps(as_json(diagnose(FOUND))))
    jsonschema.validate(value, json.loads(schema("why.schema.json")))
