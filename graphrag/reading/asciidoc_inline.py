"""AsciiDoc's inline markup to runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphrag.reading.inline import BREAK, Run

_TOKEN = re.compile(
    r"(?P<stem>(?:stem|latexmath|asciimath):"
    r"\[(?P<tex>[^\]\\]{0,2000}+(?:\\.[^\]\\]{0,2000}+){0,200}+)\])"
    r"|(?P<pass>\+\+\+(?P<raw>.{1,500}?)\+\+\+)"
    r"|(?P<quoted>\"`(?P<curly>[^`\n]{1,500})`\"|``(?P<old>[^`'\n]{1,500})'')"
    r"|(?P<code>`(?P<mono>[^`\n]{1,500})`)"
    r"|(?P<xref><<(?P<goal>[^<>,\n]{1,200})(?:,(?P<label>[^<>\n]{1,300}))?>>)"
    r"|(?P<macro>(?:link|xref|mailto):(?P<aim>[^\s\[\]]{1,500})\[(?P<text>[^\]\n]{0,300})\])"
    r"|(?P<manual>(?:man|linkgit):(?P<page>[\w.-]{1,100})\[(?P<volume>\d?\w{0,4})\])"
    r"|(?P<url>(?P<address>https?://[^\s\[\]<>]{1,500})(?:\[(?P<shown>[^\]\n]{0,300})\])?)"
    r"|(?P<note>footnote:[\w-]*\[(?P<aside>[^\]\n]{1,1000})\])"
    r"|(?P<button>(?:kbd|btn|menu|icon|image|indexterm2?):[^\s\[\]]{0,200}"
    r"\[(?P<key>[^\]\n]{0,200})\])"
    r"|(?P<attribute>\{(?P<name>[\w-]{1,60})\})"
    r"|(?P<index>\(\(\(?(?P<entry>[^()\n]{1,200})\)?\)\))"
    r"|(?P<bold>(?:\[[^\]\n]{1,100}\])?(?<![\w*])\*(?P<strong>[^\s*](?:[^*\n]{0,300}[^\s*])?)\*(?![\w*])"
    r"|\*\*(?P<strong2>[^*\n]{1,300})\*\*)"
    r"|(?P<italic>(?<![\w_])_(?P<emph>[^\s_](?:[^_\n]{0,300}[^\s_])?)_(?![\w_])"
    r"|__(?P<emph2>[^_\n]{1,300})__)"
    r"|(?P<mark>(?:\[[^\]\n]{0,100}\])?(?<![\w#])"
    r"#(?P<marked>[^\s#](?:[^#\n]{0,300}[^\s#])?)#(?![\w#]))"
    r"|(?P<power>\^(?P<raised>[^\s^]{1,60})\^)"
    r"|(?P<sub>~(?P<lowered>[^\s~]{1,60})~)"
    r"|(?P<break>[ ]\+$)"
)
_NAMED = re.compile(r"(?<!\\)\{([\w-]{1,60})\}")
_CHARACTERS = {
    "vbar": "|", "plus": "+", "asterisk": "*", "backtick": "`", "caret": "^", "tilde": "~",
    "startsb": "[", "endsb": "]", "backslash": "\\", "nbsp": " ", "sp": " ", "empty": "",
    "blank": "", "amp": "&", "lt": "<", "gt": ">", "apos": "'", "quot": '"', "deg": "°",
    "cpp": "C++", "zwsp": "", "wj": "", "two-colons": "::", "two-semicolons": ";;",
}  # fmt: skip


def inline_runs(text: str, attributes: Mapping[str, str]) -> list[Run]:
    """The runs of a line of AsciiDoc; ``{name}`` is what ``attributes`` says, which may be the
    address of a link."""
    if attributes:
        text = _NAMED.sub(lambda found: attributes.get(found[1].lower(), found[0]), text)
    runs: list[Run] = []
    position = 0
    for found in _TOKEN.finditer(text):
        runs.append(Run(text[position : found.start()]))
        runs.append(_run(found))
        position = found.end()
    runs.append(Run(text[position:]))
    return [run for run in runs if run.text]


def _run(found: re.Match[str]) -> Run:
    match found.lastgroup:
        case "stem" | "tex":
            return Run(f"${found['tex'].strip('$')}$")
        case "xref" | "goal" | "label":
            return Run(found["label"] or found["goal"], target=found["goal"])
        case "macro" | "aim" | "text":
            return Run(found["text"].partition(",")[0] or found["aim"], target=found["aim"])
        case "manual" | "page" | "volume":
            return Run(f"{found['page']}({found['volume']})" if found["volume"] else found["page"])
        case "url" | "address" | "shown":
            return Run(
                (found["shown"] or "").partition(",")[0].rstrip("^") or found["address"],
                target=found["address"],
            )
        case "attribute" | "name":
            return Run(_CHARACTERS.get(found["name"].lower(), found[0]))
        case "quoted" | "curly" | "old":
            return Run(f"“{found['curly'] or found['old']}”")
        case "note":
            return Run(f" ({found['aside']})")
        case "bold":
            return Run(found["strong"] or found["strong2"], term=True)
        case "italic":
            return Run(found["emph"] or found["emph2"], term=True)
        case "power":
            return Run(f"^{found['raised']}")
        case "break":
            return Run(BREAK)
        case _:
            inner = [
                found[name]
                for name in ("raw", "mono", "key", "entry", "marked", "lowered")
                if found[name] is not None
            ]
            return Run(inner[0] if inner else found[0])
