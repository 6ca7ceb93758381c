"""An answer diagnosed: whether the documents say so too; else what it implicates, searched for,
judged by a model if one is named; and remembered."""

from __future__ import annotations

import time
from functools import partial

from graphrag.answering.agreement import agreement
from graphrag.desk import Desk
from graphrag.domain import Agreement, Diagnosed, Learner
from graphrag.tutoring.diagnose import unanswered
from graphrag.tutoring.learner import LearnerEvidence, record
from graphrag.tutoring.suspects import topic

_FOUND = 20
# Of so many passages found a sentence may say the same as an answer: for question and answer
# together, and for either alone.
_READ, _READ_MORE = 5, 3


def diagnosed(
    desk: Desk, question: str, answer: str, *, learner: str = "", judge: str = ""
) -> Diagnosed:
    """The upstream concepts that a wrong answer implicates, likeliest first, or as the Ollama
    model ``judge`` orders them; none for an answer that says nothing, which is no wrong one,
    nor for one that says what a sentence of the documents does: then that sentence.

    That the ``learner`` answered wrong, or right as that sentence has it, is remembered of the
    concept that was asked about: the implicated ones are suspects, no evidence. Raises
    GenerationError and StoreError.
    """
    if unanswered(answer):
        return Diagnosed()
    agrees = agreeing(desk, question, answer)
    if learner:
        _remember(desk, learner, question, "right" if agrees else "wrong")
    if agrees:
        return Diagnosed(agrees=agrees)

    found = desk.tutor().diagnose(
        question,
        answer,
        embed=desk.sentence_vectors,
        search=partial(search_ids, desk),
        score=desk.score,
        ask_json=desk.writers.remembering(judge) if judge else None,
    )
    return Diagnosed(tuple(found))


def agreeing(desk: Desk, question: str, answer: str) -> Agreement | None:
    """The sentence of the documents that says what the answer says, if one surely does."""
    ids = [
        *search_ids(desk, f"{question} {answer}")[:_READ],
        *search_ids(desk, answer)[:_READ_MORE],
        *search_ids(desk, question)[:_READ_MORE],
    ]
    return agreement(question, answer, desk.passages(list(dict.fromkeys(ids))), score=desk.score)


def search_ids(desk: Desk, text: str) -> list[str]:
    """The ids of the chunks that a search for the text finds, best first."""
    found = desk.retriever().retrieve(text, k=_FOUND, rerank=False, expand=False)
    return [passage.chunk.id for passage in found.passages]


def _remember(desk: Desk, name: str, question: str, evidence: LearnerEvidence) -> None:
    """Take a right or wrong answer into what a learner knows of the concept asked about;
    nothing where the question names none."""
    tutor = desk.tutor()
    asked = topic([each.concept_id for each in tutor.linker.link(question)], tutor.order)
    if asked is None:
        return
    with desk.workspace.writing():
        state = desk.learner(name) or Learner(name)
        changed = record(state, asked, evidence, now=time.time(), detail=question)
        desk.keep(changed)
