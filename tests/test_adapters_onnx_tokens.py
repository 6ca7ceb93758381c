"""Counting tokens word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from graphrag.adapters import onnx_tokens
from graphrag.adapters.onnx_tokens import TokenCounts

_PIECES = ("a", "b", "##a", "##b", "ab", "##ab", "e", "文", "-", "'", "1", "##1")


def _tokenizer() -> Tokenizer:
    """BERT's way of cutting, with a handful of pieces."""
    vocabulary = {piece: i for i, piece in enumerate(("[UNK]", "[CLS]", "[SEP]", "[MASK]"))}
    vocabulary |= {piece: len(vocabulary) + i for i, piece in enumerate(_PIECES)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(["[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return tokenizer


_CHARACTERS = "abe1-'文é́ÉŸ \n\t\r\x0b\x0c\x1c\x85\xa0\u2028\u3000\u200b\x00[]."
_TEXTS = st.lists(
    st.lists(st.sampled_from([*_CHARACTERS, "[MASK]", "[SEP] ", "ab " * 60, "ab" * 60])).map(
        "".join
    )
)


@given(_TEXTS)
def test_texts_have_as_many_tokens_as_when_they_are_cut_whole(texts: list[str]) -> None:
    whole = [len(encoding.ids) for encoding in _tokenizer().encode_batch(texts)]
    assert TokenCounts(_tokenizer()).of(texts) == whole


@given(_TEXTS)
def test_words_that_were_counted_before_change_nothing(texts: list[str]) -> None:
    counts = TokenCounts(_tokenizer())
    assert [counts.of([text])[0] for text in texts] == counts.of(texts)


def test_words_are_let_go_of_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_tokens, "_MOST_KEPT", 2)
    counts = TokenCounts(_tokenizer())
    # [CLS] ab a b [SEP], then the same with other words: "ba" is cut in two.
    assert counts.of(["ab a b"]) == [5]
    assert counts.of(["ab ba"]) == [5]
    assert counts.of(["1 ab"]) == [4]


def test_a_tokenizer_whose_tokens_reach_over_blanks_is_given_the_whole_text() -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a b": 1, "a": 2}, unk_token="[UNK]"))
    # Nothing cuts at blanks here: "a b" is one token of one word, not two.
    assert TokenCounts(tokenizer).of(["a b", "a"]) == [1, 1]
