"""Whether a sentence alters what a passage says in nearly the same words.

Where most of a sentence stands word by word in a passage, each word that does not is a
change that must be accounted for: another number, sign, code or name, a negation or a
quantifier more or less, an opposite, two names exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from graphrag.answering.claims import Claim, Ground
from graphrag.answering.exchanged import exchanged, held, place_of, renamed, shown
from graphrag.answering.opposites import are_opposite
from graphrag.wording.alignment import Aligned, Change, Token, align, compared
from graphrag.wording.formulas import formula_signs, segments

# Shares of a sentence's tokens that stand in a passage in the same order.
NEAR = 0.6
VERY_NEAR = 0.75
_NEGATING = "not no never none nothing nobody neither nor without hardly"
_NEGATIONS = frozenset(_NEGATING.split())
_QUANTIFIERS = """
all: all every each always any whole everything everyone entire
some: some several many most few sometimes often usually mostly rarely
only: only solely exclusively alone
iff: iff
atleast: atleast
atmost: atmost
exact: exactly exact precisely
one: one
must: must shall
may: may can might could
should: should
both: both
either: either
"""
_CLASS = {
    word: line.partition(":")[0]
    for line in _QUANTIFIERS.strip().splitlines()
    for word in line.partition(":")[2].split()
}
_LIMITING = frozenset({"only", "iff"})


def alteration(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """What the claim alters of what the passages say, in words; empty if nothing.

    Only passages that say nearly the same count; if one of their sentences says it without
    a change, nothing is altered.
    """
    reason = _foreign_formula(claimed, grounds) or _foreign_limit(claimed, grounds)
    if reason:
        return reason
    found: list[tuple[float, str]] = []
    for prepared in grounds:
        for window in _windows(prepared):
            laid = align(claimed.text, window)
            if laid.share >= NEAR and len(laid.said) >= 3:
                skipped = sum(len(change.stands) for change in laid.changes) / len(laid.said)
                likeness = laid.share + _common(laid.said, compared(window)) - skipped / 2
                found.append((likeness, _first(_alterations(laid, prepared))))
    if not found:
        return ""
    best = max(likeness for likeness, _ in found)
    closest = [reason for likeness, reason in found if likeness >= best - 0.05]
    return "" if "" in closest else closest[0]


def _common(said: Sequence[Token], tokens: Sequence[Token]) -> float:
    """The share of tokens that the others hold, in whatever order."""
    held = Counter(token.value for token in said) & Counter(token.value for token in tokens)
    return held.total() / len(said)


def _windows(prepared: Ground) -> Iterator[str]:
    """Each unit with what opens it, and with the unit behind it in the same block."""
    for index, unit in enumerate(prepared.units):
        lead = f"{unit.lead} " if unit.lead and unit.kind != "row" else ""
        yield lead + unit.text
        after = prepared.units[index + 1 : index + 2]
        if after and after[0].block == unit.block and unit.kind == "sentence":
            yield f"{unit.text} {after[0].text}"


def _first(reasons: Iterator[str]) -> str:
    return next(reasons, "")


def _alterations(laid: Aligned, prepared: Ground) -> Iterator[str]:
    yield from _signs(laid)
    opposites = [pair for change in laid.changes for pair in _opposites(change, laid)]
    # "Does not remove it" and "keeps it" are one: two turns give what was said.
    if len(opposites) != 1 or not _turned(laid):
        yield from _polarity(laid)
        for one, other in opposites:
            yield f"the cited passage says “{other.text}” where this says “{one.text}”"
    for change in laid.changes:
        yield from _replaced(change, laid)
    yield from exchanged(laid)
    yield from renamed(laid, prepared)


def _signs(laid: Aligned) -> Iterator[str]:
    """Signs of formulas that the passage does not have there."""
    for change in laid.changes:
        said = [token for token in change.said if token.kind == "sign"]
        stands = [token for token in change.stands if token.kind == "sign"]
        moved = len(said) < 3 and all(held(token, laid.said, laid.stands) for token in said)
        if said and not moved and (stands or _between_signs(change, laid)):
            yield f"the formula does not stand so in the cited passage ({shown(said)})"


def _between_signs(change: Change, laid: Aligned) -> bool:
    """Whether signs were put into a formula, not beside one."""
    place = place_of(change.said[0], laid)
    before = laid.said[place - 1 : place] if place else ()
    after = laid.said[place + len(change.said) : place + len(change.said) + 1]
    return any(t.kind == "sign" for t in before) and any(t.kind == "sign" for t in after)


def _turned(laid: Aligned) -> bool:
    """Whether one of the two has a negation more than pairs of them."""
    said = sum(token.value in _NEGATIONS for token in laid.said)
    stands = sum(token.value in _NEGATIONS for token in laid.stands)
    return said % 2 != stands % 2


def _opposites(change: Change, laid: Aligned) -> Iterator[tuple[Token, Token]]:
    """Words put in the place of their opposites."""
    for one in change.said:
        for other in change.stands:
            if are_opposite(one.text, other.text) and not (
                held(one, laid.said, laid.stands) and held(other, laid.stands, laid.said)
            ):
                yield one, other


def _polarity(laid: Aligned) -> Iterator[str]:
    if _turned(laid) and laid.share >= VERY_NEAR:
        yield "the cited passage says the opposite"
    limits = [
        {_class(token) for token in tokens} & _LIMITING for tokens in (laid.said, laid.stands)
    ]
    if laid.share >= VERY_NEAR and limits[0] - limits[1]:
        yield "the cited passage does not say that it is so only there"
    if laid.share >= VERY_NEAR and "only" in limits[1] - limits[0]:
        yield "the cited passage says so with a limit"


def _replaced(change: Change, laid: Aligned) -> Iterator[str]:
    """Numbers, places in an order, units, codes and quantifiers put for others."""
    for kind in ("number", "ordinal", "unit", "code"):
        said = [t for t in change.said if t.kind == kind and not held(t, laid.said, laid.stands)]
        stands = [
            t for t in change.stands if t.kind == kind and not held(t, laid.stands, laid.said)
        ]
        if said and stands:
            yield f"the cited passage has {shown(stands)} where this says {shown(said)}"
    if lost := _lost_unit(change, laid):
        yield f"the cited passage has {lost} where this says {shown(change.said)}"
    there = change.stands
    if len(there) > len(change.said):
        # Of a longer wording, what is said elsewhere in the sentence has only moved.
        there = tuple(t for t in there if not held(t, laid.stands, laid.said))
    classes = [{_class(token) for token in tokens} - {""} for tokens in (change.said, there)]
    if any(t.value in _NEGATIONS for t in change.said) and "all" in classes[1]:
        yield f"the cited passage says “{shown(change.stands)}” where this says the opposite"
    if classes[0] and classes[1] and not classes[0] & classes[1]:
        yield (
            f"the cited passage says “{shown(change.stands)}” where this says "
            f"“{shown(change.said)}”"
        )


def _lost_unit(change: Change, laid: Aligned) -> str:
    """The unit behind a number in whose place other words stand ("48 N" for "48 Nm"), or
    empty; numbers of the text that still have it do not count."""
    lost = [
        t for t in change.stands[:1] if t.kind == "unit" and not held(t, laid.stands, laid.said)
    ]
    return lost[0].text if lost and change.said and change.said[0].kind != "unit" else ""


def _foreign_formula(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """A formula of several signs that stands in no passage."""
    formulas = [
        (text, formula_signs(text)) for _, _, inside, text in segments(claimed.text) if inside
    ]
    wanted = [(text, signs) for text, signs in formulas if len(signs) >= 3]
    if not wanted:
        return ""
    held = [
        f" {' '.join(token.value for token in compared(prepared.text))} " for prepared in grounds
    ]
    for text, signs in wanted:
        if not any(f" {' '.join(signs)} " in signs_held for signs_held in held):
            return f"the formula {text.strip()} does not stand so in the cited passage"
    return ""


def _foreign_limit(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """An "only" where no passage has one, nor an "if and only if"."""
    limits = {_class(token) for token in compared(claimed.text)} & {"only"}
    known = {_class(token) for prepared in grounds for token in compared(prepared.text)}
    if not limits or known & _LIMITING:
        return ""
    return "the cited passage does not say that it is so only there"


def _class(token: Token) -> str:
    return _CLASS.get(token.text.casefold(), _CLASS.get(token.value, ""))
