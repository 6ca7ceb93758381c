"""From a retrieval to a cited answer or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graphrag.answering.budget import fit, room, whole_fits
from graphrag.answering.closeness import Meaning
from graphrag.answering.doubt import Doubt, doubted, near_miss, unsure
from graphrag.answering.phrasings import RELATIONSHIP
from graphrag.answering.refusal import (
    Floor,
    covered_parts,
    is_doubtful,
    opens_answered,
    verdict,
)
from graphrag.answering.signals import Occurs, Senses, signals
from graphrag.answering.support import Score
from graphrag.answering.writing import OnText as OnText  # noqa: PLC0414 - callers know it here
from graphrag.answering.writing import refuse, write_checked
from graphrag.domain import Answer, Passage, Refusal, RefusalReason, Retrieval, Route
from graphrag.errors import GenerationError
from graphrag.ports import Writer, WriteRequest
from graphrag.resources import prompt
from graphrag.wording.prompting import estimate_tokens


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How an answer is made. ``window`` is the writer's context in tokens, without
    what its thoughts take (None: no limit); of it passages may not take the answer's reserve
    and the margin; ``occurs`` says whether
    a term (of ``tokens.tokenize``) is anywhere in the corpus, ``meaning`` how alike texts are:
    both make refusals surer.
    ``judged`` passages decide whether there is an answer: as many as the floor was fitted on.
    ``misspelt`` says whether a question has slips of the pen: one that nearly misses for them
    is refused, to be asked again as it is meant."""

    window: int | None = None
    reserve_answer: int = 800
    margin: int = 150
    floor: Floor | None = None
    occurs: Occurs | None = None
    meaning: Meaning | None = None
    judged: int = 5
    misspelt: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """One line of a worked-out plan, with the passages that it rests on."""

    text: str
    passages: tuple[Passage, ...] = ()


def answer_lookup(
    question: str,
    retrieval: Retrieval,
    writer: Writer,
    *,
    options: AnswerOptions | None = None,
    score: Score | None = None,
    route: Route = "lookup",
    on_text: OnText | None = None,
    doubt: Doubt | None = None,
) -> Answer | Refusal:
    """Answer a question from what was retrieved for it.

    ``score`` is the cross-encoder that judges whether a passage means what a sentence
    says. ``on_text`` gets each sentence once it has been checked. ``doubt`` is what the asker
    knows to be in doubt already. Below the floor, and where nothing was found, the writer is
    not asked. Raises GenerationError.
    """
    options = options or AnswerOptions()
    passages = retrieval.passages
    first = passages[: options.judged]
    if not first:
        return refuse(question, route, "no passages", passages)
    judged = _judged(question, first, score, options)
    if judged.reason is not None:
        return refuse(question, route, judged.reason, passages)
    missing = judged.missing
    asked = " ".join(judged.covered) if missing else question
    request = WriteRequest(asked, prompt("answer"), passages)
    request = replace(request, passages=fitted(request, options))
    doubt = doubt or doubted(question, request.passages) or judged.miss
    reply = _doubting(doubt, request, writer, route, score, on_text)
    reply = replace(reply, question=question)
    if missing and isinstance(reply, Answer):
        return _in_part(reply, missing, on_text)
    return reply


@dataclass(frozen=True, slots=True)
class _Judged:
    """Why a question is refused, if it is; else its parts that the passages answer and those
    that they do not, and what is said where they may miss it."""

    reason: RefusalReason | None
    covered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    miss: Doubt | None = None


def _judged(
    question: str, first: Sequence[Passage], score: Score | None, options: AnswerOptions
) -> _Judged:
    floor = options.floor
    senses: Senses = {"score": score, "occurs": options.occurs, "meaning": options.meaning}
    measured = signals(question, first, **senses)
    covered, missing = covered_parts(question, first, floor=floor, **senses)
    reason = verdict(measured, floor)
    # Words of one part ("... and how do I undo it?") must not refuse the other.
    if (
        reason is not None
        and not missing
        and not opens_answered(question, first, floor=floor, **senses)
    ):
        return _Judged(reason)
    miss = None
    if not missing:
        relating = RELATIONSHIP.search(question) is not None
        miss = near_miss(measured, relating=relating)
        miss = miss or (unsure() if is_doubtful(measured, floor) else None)
    if miss is not None and options.misspelt is not None and options.misspelt(question):
        return _Judged("below the floor")
    return _Judged(None, tuple(covered), tuple(missing), miss)


def _doubting(
    doubt: Doubt | None,
    request: WriteRequest,
    writer: Writer,
    route: Route,
    score: Score | None,
    on_text: OnText | None,
) -> Answer | Refusal:
    """The written answer with a doubt about the question before it, if there is one."""
    if doubt is None:
        return write_checked(request, writer, route, score, on_text)
    if on_text is not None:
        on_text(f"{doubt.text}\n\n")
    answer = write_checked(request, writer, route, score, on_text)
    if isinstance(answer, Refusal):
        return answer
    citations = answer.citations
    if doubt.citation and doubt.citation.number not in {c.number for c in citations}:
        citations = (doubt.citation, *citations)
    text = f"{doubt.text}\n\n{answer.text}"
    warnings = (doubt.text, *answer.warnings)
    return replace(answer, text=text, citations=citations, warnings=warnings)


def _in_part(answer: Answer, missing: Sequence[str], on_text: OnText | None) -> Answer:
    """The answer with a closing line that names what it leaves open."""
    named = " and ".join(f"“{part}”" for part in missing)
    line = f"\n\nThe documents do not answer {named}."
    if on_text is not None:
        on_text(line)
    return replace(answer, text=answer.text + line, warnings=(*answer.warnings, line.strip()))


def answer_whole(
    question: str,
    passages: Sequence[Passage],
    writer: Writer,
    *,
    options: AnswerOptions | None = None,
    score: Score | None = None,
    on_text: OnText | None = None,
) -> Answer | Refusal:
    """Answer from all passages of a corpus at once, in reading order, without retrieval.

    Raises GenerationError if they do not fit the writer's window (see ``fits_whole``).
    """
    options = options or AnswerOptions()
    if not passages:
        return refuse(question, "lookup", "no passages", ())
    if not fits_whole(question, passages, options):
        raise GenerationError(
            f"the {len(passages)} passages of the corpus do not fit the window of "
            f"{options.window} tokens: ask without --whole, or raise writer.window"
        )
    request = WriteRequest(question, prompt("answer"), tuple(passages))
    return write_checked(request, writer, "lookup", score, on_text)


def fits_whole(question: str, passages: Sequence[Passage], options: AnswerOptions) -> bool:
    """Whether all passages of a corpus fit the writer's window at once."""
    if options.window is None:
        return bool(passages)
    left = room(
        window=options.window,
        reserve_answer=options.reserve_answer,
        instructions_tokens=estimate_tokens(prompt("answer")),
        question_tokens=estimate_tokens(question),
        margin=options.margin,
    )
    return whole_fits(passages, room=left)


def answer_outline(
    question: str,
    route: Route,
    outline: Sequence[OutlineLine],
    writer: Writer,
    *,
    options: AnswerOptions | None = None,
    score: Score | None = None,
    on_text: OnText | None = None,
) -> Answer | Refusal:
    """Put a plan of the graph into prose: the graph gives the lines, their order and their
    reasons, the passages give the explanations.

    The lines themselves are the graph's word and are not checked against passages; all
    that the writer adds is.
    """
    options = options or AnswerOptions()
    if not outline:
        return refuse(question, route, "no passages", ())
    passages, lines = _numbered(outline)
    request = WriteRequest(question, prompt("outline"), passages, lines)
    kept = fitted(request, options)
    passages, lines = _numbered(
        [OutlineLine(o.text, tuple(p for p in o.passages if p in kept)) for o in outline]
    )
    request = replace(request, passages=passages, outline=lines)
    return write_checked(request, writer, route, score, on_text)


def fitted(request: WriteRequest, options: AnswerOptions) -> tuple[Passage, ...]:
    """The passages of a request that its writer's window can hold."""
    if options.window is None:
        return request.passages
    outline = "\n".join(line for line, _ in request.outline)
    kept = fit(
        request.passages,
        window=options.window,
        reserve_answer=options.reserve_answer,
        instructions_tokens=estimate_tokens(request.instructions),
        question_tokens=estimate_tokens(request.question) + estimate_tokens(outline),
        margin=options.margin,
    )
    if not kept and request.passages:
        raise GenerationError(
            f"a window of {options.window} tokens has no room for any passage: "
            "choose a model with a larger context, or raise writer.window"
        )
    return tuple(kept)


def _numbered(
    outline: Sequence[OutlineLine],
) -> tuple[tuple[Passage, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    order: dict[str, Passage] = {}
    for line in outline:
        for passage in line.passages:
            order.setdefault(passage.chunk.id, passage)
    number = {chunk_id: n for n, chunk_id in enumerate(order, start=1)}
    lines = tuple((o.text, tuple(number[p.chunk.id] for p in o.passages)) for o in outline)
    return tuple(order.values()), lines
