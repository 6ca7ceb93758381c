"""The writer without a model: it quotes what answers, and cites it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphrag.adapters.extractive_choice import Candidate, Picking, choose, scored
from graphrag.domain import Passage
from graphrag.ports import WriteRequest
from graphrag.sentences import split_sentences
from graphrag.wording.excerpts import Score
from graphrag.wording.parts import parts
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import content_words

# Sentences quoted on two concepts together.
_TOGETHER = 4

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
        used: set[str] = set()
        for line, numbers in request.outline:
            yield line + "\n"
            given = [(n, request.passages[n - 1]) for n in numbers]
            indent = "   " if re.match(r"\s*\d+[.)]\s", line) else ""
            for candidate in self._under(line, request.question, given):
                if candidate.text not in used:
                    used.add(candidate.text)
                    yield f"{indent}{_sentence(candidate.text)} [{candidate.number}]\n"
            if line.strip():
                yield "\n"

    def _under(
        self, line: str, question: str, given: Sequence[tuple[int, Passage]]
    ) -> list[Candidate]:
        """What explains a line of an outline: its topic, the relation of its topics, or,
        where it has none, what answers the question."""
        named = re.findall(r"\*\*(.+?)\*\*", line)
        if not named and line.rstrip().endswith(":"):
            found = self._scored(question, given)
            best = sorted(
                (c for c in found if c.unit.kind in ("sentence", "item")), key=lambda c: -c.score
            )[:_TOGETHER]
            return sorted(best, key=lambda c: c.order)
        topic = _topic(line)
        found = self._scored(f"What is {topic}?", given)
        if len(named) > 1 and not re.match(r"\s*\d+[.)]\s", line):
            return [c for c in found if all(_names(c.text, name) for name in named)][:1]
        return _explaining(topic, found)

    def _scored(self, question: str, passages: Sequence[tuple[int, Passage]]) -> list[Candidate]:
        return scored(question, passages, self._score, self._picking, likeness=self._likeness)


def _names(text: str, name: str) -> bool:
    return set(content_words(name)) <= set(content_words(text))


def _explaining(topic: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The sentence that explains a topic, and the one behind it where that goes on.

    A definition of the topic itself comes before all else; entries of a glossary for other
    terms are never taken.
    """
    names = set(content_words(topic))
    fitting = [
        candidate
        for candidate in candidates
        if candidate.unit.kind in ("sentence", "item") and not _defines_other(candidate, names)
    ]
    if not fitting:
        return []
    about = re.compile(
        rf"^\W*(?:(?:an?|the)\s+)?{re.escape(topic)}s?\b\W{{0,3}}(?:is|are|means|:)?", re.IGNORECASE
    )

    def rank(candidate: Candidate) -> tuple[bool, bool, float, int]:
        opens = about.match(candidate.text) is not None
        named = bool(names & set(content_words(candidate.text)))
        return (not opens, not named, -candidate.score, candidate.order)

    best = min(fitting, key=rank)
    after = [c for c in fitting if c.order == best.order + 1 and c.number == best.number]
    goes_on = [
        c
        for c in after
        if c.unit.kind == "sentence"
        and c.unit.block == best.unit.block
        and c.logit > best.logit - 6
    ]
    return [best, *goes_on]


def _defines_other(candidate: Candidate, names: set[str]) -> bool:
    """A glossary's entry ("unit vector: A vector of ...") for another term than those."""
    entry = re.match(r"^\W*([^:.|]{2,50}):\s", candidate.text)
    return (
        candidate.unit.kind == "item"
        and entry is not None
        and set(content_words(entry.group(1))) != names
    )


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


def _topic(line: str) -> str:
    bold = re.search(r"\*\*(.+?)\*\*", line)
    return bold.group(1) if bold else re.sub(r"^\s*(?:[-*]|\d+[.)])\s*", "", line).split(":")[0]
