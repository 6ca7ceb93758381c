"""A language model as one more witness, asked about doubtful edges only, if that is set.

What it says moves the odds of an edge by a factor of three, up or down, and is kept as evidence
of its own kind with the model's reason. It makes no edge certain; an open pair that it confirms
comes in force. Each verdict is kept under a hash of all that was asked, the model and the prompt,
so that the same graph is built again without a model, and the same question is never asked twice.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphrag.domain import Evidence, Prerequisite, Status
from graphrag.errors import GenerationError
from graphrag.prerequisites.weighing import LIKELY
from graphrag.resources import prompt
from graphrag.wording.prompting import AskJson, defused

_LONGEST_PASSAGE, _LONGEST_REASON = 800, 300
VERDICT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["yes", "no", "unsure"]},
        "reason": {"type": "string", "maxLength": _LONGEST_REASON},
    },
    "required": ["verdict", "reason"],
    "additionalProperties": False,
}
DOUBTFUL = (0.35, 0.65)  # weights from and below
_ODDS = 3.0
_FAILURES_IN_A_ROW = 3


Described = Callable[[str], tuple[str, str]]
"""From a concept's id to its name and the passage that explains it."""
Hear = Callable[[Sequence[Prerequisite], Described], list[Prerequisite]]
"""From edges to the same edges with what a witness says of them."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """How often the model was asked, what it said, and what it had said before (``kept``);
    ``silent`` counts edges on which it gave no reply that holds to the schema."""

    asked: int = 0
    kept: int = 0
    yes: int = 0
    no: int = 0
    unsure: int = 0
    silent: int = 0


@dataclass(frozen=True, slots=True)
class ModelWitness:
    """``ask_json`` asks the model of that name; ``recall`` and ``keep`` hold what it said, by
    key; at most ``most`` edges are put to it, the most doubtful first."""

    model: str
    ask_json: AskJson
    recall: Callable[[str], str | None]
    keep: Callable[[str, str], None]
    most: int

    def heard(
        self, edges: Sequence[Prerequisite], described: Described
    ) -> tuple[list[Prerequisite], Hearing]:
        """The edges with what the model says of the doubtful ones, in the order given.

        ``described`` gives a concept's name and the passage that explains it, by id. Raises
        GenerationError when the model fails three times in a row, or at every question.
        """
        doubtful = sorted(
            (edge for edge in edges if is_doubtful(edge)),
            key=lambda e: (abs(e.weight - 0.5), e.concept_id, e.prerequisite_id),
        )[: self.most]
        verdicts: dict[tuple[str, str], tuple[str, str]] = {}
        counts: Counter[str] = Counter()
        failures = 0
        for edge in doubtful:
            text = _question(described(edge.concept_id), described(edge.prerequisite_id))
            try:
                verdict, reason, source = self._verdict(text)
            except GenerationError:
                failures += 1
                if failures >= min(_FAILURES_IN_A_ROW, len(doubtful)):
                    raise
                counts.update(["asked", "silent"])
                continue
            failures = 0
            counts.update([source, verdict])
            verdicts[edge.concept_id, edge.prerequisite_id] = (verdict, reason)
        moved = [_moved(e, verdicts.get((e.concept_id, e.prerequisite_id))) for e in edges]
        return moved, Hearing(**counts)

    def _verdict(self, text: str) -> tuple[str, str, str]:
        """Verdict, reason, and whether it was ``asked`` for now or ``kept`` from before."""
        instructions = prompt("prerequisite")
        asked = json.dumps([instructions, VERDICT_SCHEMA, self.model, text])
        digest = hashlib.blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16)
        key = f"verdict {digest.hexdigest()}"
        known = self.recall(key)
        if known is not None:
            verdict, reason = json.loads(known)
            return verdict, reason, "kept"
        reply = self.ask_json(instructions, text, VERDICT_SCHEMA)
        if not isinstance(reply, dict) or reply.get("verdict") not in ("yes", "no", "unsure"):
            raise GenerationError(
                f"{self.model} gave no verdict but {reply!r}: choose another model, or set "
                "concepts.witness to 0"
            )
        verdict = str(reply["verdict"])
        reason = " ".join(str(reply.get("reason", "")).split())[:_LONGEST_REASON]
        self.keep(key, json.dumps([verdict, reason]))
        return verdict, reason, "asked"


def is_doubtful(edge: Prerequisite) -> bool:
    """Whether an edge is neither certain nor suppressed, and about as likely right as wrong."""
    low, high = DOUBTFUL
    return edge.status in ("likely", "possible", "open") and low <= edge.weight < high


def _question(concept: tuple[str, str], other: tuple[str, str]) -> str:
    parts = []
    for tag, (name, passage) in (("concept", concept), ("prerequisite", other)):
        parts.append(f"<{tag}>{defused(name)}</{tag}>")
        if passage:
            shown = passage[:_LONGEST_PASSAGE]
            parts.append(f"<passage of={tag}>{defused(shown)}</passage>")
    return "\n".join(parts)


def _moved(edge: Prerequisite, said: tuple[str, str] | None) -> Prerequisite:
    if said is None or said[0] == "unsure":
        return edge
    verdict, reason = said
    odds = edge.weight / (1.0 - edge.weight) * (_ODDS if verdict == "yes" else 1.0 / _ODDS)
    weight = round(odds / (1.0 + odds), 4)
    status: Status = "likely" if weight >= LIKELY else "possible"
    if edge.status == "open" and verdict == "no":
        status = "open"
    evidence = Evidence("model", 1.0 if verdict == "yes" else 0.0, f"{verdict}: {reason}")
    return replace(
        edge,
        weight=weight,
        status=status,
        evidence=(*edge.evidence, evidence),
    )
