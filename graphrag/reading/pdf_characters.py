"""The characters of a PDF's words as text: ligatures, accents and powers."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pypdfium2.raw as pdfium_c

from graphrag.reading.pdf_fonts import Fonts, letter_of, sign_of

_LIGATURES = {
    "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
}  # fmt: skip
# Fonts of dots (Type 3) tell no names: these are the places of TeX's encodings T1 and OT1.
_PLACES = {
    "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl",
    "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl",
}  # fmt: skip
_ACCENTS = {
    "´": "\u0301", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˘": "\u0306",
    "¯": "\u0304", "˙": "\u0307", "˝": "\u030b", "¸": "\u0327", "˚": "\u030a",
}  # fmt: skip
_ACCENTED = re.compile(rf"([{''.join(_ACCENTS)}])([^\W\d_])")
_SLASH = "\u0338"
_STRUCK = re.compile(rf"{_SLASH}([=<>≤≥∈∋⊂⊃⊆⊇≡∼≈∥∣∃→⇒])")
_MINUS = "−-–"
_PRIME = "′"
_NOTES = re.compile(r"\d+(?:,\d+)*")
_OPENS_NOTE = re.compile(r"\d{1,3}(?=[^\W\d_]{3})")
_SMALLER, _RAISED = 0.85, 0.15


def word_text(fonts: Fonts, codes: Sequence[int], first: int) -> str:
    """The text of a word by its characters, the first of which has the place ``first`` in the
    text of its page; a power within it as ``^2`` or ``^{-2}``."""
    text = "".join(map(letter_of, codes))
    font = fonts.of(first)
    if font.symbols and text:
        text = sign_of(ord(text[0]), font) + text[1:]
    if len(text) > 1 and any(sign.isdigit() or sign in _MINUS for sign in text):
        places = [first + i for i, code in enumerate(codes) if letter_of(code)]
        if len(places) == len(text):
            text = _with_powers(fonts, text, places)
    return mended(text)


def mended(text: str) -> str:
    """The text with its ligatures and old fonts' accents as letters."""
    is_word = sum(map(str.isalpha, text)) > 3
    text = "".join(_LIGATURES.get(c) or (_PLACES.get(c, c) if is_word else c) for c in text)
    text = _STRUCK.sub(lambda found: unicodedata.normalize("NFC", found[1] + _SLASH), text)
    return _ACCENTED.sub(_accented, text) if is_word else text


def _with_powers(fonts: Fonts, text: str, at: Sequence[int]) -> str:
    """The text, whose characters have the places ``at``, with what is small and raised as a
    power. So is the mark of a note: ``miller4`` would be another word, or a code; the small
    number that opens the note stands apart. What else is raised behind a word of prose stays
    as it is."""
    raw = fonts.raw
    sizes = [pdfium_c.FPDFText_GetFontSize(raw, place) for place in at]
    if (opening := _OPENS_NOTE.match(text)) and sizes[0] < _SMALLER * sizes[opening.end()]:
        return f"{opening[0]} {text[opening.end() :]}"
    if min(sizes) >= _SMALLER * sizes[0]:
        return text
    line = _height(raw, at[0])
    raised = [
        size < _SMALLER * sizes[0] and _height(raw, place) > line + _RAISED * sizes[0]
        for size, place in zip(sizes, at, strict=True)
    ]
    shown = ""
    for is_power, run in groupby(range(len(text)), key=raised.__getitem__):
        places = list(run)
        part = text[places[0] : places[-1] + 1]
        if is_power:
            part = "".join(sign_of(ord(text[i]), fonts.of(at[i])) for i in places)
        is_number = _NOTES.fullmatch(part) is not None
        if (
            is_power
            and part.strip(_PRIME)
            and (is_number or _takes_power(fonts, shown, at[places[0] - 1]))
        ):
            part = f"^{part}" if len(part) == 1 else f"^{{{part}}}"
        shown += part
    return shown


def _takes_power(fonts: Fonts, base: str, place: int) -> bool:
    """Whether a base, whose last character has that place, is no word of prose."""
    letters = re.search(r"[^\W\d_]*$", base)
    is_prose = letters is not None and len(letters[0]) > 2 and not fonts.of(place).math
    return not is_prose and (base[-1].isalnum() or base[-1] in ")]}")


def _height(raw: Any, place: int) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(raw, place, x, y)
    return y.value


def _accented(found: re.Match[str]) -> str:
    """A letter with the accent that old fonts set before it as a sign of its own."""
    letter = {"ı": "i", "ȷ": "j"}.get(found[2], found[2])
    return unicodedata.normalize("NFC", letter + _ACCENTS[found[1]])
