"""A language model as judge of answers, where words alone cannot tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphrag.errors import GenerationError
from graphrag.resources import prompt
from graphrag.wording.prompting import AskJson, defused

VERDICT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"correct": {"type": "boolean"}, "reason": {"type": "string", "maxLength": 300}},
    "required": ["correct", "reason"],
    "additionalProperties": False,
}


def judge_by_model(question: str, answers: Sequence[str], text: str, *, ask_json: AskJson) -> bool:
    """Whether a text answers the question as one of the expected answers does.

    Raises GenerationError if the model gives no verdict.
    """
    expected = "\n".join(f"<expected>{defused(answer)}</expected>" for answer in answers)
    given = (
        f"<question>{defused(question)}</question>\n{expected}\n<answer>{defused(text)}</answer>"
    )
    reply = ask_json(prompt("judge"), given, VERDICT_SCHEMA)
    if not isinstance(reply, dict) or not isinstance(reply.get("correct"), bool):
        raise GenerationError(f"the judge gave no verdict but {reply!r}: choose another model")
    return bool(reply["correct"])
