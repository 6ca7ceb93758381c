"""A language model as judge of which suspect a wrong answer misuses, if one is named for it.

It only orders suspects that the signs have found: those it names come first, all others stay
in their order. Shares of suspicion stay those of the signs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphrag.domain import Implicated
from graphrag.errors import GenerationError
from graphrag.resources import prompt
from graphrag.wording.prompting import AskJson, defused

JUDGED = 12
"""How many suspects are put to the judge."""

VERDICT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "misused": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
        "reason": {"type": "string", "maxLength": 300},
    },
    "required": ["misused", "reason"],
    "additionalProperties": False,
}


def judged(
    question: str, answer: str, suspects: Sequence[Implicated], *, ask_json: AskJson
) -> list[Implicated]:
    """The suspects, those first that the model says are misused, in its order.

    Numbers of no suspect are passed over. Raises GenerationError if the model gives no list.
    """
    if len(suspects) < 2:
        return list(suspects)
    reply = ask_json(prompt("diagnose"), _asked(question, answer, suspects), VERDICT_SCHEMA)
    named = reply.get("misused") if isinstance(reply, dict) else None
    if not isinstance(named, list):
        raise GenerationError(
            f"the judge named no concepts but said {reply!r}: choose another model, or none"
        )
    first = [n - 1 for n in dict.fromkeys(named) if type(n) is int and 0 < n <= len(suspects)]
    rest = [place for place in range(len(suspects)) if place not in first]
    return [suspects[place] for place in (*first, *rest)]


def _asked(question: str, answer: str, suspects: Sequence[Implicated]) -> str:
    lines = [f"<question>{defused(question)}</question>", f"<answer>{defused(answer)}</answer>"]
    for number, suspect in enumerate(suspects, 1):
        sentence = f": {defused(suspect.quotes[0])}" if suspect.quotes else ""
        lines.append(f"<concept>{number}. {defused(suspect.concept.name)}{sentence}</concept>")
    return "\n".join(lines)
