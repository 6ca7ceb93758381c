"""Sphinx's roles and directives for docutils: kept by what they mean to a reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers import rst
from docutils.parsers.rst import directives, roles, states
from docutils.statemachine import StringList

from graphrag.reading.names import names

_HIDDEN = names(
    "toctree contents index highlight currentmodule module include raw literalinclude autosummary "
    "meta default-role default-domain sectionauthor codeauthor tabularcolumns sectnum header "
    "footer image cssclass rst-class role target-notes"
)
_CODE = names(
    "code code-block sourcecode parsed-code prompt doctest testcode testoutput testsetup graphviz "
    "mermaid plantuml digraph uml productionlist ipython jupyter-execute console terminal "
    "highlight-block click:example click:run"
)
_NOTES = {
    "versionadded": "Added in version", "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version", "versionremoved": "Removed in version",
    "seealso": "See also", "todo": "To do", "note": "Note", "tip": "Tip", "caution": "Caution",
}  # fmt: skip
_OBJECTS = names(
    "function class method attribute data exception option envvar program describe object macro "
    "type member enumerator staticmethod classmethod property decorator confval setting "
    "autofunction autoclass automethod automodule autoexception autoattribute autodata"
)
_STYLE_CLASS = re.compile(r"[a-z][a-z0-9 -]*")
_LONG_PARAGRAPH = 4_000
_TARGET = re.compile(r"(?<!\s)\s*<[^<>]*>\Z")


class _AnyOptions(dict[str, Any]):
    """An option table in which every option is known."""

    def __bool__(self) -> bool:
        # docutils takes an empty table for "no options", and options for content.
        return True

    def __missing__(self, key: str) -> Any:
        return directives.unchanged


class SphinxDirective(rst.Directive):
    """Any directive that docutils has not: a note, an object, code, or its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = _AnyOptions()

    def run(self) -> list[nodes.Node]:
        name = self.name.lower()
        argument = self.arguments[0] if self.arguments else ""
        if name in _HIDDEN:
            return []
        if name in _CODE:
            return self._code(argument)
        if name == "math":
            tex = "\n".join([argument, *self.content]).strip()
            return [nodes.math_block(tex, tex)] if tex else []
        content = nodes.container()
        if name in _NOTES:
            # Text on the line below the version belongs to the note.
            argument, _, rest = argument.partition("\n")
            if rest.strip():
                content += nodes.paragraph("", "", *self._inline(" ".join(rest.split())))
        lines = _with_joined_terms(self.content) if name == "glossary" else self.content
        self.state.nested_parse(lines, self.content_offset, content)
        if name in _NOTES:
            label = nodes.title("", f"{_NOTES[name]} {argument}".strip())
            return [nodes.admonition("", label, *content.children)]
        if name == "class" and _STYLE_CLASS.fullmatch(argument):
            return list(content.children)
        if ":" in name or name in _OBJECTS:
            return self._object(argument, content)
        if name in ("only", "ifconfig"):
            return list(content.children)
        opening = [nodes.paragraph("", "", *self._inline(argument))] if argument else []
        return [*opening, *content.children]

    def _code(self, language: str) -> list[nodes.Node]:
        text = "\n".join(self.content)
        caption = self.options.get("caption")
        block = nodes.literal_block(text, text, language=language.partition("\n")[0])
        return [nodes.paragraph("", "", *self._inline(caption)), block] if caption else [block]

    def _object(self, signature: str, content: nodes.Element) -> list[nodes.Node]:
        """What a directive describes, as a term with its description."""
        item = nodes.definition_list_item()
        for line in signature.split("\n"):
            item += nodes.term("", line.strip())
        item += nodes.definition("", *content.children)
        return [nodes.definition_list("", item)]

    def _inline(self, text: str) -> list[nodes.Node]:
        found, _ = self.state.inline_text(text, self.lineno)
        return found


def _with_joined_terms(lines: StringList) -> StringList:
    """The lines of a glossary, terms that share a definition on one line: docutils knows one
    term a definition."""
    joined: list[str] = []
    for line in lines:
        is_term = bool(line.strip()) and not line[0].isspace()
        if is_term and joined and joined[-1].strip() and not joined[-1][0].isspace():
            joined[-1] = f"{joined[-1].rstrip()}, {line}"
        else:
            joined.append(line)
    return StringList(joined, source="glossary")


def tolerant_inliner() -> states.Inliner:
    """docutils' reader of inline markup, with roles that it does not know."""
    inliner = states.Inliner()
    # A subclass would not do: docutils looks for its patterns on the very class alone.
    vars(inliner).update(
        parse=partial(_parse_in_pieces, inliner), interpreted=partial(_interpreted, inliner)
    )
    return inliner


def _parse_in_pieces(
    inliner: states.Inliner, text: str, lineno: int, memo: Any, parent: nodes.Element
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Read a long paragraph piece by piece, each a node of its own.

    docutils searches the rest of the paragraph for the end of each mark, and all nodes of it
    for each reference: 64 KB of ``a_`` in one paragraph take more than half a minute. Marks
    that span two pieces stay as they are written.
    """
    if len(text) <= _LONG_PARAGRAPH:
        return states.Inliner.parse(inliner, text, lineno, memo, parent)
    found: list[nodes.Node] = []
    messages: list[nodes.system_message] = []
    for piece in _pieces(text, _LONG_PARAGRAPH):
        inner, told = states.Inliner.parse(inliner, piece, lineno, memo, parent)
        found.append(nodes.inline("", "", *inner))
        messages += told
    return found, messages


def _pieces(text: str, longest: int) -> Iterator[str]:
    """The text cut at line ends or blanks, where there are any within ``longest``."""
    start = 0
    while len(text) - start > longest:
        cut = max(text.rfind(mark, start, start + longest) for mark in "\n ")
        stop = cut + 1 if cut >= start else start + longest
        yield text[start:stop]
        start = stop
    yield text[start:]


def _interpreted(
    inliner: states.Inliner, rawsource: str, text: str, role: str, lineno: int
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Roles that docutils has not become their text: a link, a formula or a literal."""
    known, _ = roles.role(role, inliner.language, lineno, inliner.reporter)
    if known and role != "raw":
        return states.Inliner.interpreted(inliner, rawsource, text, role, lineno)
    plain = nodes.unescape(text)
    shown = _TARGET.sub("", plain).lstrip("!")
    if not shown.strip():
        return [], []
    if role in ("ref", "doc", "term", "numref", "any", "download"):
        target = plain[len(shown) :].strip().strip("<>") or plain
        return [nodes.reference(rawsource, shown, refuri=target)], []
    if role.rpartition(":")[2] in ("dfn", "guilabel", "menuselection"):
        return [nodes.emphasis(rawsource, shown)], []
    return [nodes.literal(rawsource, shown.removeprefix("~"))], []


class _Tolerant:
    """Mixed into docutils' states: unknown directives are run, nested text likewise."""

    def runtime_init(self) -> None:
        super().runtime_init()  # type: ignore[misc]
        self.nested_sm_kwargs = {"state_classes": tolerant_states(), "initial_state": "Body"}

    def unknown_directive(self, type_name: str) -> tuple[list[nodes.Node], bool]:
        state: Any = self
        for method, pattern in state.explicit.constructs:
            if method.__name__ == "directive":
                match = pattern.match(state.state_machine.line)
                if match:
                    found: tuple[list[nodes.Node], bool] = state.run_directive(
                        SphinxDirective, match, type_name, {}
                    )
                    return found
        unknown: tuple[list[nodes.Node], bool] = super().unknown_directive(type_name)  # type: ignore[misc]
        return unknown


@cache
def tolerant_states() -> tuple[type, ...]:
    """docutils' parser states, each of which runs what it does not know."""
    return tuple(type(state.__name__, (_Tolerant, state), {}) for state in states.state_classes)


def register_directives() -> None:
    """Let docutils run our reading of directives of its own that Sphinx extends.

    docutils keeps one table for the process; the same entries are put each time.
    """
    for name in ("class", "code", "code-block", "sourcecode", "math", "include", "raw", "contents"):
        directives.register_directive(name, SphinxDirective)
