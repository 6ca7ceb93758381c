"""Cited or struck: every sentence of an answer is checked against what it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphrag.answering.citations import cited, groups, marks, pieces, stream_pieces, without_marks
from graphrag.answering.claims import Claim, Ground, claim, ground
from graphrag.answering.support import Score, foreign_figure, objection, stands_verbatim
from graphrag.domain import Citation, Passage
from graphrag.wording.terms import content_words


@dataclass(frozen=True, slots=True)
class Grounded:
    """A checked text, its citations in order of first use, and what was struck and why."""

    text: str
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedPiece:
    """One piece after its check: the text to show, the passages that support it (by number,
    with the words that do), and the warnings."""

    text: str
    supported: tuple[tuple[int, str], ...] = ()
    removed: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def check(text: str, passages: Sequence[Passage], *, score: Score | None = None) -> Grounded:
    """Check a written text sentence by sentence; ``[n]`` points to ``passages[n - 1]``.

    A citation that does not resolve, or whose passage does not support the sentence, is
    taken out and reported. A sentence whose claim stands in another of the passages is
    cited anew; one that stands in none is struck. ``score`` is a cross-encoder giving
    logits; without it meaning is judged by shared words.
    """
    grounds = [ground(passage) for passage in passages]
    checked = [check_piece(piece, grounds, score=score) for piece in pieces(text)]
    return assemble(checked, passages)


def check_stream(
    parts: Iterable[str],
    passages: Sequence[Passage],
    *,
    score: Score | None = None,
    on_text: Callable[[str], None] | None = None,
    given: Sequence[str] = (),
) -> Grounded:
    """Like ``check`` for a text that is still being written: each sentence is handed to
    ``on_text`` once it has been checked, and nothing is handed out that was struck.

    ``given`` are lines that stand whatever the passages say: a plan worked out elsewhere.
    """
    plan = {_plain(sentence) for line in given for sentence in [line, *pieces(line)]}
    grounds = [ground(passage) for passage in passages]
    checked: list[CheckedPiece] = []
    shown = ""
    for piece in _without_empty_lines(stream_pieces(parts)):
        result = check_piece(piece, grounds, score=score, given=plan)
        checked.append(result)
        if on_text is not None and result.text:
            text = result.text if shown else result.text.lstrip()
            on_text(text)
            shown += text
    return assemble(checked, passages)


def _without_empty_lines(parts: Iterator[str]) -> Iterator[str]:
    started = False
    for part in parts:
        started = started or bool(part.strip())
        if started:
            yield part


def assemble(checked: Sequence[CheckedPiece], passages: Sequence[Passage]) -> Grounded:
    """Put checked pieces together, one citation for each passage that supports a sentence."""
    text = re.sub(r"\n{3,}", "\n\n", "".join(piece.text for piece in checked)).strip()
    quotes: dict[int, str] = {}
    for piece in checked:
        for number, quote in piece.supported:
            quotes.setdefault(number, quote)
    citations = tuple(
        Citation(n, passages[n - 1].chunk.document_id, passages[n - 1].chunk.id, quote, True)
        for n, quote in quotes.items()
    )
    warnings = tuple(dict.fromkeys(w for piece in checked for w in piece.warnings))
    return Grounded(text, citations, warnings)


def check_piece(
    piece: str,
    grounds: Sequence[Ground],
    *,
    score: Score | None = None,
    given: Collection[str] = (),
) -> CheckedPiece:
    """Check one sentence, list item or table row; what is ``given`` needs no passage."""
    claimed = claim(without_marks(piece))
    numbers = cited(piece)
    if _plain(without_marks(piece)) in given:
        known = [n for n in numbers if n <= len(grounds)]
        return CheckedPiece(
            _recited(piece, known), tuple((n, _quote(claimed, grounds[n - 1])) for n in known)
        )
    quoted = _quotation(piece, grounds)
    if quoted is not None:
        return quoted
    if _is_heading(piece) and (foreign := foreign_figure(claimed, grounds)):
        warning = f"“{_short(claimed.text)}” was struck: {foreign} stands in no passage."
        return CheckedPiece("", (), tuple(numbers), (warning,))
    if not _is_claim(claimed, piece, numbers):
        return CheckedPiece(piece if not numbers else without_marks(piece))
    known = [n for n in numbers if n <= len(grounds)]
    warnings = [
        f"[{n}] was removed: there are {len(grounds)} passages." for n in numbers if n not in known
    ]
    good, reasons = _support(claimed, known, grounds, score)
    if not good and (found := _elsewhere(claimed, known, grounds, score)):
        if numbers:
            warnings.append(f"“{_short(claimed.text)}” is now cited to [{found}], which says it.")
        good = [found]
    elif not good:
        reason = next(iter(reasons.values()), "no passage says so")
        warnings.append(f"“{_short(claimed.text)}” was struck: {reason}.")
        return CheckedPiece("", (), tuple(numbers), tuple(warnings))
    else:
        warnings += [
            f"[{n}] was removed from “{_short(claimed.text)}”: {reason}."
            for n, reason in reasons.items()
            if n not in good
        ]
    supported = tuple((n, _quote(claimed, grounds[n - 1])) for n in good)
    removed = tuple(n for n in numbers if n not in good)
    return CheckedPiece(_recited(piece, good), supported, removed, tuple(warnings))


def _quotation(piece: str, grounds: Sequence[Ground]) -> CheckedPiece | None:
    """A piece that is a passage's own words with one citation behind them, if it is that:
    brackets inside the words are the passage's, and no citations."""
    found = groups(piece)
    if not found or any(n > len(grounds) for n in found[-1].numbers):
        return None
    last = found[-1]
    said = claim(piece[: last.start] + piece[last.stop :])
    for number in last.numbers:
        if not stands_verbatim(said.text, [grounds[number - 1]]):
            return None
    return CheckedPiece(piece, tuple((n, _quote(said, grounds[n - 1])) for n in last.numbers))


def count_claims(text: str) -> tuple[int, int]:
    """How many sentences of an answer state something, and how many of these are cited."""
    stated = [
        bool(numbers)
        for piece in pieces(text)
        for numbers in [cited(piece)]
        if _is_claim(claim(without_marks(piece)), piece, numbers)
    ]
    return len(stated), sum(stated)


def _is_heading(piece: str) -> bool:
    return piece.lstrip().startswith("#")


def _is_claim(claimed: Claim, piece: str, numbers: Sequence[int]) -> bool:
    """Blanks, headings, rules and short links between sentences claim nothing."""
    text = claimed.text.strip()
    if not text or re.fullmatch(r"[\s|:*_#>-]*", text) or re.search(r"\|\s*\n[\s|:-]+$", text):
        return False
    if _is_heading(piece) or (text.endswith(":") and not numbers):
        return False
    return bool(claimed.content or claimed.numbers or numbers)


def _support(
    claimed: Claim, known: Sequence[int], grounds: Sequence[Ground], score: Score | None
) -> tuple[list[int], dict[int, str]]:
    """The cited numbers that hold, alone or together, and why the others do not."""
    reasons = {n: objection(claimed, [grounds[n - 1]], score=score) for n in known}
    good = [n for n in known if not reasons[n]]
    if good or len(known) < 2:
        return good, {n: r for n, r in reasons.items() if r}
    together = objection(claimed, [grounds[n - 1] for n in known], score=score)
    if together:
        return [], {n: r for n, r in reasons.items() if r}
    return list(known), {}


def _elsewhere(
    claimed: Claim, known: Sequence[int], grounds: Sequence[Ground], score: Score | None
) -> int:
    """The number of a passage that supports a claim which cites none that does, or 0.

    Only near-verbatim support counts: most of the claim's words in one window.
    """
    best = (0.0, 0)
    for number, prepared in enumerate(grounds, start=1):
        if number in known or not claimed.content:
            continue
        share = max(
            len(claimed.content & set(content_words(window))) / len(claimed.content)
            for window in prepared.windows
        )
        if share >= 0.7 and share > best[0] and not objection(claimed, [prepared], score=score):
            best = (share, number)
    return best[1]


def _quote(claimed: Claim, prepared: Ground) -> str:
    """The unit of the passage that shares most with the claim."""
    if not prepared.units:
        return prepared.text.strip()

    def shared(index: int) -> tuple[float, int]:
        held = set(content_words(prepared.units[index].text))
        common = len(claimed.content & held)
        return (common / (len(held) + 4), -index)

    return prepared.units[max(range(len(prepared.units)), key=shared)].text


def _recited(piece: str, good: Sequence[int]) -> str:
    """The piece with only good marks: those in place stay, new ones go to its end."""
    kept: set[int] = set()
    for mark in reversed(marks(piece)):
        numbers = [n for n in mark.numbers if n in good]
        kept |= set(numbers)
        blank = piece[mark.start] if piece[mark.start].isspace() else ""
        group = blank + "".join(f"[{n}]" for n in numbers) if numbers else ""
        piece = piece[: mark.start] + group + piece[mark.stop :]
    missing = [n for n in good if n not in kept]
    if not missing:
        return piece
    body = piece.rstrip()
    added = " " + "".join(f"[{n}]" for n in missing)
    if body.endswith("|"):
        return f"{body[:-1].rstrip()}{added} |{piece[len(body) :]}"
    stop = body[-1] if body.endswith((".", "!", "?")) else ""
    return body[: len(body) - len(stop)] + added + stop + piece[len(body) :]


def _plain(text: str) -> str:
    """A line without its marks and markup, to know it again."""
    return " ".join(re.sub(r"[*_`#\s]+", " ", re.sub(r"^\s*(?:[-*•]|\d+[.)])\s", "", text)).split())


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:87].rstrip() + "..."
