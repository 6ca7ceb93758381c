"""What a writer makes of a request, checked while it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphrag.answering.grounding import Grounded, check_stream
from graphrag.answering.refusal import explain
from graphrag.answering.support import Score
from graphrag.domain import Answer, Passage, Refusal, RefusalReason, Route
from graphrag.ports import Writer, WriteRequest
from graphrag.wording.prompting import NO_ANSWER

OnText = Callable[[str], None]


def write_checked(
    request: WriteRequest,
    writer: Writer,
    route: Route,
    score: Score | None,
    on_text: OnText | None,
) -> Answer | Refusal:
    """What a writer makes of a request, each sentence checked; a refusal where it declines or
    nothing of it holds. Raises GenerationError."""
    parts = writer.write(request)
    try:
        opening, rest = _opening(parts)
        if _declines(opening):
            return refuse(
                request.question, route, "the model declined", request.passages, writer.name
            )
        given = tuple(line for line, _ in request.outline)
        grounded = check_stream(rest, request.passages, score=score, on_text=on_text, given=given)
    finally:
        # A question that is given up, for whatever reason, must not keep a server busy.
        close = getattr(parts, "close", None)
        if close is not None:
            close()
    if not grounded.text or not (grounded.citations or given):
        return _unsupported(request, route, writer, grounded)
    return Answer(
        request.question,
        route,
        grounded.text,
        grounded.citations,
        request.passages,
        writer.name,
        grounded.warnings,
    )


def _opening(parts: Iterator[str]) -> tuple[str, Iterator[str]]:
    """The first words, enough to see a refusal, and the whole text again."""
    seen: list[str] = []
    for part in parts:
        seen.append(part)
        if len("".join(seen).strip()) > 3 * len(NO_ANSWER):
            break
    text = "".join(seen)

    def whole() -> Iterator[str]:
        yield text
        yield from parts

    return text, whole()


def _declines(opening: str) -> bool:
    """``NO ANSWER``, whatever marks a model puts around it."""
    bare = opening.strip().strip("*_`\"'“”.:![]() ").upper()
    return bare == NO_ANSWER or (bare.startswith(NO_ANSWER) and not bare[len(NO_ANSWER)].isalnum())


def _unsupported(
    request: WriteRequest, route: Route, writer: Writer, grounded: Grounded
) -> Refusal:
    struck = " ".join(grounded.warnings[:3])
    text = explain(request.question, request.passages, "the model declined")
    return Refusal(
        request.question,
        route,
        f"{text} Nothing of what {writer.name} wrote held to the passages. {struck}".strip(),
        "the model declined",
        request.passages,
        writer.name,
        grounded.warnings,
    )


def refuse(
    question: str,
    route: Route,
    reason: RefusalReason,
    passages: Sequence[Passage],
    writer: str = "",
) -> Refusal:
    """The refusal of a question with its reason in words."""
    return Refusal(
        question, route, explain(question, passages, reason), reason, tuple(passages), writer
    )
