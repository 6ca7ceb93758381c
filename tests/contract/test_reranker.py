"""What every reranker promises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphrag.adapters.onnx_models import OnnxReranker
from graphrag.errors import ModelError
from graphrag.ports import Reranker

QUESTION = "what is a pivot?"
ANSWER = "A pivot is the first entry of a row that is not zero."


def tiny_cross_encoder(folder: Path) -> str:
    """An untrained BERT of two layers: enough to run the library for real."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "what", "is", "a", "pivot", "row"]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    shape = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=1,
    )
    BertForSequenceClassification(shape).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module", params=["onnx", "sentence-transformers"])
def reranker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reranker]:
    if request.param == "onnx":
        yield OnnxReranker.load(threads=2)
        return
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerReranker

    yield SentenceTransformerReranker.load(tiny_cross_encoder(tmp_path_factory.mktemp("model")))


def test_there_is_one_finite_score_a_text(reranker: Reranker) -> None:
    scores = reranker.score(QUESTION, [ANSWER, "", "word " * 2000])
    assert [type(score) for score in scores] == [float] * 3


def test_no_texts_give_no_scores(reranker: Reranker) -> None:
    assert reranker.score(QUESTION, []) == []


def test_a_score_does_not_depend_on_the_texts_beside(reranker: Reranker) -> None:
    alone = reranker.score(QUESTION, [ANSWER])[0]
    assert reranker.score(QUESTION, ["a row " * 30, ANSWER])[1] == pytest.approx(alone, abs=1e-4)


def test_half_a_letter_is_scored_as_the_mark_for_it(reranker: Reranker) -> None:
    (found,) = reranker.score("what \udcff?", ["a \ud800 pivot"])
    assert found == reranker.score("what \ufffd?", ["a \ufffd pivot"])[0]


def test_it_has_a_name(reranker: Reranker) -> None:
    assert reranker.name


def test_the_default_model_prefers_the_answer() -> None:
    scores = OnnxReranker.load().score(QUESTION, ["Bread is baked from flour.", ANSWER])
    assert scores[1] > 0 > scores[0]


def test_a_question_beyond_the_limit_is_scored() -> None:
    assert len(OnnxReranker.load().score("pivot " * 2000, [ANSWER])) == 1


def test_a_missing_model_file_is_named_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.onnx is missing; .*pip install"):
        OnnxReranker.load(tmp_path)


def test_a_classifier_of_several_labels_is_refused(tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    from graphrag.adapters.sentence_transformer_models import SentenceTransformerReranker

    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]")
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    shape = BertConfig(
        vocab_size=5,
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=4,
        num_labels=3,
    )
    BertForSequenceClassification(shape).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="has 3 outputs"):
        SentenceTransformerReranker.load(str(tmp_path))
