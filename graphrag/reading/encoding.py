"""Bytes to text: byte order marks, UTF-8, then an educated guess."""

from __future__ import annotations

import codecs
import re

from graphrag.errors import ReadingError
from graphrag.reading.language import detect_language

_SAMPLE = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")
_MARK_IN_WORD = re.compile(r"[^\W\d_][\u00a1-\u00b4\u00b6-\u00bf\u00d7\u00f7][^\W\d_]")
_OTHER_LATIN = ("pl", "cs", "tr")
_INSIDE = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[a-z])")
_HIGH = re.compile(rb"[\x80-\xff]")
_DRAWN = re.compile(rb"([\xc4\xcd\xdb\xb0-\xb2])\1{7}")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_LATIN = re.compile(r"[\u00a0-\u024f\u2010-\u2044\u20ac\u2122\u0192\u02c6\u02dc]*\Z")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of a file; a byte that fits nothing becomes U+FFFD.

    ``declared`` is an encoding that the content itself names; a wrong one is passed over.
    Raises ReadingError for binary content.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    if declared and (text := _attempt(data, declared)) is not None:
        return text
    if (wide := _wide_encoding(data)) is not None:
        return data.decode(wide, "replace")
    if _ISO_2022_JP.search(data[:_SAMPLE]) and (text := _attempt(data, "iso2022_jp")) is not None:
        return text
    if is_binary(data):
        raise ReadingError("binary content, not text")
    if (text := _attempt(data, "utf-8")) is not None:
        return text
    return _guess(data)


def is_binary(data: bytes) -> bool:
    """Whether the first 64 KiB hold more control bytes than a text ever does (1 %)."""
    sample = data[:_SAMPLE]
    if any(sample.startswith(mark) for mark, _ in _MARKS) or _wide_encoding(sample):
        return False
    return len(_CONTROLS.findall(sample)) * 100 > len(sample)


def _attempt(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError, ValueError):
        return None


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    sample = data[: _SAMPLE & ~1]
    if len(sample) < 4:
        return None
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.7 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd")
    if broken * 10 <= len(re.findall(r"[^\x00-\x7f\ufffd]", mended)):
        return mended
    if older := _older(data):
        return data.decode(older, "replace")
    # Few high bytes, all of them Western letters or marks: a detector would only guess.
    western = _attempt(data, "cp1252")
    high = "".join(c for c in western or "" if c > "\x7f")
    is_western = western is not None and bool(_LATIN.match(high))
    if western is not None and is_western and len(high) * 8 < len(data):
        return western
    # Loaded for the few files that are in none of the common encodings.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE]).best()
    guessed = data.decode(best.encoding if best is not None else "cp1252", "replace")
    if western is not None and is_western and _has_western_words(western, guessed):
        return western
    return guessed


def _older(data: bytes) -> str:
    """The encoding of DOS (cp437) or of old Macintoshes, where that and not Windows' makes
    small letters of the bytes inside of words, or where lines are drawn as DOS draws them."""
    sample = data[:_SAMPLE]
    inside = b"".join(_INSIDE.findall(sample))
    small = {
        encoding: sum(letter.islower() for letter in inside.decode(encoding, "replace"))
        for encoding in ("cp1252", "cp437", "mac_roman")
    }
    best = max(small, key=lambda encoding: small[encoding])
    few = len(_HIGH.findall(sample)) * 5 < len(sample)
    if few and small["cp1252"] * 2 < len(inside) and small[best] * 10 >= len(inside) * 9:
        return best
    return "cp437" if not inside and _DRAWN.search(sample) else ""


def _has_western_words(western: str, guessed: str) -> bool:
    """Whether of two readings of a short text the Western one is to be believed: its marks
    stand beside words, not in them, and the other one is of Latin letters too, in no
    language that would need them."""
    if _MARK_IN_WORD.search(western) or re.search(r"[^\x00-\u024f\u2000-\u2122]", guessed):
        return False
    return detect_language(guessed) not in _OTHER_LATIN
