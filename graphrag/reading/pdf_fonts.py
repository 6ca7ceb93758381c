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
_ALPHABETS = 0x1D400


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


def sign_of(code: int, font: Font) -> str:
    """The sign that a font has at a code, which is Unicode's or one of TeX's encodings."""
    if font.extension and code < len(_OMX):
        return _OMX[code]
    if font.symbols and code in _OMS:
        return _OMS[code]
    return _shown(code)


def _shown(code: int) -> str:
    """A character, a letter of the mathematical alphabets as the letter that it is, a piece
    of a tall delimiter as the whole."""
    if code in _PIECES:
        return _PIECES[code]
    text = chr(code) if code < 0x110000 else ""
    return unicodedata.normalize("NFKC", text) if code >= _ALPHABETS else text
