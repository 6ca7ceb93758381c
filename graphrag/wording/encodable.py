"""Text that can leave Python: a file name or a terminal may bring in half a letter."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text with U+FFFD for each lone surrogate; of the same length."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
