"""Text of documents and models made safe to print on a terminal."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # operating system commands: titles, links, clipboard
    r"|\x1b[PX^_].*?(?:\x1b\\|$)"  # device control, application and privacy strings
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor, erase
    r"|\x9b[0-?]*[ -/]*[@-~]"  # the same with the 8-bit introducer
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Characters that reorder or hide what is read: "Trojan source".
_INVISIBLE = re.compile(
    r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def printable(text: str) -> str:
    """The text without terminal escapes, control codes and direction overrides.

    Line feeds and tabs stay; a carriage return becomes a line feed, so that nothing that
    was printed can be overwritten. Lone surrogates become the replacement character.
    """
    text = text.replace("\r\n", "\n")
    text = _ESCAPES.sub("", text).replace("\r", "\n")
    text = _INVISIBLE.sub("", _CONTROL.sub("", text))
    return text.encode("utf-8", "replace").decode("utf-8")


def escaped_json(text: str) -> str:
    """JSON text with control codes and direction overrides written as ``\\uXXXX``: the same
    value, and nothing in it commands the terminal that it is printed on."""
    return _INVISIBLE.sub(_escape, _CONTROL.sub(_escape, text))


def _escape(found: re.Match[str]) -> str:
    units = found.group().encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
