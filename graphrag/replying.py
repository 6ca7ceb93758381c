"""One question to an open index: its material, its writer, its trace."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.answer import OnText, answer_whole
from graphrag.answering.trace import append_trace, traced
from graphrag.asking import Asker, Sources
from graphrag.desk import Desk
from graphrag.domain import Answer, Refusal, Retrieval
from graphrag.errors import GenerationError
from graphrag.ports import Writer


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that bears on its answer (see ``Engine.ask``)."""

    question: str
    learner: str = ""
    known: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    as_of: str | None = None
    whole: bool = False
    trace: Path | None = None


def reply(desk: Desk, asked: Asked, on_text: OnText | None) -> Answer | Refusal:
    """Answer or refuse. Raises GenerationError."""
    writer = desk.writer()
    if asked.whole:
        return _from_everything(desk, asked, writer, on_text)
    tutor, state, now = desk.tutor(), desk.learner(asked.learner), time.time()
    allowed = desk.allowed(asked.where, asked.as_of)
    retrievals: list[Retrieval] = []

    def retrieve(question: str) -> Retrieval:
        chosen = desk.settings.retrieval
        found = desk.retriever().retrieve(question, k=chosen.k, allowed=allowed, depth=chosen.depth)
        retrievals.append(found)
        return found

    sources = Sources(
        tutor,
        retrieve,
        lambda question: desk.exact(question, allowed),
        desk.passages,
        writer,
        desk.score,
        desk.answer_options(writer),
    )
    known = [tutor.resolve(name).id for name in asked.known]
    asker = Asker(sources, lambda more: tutor.knowledge([*known, *more], state, now=now), now)
    answer = asker.ask(asked.question, on_text)
    if asked.trace is not None:
        seconds = time.time() - now
        found = retrievals[0] if retrievals else None
        kept = traced(answer, started=now, seconds=seconds, retrieval=found)
        append_trace(asked.trace, kept)
        desk.record_spans(kept)
    return answer


def _from_everything(
    desk: Desk, asked: Asked, writer: Writer, on_text: OnText | None
) -> Answer | Refusal:
    if isinstance(writer, ExtractiveWriter):
        raise GenerationError("--whole needs a language model: start Ollama")
    return answer_whole(
        asked.question,
        desk.everything(),
        writer,
        options=desk.answer_options(writer),
        score=desk.score,
        on_text=on_text,
    )
