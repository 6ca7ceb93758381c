"""Names put in another one's place: two that stand the other way round, one that the passage
uses elsewhere or does not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphrag.answering.claims import Ground
from graphrag.wording.alignment import Aligned, Change, Token, compared
from graphrag.wording.synonyms import mean_the_same

# Shares of the tokens that stand in both texts, each change counted as one token.
_ALIKE = 0.75
_WHOLE = 0.8
# A name has at most so many words.
_LONGEST = 5
_JOINING = frozenset({"and", "or", "with"})
# What holds of two things in either order.
_SYMMETRIC = frozenset(
    ["orthogon", "perpendicular", "parallel", "equal", "equival", "similar", "adjac", "opposit"]
)
# What stands before a noun; a verb or an adverb may have many wordings.
_DETERMINING = """
the a an of each every its this that these to in into with for by at from on no all both between
"""
_BEFORE_NAME = frozenset(_DETERMINING.split())


def exchanged(laid: Aligned) -> Iterator[str]:
    """Two names that stand in each other's place, or the same words in another order ("A from
    the B" for "B from the A").

    Pairs joined by "and" and phrases that only move are left, and so are two exchanges at
    once: then whole clauses have changed places.
    """
    if any(token.value in _SYMMETRIC for token in laid.said):
        return
    changes = laid.changes
    turned = [
        (one, other)
        for index, one in enumerate(changes)
        for other in changes[index + 1 :]
        if _meaning(one.said) & _meaning(other.stands)
        and _meaning(other.said) & _meaning(one.stands)
    ]
    if len(turned) > 1:
        return
    if turned and not _joined(*turned[0], laid):
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


def renamed(laid: Aligned, prepared: Ground) -> Iterator[str]:
    """A name put in another one's place: one that the passage uses elsewhere, or one that
    it does not know where a name stands; or a name that the passage does not know put in."""
    kept = laid.share * len(laid.said)
    if kept < _ALIKE * (kept + len(laid.changes)):
        return
    everywhere = {token.value for token in compared(prepared.text) if token.kind == "content"}
    for change in laid.changes:
        said = [token for token in new(change.said, laid.said, laid.stands) if _names(token)]
        stands = [token for token in new(change.stands, laid.stands, laid.said) if _names(token)]
        if not said or max(len(change.said), len(change.stands)) > _LONGEST:
            continue
        if not stands:
            put_in = not change.stands and _is_named(change, laid)
            if put_in and not any(token.value in everywhere for token in said):
                yield f"the cited passage does not say “{shown(said)}” there"
            continue
        if mean_the_same(said[-1].text, stands[-1].text) and len(said) == len(stands) == 1:
            continue
        alone = len(laid.changes) == 1 and kept >= _WHOLE * (kept + 1)
        if alone or any(t.value in everywhere for t in said) or _is_named(change, laid):
            yield f"the cited passage says “{shown(stands)}” where this says “{shown(said)}”"


def _names(token: Token) -> bool:
    return token.kind in ("content", "code")


def _is_named(change: Change, laid: Aligned) -> bool:
    """Whether a change stands where a name does: behind an article or a preposition, or
    alone in a table's cell."""
    place = place_of(change.said[0], laid)
    if change.said[0].kind == "content" and place:
        return laid.said[place - 1].value in _BEFORE_NAME
    return place == 0 or change.said[0].value in _BEFORE_NAME


def place_of(token: Token, laid: Aligned) -> int:
    """Where a token of the text stands in it."""
    return next(place for place, other in enumerate(laid.said) if other is token)


def new(tokens: Sequence[Token], own: Sequence[Token], others: Sequence[Token]) -> list[Token]:
    """The tokens that the others do not have as often."""
    return [token for token in tokens if not held(token, own, others)]


def held(token: Token, own: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether the others have the token as often."""
    mine = sum(token.value == other.value for other in own)
    return mine <= sum(token.value == other.value for other in tokens)


def shown(tokens: Sequence[Token]) -> str:
    """Tokens as they were written."""
    return " ".join(token.text for token in tokens)


def _meaning(tokens: Sequence[Token]) -> set[str]:
    return {token.value for token in tokens if token.kind in ("content", "code", "sign", "number")}
