"""LaTeX's inline markup: commands to runs, accents to letters, formulas kept."""

from __future__ import annotations

import re
import unicodedata

from graphrag.reading.inline import BREAK, Run
from graphrag.reading.names import names

_COMMENT = re.compile(
    r"\\begin\{(?P<code>verbatim\*?|lstlisting|minted|Verbatim|alltt|code)\}"
    r"|(?<!\\)(?P<slashes>(?:\\\\)*)%[^\n]*(?:\n[ \t]*)?"
)
_TOKEN = re.compile(
    r"(?P<math>(?<!\\)\$(?:[^$\\]|\\.){1,2000}\$|\\\((?:[^\\]|\\(?![()])){1,2000}\\\))"
    r"|\\(?:verb|lstinline)\*?(?P<mark>[^A-Za-z\s*{\[])(?P<verb>[^\n]{0,500}?)(?P=mark)"
    r"|\\(?P<accent>[`'^\"~=.])\s*\{?\\?(?P<letter>[A-Za-z])\}?"
    r"|\\(?P<named>[cvuHkrdbt])\s*\{(?P<under>[A-Za-z])\}"
    r"|\\(?P<break>\\|newline\b|linebreak\b)\*?(?:\[[^\]]{0,40}\])?"
    r"|\\(?P<command>[A-Za-z]{1,40})\*?[ \t]*"
    r"|\\(?P<escaped>[^A-Za-z\s]|\s)|(?P<space>~)|(?P<dash>---?)|(?P<quote>``|'')"
    r"|(?P<gap>\}[ \t]*\{)|(?P<brace>[{}])"
)
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331", "t": "\u0361",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å",
    "l": "ł", "L": "Ł", "i": "ı", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "ldots": "…",
    "dots": "…", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "S": "§",
    "P": "¶", "copyright": "©", "pounds": "£", "euro": "€", "textdegree": "°", "textendash": "–",
    "textemdash": "—", "quad": " ", "qquad": " ", "textbar": "|", "textless": "<",
    "textgreater": ">", "textquoteleft": "‘", "textquoteright": "’", "par": BREAK, "slash": "/",
}  # fmt: skip
_SIGNS = {",": " ", ";": " ", ":": " ", "!": "", "-": "", "/": ""}
_EMPHASIS = names("emph textbf textit textsl textsc defn term alert")
_DROPPED = names(
    "label index vspace hspace vskip includegraphics input include bibliography bibliographystyle "
    "usepackage documentclass setcounter addtocounter thispagestyle pagestyle pagenumbering nocite "
    "newcommand renewcommand providecommand newtheorem geometry hypersetup maketitle graphicspath "
    "title author date thanks setlength addtolength tableofcontents listoffigures hfill vfill "
    "newenvironment DeclareMathOperator rule phantom vphantom hphantom addcontentsline"
)
_KEPT = names(
    "ref eqref cite citep citet autoref cref Cref pageref nameref citeauthor textcite parencite"
)
_FORMED = {
    "textcolor": 1, "colorbox": 1, "fcolorbox": 2, "parbox": 1, "makebox": 0, "framebox": 0,
    "raisebox": 1, "scalebox": 1, "rotatebox": 1, "resizebox": 2, "multirow": 2, "hyperlink": 1,
    "hypertarget": 1, "foreignlanguage": 1, "color": 1, "fontsize": 2, "minipage": 1, "end": 1,
}  # fmt: skip
"""Commands with arguments before their text that are no text, and how many."""
KNOWN = _EMPHASIS | _DROPPED | _KEPT | names("href hyperref url footnote footnotetext ensuremath")
"""Commands whose meaning does not depend on how a file defines them."""
_MEASURES = {"SI": 2, "qty": 2, "si": 1, "unit": 1}
"""Commands of siunitx, and how many arguments they have; the last is a unit."""
_UNITS = {
    "per": "/", "percent": "%", "degree": "°", "celsius": "°C", "degreeCelsius": "°C", "metre": "m",
    "meter": "m", "second": "s", "minute": "min", "hour": "h", "day": "d", "gram": "g",
    "kilogram": "kg", "tonne": "t", "litre": "l", "liter": "l", "newton": "N", "pascal": "Pa",
    "bar": "bar", "joule": "J", "watt": "W", "volt": "V", "ampere": "A", "ohm": "Ω", "hertz": "Hz",
    "kelvin": "K", "mole": "mol", "byte": "B", "bit": "bit", "electronvolt": "eV", "candela": "cd",
    "square": "²", "squared": "²", "cubic": "³", "cubed": "³", "nano": "n", "micro": "µ",
    "milli": "m", "centi": "c", "deci": "d", "kilo": "k", "mega": "M", "giga": "G", "tera": "T",
}  # fmt: skip
_PREFIXES = names("nano micro milli centi deci kilo mega giga tera")
_UNIT = re.compile(r"\\([A-Za-z]{1,30})|([^\\\s{}~]+)")
_OPTION = re.compile(r"\[[^\[\]]{0,500}\]")
_DEFINED = re.compile(r"\\[A-Za-z@]{1,40}[^{}\n]{0,40}(?=\{)")
_ALT = re.compile(r"\balt=\{([^{}]{1,300})\}")
_MAX_DEPTH = 30


def without_comments(text: str) -> str:
    """The text without ``%`` to the end of lines; an escaped ``\\%`` and code stay."""
    pieces: list[str] = []
    unclosed: set[str] = set()
    position = 0
    while found := _COMMENT.search(text, position):
        pieces.append(text[position : found.start()])
        name, position = found["code"], found.end()
        if not name:
            pieces.append(found["slashes"])
            continue
        # Environments that are never closed are looked for once: each costs the whole text.
        stop = -1 if name in unclosed else text.find(f"\\end{{{name}}}", position)
        if stop < 0:
            unclosed.add(name)
        position = max(stop, position)
        pieces.append(text[found.start() : position])
    pieces.append(text[position:])
    return "".join(pieces)


def argument(text: str, position: int) -> tuple[str, int]:
    """The braced argument that opens at a position, and where it ends; what is not
    closed goes to the end of the text, at most 20,000 characters."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text) or text[position] != "{":
        return "", position
    depth = 0
    limit = min(len(text), position + 20_000)
    i = position
    while i < limit:
        character = text[i]
        if character == "\\":
            i += 2
            continue
        depth += (character == "{") - (character == "}")
        if not depth:
            return text[position + 1 : i], i + 1
        i += 1
    return text[position + 1 : limit], limit


def past_options(text: str, position: int) -> int:
    """Where bracketed options that stand at a position end."""
    while option := _OPTION.match(text, position):
        position = option.end()
    return position


def plain(text: str) -> str:
    """The text without its markup, on one line."""
    return " ".join("".join(run.text for run in inline_runs(text)).replace(BREAK, " ").split())


def inline_runs(text: str, depth: int = 0, *, term: bool = False) -> list[Run]:
    """The runs of a stretch of LaTeX without blocks."""
    runs: list[Run] = []
    position = 0
    while found := _TOKEN.search(text, position):
        runs.append(Run(text[position : found.start()], term))
        position = found.end()
        if found["math"]:
            body = found["math"]
            runs.append(Run(f"${body[1:-1] if body[0] == '$' else body[2:-2]}$"))
        elif found["mark"]:
            runs.append(Run(found["verb"], term))
        elif found["accent"] or found["named"]:
            mark = _ACCENTS[found["accent"] or found["named"]]
            letter = found["letter"] or found["under"]
            runs.append(Run(unicodedata.normalize("NFC", letter + mark), term))
        elif found["break"]:
            runs.append(Run(BREAK))
        elif found["command"]:
            position = _command(text, found, runs, depth, term=term)
        elif found["escaped"]:
            sign = found["escaped"]
            runs.append(Run(" " if sign.isspace() else _SIGNS.get(sign, sign), term))
        elif found["gap"]:
            # Two arguments of a command that is not known.
            runs.append(Run(" ", term))
        elif found["space"] or found["dash"] or found["quote"]:
            shown = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}[found[0]]
            runs.append(Run(shown, term))
    runs.append(Run(text[position:], term))
    return [run for run in runs if run.text]


def _unit(text: str) -> str:
    """A unit of siunitx as it is printed: ``\\kilo\\metre\\per\\hour`` is ``km/h``."""
    shown, power, joined = "", "", True
    for name, written in _UNIT.findall(text):
        sign = _UNITS.get(name, name) or written
        if name in ("square", "cubic"):
            power = sign
            continue
        is_joined = joined or sign == "/" or name in ("squared", "cubed")
        shown += sign if is_joined else f" {sign}"
        joined = sign == "/" or name in _PREFIXES
        if power and not joined:
            shown, power = shown + power, ""
    return shown


def _command(text: str, found: re.Match[str], runs: list[Run], depth: int, *, term: bool) -> int:
    """Add what a command shows; gives where reading goes on."""
    name, position = found["command"], found.end()
    if name in _LETTERS:
        runs.append(Run(_LETTERS[name] + " " * (name in ("LaTeX", "TeX")), term))
        return position
    if name == "def" and (head := _DEFINED.match(text, position)):
        return argument(text, head.end())[1]
    if name == "begin":  # of an environment within a line: its name is no text
        name, position = argument(text, position)
    if option := _OPTION.match(text, position):
        position = past_options(text, position)
        if name == "includegraphics" and (alt := _ALT.search(option[0])):
            runs.append(Run(f"[image: {alt[1]}]", term))
    for _ in range(_FORMED.get(name, 0)):
        _, position = argument(text, position)
        position = past_options(text, position)
    value, stop = argument(text, position)
    if name == "ensuremath" and value:
        runs.append(Run(f"${value}$", term))
        return stop
    if name in _MEASURES:
        unit, after = argument(text, stop) if _MEASURES[name] == 2 else (value, stop)
        amount = plain(value) if _MEASURES[name] == 2 and depth < _MAX_DEPTH else ""
        runs.append(Run(f"{amount} {_unit(unit)}".strip(), term))
        return after
    if name == "texorpdfstring":
        runs.extend(inline_runs(value, depth + 1, term=term) if depth < _MAX_DEPTH else [])
        return argument(text, stop)[1]
    if name in _FORMED and not value:
        return position
    if name in _DROPPED:
        while stop < len(text) and text[stop] == "{":
            _, stop = argument(text, stop)
        return stop
    if name in ("href", "hyperref", "url"):
        shown, after = argument(text, stop) if name == "href" else (value, stop)
        runs.append(Run(plain(shown) if depth < _MAX_DEPTH else shown, term, value))
        return after
    if name in ("footnote", "footnotetext"):
        runs.append(Run(f" ({plain(value) if depth < _MAX_DEPTH else value})", term))
        return stop
    if name in _KEPT:
        runs.append(Run(f"[{value}]" if "cite" in name else value, term, f"#{value}"))
        return stop
    if name == "textsuperscript" and value.isdecimal():
        runs.append(Run(f"^{value}", term))
        return stop
    if not value or depth >= _MAX_DEPTH:
        runs.append(Run(value, term))
        return stop if value else found.end()
    runs.extend(inline_runs(value, depth + 1, term=term or name in _EMPHASIS))
    if text[stop : stop + 1] == "{":
        runs.append(Run(" ", term))
    return stop
