"""How many tokens texts have, counted word by word: texts share most of their words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tokenizers import Tokenizer

# Blanks for every tokenizer. Others are blank to Python and not to a tokenizer, or are taken
# out of a text before it is cut, so that the words beside them grow together.
_WORD = re.compile(r"[^ \t\n\r]+")
_BLANK = re.compile(r"\s")
_LONGEST_KEPT = 64
_MOST_KEPT = 200_000  # words, some 30 MB


class TokenCounts:
    """Counts as the tokenizer does, which is neither to cut nor to pad what it is given.

    Words are counted once where a blank always parts tokens, as with BERT's; any other
    tokenizer is given the texts themselves. Safe to use from several threads.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._blanks_part = _blanks_part(json.loads(tokenizer.to_str()))
        self._special: int = tokenizer.num_special_tokens_to_add(False)
        self._known: dict[str, int] = {}

    def of(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special ones included."""
        if not self._blanks_part:
            return [len(encoding.ids) for encoding in self._tokenizer.encode_batch_fast(texts)]
        words = [_WORD.findall(text) for text in texts]
        counts = self._counts({word for each in words for word in each})
        return [self._special + sum(map(counts.__getitem__, each)) for each in words]

    def _counts(self, words: set[str]) -> dict[str, int]:
        """A number for each of the words at least."""
        known = self._known
        missing = [word for word in words if word not in known]
        if not missing:
            return known
        encodings = self._tokenizer.encode_batch_fast(missing, add_special_tokens=False)
        found = {word: len(one.ids) for word, one in zip(missing, encodings, strict=True)}
        if len(known) > _MOST_KEPT:
            # Not emptied: other threads may be counting with it.
            self._known = {word: known[word] for word in words if word in known}
            known = self._known
        if all(len(word) <= _LONGEST_KEPT for word in missing):
            known.update(found)
            return known
        return {word: known.get(word, 0) for word in words} | found


def _blanks_part(tokenizer: dict[str, Any]) -> bool:
    """Whether no token reaches over a blank, and none depends on what is beyond one."""
    kinds = {part: (tokenizer.get(part) or {}).get("type") for part in ("normalizer", "model")}
    return (
        (tokenizer.get("pre_tokenizer") or {}).get("type") == "BertPreTokenizer"
        and kinds["normalizer"] in (None, "BertNormalizer")
        and kinds["model"] == "WordPiece"
        and not any(_BLANK.search(added["content"]) for added in tokenizer["added_tokens"])
    )
