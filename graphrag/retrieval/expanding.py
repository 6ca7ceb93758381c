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

from graphrag.errors import GenerationError
from graphrag.ports import Embedder, Vectors
from graphrag.resources import prompt
from graphrag.wording.prompting import AskJson, defused

Expansion = Literal["answer", "phrasings"]

EXPANSION_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"texts": {"type": "array", "items": {"type": "string"}, "maxItems": 3}},
    "required": ["texts"],
    "additionalProperties": False,
}
_MOST = 3
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Expander:
    """``kind`` of what a model is asked for, once a question; ``ask_json`` asks it."""

    kind: Expansion
    ask_json: AskJson

    def texts(self, question: str) -> tuple[str, ...]:
        """What the model wrote, at most three texts, in its order.

        Raises GenerationError if it cannot be had, or gives no text.
        """
        asked = f"<question>{defused(question)}</question>"
        reply = self.ask_json(prompt(f"expand_{self.kind}"), asked, EXPANSION_SCHEMA)
        written = reply.get("texts") if isinstance(reply, dict) else None
        if not isinstance(written, list) or not all(isinstance(text, str) for text in written):
            raise GenerationError(f"the model widened no question but gave {reply!r}: {_MEND}")
        texts = [" ".join(text.split())[:_LONGEST] for text in written[:_MOST]]
        kept = tuple(dict.fromkeys(text for text in texts if text))
        if not kept:
            raise GenerationError(f"the model gave no text for {question!r}: {_MEND}")
        return kept

    def embedded(self, texts: tuple[str, ...], embedder: Embedder) -> Vectors:
        """Shape (texts, dimension): an answer is embedded as a passage, a question as one."""
        if self.kind == "answer":
            return embedder.embed_passages(texts)
        return embedder.embed_questions(texts)


_MEND = "choose another model, or set retrieval.expansion to 'off'"


def widened(question: Vectors, others: Vectors) -> Vectors:
    """The mean direction of the question's unit vector (d,) and the ``others`` (n, d)."""
    total = question + others.sum(axis=0)
    unit: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
    return unit
