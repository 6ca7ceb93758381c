"""Signs of the fonts Symbol and Wingdings, which documents name by their place in the font."""

from __future__ import annotations

from types import MappingProxyType

_GREEK = dict(zip("abgdezhqiklmnxoprstufcywABGDEZHQIKLMNXOPRSTUFCYW",
                  "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True))  # fmt: skip
_SYMBOL = {
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°",
    0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡",
    0xBB: "≈", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇",
    0xD6: "√", 0xD7: "⋅", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
    0x22: "∀", 0x24: "∃", 0x2D: "−", 0x40: "≅", 0x7E: "∼",
}  # fmt: skip
_WINGDINGS = {
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0xA8: "☐", 0x6F: "☐", 0xE0: "→", 0xDF: "←",
    0xE8: "→", 0xA7: "▪", 0x6C: "●", 0x6E: "■",
}  # fmt: skip
_FONTS = MappingProxyType({"symbol": _SYMBOL, "wingdings": _WINGDINGS})


def sign_of(font: str, code: str) -> str:
    """The sign at a place (hexadecimal) of a font; nothing where it is not known.

    Word puts such places at U+F000 and above. Sources: Adobe's symbol encoding, and the
    Unicode counterparts of Wingdings.
    """
    try:
        place = int(code, 16) & 0xFF
    except ValueError:
        return ""
    signs = _FONTS.get(font.strip().lower())
    if signs is None:
        return ""
    letter = _GREEK.get(chr(place), "") if signs is _SYMBOL else ""
    return letter or signs.get(place, "")
