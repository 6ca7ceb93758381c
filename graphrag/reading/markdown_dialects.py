"""What Obsidian, MkDocs, Hugo, Jekyll, GitLab and MDX add to Markdown, put in common form or
taken out where a page does not show it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})")
_UNSEEN_LINE = re.compile(
    r"\s*(?:\[TOC\]|\[\[_TOC_\]\]|-{1,3}8<-{1,3}.*|\{% (?:end)?raw %\}|\{:[^{}]{0,200}\}"
    r")\s*",
    re.IGNORECASE,
)
_IMPORT = re.compile(r"import (?:[\w*{}, $]{1,200} from )?['\"][\w./@-]{1,200}['\"];?[ \t]*")
_COMPONENT = re.compile(r"<[A-Z][A-Za-z]{0,60}[\s/>]")
_TAB = re.compile(r"([ \t]*)={3}[!+]?[ \t]+[\"'](.{1,100})[\"'][ \t]*")
_HIGHLIGHT = re.compile(
    r"[ \t]*\{%-? *(?:(highlight)[ \t]+([\w+#-]{1,30})[^%]{0,60}|endhighlight) *-?%\}[ \t]*"
)
_FORMULAS = (
    (re.compile(r"\$`([^`$\n]{1,500})`\$"), r"$\1$"),  # of GitLab
    (re.compile(r"\\\\\((.{1,500}?)\\\\\)"), r"$\1$"),  # for MathJax
)
_UNSEEN = (
    (re.compile(r"\{\{[<%](?!/\*)[^{}]{0,300}[%>]\}\}"), ""),  # a shortcode of Hugo
    (re.compile(r"\{/\*.{0,500}?\*/\}|%%[^%\n]{1,500}%%"), ""),  # a comment of MDX, of Obsidian
    (re.compile(r"(?<=\S)[ \t]\^[a-z0-9][a-z0-9-]{2,40}[ \t]*\Z"), ""),  # the id of a block
)
_MARKED = re.compile(r"(?<![=\w])==([^=\s`](?:[^=`\n]{0,300}[^=\s`])?)==(?![=\w])")
_INDENT = 4
_OPENED = "{%"
"""In place of a fence: code that a tag of Jekyll opened."""


def in_common_form(text: str) -> str:
    """The text without what no reader of the page sees, its tabs under their names; code stays
    as it is."""
    return "\n".join(_lines(text.split("\n"), is_mdx=_COMPONENT.search(text) is not None))


def box_title(title: str) -> str:
    """A line that opens the paragraph below it with the title of a box or a tab."""
    return f'<p class="admonition-title">{html.escape(title)}</p>'


def _lines(lines: list[str], *, is_mdx: bool) -> Iterator[str]:
    fence = ""
    comment = False
    last = max((at for at, line in enumerate(lines) if line.strip() == "%%"), default=-1)
    tab: int | None = None
    for at, line in enumerate(lines):
        if tab is not None and line.strip():
            indent = len(line) - len(line.lstrip(" \t"))
            tab = tab if indent > tab else None
        if tab is not None:
            line = line[min(_INDENT, len(line) - len(line.lstrip(" "))) :]
        highlight = _HIGHLIGHT.fullmatch(line)
        found = _FENCE.match(line)
        if highlight and fence in ("", _OPENED):
            fence = _OPENED if highlight[1] else ""
            yield f"```{highlight[2] or ''}"
        elif found or fence:
            mark = found[1] if found else ""
            if not fence:
                fence = mark
            elif fence != _OPENED and mark.startswith(fence) and not line.strip().strip(mark[:1]):
                fence = ""
            yield line
        elif comment or (line.strip() == "%%" and at < last):
            comment = comment != (line.strip() == "%%")
        elif found := _TAB.fullmatch(line):
            tab = len(found[1])
            yield from ("", f"{found[1]}{box_title(found[2])}", "")
        elif not (_UNSEEN_LINE.fullmatch(line) or (is_mdx and _IMPORT.fullmatch(line))):
            yield _inline(line)


def _inline(line: str) -> str:
    if line.startswith(("    ", "\t")):  # code, or a deeper line of a list
        return line
    for pattern, shown in _FORMULAS:
        line = pattern.sub(shown, line)
    if "`" in line:  # code, maybe of these very marks
        return line
    for pattern, shown in _UNSEEN:
        line = pattern.sub(shown, line)
    return _MARKED.sub(r"\1", line)
