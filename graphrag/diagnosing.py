"""A wrong answer diagnosed: searched for, judged by a model if one is named, and remembered."""

from __future__ import annotations

import time
from functools import partial

from graphrag.desk import Desk
from graphrag.domain import Implicated, Learner
from graphrag.tutoring.diagnose import unanswered
from graphrag.tutoring.learner import record

_FOUND = 20


def diagnosed(
    desk: Desk, question: str, answer: str, *, learner: str = "", judge: str = ""
) -> list[Implicated]:
    """The upstream concepts that a wrong answer implicates, likeliest first, or as the Ollama
    model ``judge`` orders them; none for an answer that says nothing, which is no wrong one.

    That the ``learner`` answered wrong is remembered of the concept that was asked about: the
    implicated ones are suspects, no evidence. Raises GenerationError and StoreError.
    """
    if unanswered(answer):
        return []
    if learner:
        _remember_wrong(desk, learner, question)

    return desk.tutor().diagnose(
        question,
        answer,
        embed=desk.sentence_vectors,
        search=partial(search_ids, desk),
        score=desk.score,
        ask_json=desk.writers.remembering(judge) if judge else None,
    )


def search_ids(desk: Desk, text: str) -> list[str]:
    """The ids of the chunks that a search for the text finds, best first."""
    found = desk.retriever().retrieve(text, k=_FOUND, rerank=False, expand=False)
    return [passage.chunk.id for passage in found.passages]


def _remember_wrong(desk: Desk, name: str, question: str) -> None:
    """Take a wrong answer into what a learner knows of the concept asked about; nothing
    where the question names none."""
    asked = desk.tutor().linker.link(question)
    if not asked:
        return
    with desk.workspace.writing():
        state = desk.learner(name) or Learner(name)
        changed = record(state, asked[0].concept_id, "wrong", now=time.time(), detail=question)
        desk.keep(changed)
