"""The writer without a model: it quotes what answers, and cites it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphrag.adapters.extractive_candidates import Candidate, Picking, scored
from graphrag.adapters.extractive_choice import choose
from graphrag.adapters.extractive_outline import line_kind, line_topic, outline_topics, under
from graphrag.domain import Passage
from graphrag.ports import WriteRequest
from graphrag.sentences import split_sentences
from graphrag.wording.excerpts import Score
from graphrag.wording.expects import is_aside
from graphrag.wording.parts import parts
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.references import without_reference_marks

__all__ = ["ExtractiveWriter", "Picking"]


class ExtractiveWriter:
    """Writes an answer in whole sentences, list items and table rows of the passages.

    ``score`` is a cross-encoder giving logits; without it sentences are chosen by the
    words that they share with the question. ``likeness`` says how near the vectors of texts
    come to that of a question.
    """

    def __init__(
        self,
        score: Score | None = None,
        *,
        likeness: Score | None = None,
        picking: Picking | None = None,
    ) -> None:
        self._score = score
        self._likeness = likeness
        self._picking = picking or Picking()

    @property
    def name(self) -> str:
        """Says how the answer came about."""
        return "extractive"

    def write(self, request: WriteRequest) -> Iterator[str]:
        """Quote what answers, best passage first; ``NO ANSWER`` where nothing does."""
        if request.outline:
            yield from self._follow(request)
            return
        given = list(enumerate(request.passages, start=1))
        chosen: list[Candidate] = []
        for part in parts(request.question):
            picked = choose(part, self._scored(part, given), self._picking)
            known = {candidate.order for candidate in chosen}
            chosen += [candidate for candidate in picked if candidate.order not in known]
        if not chosen:
            yield NO_ANSWER
            return
        yield from _laid_out(chosen)

    def _follow(self, request: WriteRequest) -> Iterator[str]:
        """Each line of the outline, with one or two sentences that explain it."""
        topics = outline_topics([line for line, _ in request.outline])
        explained: set[str] = set()
        shown: set[str] = set()
        for line, numbers in request.outline:
            kind = line_kind(line)
            given = [(n, request.passages[n - 1]) for n in numbers]
            if kind == "together":
                # What is true of several is not told by exercises, nor by lists of mistakes.
                plain = [each for each in given if not is_aside(each[1].chunk.heading_path)]
                given = plain or given
            found = self._scored(self._asked(line, request.question), given)
            # What shows a relation is told there, though it explained a topic before.
            used = shown if kind == "relation" else explained
            contexts = {n: passage.chunk.embedded_text for n, passage in given}
            told = under(line, topics, found, contexts)
            quoted = [c for c in told if c.text not in used]
            if kind == "together" and given and not quoted:
                continue
            yield line + "\n"
            indent = "   " if re.match(r"\s*\d+[.)]\s", line) else ""
            for candidate in quoted:
                used.add(candidate.text)
                yield f"{indent}{_sentence(candidate.text)} [{candidate.number}]\n"
            if line.strip():
                yield "\n"

    def _asked(self, line: str, question: str) -> str:
        """What the sentences below a line of an outline are to answer."""
        topic = line_topic(line)
        return question if line_kind(line) == "together" or not topic else f"What is {topic}?"

    def _scored(self, question: str, passages: Sequence[tuple[int, Passage]]) -> list[Candidate]:
        return scored(question, passages, self._score, self._picking, likeness=self._likeness)


def _laid_out(chosen: Sequence[Candidate]) -> Iterator[str]:
    """Sentences of one passage in a paragraph, items as a list, rows as a table."""
    before: Candidate | None = None
    for candidate in chosen:
        yield _joint(before, candidate)
        cite = f" [{candidate.number}]"
        unit = candidate.unit
        if unit.kind == "row":
            if before is None or before.unit.lead != unit.lead:
                yield from _header(unit.lead)
            yield f"{candidate.text.rstrip().removesuffix('|').rstrip()}{cite} |"
        elif unit.kind == "code" and not candidate.text.startswith("```"):
            yield f"```\n{candidate.text}\n```\n{cite.strip()}"
        elif unit.kind in ("code", "formula"):
            yield f"{candidate.text}\n{cite.strip()}"
        elif unit.kind == "item":
            opened = before is not None and unit.lead in (before.unit.lead, before.unit.text)
            if unit.lead and not opened:
                yield f"{without_reference_marks(unit.lead)}\n"
            yield _cited(candidate.text, cite)
        else:
            yield f"{_sentence(candidate.text)}{cite}"
        before = candidate


def _cited(text: str, cite: str) -> str:
    """An item with its citation; with one behind each sentence where brackets of its own
    could be read as one."""
    if "[" not in text:
        return text + cite
    sentences = [text[span.start : span.stop] for span in split_sentences(text)]
    return " ".join(sentence + cite for sentence in sentences)


def _joint(before: Candidate | None, candidate: Candidate) -> str:
    if before is None:
        return ""
    listed = {"row", "item"}
    if before.unit.kind == candidate.unit.kind and candidate.unit.kind in listed:
        return "\n" if before.unit.lead == candidate.unit.lead else "\n\n"
    # A bracket at a sentence's start would be read as the mark of the one before.
    flows = before.unit.block == candidate.unit.block and not candidate.text.startswith("[")
    if before.number == candidate.number and flows:
        return " "
    return "\n\n"


def _header(lead: str) -> Iterator[str]:
    if lead:
        columns = lead.count("|") - 1
        yield f"{lead}\n|{'---|' * max(columns, 1)}\n"


def _sentence(text: str) -> str:
    """On one line: a sentence of a wrapped paragraph runs over several."""
    return " ".join(text.split())
