"""What a language model adds to a question before it is searched: an answer that it might
have, or the same asked in other words.

Only the question's vector is moved. Keyword search, the names that the walk sets out from
and the cross-encoder keep the question as it was put: no code or name is lost to a model's
wording, and a wrong guess is read by nobody.

Sources: Gao et al., Precise zero-shot dense retrieval without relevance labels, ACL 2023
(hypothetical answer); Wang et al., Query2doc, EMNLP 2023 (beside the question itself).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graphrag.errors import UnusableReplyError
from graphrag.ports import Embedder, Vectors
from graphrag.resources import prompt
from graphrag.tokens import tokenize
from graphrag.wording.prompting import AskJson, defused

Expansion = Literal["answer", "phrasings"]

_MOST = 3
# Characters of a text. The bound keeps a small model that repeats itself from running on until
# its reply is cut: three texts of it fit into the tokens of an answer.
_LONGEST = 600
# Words from which on it is no accident that they stand in the instructions too.
_TELLING = 4
EXPANSION_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "texts": {
            "type": "array",
            "items": {"type": "string", "maxLength": _LONGEST},
            "minItems": 1,
            "maxItems": _MOST,
        }
    },
    "required": ["texts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Expander:
    """``kind`` of what a model is asked for, once a question; ``ask_json`` asks it."""

    kind: Expansion
    ask_json: AskJson

    def texts(self, question: str) -> tuple[str, ...]:
        """What the model wrote, at most three texts, in its order; none that only repeats what
        the model was told to do, as small ones do where they know nothing.

        Raises GenerationError if it cannot be had, or gives no text.
        """
        asked = f"<question>{defused(question)}</question>"
        told = prompt(f"expand_{self.kind}")
        reply = self.ask_json(told, asked, EXPANSION_SCHEMA)
        written = reply.get("texts") if isinstance(reply, dict) else None
        if not isinstance(written, list) or not all(isinstance(text, str) for text in written):
            raise UnusableReplyError(f"the model widened no question but gave {reply!r}: {_MEND}")
        texts = [" ".join(text.split())[:_LONGEST] for text in written[:_MOST]]
        kept = tuple(dict.fromkeys(text for text in texts if text and not _echoes(text, told)))
        if not kept:
            raise UnusableReplyError(f"the model gave no text for {question!r}: {_MEND}")
        return kept

    def embedded(self, texts: tuple[str, ...], embedder: Embedder) -> Vectors:
        """Shape (texts, dimension): an answer is embedded as a passage, a question as one."""
        if self.kind == "answer":
            return embedder.embed_passages(texts)
        return embedder.embed_questions(texts)


def _echoes(text: str, told: str) -> bool:
    """Whether a text has no word, or several that stand so in the instructions."""
    said = tokenize(text)
    if len(said) < _TELLING:
        return not said
    return f" {' '.join(said)} " in f" {' '.join(tokenize(told))} "


_MEND = "choose another model, or set retrieval.expansion to 'off'"


def widened(question: Vectors, others: Vectors) -> Vectors:
    """The mean direction of the question's unit vector (d,) and the ``others`` (n, d)."""
    total = question + others.sum(axis=0)
    unit: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
    return unit
