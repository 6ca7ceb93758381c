"""Text files that are written in AsciiDoc, as Git's manuals are, though their names end in .txt."""

from __future__ import annotations

import re

_SAMPLE = 1 << 16
_LEAST = 3
# What stands in AsciiDoc and hardly in any other text, one kind a line.
_SIGNS = tuple(
    re.compile(sign, re.MULTILINE)
    for sign in (
        r"^\+$",
        r"^\[\[[\w.-]{1,80}\]\]$",
        r"^(?:include|image|ifdef|ifndef|endif)::[^\[\n]{0,200}\[[^\]\n]{0,200}\]$",
        r"^\[(?:verse|quote|source|listing|horizontal|NOTE|TIP|WARNING|IMPORTANT|CAUTION)\b"
        r"[^\]\n]{0,200}\]$",
        r"\b(?:link|linkgit|xref):[^\s\[\]]{1,200}\[",
    )
)
_FORM = re.compile(r"^(?:\S.{0,200}::|={1,5} \S.{0,200}|[=\-~]{4,})$", re.MULTILINE)


def is_asciidoc(text: str) -> bool:
    """Whether the text has three or more signs of AsciiDoc beside a term or heading of it."""
    sample = text[:_SAMPLE]
    found = sum(len(sign.findall(sample)) for sign in _SIGNS)
    return found >= _LEAST and _FORM.search(sample) is not None
