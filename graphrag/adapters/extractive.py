"""The writer without a model: it quotes what answers, and cites it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphrag.domain import Passage
from graphrag.ports import WriteRequest
from graphrag.tokens import fold
from graphrag.wording.excerpts import Score, excerpts
from graphrag.wording.expects import expects_steps, fits, is_about_the_text
from graphrag.wording.parts import parts
from graphrag.wording.prompting import NO_ANSWER
from graphrag.wording.terms import contains_identifier, content_words, identifiers
from graphrag.wording.units import Unit

# Marks of other texts: "[12]" behind a word, "[passage 3]" and "【1】" anywhere.
_REFERENCE_MARK = re.compile(
    r"(?<=[\w.,;:!?)\]\"'”])\s?\[\^?\d{1,3}\](?!\()|【\d[^】]*】"
    r"|\s?\[\s*(?:passages?|sources?|refs?\.?|citations?)[\s#]*\d[^\]]*\]",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"(?:then|this|that|these|those|it|they|he|she|its|their|such|therefore|thus|hence|so|but"
    r"|however|otherwise|instead|in th(?:is|at) case|the latter|the former|both|here|there)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Picking:
    """How excerpts are chosen; scores are logits.

    Quoted are at most ``most``, none less than the best by more than ``drop``; below
    ``least`` nothing answers. To an excerpt's own logit come shares of its passage's, and
    points for having the kind of answer asked for and the question's codes; sentences that
    only announce what follows, and questions, lose points.
    """

    most: int = 5
    drop: float = 7.0
    least: float = -4.0
    passage: float = 0.5
    kind: float = 2.0
    code: float = 2.0
    code_near: float = 1.0
    empty: float = 4.0


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    order: int
    unit: Unit
    text: str
    logit: float
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
        given = list(enumerate(request.passages, start=1))
        chosen: list[_Candidate] = []
        for part in parts(request.question):
            picked = self._choose(part, self._scored(part, given))
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

    def _scored(self, question: str, passages: Sequence[tuple[int, Passage]]) -> list[_Candidate]:
        found = [
            (excerpt, text)
            for excerpt in excerpts(passages)
            if (text := _quotable(excerpt.unit.text)) and not _poses_as_refusal(text)
        ]
        texts = [excerpt.text for excerpt, _ in found]
        logits = self._score(question, texts) if self._score else _overlap(question, texts)
        given = dict(passages)
        return [
            _Candidate(
                excerpt.number,
                order,
                excerpt.unit,
                text,
                float(logit),
                float(logit) + self._merit(question, excerpt.unit.text, given[excerpt.number]),
            )
            for order, ((excerpt, text), logit) in enumerate(zip(found, logits, strict=True))
        ]

    def _merit(self, question: str, text: str, passage: Passage) -> float:
        """What speaks for an excerpt beside its own logit."""
        picking = self._picking
        codes = identifiers(question)
        held = sum(contains_identifier(text, code) for code in codes)
        near = sum(contains_identifier(passage.chunk.embedded_text, code) for code in codes)
        idle = is_about_the_text(text) or text.rstrip().endswith("?")
        return (
            picking.passage * _logit(passage.score)
            + picking.kind * fits(question, text)
            + picking.code * held
            + picking.code_near * near
            - picking.empty * idle
        )

    def _choose(self, question: str, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        picking = self._picking
        if max((c.logit for c in candidates), default=picking.least - 1) < picking.least:
            return []
        ranked = sorted(candidates, key=lambda c: (-c.score, c.order))
        best = ranked[0]
        chosen = [c for c in ranked[: picking.most] if c.score >= best.score - picking.drop]
        chosen += [c for c in candidates if c not in chosen and _completes(c, best, question)]
        first = {c.order for c in chosen}
        chosen += [
            before
            for before, c in pairwise(candidates)
            if c.order in first and before.order not in first and _leans(before, c)
        ]
        # The passage with the best excerpt first, then the others in their order.
        return sorted(chosen, key=lambda c: (c.number != best.number, c.order))


def _completes(candidate: _Candidate, best: _Candidate, question: str) -> bool:
    """Whether a candidate is a further step of the list that the best one stands in."""
    listed = {"item", "code"}
    return (
        expects_steps(question)
        and candidate.number == best.number
        and best.unit.kind in listed
        and candidate.unit.kind in listed
    )


def _leans(before: _Candidate, candidate: _Candidate) -> bool:
    """Whether a sentence cannot be understood without the one before it."""
    neighbours = before.number == candidate.number and before.unit.block == candidate.unit.block
    kinds = before.unit.kind == candidate.unit.kind == "sentence"
    return neighbours and kinds and _LEANING.match(candidate.text) is not None


def _logit(probability: float) -> float:
    """Within -6 and 8: a passage's own relevance must not drown its excerpts'."""
    clipped = min(max(probability, 1e-6), 1 - 1e-6)
    return min(8.0, max(-6.0, math.log(clipped / (1 - clipped))))


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


def _poses_as_refusal(text: str) -> bool:
    """A passage must not decline in the writer's place."""
    return re.sub(r"[^a-z ]", "", fold(text)).strip().startswith(NO_ANSWER.lower())


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
