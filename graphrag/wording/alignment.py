"""Two texts laid side by side, word by word, to see what one says otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal

from graphrag.tokens import fold, tokenize
from graphrag.wording.formulas import formula_signs, segments
from graphrag.wording.numbers import ORDINALS, SPELLED, unit_of
from graphrag.wording.terms import content_words

Kind = Literal["word", "content", "number", "ordinal", "unit", "sign", "code", "mark"]

_PIECE = re.compile(
    r"(?P<code>[A-Za-z]{2,}\w*(?:[._]\w*[A-Za-z]{2,}\w*)+|(?=[\w./:-]*\d)(?=[\w./:-]*[A-Za-z_])[A-Za-z0-9]\w*(?:[./:-]\w+)*"
    r"|\d+(?:[-:.]\d+){2,}|\d{2,}-\d{2,}|\d{1,2}:\d\d)"
    r"|(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"|(?P<sign>(?<=[\])] )(?:[=!<>]=|[-+*/=<>])(?= [\w(\[]))"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)|(?P<unit>%|°[CF]?)|(?P<mark>[.,;:!?|()–—])"
)
_COMPACT = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z%°]+)$")
_PHRASES = [
    (r"\bat least\b|\ba minimum of\b", "atleast"),
    (r"\bat most\b|\ba maximum of\b", "atmost"),
    (r"\bif and only if\b|\b(?:exactly|precisely|just) (?:when|if)\b|\biff\b", "iff"),
    (r"\bnot (?:less|fewer) than\b|\bno (?:less|fewer) than\b", "atleast"),
    (r"\b(?:not|no) more than\b|\bup to\b", "atmost"),
    # "Nobody talks to the press except the manager": only the manager does.
    (r"\b(?:nobody|no one|none|nothing)\b(?=[^.;:]{0,120}\b(?:except|but)\b)", "only"),
    # "It alone is not enough" limits nothing.
    (r"\balone (?=(?:is|are|does|do|can) ?n['’o]t\b)", ""),
    (r"\bcan ?not\b|\bcan['’]t\b", "can not"),
    (r"n['’]t\b", " not"),
    (r"\b(?:has|have|had) to\b|\b(?:is|are) required to\b", "must"),
    (r"\b(?:is|are) allowed to\b", "may"),
]
_VERBS = {"has": "have", "had": "have", "is": "are", "doe": "do", "does": "do"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign of a text, in the spelling by which it is compared."""

    value: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What a text says (``said``) where the other has something else (``stands``); one of
    them may be empty."""

    said: tuple[Token, ...]
    stands: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Aligned:
    """``share`` of the text's tokens that stand in the other in the same order, the changes
    between, and the stretch of the other that the text covers."""

    share: float
    changes: tuple[Change, ...]
    said: tuple[Token, ...]
    stands: tuple[Token, ...]


@lru_cache(maxsize=4096)
def compared(text: str) -> tuple[Token, ...]:
    """The tokens of a text; formulas give one token a sign."""
    text = text.replace("**", "").replace("`", "")
    found: list[Token] = []
    for _, _, is_formula, inside in segments(text):
        if is_formula:
            found += [Token(sign, "sign", sign) for sign in formula_signs(inside)]
        else:
            found += _prose(inside)
    return tuple(found)


def plain_phrases(text: str) -> str:
    """A text with one wording for each limit and modal phrase, contractions written out."""
    for pattern, plain in _PHRASES:
        text = re.sub(pattern, plain, text, flags=re.IGNORECASE)
    return text


def _prose(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _PIECE.finditer(plain_phrases(text)):
        said = match.group()
        compact = _COMPACT.match(said) if match.lastgroup == "code" else None
        if compact and (unit := unit_of(compact.group(2))):
            found += [_number(compact.group(1)), Token(unit, "unit", compact.group(2))]
            continue
        if len(said) == 1 and said.isalpha() and _is_symbol(said, found):
            found.append(Token(said, "sign", said))
            continue
        after_number = bool(found) and found[-1].kind == "number"
        found.append(_token(said, match.lastgroup or "word", after_number))
    return found


def _is_symbol(letter: str, before: Sequence[Token]) -> bool:
    """A lone letter that is no article: "x", and "A" within a sentence."""
    opens = not before or before[-1].kind == "mark"
    return letter.casefold() not in ("a", "i") or (letter == "A" and not opens)


def _token(said: str, group: str, after_number: bool) -> Token:
    if group == "code":
        return Token(fold(said), "code", said)
    if group == "number":
        return _number(said)
    if group == "mark":
        return Token(said, "mark", said)
    if group == "sign":
        return Token(said, "sign", said)
    word = fold(said)
    if (after_number or group == "unit") and (unit := unit_of(said)):
        return Token(unit, "unit", said)
    if word in SPELLED:
        return Token(SPELLED[word], "number", said)
    if word in ORDINALS:
        return Token(ORDINALS[word], "ordinal", said)
    terms = tokenize(_plural(word))
    kind: Kind = "content" if content_words(said) else "word"
    value = terms[-1] if terms and "-" not in said else word
    return Token(_VERBS.get(value, value), kind, said)


def _plural(word: str) -> str:
    """A word of Greek or Latin form in its plural, so that both numbers meet."""
    if word.endswith(("ix", "ex")):
        return f"{word[:-2]}ices"
    return f"{word[:-2]}es" if word.endswith("sis") else word


def _number(said: str) -> Token:
    value = said.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", said) else said
    value = value.replace(",", ".")
    if "." in value:
        value = value.rstrip("0").rstrip(".")
    return Token(value, "number", said)


def align(text: str, other: str) -> Aligned:
    """Lay a text beside another. What the other has before and behind counts no further
    than the last mark."""
    said = tuple(token for token in compared(text) if token.kind != "mark")
    full = compared(other)
    stands = [token for token in full if token.kind != "mark"]
    matcher = SequenceMatcher(
        None, [token.value for token in said], [token.value for token in stands], autojunk=False
    )
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks or not said:
        return Aligned(0.0, (), said, ())
    ends = (blocks[0].a, len(said) - blocks[-1].a - blocks[-1].size)
    first, last = _widened(full, (blocks[0].b, blocks[-1].b + blocks[-1].size), ends)
    changes = []
    for name, a, b, c, d in matcher.get_opcodes():
        if name == "equal":
            continue
        there = tuple(stands[max(c, first) : min(d, last)]) if c < last and d > first else ()
        here = tuple(said[a:b])
        if here or there:
            changes.append(Change(here, there))
    share = sum(block.size for block in blocks) / len(said)
    return Aligned(share, tuple(changes), said, tuple(stands[first:last]))


def _widened(
    full: Sequence[Token], matched: tuple[int, int], ends: tuple[int, int]
) -> tuple[int, int]:
    """The stretch with what belongs to it on each side: three tokens up to the next mark,
    and where the text itself has ``ends`` tokens more, as many, up to the sentence's end."""
    places = [index for index, token in enumerate(full) if token.kind != "mark"]

    def open_between(one: int, other: int, taken: int, more: int) -> bool:
        between = [token.value for token in full[places[one] + 1 : places[other]]]
        if not between:
            return taken < max(3, more + 1)
        return taken < more + bool(more) and not set(between) & set(".;?!")

    first, last = matched
    while first > 0 and open_between(first - 1, first, matched[0] - first, ends[0]):
        first -= 1
    while last < len(places) and open_between(last - 1, last, last - matched[1], ends[1]):
        last += 1
    return first, last
