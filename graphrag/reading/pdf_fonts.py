"""What the names of a PDF's fonts tell: bold, italic, of fixed width, of mathematics."""

from __future__ import annotations

import ctypes
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pypdfium2.raw as pdfium_c

_FIXED_PITCH, _ITALIC = 1, 1 << 6
_MONO = (
    "mono",
    "courier",
    "consol",
    "typewriter",
    "cmtt",
    "cmitt",
    "cmsltt",
    "txtt",
    "sftt",
    "menlo",
    "inconsol",
    "code",
)
_MATH = (
    "cmmi", "cmmib", "cmsy", "cmbsy", "cmex", "msam", "msbm", "eufm", "eusm", "euex", "rsfs",
    "mtmi", "mtsy", "mtex", "txmi", "txsy", "txex", "rtxmi", "pxmi", "pxsy", "pxex", "stix",
    "opensymbol", "starsymbol", "symbol", "esint", "wasy", "stmary",
)  # fmt: skip
_EXTENSION = ("cmex", "mtex", "txex", "pxex", "euex", "lmmathext", "lmex")
_SYMBOLS = ("cmsy", "cmbsy", "mtsy", "txsy", "pxsy")
_OMX = (
    "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\"
    "()()[]⌊⌋⌈⌉{}⟨⟩/\\"
    "()[]⌊⌋⌈⌉{}⟨⟩/\\/\\"
    "()[][][]{}{}{}{|"
    "()()⟨⟩⊔⊔∮∮⊙⊙⊕⊕⊗⊗"
    "∑∏∫⋃⋂⊎⋀⋁∑∏∫⋃⋂⊎⋀⋁"
    "∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}"
    "√√√√√"
)
"""The large signs of TeX's extension encoding by their code, sixteen a line."""
_OMS = {
    **dict(zip(range(0x30, 0x3A), "′∞∈∋△▽/↦∀∃", strict=True)),
    **dict(zip(range(0x60, 0x7B), "⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡", strict=True)),
}
"""The signs of TeX's symbol encoding that have the codes of figures and small letters, which
fonts of that encoding lack."""
_PIECES = {
    first + i: sign
    for first, signs in (
        (0xF8EB, "((([[[{{{{"),
        (0xF8F6, ")))]]]}}}"),
        (0x239B, "((()))[[[]]]{{{{}}}"),
    )
    for i, sign in enumerate(signs)
}
_ALPHABETS, _LAST_ALPHABET = 0x1D400, 0x1D7FF
NO_CODE = -1
_FIRST_HALF, _SECOND_HALF = 0xD800 >> 10, 0xDC00 >> 10  # of a pair of UTF-16


@dataclass(frozen=True)
class Font:
    """A font's name in lower case, without the mark of a subset, and its flags."""

    name: str
    flags: int = 0

    @cached_property
    def bold(self) -> bool:
        return any(part in self.name for part in ("bold", "black")) or self.name.startswith(
            ("cmbx", "sfbx")
        )

    @cached_property
    def italic(self) -> bool:
        return "ital" in self.name or "obli" in self.name or bool(self.flags & _ITALIC)

    @cached_property
    def mono(self) -> bool:
        return bool(self.flags & _FIXED_PITCH) or any(part in self.name for part in _MONO)

    @cached_property
    def math(self) -> bool:
        """Whether it has the signs and letters of formulas."""
        return self.name.startswith(_MATH) or "math" in self.name

    @cached_property
    def extension(self) -> bool:
        """Whether it has TeX's large signs in TeX's own order."""
        return self.name.startswith(_EXTENSION)

    @cached_property
    def symbols(self) -> bool:
        """Whether it has TeX's symbols in TeX's own order."""
        return self.name.startswith(_SYMBOLS)


class Fonts:
    """The fonts of a text page (the raw handle of a ``PdfTextPage``), each made once."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._known: dict[tuple[bytes, int], Font] = {}

    def of(self, place: int) -> Font:
        """The font of a character, by its place in the text of the page."""
        self._name.value = b""
        pdfium_c.FPDFText_GetFontInfo(self.raw, place, self._name, 128, self._flags)
        key = (self._name.value, self._flags.value)
        if key not in self._known:
            name = key[0].decode("utf-8", "replace").lower()
            self._known[key] = Font(name.rpartition("+")[2], key[1])
        return self._known[key]


def code_at(raw: Any, place: int) -> int:
    """The Unicode of the character at a place in the text of a page. One beyond U+FFFF has two
    places, as in UTF-16: its code is that of the first, and the second has ``NO_CODE``."""
    code = int(pdfium_c.FPDFText_GetUnicode(raw, place))
    if code >> 10 == _FIRST_HALF:
        other = int(pdfium_c.FPDFText_GetUnicode(raw, place + 1))
        if other >> 10 == _SECOND_HALF:
            return 0x10000 + ((code & 0x3FF) << 10 | other & 0x3FF)
    return NO_CODE if code >> 11 == _FIRST_HALF >> 1 else code


def letter_of(code: int) -> str:
    """A character; a letter of the mathematical alphabets (𝑥, 𝐯) as the letter that it is."""
    text = chr(code) if 0 < code < 0x110000 else ""
    return unicodedata.normalize("NFKC", text) if _ALPHABETS <= code <= _LAST_ALPHABET else text


def sign_of(code: int, font: Font) -> str:
    """The sign that a font has at a code, which is Unicode's or one of TeX's encodings; for a
    piece of a tall delimiter the whole."""
    if font.extension and code < len(_OMX):
        return _OMX[code]
    if font.symbols and code in _OMS:
        return _OMS[code]
    return _PIECES.get(code) or letter_of(code)
