"""The writer without a model: it quotes what answers, and cites it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graphrag.domain import Passage
from graphrag.ports import WriteRequest
from graphrag.tokens import fold
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.terms import contains_identifier, content_words, identifiers
from graphrag.wording.units import Unit, units

Score = Callable[[str, Sequence[str]], Sequence[float]]

# Marks of other texts: "[12]" behind a word, "[passage 3]" and "【1】" anywhere.
_REFERENCE_MARK = re.compile(
    r"(?<=[\w.,;:!?)\]\"'”])\s?\[\^?\d{1,3}\](?!\()|【\d[^】]*】"
    r"|\s?\[\s*(?:passages?|sources?|refs?\.?|citations?)[\s#]*\d[^\]]*\]",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Picking:
    """How much is quoted: at most ``most`` units, and none that scores less than the best
    by more than ``drop`` logits, nor less than ``least``."""

    most: int = 4
    drop: float = 3.0
    least: float = -4.0


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    order: int
    unit: Unit
    text: str
    score: float


class ExtractiveWriter:
    """Writes an answer in whole sentences, list items and table rows of the passages.

    ``score`` is a cross-encoder giving logits; without it sentences are chosen by the
    words that they share with the question.
    """

    def __init__(self, score: Score | None = None, *, picking: Picking | None = None) -> None:
        self._score = score
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
        candidates = self._candidates(request.question, request.passages)
        chosen = self._choose(request.question, candidates)
        if not chosen:
            yield NO_ANSWER
            return
        yield from _laid_out(chosen)

    def _follow(self, request: WriteRequest) -> Iterator[str]:
        """Each line of the outline, with one or two sentences that explain it."""
        used: set[str] = set()
        for line, numbers in request.outline:
            yield line + "\n"
            topic = _topic(line)
            given = [(n, request.passages[n - 1]) for n in numbers]
            found = [c for c in self._scored(f"What is {topic}?", given) if c.text not in used]
            found = [c for c in found if c.unit.kind in ("sentence", "item")]
            names = set(content_words(topic))
            found.sort(key=lambda c: (not names & set(content_words(c.text)), -c.score, c.order))
            indent = "   " if re.match(r"\s*\d+[.)]\s", line) else ""
            for candidate in sorted(found[:2], key=lambda c: c.order):
                used.add(candidate.text)
                yield f"{indent}{_sentence(candidate.text)} [{candidate.number}]\n"
            if line.strip():
                yield "\n"

    def _candidates(self, question: str, passages: Sequence[Passage]) -> list[_Candidate]:
        return self._scored(question, list(enumerate(passages, start=1)))

    def _scored(self, question: str, passages: Sequence[tuple[int, Passage]]) -> list[_Candidate]:
        found: list[tuple[int, Unit, str]] = []
        texts: list[str] = []
        seen: set[str] = set()
        for number, passage in passages:
            chunk = passage.chunk
            for unit in units(chunk.text, kind=chunk.kind):
                text = _quotable(unit.text)
                key = " ".join(fold(text).split())
                if unit.kind == "heading" or not text or key in seen or _poses_as_refusal(key):
                    continue
                seen.add(key)
                found.append((number, unit, text))
                texts.append(_in_context(passage, unit))
        scores = self._score(question, texts) if self._score else _overlap(question, texts)
        return [
            _Candidate(number, order, unit, text, float(score))
            for order, ((number, unit, text), score) in enumerate(zip(found, scores, strict=True))
        ]

    def _choose(self, question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        codes = identifiers(question)
        if codes:
            holding = [
                c for c in candidates if any(contains_identifier(c.text, code) for code in codes)
            ]
            candidates = holding or candidates
        ranked = sorted(candidates, key=lambda c: (-c.score, c.order))
        if not ranked or ranked[0].score < self._picking.least:
            return []
        limit = max(self._picking.least, ranked[0].score - self._picking.drop)
        chosen = [c for c in ranked[: self._picking.most] if c.score >= limit]
        return sorted(chosen, key=lambda c: c.order)


def _in_context(passage: Passage, unit: Unit) -> str:
    """A unit as the cross-encoder reads it: under its title, headings and lead."""
    lead = f"{unit.lead}\n" if unit.lead else ""
    return f"{passage.chunk.context}\n{lead}{unit.text}"


def _overlap(question: str, texts: Sequence[str]) -> list[float]:
    """Shared words on a scale like the logits: -8 for none, +4 for all."""
    asked = set(content_words(question))
    if not asked:
        return [0.0] * len(texts)
    return [12 * len(asked & set(content_words(text))) / len(asked) - 8 for text in texts]


def _quotable(text: str) -> str:
    """A unit as it is quoted: reference marks such as ``[12]`` are not ours, so they go."""
    formulas = [match.span() for match in _FORMULA.finditer(text)]
    pieces = []
    last = 0
    for match in _REFERENCE_MARK.finditer(text):
        if any(start <= match.start() < stop for start, stop in formulas):
            continue
        pieces.append(text[last : match.start()])
        last = match.end()
    return "".join([*pieces, text[last:]]).strip()


def _poses_as_refusal(key: str) -> bool:
    """A passage must not decline in the writer's place."""
    return re.sub(r"[^a-z ]", "", key).strip().startswith(NO_ANSWER.lower())


def _laid_out(chosen: Sequence[_Candidate]) -> Iterator[str]:
    """Sentences of one passage in a paragraph, items as a list, rows as a table."""
    before: _Candidate | None = None
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
            if unit.lead and (before is None or before.unit.lead != unit.lead):
                yield f"{_quotable(unit.lead)}\n"
            yield f"{candidate.text}{cite}"
        else:
            yield f"{_sentence(candidate.text)}{cite}"
        before = candidate


def _joint(before: _Candidate | None, candidate: _Candidate) -> str:
    if before is None:
        return ""
    listed = {"row", "item"}
    if before.unit.kind == candidate.unit.kind and candidate.unit.kind in listed:
        return "\n" if before.unit.lead == candidate.unit.lead else "\n\n"
    if before.number == candidate.number and {before.unit.kind, candidate.unit.kind} == {
        "sentence"
    }:
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
