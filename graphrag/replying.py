"""One question to an open index: its material, its writer, its trace."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.answer import OnText, answer_whole, fits_whole
from graphrag.answering.trace import traced
from graphrag.asking import Asker, Sources
from graphrag.desk import Desk
from graphrag.domain import Answer, Passage, Refusal, Retrieval
from graphrag.errors import GenerationError
from graphrag.ports import Writer, WriteRequest
from graphrag.recording import record, wanted
from graphrag.tokens import fold, tokenize
from graphrag.wording.spelling import respelled

# An answer is written from more passages than a search shows: of 232 questions the passages
# hold the answer for 95 % with seven and 92 % with five, and the answers get no longer.
READ_BESIDE = 2
_LEAST_TOKENS = 20  # of the shortest passage in a prompt: large corpora need not be read for it
# Passages that are looked through for how a term is spelt.
_SPELT = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with all that bears on its answer (see ``Engine.ask``); with ``given``
    passages nothing is searched for."""

    question: str
    learner: str = ""
    known: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    as_of: str | None = None
    whole: bool = False
    trace: Path | None = None
    given: tuple[Passage, ...] | None = None


def reply(desk: Desk, asked: Asked, on_text: OnText | None) -> Answer | Refusal:
    """Answer or refuse. Raises GenerationError."""
    started, noting = time.time(), _Noting(desk.writer())
    if asked.whole:
        answer, found = _from_everything(desk, asked, noting, on_text), None
    else:
        answer, found = _from_a_search(desk, asked, noting, on_text)
    if wanted(asked.trace):
        seconds = time.time() - started
        sent = None if isinstance(noting.writer, ExtractiveWriter) else noting.request
        kept = traced(answer, started=started, seconds=seconds, retrieval=found, request=sent)
        record(kept, asked.trace)
    return answer


def _from_a_search(
    desk: Desk, asked: Asked, noting: _Noting, on_text: OnText | None
) -> tuple[Answer | Refusal, Retrieval | None]:
    """The reply, and what was retrieved for it, if anything was."""
    tutor, state, now = (
        desk.tutor(asked.where, asked.as_of),
        desk.learner(asked.learner),
        time.time(),
    )
    allowed = desk.allowed(asked.where, asked.as_of)
    retrievals: list[Retrieval] = []

    def retrieve(question: str) -> Retrieval:
        if asked.given is not None:
            return Retrieval(question, asked.given, {})
        chosen = desk.settings.retrieval
        found = desk.retriever().retrieve(
            question, k=chosen.k + READ_BESIDE, allowed=allowed, depth=chosen.depth
        )
        retrievals.append(found)
        return found

    def misspelt(question: str) -> bool:
        return respell(desk, question) != question

    sources = Sources(
        tutor,
        retrieve,
        desk.passages,
        noting,
        desk.score,
        desk.answer_options(noting.writer),
        desk.sentence_vectors,
    )
    known = [tutor.resolve(name).id for name in asked.known]
    asker = Asker(sources, lambda more: tutor.knowledge([*known, *more], state, now=now), now)
    answer = asker.ask(asked.question, on_text)
    if isinstance(answer, Refusal) and asked.given is None:
        answer = _as_meant(desk, asker, answer, on_text)
    return answer, retrievals[0] if retrievals else None


def _as_meant(
    desk: Desk, asker: Asker, refusal: Refusal, on_text: OnText | None
) -> Answer | Refusal:
    """The answer to a refused question without its slips of the pen, and what was read."""
    meant = respell(desk, refusal.question)
    if meant == refusal.question:
        return refusal
    answer = asker.ask(meant, on_text)
    if isinstance(answer, Refusal):
        return refusal
    read = f"The question was read as “{meant}”."
    return replace(answer, question=refusal.question, warnings=(read, *answer.warnings))


def respell(desk: Desk, question: str) -> str:
    """The question as the corpus spells its words; itself where nothing is mistyped.

    A word of the language is what the embedding model's vocabulary has in one piece.
    """
    keywords = desk.workspace.keywords()
    tokenizer = desk.embedder()
    (one,) = tokenizer.count_tokens(["a"])

    def is_word(word: str) -> bool:
        return tokenizer.count_tokens([word]) == [one]

    def spelt(term: str) -> Iterator[str]:
        numbers = [number for number, _ in keywords.search(term, _SPELT)]
        for found in desk.workspace.catalog.numbered(numbers=numbers):
            for word in fold(found.chunk.text).split():
                bare = word.strip(".,;:!?()[]{}\"'“”‘’`*_")
                if bare.isalpha() and tokenize(bare) == [term]:
                    yield bare

    return respelled(question, keywords.occurs, keywords.terms, spelt, is_word)


def whole_would_fit(desk: Desk, asked: Asked) -> bool:
    """Whether all passages that a search may see fit the window of the language model that
    writes, so that none need be chosen; False where none writes. Raises GenerationError."""
    options = desk.answer_options(desk.writer())
    chunks = desk.workspace.catalog.counts()["chunks"]
    if options.window is None or chunks * _LEAST_TOKENS > options.window:
        return False
    return fits_whole(asked.question, desk.everything(asked.where, asked.as_of), options)


class _Noting:
    """A writer that remembers what it was last asked to write."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.request: WriteRequest | None = None

    @property
    def name(self) -> str:
        return self.writer.name

    def write(self, request: WriteRequest) -> Iterator[str]:
        self.request = request
        return self.writer.write(request)


def _from_everything(
    desk: Desk, asked: Asked, noting: _Noting, on_text: OnText | None
) -> Answer | Refusal:
    if isinstance(noting.writer, ExtractiveWriter):
        raise GenerationError("--whole needs a language model: start Ollama")
    return answer_whole(
        asked.question,
        desk.everything(asked.where, asked.as_of),
        noting,
        options=desk.answer_options(noting.writer),
        score=desk.score,
        on_text=on_text,
    )
