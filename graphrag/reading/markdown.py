"""Markdown: CommonMark with tables, mathematics, notes, definitions and wiki links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.texmath import texmath_plugin

from graphrag.reading.builder import DocumentBuilder, Draft
from graphrag.reading.encoding import decode
from graphrag.reading.fields import are_fields
from graphrag.reading.frontmatter import split_front_matter
from graphrag.reading.html import add_html, parse_html
from graphrag.reading.inline import clean
from graphrag.reading.markdown_dialects import box_title, in_common_form
from graphrag.reading.names import names
from graphrag.reading.text import add_text

_WIKI_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?\]\]")
_TASK = re.compile(r"<li>(\s*<p>)?\[[ xX]\]\s+")
_ALERT = re.compile(r"(<blockquote>\s*)<p>\[!(\w{1,20})\][-+]?[ \t]*([^\n<]*)\s*(</p>)?")
_ASIDE = re.compile(r"<(/?)aside\b")
"""A callout in the text, as Notion writes it; a web page's stands beside the text."""
_ROLE = re.compile(r"\{[a-z][\w:.+-]{0,40}\}(?=<code>)")
_REFERENCE = re.compile(
    r"\{[a-z][\w:.+-]{0,40}\}<code>([^<&]{1,200}?)\s*&lt;([^<>&\"]{1,200})&gt;</code>"
)
_ATTRIBUTES = re.compile(r"(?<!\s)\s*\{[#.:][^{}<>\n]{0,200}\}(?=</h[1-6]>)")
_TARGET_LINE = re.compile(r"^(?:\([\w .:-]{1,100}\)=[ \t]*|%(?:[ \t].*)?)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"\{([\w:.+-]+)\}[ \t]*(.*)", re.DOTALL)
_COLON_FENCE = re.compile(r"^([ \t]*)(:{3,})(\{[^}\n]+\})?(.*)$")
_CONTAINER_TITLE = re.compile(r"\A[\w-]*")
_OPTIONS = re.compile(r"\A(?:[ \t]*:[\w-]+:.*\n?)+|\A---\n.*?\n---\n", re.DOTALL)
_NOTES = names(
    "note tip warning important caution danger error hint attention admonition seealso "
    "versionadded versionchanged deprecated sidebar topic"
)
_HIDDEN = names("toctree contents include image figure index only raw autosummary")
_EVAL_RST = re.compile(r"^`{3,}\{eval-rst\}[ \t]*\n", re.MULTILINE)
_FENCE_END = re.compile(r"^`{3,}[ \t]*$", re.MULTILINE)
_LONG_LINE = 200_000
_MAX_DEPTH = 4
_MAX_NESTING = 100


def read_markdown(content: bytes, name: str) -> Draft:
    """A Markdown file; the front matter becomes metadata, its ``title`` the title."""
    text = clean(decode(content))
    metadata, body = split_front_matter(text.lstrip("\ufeff\n"))
    title = metadata.pop("title", "")
    builder = DocumentBuilder()
    add_markdown(builder, body)
    return builder.build(
        title=title if isinstance(title, str) else " ".join(title),
        fallback_title=name,
        metadata=metadata,
    )


def add_markdown(builder: DocumentBuilder, text: str) -> None:
    """Add the blocks of a Markdown text to a builder."""
    position = 0
    while opening := _EVAL_RST.search(text, position):
        closing = _FENCE_END.search(text, opening.end())
        if not closing:
            break
        _add_part(builder, text[position : opening.start()])
        # Docutils, which few Markdown files need, is imported where one does.
        from graphrag.reading.rst import add_rst

        add_rst(builder, text[opening.end() : closing.start()])
        position = closing.end()
    _add_part(builder, text[position:])


def _add_part(builder: DocumentBuilder, text: str) -> None:
    if not text.strip():
        return
    if any(len(line) > _LONG_LINE for line in text.split("\n")):
        # The inline parser takes time in the square of a line: such lines are no prose.
        add_text(builder, text)
        return
    try:
        html = render(text)
    except RecursionError:
        # What nests deeper than any reader follows is read for its words alone.
        add_text(builder, text)
        return
    add_html(builder, parse_html(f"<div>{html}</div>"))


def render(text: str, depth: int = 0) -> str:
    """The text as HTML in which formulas, notes and definitions keep their meaning."""
    text = _TARGET_LINE.sub("", _colon_fences_as_fences(in_common_form(text)))
    parser = _parser(depth)
    environment: dict[str, Any] = {}
    tokens = parser.parse(text, environment)
    if any(token.level >= _MAX_NESTING - 1 for token in tokens):
        raise RecursionError("the text is nested too deeply")
    for token in tokens:
        if token.type == "inline" and are_fields(token.content.split("\n")):
            _keep_lines(token)
    html: str = parser.renderer.render(tokens, parser.options, environment)
    html = _ASIDE.sub(r"<\1div", html)
    html = _ALERT.sub(_alert_title, html)
    html = _TASK.sub(lambda found: f"<li>{found[1] or ''}", html)
    html = _REFERENCE.sub(lambda found: f'<a href="{found[2]}">{found[1]}</a>', html)
    return _ATTRIBUTES.sub("", _ROLE.sub("", html))


def _keep_lines(paragraph: Token) -> None:
    """Let each line of a paragraph end as it is written."""
    for child in paragraph.children or ():
        if child.type == "softbreak":
            child.type, child.tag = "hardbreak", "br"


def _alert_title(found: re.Match[str]) -> str:
    """``> [!NOTE]`` as the title that other notes have."""
    label = f"{found[2].capitalize()} {found[3]}".strip()
    return f'{found[1]}<p class="admonition-title">{label}</p>{"" if found[4] else "<p>"}'


def _parser(depth: int) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_space=False, double_inline=True)
    parser.use(texmath_plugin, delimiters="brackets")
    parser.use(amsmath_plugin)
    parser.use(deflist_plugin).use(footnote_plugin).use(admon_plugin)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    formulas = {
        "math_inline": _formula_span, "math_single": _formula_span,
        "math_inline_double": _formula_block, "math_block": _formula_block,
        "math_block_label": _formula_block, "math_block_eqno": _formula_block,
        "amsmath": _formula_block, "footnote_ref": _footnote_mark,
        "footnote_anchor": _nothing,
    }  # fmt: skip
    for token, rule in formulas.items():
        parser.add_render_rule(token, rule)

    def fence(
        renderer: RendererHTML,
        tokens: Sequence[Token],
        index: int,
        options: OptionsDict,
        env: EnvType,
    ) -> str:
        token = tokens[index]
        directive = _DIRECTIVE.match(token.info.strip())
        if directive:
            return _directive(directive[1].lower(), directive[2].strip(), token.content, depth)
        language = token.info.strip().partition(" ")[0]
        if language == "math":
            return f'<div class="math">{_escaped(token.content)}</div>'
        return _code(token.content, language)

    parser.add_render_rule("fence", fence)
    return parser


def _directive(name: str, argument: str, content: str, depth: int) -> str:
    """A MyST directive: notes and formulas by their meaning, others as code or nothing."""
    name = name.rpartition(":")[2]
    body = _OPTIONS.sub("", content)
    if name in _HIDDEN:
        return ""
    if name == "math":
        return f'<div class="math">{_escaped(argument or body)}</div>'
    if name in _NOTES:
        inner = render(body, depth + 1) if depth < _MAX_DEPTH else _code(body, "")
        label = _NOTE_LABELS.get(name, name.capitalize())
        title = f"{label} {argument}".strip() if name != "admonition" else argument
        return f'<div><p class="admonition-title">{_escaped(title)}</p>{inner}</div>'
    return _code(body, argument.partition(" ")[0] if name in ("code-block", "code") else "")


_NOTE_LABELS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "seealso": "See also",
}


def _colon_fences_as_fences(text: str) -> str:
    """``:::{note}`` as a fence of backticks, so that one rule reads both; a plain ``:::``
    container is opened up, its title a line of its own."""
    if ":::" not in text:
        return text
    lines = text.split("\n")
    opened: list[tuple[str, bool]] = []
    fence = ""
    for i, line in enumerate(lines):
        bare = line.lstrip()
        if bare[:3] in ("```", "~~~"):
            mark = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            fence = "" if fence and mark.startswith(fence) else fence or mark
            continue
        found = None if fence else _COLON_FENCE.match(line)
        if not found:
            continue
        if found[3] or found[4].strip():
            is_directive = bool(found[3])
            opened.append((found[2], is_directive))
            ticks = "`" * (len(found[2]) + 3)
            title = _CONTAINER_TITLE.sub("", found[4].strip(), count=1).strip(' "[]')
            title = "" if title.startswith("{") else title
            shown = f"\n{found[1]}{box_title(title)}\n" if title else ""
            lines[i] = f"{found[1]}{ticks}{found[3]}{found[4]}" if is_directive else shown
        elif opened:
            _, is_directive = opened.pop()
            lines[i] = f"{found[1]}{'`' * (len(found[2]) + 3)}" if is_directive else ""
    return "\n".join(lines)


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """``[[Target]]`` and ``[[Target|label]]``; an embedded file is a link like others."""
    if not state.src.startswith(("[[", "![["), state.pos):
        return False
    found = _WIKI_LINK.match(state.src, state.pos)
    if not found or found.end() > state.posMax:
        return False
    if not silent:
        target, label = found[1].strip(), (found[2] or "").strip()
        if state.src[state.pos] == "!" and label.replace("x", "").isdecimal():
            label = ""  # the width of an embedded picture
        opening = state.push("link_open", "a", 1)
        opening.attrs = {"href": target}
        state.push("text", "", 0).content = label or target
        state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _formula_span(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<span class="math">{_escaped(tokens[index].content)}</span>'


def _formula_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<div class="math">{_escaped(tokens[index].content)}</div>'


def _footnote_mark(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f" [{int(tokens[index].meta['id']) + 1}]"


def _nothing(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return ""


def _code(text: str, language: str) -> str:
    kind = f' class="language-{_escaped(language)}"' if language else ""
    # A line feed right after the tag belongs to the tag, so one is put there.
    return f"<pre{kind}>\n{_escaped(text)}</pre>\n"


def _escaped(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )
