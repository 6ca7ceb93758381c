"""Whether a sentence alters what a passage says in nearly the same words.

Where most of a sentence stands word by word in a passage, each word that does not is a
change that must be accounted for: another number, sign, code or name, a negation or a
quantifier more or less, an opposite, two names exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from graphrag.answering.claims import Claim, Ground
from graphrag.answering.opposites import are_opposite
from graphrag.wording.alignment import Aligned, Change, Token, align, compared
from graphrag.wording.formulas import formula_signs, segments

# Shares of a sentence's tokens that stand in a passage in the same order.
NEAR = 0.6
VERY_NEAR = 0.75
COVERED = 0.7
_WHOLE = 0.8
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
_JOINING = frozenset({"and", "or", "with"})
# What stands before a noun; a verb or an adverb may have many wordings.
_DETERMINING = """
the a an of each every its this that these to in into with for by at from on no all both between
"""
_BEFORE_NAME = frozenset(_DETERMINING.split())


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
    yield from _polarity(laid)
    for change in laid.changes:
        yield from _replaced(change, laid)
    yield from _exchanged(laid)
    if laid.share >= VERY_NEAR:
        yield from _renamed(laid, prepared)


def _signs(laid: Aligned) -> Iterator[str]:
    """Signs of formulas that the passage does not have there."""
    for change in laid.changes:
        said = [token for token in change.said if token.kind == "sign"]
        stands = [token for token in change.stands if token.kind == "sign"]
        moved = len(said) < 3 and all(_held(token, laid.said, laid.stands) for token in said)
        if said and not moved and (stands or _between_signs(change, laid)):
            yield f"the formula does not stand so in the cited passage ({_shown(said)})"


def _between_signs(change: Change, laid: Aligned) -> bool:
    """Whether signs were put into a formula, not beside one."""
    place = next(i for i in range(len(laid.said)) if laid.said[i] is change.said[0])
    before = laid.said[place - 1 : place] if place else ()
    after = laid.said[place + len(change.said) : place + len(change.said) + 1]
    return any(t.kind == "sign" for t in before) and any(t.kind == "sign" for t in after)


def _polarity(laid: Aligned) -> Iterator[str]:
    said = sum(token.value in _NEGATIONS for token in laid.said)
    stands = sum(token.value in _NEGATIONS for token in laid.stands)
    if said % 2 != stands % 2 and laid.share >= VERY_NEAR:
        yield "the cited passage says the opposite"
    limits = [
        {_class(token) for token in tokens} & _LIMITING for tokens in (laid.said, laid.stands)
    ]
    if laid.share >= VERY_NEAR and limits[0] - limits[1]:
        yield "the cited passage does not say that it is so only there"
    if laid.share >= VERY_NEAR and "only" in limits[1] - limits[0]:
        yield "the cited passage says so with a limit"


def _replaced(change: Change, laid: Aligned) -> Iterator[str]:
    """Numbers, places in an order, units, codes, quantifiers and opposites put for others."""
    for kind in ("number", "ordinal", "unit", "code"):
        said = [t for t in change.said if t.kind == kind and not _held(t, laid.said, laid.stands)]
        stands = [
            t for t in change.stands if t.kind == kind and not _held(t, laid.stands, laid.said)
        ]
        if said and stands:
            yield f"the cited passage has {_shown(stands)} where this says {_shown(said)}"
    classes = [
        {_class(token) for token in tokens} - {""} for tokens in (change.said, change.stands)
    ]
    if classes[0] and classes[1] and not classes[0] & classes[1]:
        yield (
            f"the cited passage says “{_words(change.stands)}” where this says "
            f"“{_words(change.said)}”"
        )
    for one in change.said:
        for other in change.stands:
            if are_opposite(one.text, other.text) and not (
                _held(one, laid.said, laid.stands) and _held(other, laid.stands, laid.said)
            ):
                yield f"the cited passage says “{other.text}” where this says “{one.text}”"


def _measured(change: Change, laid: Aligned) -> bool:
    """Whether a change puts one short word for another behind a number: a unit."""
    if len(change.said) != 1 or not change.stands or len(change.said[0].text) > 4:
        return False
    place = next(i for i in range(len(laid.said)) if laid.said[i] is change.said[0])
    before = laid.said[place - 1] if place else None
    return before is not None and before.kind == "number" and before.text[0].isdigit()


def _exchanged(laid: Aligned) -> Iterator[str]:
    """Two names that stand in each other's place, or the same words in another order ("A from
    the B" for "B from the A"). Pairs joined by "and" and phrases that only move are left."""
    changes = laid.changes
    for index, one in enumerate(changes):
        for other in changes[index + 1 :]:
            moved = _meaning(one.said) & _meaning(other.stands)
            back = _meaning(other.said) & _meaning(one.stands)
            if moved and back and not _joined(one, other, laid):
                yield "the cited passage says it the other way round"
    here = [token.value for change in changes for token in change.said]
    there = [token.value for change in changes for token in change.stands]
    meant = {value for change in changes for value in _meaning(change.said)}
    if meant and here != there and sorted(here) == sorted(there) and not _and_only(changes):
        yield "the cited passage says it the other way round"


def _and_only(changes: Sequence[Change]) -> bool:
    """Whether only the parts of an "A and B" were exchanged."""
    return any(token.value in _JOINING for change in changes for token in change.said)


def _joined(one: Change, other: Change, laid: Aligned) -> bool:
    if not one.said or not other.said:
        return False
    places = {id(token): place for place, token in enumerate(laid.said)}
    between = laid.said[places[id(one.said[-1])] + 1 : places[id(other.said[0])]]
    return all(token.value in _JOINING for token in between)


def _renamed(laid: Aligned, prepared: Ground) -> Iterator[str]:
    """A name put in another one's place: one that the passage uses elsewhere, or one that
    it does not know where a name stands."""
    held = sum(token.value in {other.value for other in laid.said} for token in laid.stands)
    if held < COVERED * len(laid.stands):
        return
    elsewhere = {token.value for token in compared(prepared.text) if token.kind == "content"}
    for change in laid.changes:
        new = _new(change.said, laid.said, laid.stands)
        gone = _new(change.stands, laid.stands, laid.said)
        said = [token for token in new if token.kind == "content"]
        stands = [token for token in gone if token.kind == "content"]
        if not said or not stands or len(said) > 3 or len(stands) > 3:
            continue
        alone = len(laid.changes) == 1 and held >= _WHOLE * len(laid.stands)
        if alone or any(token.value in elsewhere for token in said) or _is_named(change, laid):
            yield f"the cited passage says “{_words(stands)}” where this says “{_words(said)}”"


def _is_named(change: Change, laid: Aligned) -> bool:
    """Whether a change stands where a name does: behind an article or a preposition."""
    place = next(i for i in range(len(laid.said)) if laid.said[i] is change.said[0])
    if change.said[0].kind == "content" and place:
        return laid.said[place - 1].value in _BEFORE_NAME
    return place == 0 or change.said[0].value in _BEFORE_NAME


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


def _new(tokens: Sequence[Token], own: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    """The tokens that the others do not have as often."""
    return [token for token in tokens if not _held(token, own, others)]


def _foreign_limit(claimed: Claim, grounds: Sequence[Ground]) -> str:
    """An "only" where no passage has one."""
    limits = {_class(token) for token in compared(claimed.text)} & {"only"}
    held = {_class(token) for prepared in grounds for token in compared(prepared.text)}
    return "" if limits <= held else "the cited passage does not say that it is so only there"


def _held(token: Token, own: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether the others have the token as often."""
    mine = sum(token.value == other.value for other in own)
    return mine <= sum(token.value == other.value for other in tokens)


def _meaning(tokens: Sequence[Token]) -> set[str]:
    return {token.value for token in tokens if token.kind in ("content", "code", "sign", "number")}


def _class(token: Token) -> str:
    return _CLASS.get(token.text.casefold(), _CLASS.get(token.value, ""))


def _shown(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _words(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)
