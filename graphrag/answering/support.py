"""Whether passages say what a sentence claims: numbers, names, negation, quotation, meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from graphrag.answering.altered import alteration
from graphrag.answering.bounds import exceeded
from graphrag.answering.claims import Claim, Ground, squeezed
from graphrag.answering.overstated import overstatement
from graphrag.answering.polarity import denied, is_turned
from graphrag.tokens import fold
from graphrag.wording.excerpts import Score as Score  # noqa: PLC0414 - callers know it here
from graphrag.wording.formulas import segments
from graphrag.wording.numbers import SPELLED, Number, numbers
from graphrag.wording.references import without_reference_marks
from graphrag.wording.terms import contains_identifier, content_words, identifiers, words
from graphrag.wording.units import Unit

# The cross-encoder judges relevance, not entailment: a claim of the same matter with words
# of its own ("a spare key") scores high. So a window must earn its place by both: logit plus
# weighted share of the claim's words, or nearly all of the words in one window, under its
# headings. Of 100 hand-made paraphrases and 89 unfounded claims 97 and 48 pass so with a floor
# of 8.5 (98 and 59 with one of 6, 92 and 44 with one of 10). Without a cross-encoder half of
# the words must stand in one window.
MEANING_FLOOR = 8.5
WORDING_WEIGHT = 6.0
WORDING_FLOOR = 0.5
_SAME_MATTER = 0.6
_SOME_MATTER = 0.4
_SAME_WORDS = 0.8
_HALF_THE_WORDS = 0.5
# By how much a row must say more of a claim than the row of the claim's own code.
_SAME_ROW = 0.3

# "0-99" holds two numbers; a part number such as "88-4310" holds none.
_RANGE = re.compile(r"(?<![\w.,:/-])(0|[1-9]\d*)[-–](\d+)(?![\w-]|[.,:/]\d)")
_LIST_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s+")
_LIMITED = re.compile(
    r"\b(?:(?:not|no|never|only|cannot|without|neither|nor|hardly|n't) (?:\w[\w'-]* ){0,2}"
    r"|(?:believing|thinking|assuming|supposing|saying|concluding|expecting) that )$"
)
_NONE_BEYOND = re.compile(
    r"\bno\b[^.;]{0,80}\b(?:\w+er|more|less)\b[^.;]{0,80}\bthan\b", re.IGNORECASE
)


def objection(claimed: Claim, grounds: Sequence[Ground], *, score: Score | None = None) -> str:
    """Why the passages together do not support the claim, in words; empty if they do.

    The cheap and certain tests come first; the cross-encoder judges meaning last.
    """
    if not grounds:
        return "no passage is cited"
    if stands_verbatim(claimed.text, grounds):
        return ""
    stated = (_wrong_quotation, _wrong_identifier, _wrong_row, _wrong_number, _wrong_name)
    for test in (*stated, _wrong_polarity, alteration, overstatement, exceeded):
        reason = test(claimed, grounds)
        if reason:
            return reason
    return _other_meaning(claimed, grounds, score)


def stands_verbatim(text: str, grounds: Sequence[Ground]) -> bool:
    """Whether the claim stands letter by letter in a passage, a fence around it aside.

    What a "not" or an "only" stands before says something else without it; so does what is
    named as a mistake ("Believing that ...").
    """
    bare = re.sub(r"^\s*```.*$", "", text, flags=re.MULTILINE)
    wanted = squeezed(bare).strip()
    pattern = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    if len(wanted) <= 2:
        return False
    return any(
        _LIMITED.search(text, max(0, found.start() - 24), found.start()) is None
        for g in grounds
        for text in (g.folded, g.unmarked)
        for found in pattern.finditer(text)
    ) or any(
        squeezed(text).startswith(wanted)
        for g in grounds
        for unit in g.units
        for text in (unit.text, without_reference_marks(unit.text))
    )


def _wrong_quotation(claimed: Claim, grounds: Sequence[Ground]) -> str:
    for quotation in claimed.quotations:
        wanted = squeezed(quotation).strip(" .,;:…")
        fragments = [part.strip() for part in re.split(r"\s*(?:\.\.\.|…|\[…\])\s*", wanted)]
        if not any(all(part in g.folded for part in fragments) for g in grounds):
            return f"the words “{quotation}” do not stand in the cited passage"
    return ""


def _wrong_identifier(claimed: Claim, grounds: Sequence[Ground]) -> str:
    code = _foreign_code(claimed, grounds)
    return f"{code} does not occur in the cited passage" if code else ""


def _foreign_code(claimed: Claim, grounds: Sequence[Ground]) -> str:
    for code in claimed.identifiers:
        if not any(contains_identifier(g.text, code) or fold(code) in g.folded for g in grounds):
            return code
    return ""


def _wrong_row(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """What a table says of one code says nothing of another one."""
    if len(claimed.identifiers) != 1:
        return ""
    (code,) = claimed.identifiers
    said = claimed.content - set(content_words(code))
    units = [unit for g in grounds for unit in g.units]
    own = others = 0.0
    for unit in units if said else ():
        share = len(said & set(content_words(_said(unit)))) / len(said)
        if contains_identifier(_said(unit), code):
            own = max(own, share)
        elif unit.kind == "row" and identifiers(unit.text):
            others = max(others, share)
    if others >= _HALF_THE_WORDS and own <= others - _SAME_ROW:
        return f"the cited passage says it of another code than {code}"
    return ""


def _wrong_number(claimed: Claim, grounds: Sequence[Ground]) -> str:
    # Two-digit codes such as "E10" hold no number of their own: `numbers` leaves them out.
    for number in claimed.numbers:
        if _in_formula(number, claimed.text):
            continue
        shown = claimed.text[number.start : number.stop].strip()
        if not any(_number_stands(number, claimed, g) for g in grounds):
            return f"the number {shown} does not stand so in the cited passage"
    if not _numbers_of_the_source(claimed, grounds):
        return "the cited passage says it with other numbers"
    return ""


def foreign_figure(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """A number or code of the claim that stands nowhere in the passages; empty if all do."""
    held = {number.value for g in grounds for number in numbers(_spread(g.text), spelled=True)}
    for number in claimed.numbers:
        if number.value not in held and not _in_formula(number, claimed.text):
            return claimed.text[number.start : number.stop].strip()
    return _foreign_code(claimed, grounds)


def _in_formula(number: Number, text: str) -> bool:
    """Numbers of formulas are compared sign by sign, with the formula."""
    return any(
        start <= number.start and number.stop <= stop
        for start, stop, inside, _ in segments(text)
        if inside
    )


def _numbers_of_the_source(claimed: Claim, grounds: Sequence[Ground]) -> bool:
    """Where a unit says nearly the same in words, the claim's numbers must be that unit's:
    another number of the passage belongs to another fact."""
    spelled = _spelled(claimed.text)
    words_only = {
        word
        for word in claimed.content
        if word not in SPELLED and not any(c.isdigit() for c in word)
    }
    if not words_only or not (claimed.numbers or spelled):
        return True
    digits = Counter(number.value for number in claimed.numbers)
    for g in grounds:
        head = "\n".join(g.text.split("\n", 2)[:2])
        digits -= Counter(number.value for number in numbers(head))
    found = [
        (len(words_only & set(content_words(text))) / len(words_only), text, window)
        for g in grounds
        for text, window in zip(map(_said, g.units), g.windows, strict=False)
    ]
    near = [(text, window) for share, text, window in found if share >= _SAME_WORDS]
    stands = [text for text, _ in near]
    # A sentence without a number of its own leaves it to its neighbours, or to another one
    # that speaks of the matter.
    bare = [window for text, window in near if not numbers(text, spelled=True)]
    if bare:
        stands += bare + [text for share, text, _ in found if share >= _HALF_THE_WORDS]
    return not near or any(_same_numbers(digits, spelled, text) for text in stands)


def _same_numbers(digits: Counter[str], spelled: Counter[str], text: str) -> bool:
    """Whether a text has all of a claim's numbers. One written as a word may also count what
    the text lists ("the two valves"), but not where that has another in its place."""
    text = _spread(text)
    written = Counter(number.value for number in numbers(text)) + _spelled(text)
    if digits - Counter(number.value for number in numbers(text, spelled=True)):
        return False
    left = written - digits
    return not spelled - left or not left - spelled


def _spelled(text: str) -> Counter[str]:
    """The numbers written as words."""
    return Counter(SPELLED[word] for word in words(text) if word in SPELLED)


def _said(unit: Unit) -> str:
    """What opens a unit and its text, without the number of a list's item."""
    return f"{unit.lead} {_LIST_NUMBER.sub('', unit.text)}"


def _number_stands(number: Number, claimed: Claim, g: Ground) -> bool:
    pieces = [(_said(u), u.kind == "row") for u in g.units] or [(g.text, False)]
    head = g.text.split("\n", 3)
    pieces += [(line, False) for line in head[:2]]
    for text, is_row in pieces:
        same = [
            n
            for n in numbers(_spread(text), spelled=True)
            if n.value.lstrip("-") == number.value.lstrip("-")
        ]
        if not any(_same_unit(number.unit, n.unit) for n in same):
            continue
        # In a table, a number belongs to its row: another row's is another fact.
        owned = list(identifiers(text)) if is_row else []
        wanted = [code for code in claimed.identifiers if not contains_identifier(text, code)]
        if not (
            is_row and owned and claimed.identifiers and len(wanted) == len(claimed.identifiers)
        ):
            return True
    return False


def _spread(text: str) -> str:
    """A text with its ranges of numbers written as "0 to 99"."""

    def ends(found: re.Match[str]) -> str:
        low, high = found.groups()
        is_range = int(low) < int(high) and len(high) <= len(low) + 2
        return f"{low} to {high}" if is_range else found.group()

    return _RANGE.sub(ends, text)


def _same_unit(left: str, right: str) -> bool:
    # A table's column often carries the unit of its bare numbers.
    return left == right or not left or not right


def _wrong_name(claimed: Claim, grounds: Sequence[Ground]) -> str:
    for name in claimed.names:
        folded = squeezed(name)
        if any(folded in g.folded for g in grounds):
            continue
        missing = [
            w
            for w in words(name)
            if not any(re.search(rf"\b{re.escape(w)}", g.folded) for g in grounds)
        ]
        if missing:
            return f"the name {name} does not occur in the cited passage"
    return ""


def _wrong_polarity(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """Compare with the sentences that speak of the same matter in nearly the same words."""
    return "the cited passage says the opposite" if contradicting(claimed, grounds) else ""


def contradicting(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """The sentence of the same matter that says the opposite of a claim; empty where there is
    none, or one as near does not."""
    if len(claimed.content) < 2 or _negates_likewise(claimed, grounds):
        return ""
    near = []
    for g in grounds:
        for unit in g.units:
            held = set(content_words(f"{unit.lead} {unit.text}"))
            share = len(claimed.content & held) / len(claimed.content)
            if share >= _SAME_MATTER:
                near.append((share, unit.text))
    best = max((share for share, _ in near), default=0.0)
    closest = [text for share, text in near if share >= best - 0.1]
    if all(is_turned(claimed.text, text) for text in closest):
        return next(iter(closest), "")
    return ""


def _negates_likewise(claimed: Claim, grounds: Sequence[Ground]) -> bool:
    """Whether all that a claim negates is negated in a unit of the same matter too, or it
    says "no ... is closer than", which denies nothing."""
    if _NONE_BEYOND.search(claimed.text):
        return True
    wanted = denied(claimed.text)
    texts = (f"{unit.lead} {unit.text}" for g in grounds for unit in g.units)
    return bool(wanted) and any(
        wanted <= denied(text) and _coverage(claimed, text) >= _SOME_MATTER for text in texts
    )


def _other_meaning(claimed: Claim, grounds: Sequence[Ground], score: Score | None) -> str:
    windows = [window for g in grounds for window in g.windows]
    heads = [" ".join(g.text.split("\n", 3)[:2]) for g in grounds for _ in g.windows]
    if _best_coverage(claimed, [f"{h} {w}" for h, w in zip(heads, windows, strict=True)]) >= 0.9:
        return ""
    if score is None:
        if _best_coverage(claimed, windows) < WORDING_FLOOR:
            return "the cited passage does not speak of this"
        return ""
    values = [
        value + WORDING_WEIGHT * _coverage(claimed, window)
        for value, window in zip(score(claimed.text, windows), windows, strict=True)
    ]
    if max(values) < MEANING_FLOOR:
        return "the cited passage does not say so"
    return ""


def _best_coverage(claimed: Claim, texts: Sequence[str]) -> float:
    return max(_coverage(claimed, text) for text in texts)


def _coverage(claimed: Claim, text: str) -> float:
    if not claimed.content:
        return 1.0
    return len(claimed.content & set(content_words(text))) / len(claimed.content)
