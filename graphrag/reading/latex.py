"""LaTeX: sections, paragraphs, lists, tables, code and formulas of articles and books."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.encoding import decode
from graphrag.reading.inline import Run, clean
from graphrag.reading.latex_inline import (
    KNOWN,
    argument,
    inline_runs,
    past_options,
    plain,
    without_comments,
)
from graphrag.reading.latex_macros import with_macros_expanded
from graphrag.reading.names import names

_LEVELS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5,
    "subparagraph": 6, "frametitle": 4,
}  # fmt: skip
_FORMULAS = names(
    "equation equation* align align* gather gather* multline multline* eqnarray eqnarray* "
    "displaymath math flalign flalign* alignat alignat* dmath dmath*"
)
_CODE = names("verbatim lstlisting minted Verbatim alltt verbatim* code Highlighting")
_LISTS = names("itemize enumerate description compactitem compactenum")
_TABLES = names("tabular tabularx tabular* longtable tabulary array")
_SKIPPED = names(
    "tikzpicture comment thebibliography picture filecontents filecontents* pgfpicture"
)
_QUOTES = names("quote quotation verse displayquote")
_THEOREM = re.compile(
    r"\\newtheorem\*?\s*\{([A-Za-z]{1,40}\*?)\}\s*(?:\[\w{0,40}\])?\s*\{([^{}]{1,80})\}"
)
_SIZED = {
    "minipage": 1, "multicols": 1, "multicols*": 1, "subfigure": 1, "column": 1, "wrapfigure": 2,
    "adjustbox": 1, "spacing": 1, "otherlanguage": 1, "otherlanguage*": 1,
}  # fmt: skip
"""Environments with arguments that are no text, and how many."""
_OWN = names("begin end item caption par") | frozenset(_LEVELS) | KNOWN
_LABELLED = names(
    "theorem lemma proposition corollary definition example remark proof exercise problem axiom "
    "conjecture claim fact note solution abstract"
)
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<begin>[A-Za-z]{1,30}\*?)\}|\\end\s*\{(?P<end>[A-Za-z]{1,30}\*?)\}"
    r"|\\(?P<section>part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|frametitle)"
    r"\*?\s*+(?:\[[^\]]{0,300}\])?\s*+(?=\{)"
    r"|\\item\b\s*(?:\[(?P<item>(?:[^\[\]]|\[[^\]]{0,100}\]){0,300})\])?"
    r"|(?P<display>\\\[|\$\$)|(?P<blank>\n[ \t]*\n\s*)"
    r"|\\(?P<caption>caption)\*?\s*+(?:\[[^\]]{0,300}\])?\s*+(?=\{)"
)
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|centering)\b"
    r"|\\noalign\s*\{\}|\\(?:cline|cmidrule)(?:\([^()]{0,100}\))?\{[^{}]{0,100}\}"
)
# A long table has its head twice, for the first page and for the others.
_REPEATED_HEAD = re.compile(r"\\endfirsthead\b(?:(?!\\endhead\b).){0,3000}\\endhead\b", re.DOTALL)
_COLOURED = re.compile(
    r"\\(?:[A-Za-z]{1,30}Tok|textcolor(?:\[\w{0,10}\])?\{[^{}]{0,60}\})"
    r"\{((?:[^{}\\]|\\.|\{[^{}]?\}){0,2000})\}"
)
_ESCAPED = re.compile(r"\\([#$%&_{}])|\{(-|'|`|\")\}")
_CAPTION = re.compile(r"\\caption\*?\s*+(?:\[[^\]]{0,300}\])?\s*+(?=\{)")
_NOTE = re.compile(r"\\footnote(?:text)?\s*+(?:\[\w{0,10}\])?(?=\{)")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_SIGN = re.compile(r"\$\\[A-Za-z]{1,30}\$|[\W_]*")
"""A label that is a bullet of its own: ``$\\square$``, ``--``."""
_OPTION = re.compile(r"\s*\[((?:[^\[\]]|\[[^\]]{0,200}\]){0,500})\]")
_BOX_TITLE = re.compile(r"(?:^|,)\s*title\s*=\s*(?:\{([^{}]{1,200})\}|([^,{}]{1,200}))")
_LANGUAGE = re.compile(r"language\s*=\s*\{?([\w+#]+)", re.IGNORECASE)


def read_latex(content: bytes, name: str) -> Draft:
    """A LaTeX file; title, author and date of its preamble are metadata. Its own macros are
    expanded within bounds, and nothing is included."""
    written = _without_switched_off(clean(decode(content)))
    text = with_macros_expanded(without_comments(written), _OWN)
    start = text.find(r"\begin{document}")
    preamble, body = (text[:start], text[start + 16 :]) if start >= 0 else (text[:20_000], text)
    stop = body.find(r"\end{document}")
    theorems = {name: name.capitalize() for name in _LABELLED}
    theorems.update(_THEOREM.findall(preamble))
    reader = _Reader(DocumentBuilder(), theorems)
    reader.read(body[:stop] if stop >= 0 else body)
    head = preamble + body[:5000]
    found = {key: _command(head, key) for key in ("title", "author", "date")}
    title = found.pop("title")
    metadata = {key: value for key, value in found.items() if value}
    return reader.builder.build(title=title, fallback_title=name, metadata=metadata)


def _without_switched_off(text: str) -> str:
    """The text without what stands between ``\\iffalse`` and ``\\fi``."""
    pieces = []
    position = 0
    while (start := text.find(r"\iffalse", position)) >= 0:
        stop = text.find(r"\fi", start + 8)
        if stop < 0:
            break
        pieces.append(text[position:start])
        position = stop + 3
    return "".join([*pieces, text[position:]])


def _command(text: str, name: str) -> str:
    found = re.search(rf"\\{name}\s*+(?:\[[^\]]{{0,200}}\])?\s*+(?=\{{)", text)
    if not found:
        return ""
    value, _ = argument(text, found.end())
    value = re.sub(r"\\(?:thanks|footnote)\s*\{[^{}]*\}", "", value)
    return plain(re.sub(r"\s*\\(?:and|AND|And)\b", ";", value)) if r"\today" not in value else ""


@dataclass(slots=True)
class _Reader:
    """Reads a body token by token; what waits becomes a paragraph at the next one."""

    builder: DocumentBuilder
    theorems: Mapping[str, str]
    waiting: list[str] = field(default_factory=list)
    lists: list[tuple[str, int]] = field(default_factory=list)
    items: list[ListItem] = field(default_factory=list)
    marker: str = ""
    label: list[Run] = field(default_factory=list)
    quotes: int = 0
    unclosed: set[str] = field(default_factory=set)

    def read(self, text: str) -> None:
        text = _with_whole_notes(text)
        position = 0
        while found := _TOKEN.search(text, position):
            self.waiting.append(text[position : found.start()])
            position = self._token(text, found)
        self.waiting.append(text[position:])
        self._flush()
        self._end_list()

    def _token(self, text: str, found: re.Match[str]) -> int:
        """Act on a token; gives where reading goes on."""
        if found["begin"]:
            return self._begin(text, found["begin"], found.end())
        if found["end"]:
            self._end(found["end"])
        elif found["section"] or found["caption"]:
            value, stop = argument(text, found.end())
            self._flush()
            self._end_list()
            if found["section"]:
                self.builder.add_heading(_LEVELS[found["section"]], inline_runs(value))
            else:
                self.builder.add_paragraph(inline_runs(value))
            return stop
        elif found["display"]:
            closing = r"\]" if found["display"] == r"\[" else "$$"
            stop = -1 if closing in self.unclosed else text.find(closing, found.end())
            if stop < 0:
                # Looked for once: each search costs the rest of the text.
                self.unclosed.add(closing)
                return found.end()
            self._formula(text[found.end() : stop])
            return stop + 2
        elif found["blank"]:
            self._flush()
        else:
            self._item(found["item"])
        return found.end()

    def _begin(self, text: str, name: str, position: int) -> int:
        verbatim = name in _FORMULAS or name in _CODE or name in _TABLES or name in _SKIPPED
        if verbatim:
            closing = f"\\end{{{name}}}"
            stop = text.find(closing, position)
            stop = stop if stop >= 0 else len(text)
            self._verbatim(name, text[position:stop])
            return min(stop + len(closing), len(text))
        self._flush()
        option = _OPTION.match(text, position)
        if name in _LISTS:
            self.lists.append((name, 0))
        elif name in _QUOTES:
            self.quotes += 1
        elif name in self.theorems:
            shown = f" ({plain(option[1])})" if option else ""
            self.label = [Run(f"{plain(self.theorems[name])}{shown}", bool(option)), Run(": ")]
        elif option and (title := _BOX_TITLE.search(option[1])):
            self.label = [Run(plain(title[1] or title[2])), Run(": ")]
        position = option.end() if option else position
        if name in ("frame", "block", "alertblock", "exampleblock"):
            return self._open_titled(text, name, past_options(text, position))
        for _ in range(_SIZED.get(name, 0)):
            position = past_options(text, position)
            _, position = argument(text, position)
        return position

    def _open_titled(self, text: str, name: str, position: int) -> int:
        """A slide or a block of one, whose title stands in braces; gives where it goes on."""
        if not text.startswith("{", position):
            return position
        title, position = argument(text, position)
        if name == "frame":
            self._end_list()
            self.builder.add_heading(_LEVELS["frametitle"], inline_runs(title))
        elif shown := plain(title):
            self.label = [Run(shown), Run(": ")]
        return position

    def _end(self, name: str) -> None:
        self._flush()
        if name in _LISTS and self.lists:
            self.lists.pop()
            if not self.lists:
                self._end_list()
        elif name in _QUOTES:
            self.quotes = max(self.quotes - 1, 0)

    def _item(self, label: str | None) -> None:
        self._flush()
        if not self.lists:
            return
        kind, number = self.lists[-1]
        self.lists[-1] = (kind, number + 1)
        self.marker = f"{number + 1}." if "enum" in kind and not label else "-"
        if label and not _SIGN.fullmatch(label):
            ended = label.endswith((":", "."))
            self.label = [Run(plain(label), term=True), Run(" " if ended else ": ")]

    def _verbatim(self, name: str, body: str) -> None:
        if name in _FORMULAS:
            self._formula(_formula_of(name, body))
            return
        self._flush()
        if name in _CODE:
            option = _OPTION.match(body)
            language = _LANGUAGE.search(option[1]) if option else None
            code = body[option.end() :] if option else body
            minted = re.match(r"\s*\{([\w+#-]+)\}", code) if name == "minted" else None
            self._end_list()
            if name == "Highlighting":
                code = _ESCAPED.sub(r"\1\2", _COLOURED.sub(r"\1", code))
            self.builder.add_code(
                code[minted.end() :] if minted else code,
                (minted[1] if minted else language[1] if language else "").lower(),
            )
        elif name in _TABLES:
            self._end_list()
            if caption := _CAPTION.search(body):
                value, stop = argument(body, caption.end())
                self.builder.add_paragraph(inline_runs(value))
                body = body[: caption.start()] + body[stop:]
            self.builder.add_table(_table(body))

    def _formula(self, tex: str) -> None:
        self._flush()
        self._end_list()
        self.builder.add_formula(re.sub(r"\\label\s*\{[^{}]*\}|\\nonumber|\\notag", "", tex))

    def _flush(self) -> None:
        text, self.waiting = "".join(self.waiting), []
        runs = inline_runs(text)
        if not any(run.text.strip() for run in runs):
            return
        runs, self.label = [*self.label, *runs], []
        if self.lists:
            self.items.append(ListItem(runs, min(len(self.lists), 8) - 1, self.marker))
            self.marker = ""
        elif self.quotes:
            self.builder.add_quote(runs)
        else:
            self.builder.add_paragraph(runs)

    def _end_list(self) -> None:
        self.builder.add_list(self.items)
        self.items = []


def _with_whole_notes(text: str) -> str:
    """The text without blank lines in its footnotes, which part no paragraph of it."""
    pieces: list[str] = []
    position = 0
    while found := _NOTE.search(text, position):
        note, stop = argument(text, found.end())
        pieces += [text[position : found.end()], "{", _BLANK_LINES.sub(" ", note), "}"]
        position = stop
    return "".join([*pieces, text[position:]])


def _formula_of(name: str, body: str) -> str:
    """A formula with its environment where that arranges it."""
    if name.rstrip("*") in ("equation", "displaymath", "math", "dmath"):
        return body
    return f"\\begin{{{name}}}{body}\\end{{{name}}}"


def _table(body: str) -> list[list[list[Run]]]:
    """Rows of cells; rules and the columns' form are dropped."""
    position = 0
    while position < len(body) and body[position] in " \n\t{[":
        if body[position] == "[":
            option = _OPTION.match(body, position)
            position = option.end() if option else position + 1
        elif body[position] == "{":
            _, position = argument(body, position)
        else:
            position += 1
    text = _RULES.sub("", _REPEATED_HEAD.sub("", body[position:]))
    rows: list[list[list[Run]]] = []
    for row in re.split(r"\\\\(?:\s*\[[^\]]{0,40}\])?|\\tabularnewline", text):
        cells: list[list[Run]] = []
        for cell in re.split(r"(?<!\\)&", row):
            span = re.match(r"\s*\\multicolumn\s*\{\s*(\d{1,2})\s*\}\s*\{[^{}]*\}", cell)
            cells.append(inline_runs(cell[span.end() :] if span else cell))
            cells.extend([[]] * (int(span[1]) - 1 if span else 0))
        rows.append(cells)
    return rows
