"""From a marked-up tree to blocks: one walk for HTML, reStructuredText and XML books.

What an element means is told by a ``Classify`` function of the format; the walk itself
knows only parts. It keeps its own stack, so depth is bounded by memory alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from graphrag.reading.builder import DocumentBuilder, ListItem
from graphrag.reading.elements import Element, local_name
from graphrag.reading.inline import BREAK, Flow, Run, flow
from graphrag.reading.tree_table import read_table

Kind = Literal[
    "skip", "inline", "block", "heading", "label", "term", "list", "ordered", "item",
    "table", "code", "formula", "tex", "quote", "emphasis", "link", "text", "break", "power",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """What an element is.

    ``value`` is the code's language, the link's target, the formula's TeX, or the text
    that stands for the element; ``number`` the heading's level or the list's first number.
    """

    kind: Kind
    value: str = ""
    number: int = 1


Classify = Callable[[Element], Part]

SKIP, INLINE, BLOCK, TERM, LABEL = (
    Part("skip"),
    Part("inline"),
    Part("block"),
    Part("term"),
    Part("label"),
)
_SELF_CONTAINED = frozenset(("skip", "table", "code", "formula", "tex", "text", "break"))
_BLOCKS = frozenset(
    ("block", "heading", "label", "term", "list", "ordered", "item", "quote", "table", "code")
)
_MAX_DEPTH_SHOWN = 8


@dataclass(slots=True)
class _OpenList:
    ordered: bool
    number: int
    marker: str = ""


class TreeReader:
    """Walks a tree and adds what it finds to a builder."""

    def __init__(self, builder: DocumentBuilder, classify: Classify) -> None:
        self._builder = builder
        self._classify = classify
        self._runs: list[Run] = []
        self._items: list[ListItem] = []
        self._lists: list[_OpenList] = []
        self._labels: list[Run] = []
        self._label_owner: Element | None = None
        self._terms: list[str] = []
        self._entry: tuple[Element | None, str] = (None, "")
        self._targets: list[str] = []
        self._emphasis = 0
        self._quotes = 0

    def read(self, root: Element) -> None:
        """Add everything below ``root`` (its own tail excluded)."""
        # Each with the entry that was open before it.
        stack: list[tuple[Element, Part, Iterator[Element], str]] = []
        part = self._enter(root)
        if part.kind not in _SELF_CONTAINED:
            stack.append((root, part, iter(root), self._builder.entry))
        while stack:
            element, part, children, entry = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._leave(part)
                self._builder.entry = entry
                if self._label_owner is element:
                    # What a label or term should open has nothing but it.
                    self._flush()
                    self._flush_labels()
                if part.kind in ("label", "term"):
                    self._label_owner = element.getparent()
                if stack:
                    self._text(element.tail)
                continue
            if not isinstance(child.tag, str):
                self._text(child.tail)
                continue
            child_part = self._enter(child)
            if child_part.kind in _SELF_CONTAINED:
                self._text(child.tail)
            else:
                stack.append((child, child_part, iter(child), self._builder.entry))
                if child_part.kind in ("block", "item"):
                    self._open_entry(element)
        self._close_list()

    def _open_entry(self, owner: Element) -> None:
        """What is read from here on tells of the terms before it among the owner's children."""
        if self._terms and self._label_owner is owner:
            self._entry = (owner, ", ".join(self._terms))
            self._terms = []
        if self._entry[0] is owner:
            self._builder.entry = self._entry[1]

    def _enter(self, element: Element) -> Part:
        part = self._classify(element)
        kind = part.kind
        if kind in _BLOCKS:
            self._flush()
        if kind == "heading" and not _follows_label(element):
            self._flush_labels()
        if kind in ("heading", "table", "code") and not (kind == "heading" and self._lists):
            self._close_list()
        match kind:
            case "table":
                self._table(element)
            case "code":
                self._flush_labels()
                self._builder.add_code(_verbatim(element, self._classify), part.value)
            case "formula":
                self._flush()
                self._close_list()
                self._flush_labels()
                self._builder.add_formula(part.value)
            case "tex":
                self._text(f"${part.value}$" if part.value else None)
            case "text":
                self._text(part.value)
            case "break":
                self._text(BREAK)
            case "list" | "ordered":
                self._lists.append(_OpenList(kind == "ordered", part.number))
            case "item" if self._lists:
                current = self._lists[-1]
                current.marker = f"{part.value or current.number}." if current.ordered else "-"
                current.number += 1
            case "emphasis":
                self._emphasis += 1
            case "quote":
                self._quotes += 1
            case "link":
                self._targets.append(part.value)
            case "power":
                self._text("^")
            case _:
                pass
        if kind not in _SELF_CONTAINED:
            self._text(element.text)
        return part

    def _leave(self, part: Part) -> None:
        match part.kind:
            case "heading":
                runs, self._runs = self._runs, []
                if self._labels and any(run.text.strip() for run in runs):
                    labels, self._labels = self._labels, []
                    runs = [*labels, Run(" "), *runs]
                if self._lists:
                    self._runs = [Run(run.text, True, run.target) for run in runs]
                    self._flush()
                else:
                    self._builder.add_heading(part.number, runs)
            case "label" | "term":
                self._take_label(part.kind == "term")
            case "list" | "ordered":
                self._flush()
                self._lists.pop()
                if not self._lists:
                    self._close_list()
            case "emphasis":
                self._emphasis -= 1
            case "quote":
                self._flush()
                self._quotes -= 1
            case "link":
                self._targets.pop()
            case "block" | "item":
                self._flush()
            case _:
                pass

    def _text(self, text: str | None) -> None:
        if text:
            target = self._targets[-1] if self._targets else ""
            self._runs.append(Run(text, self._emphasis > 0, target))

    def _take_label(self, is_term: bool) -> None:
        """Keep a term or a note's name until the paragraph that it opens."""
        runs, self._runs = self._runs, []
        name = flow(runs).text
        if not name:
            return
        if is_term:
            self._terms.append(name)
        if self._labels:
            self._labels.append(Run(", " if is_term else " "))
        self._labels.extend(Run(run.text, is_term, run.target) for run in runs)

    def _flush(self) -> None:
        """End the running paragraph and hand it to where it belongs."""
        runs, self._runs = self._runs, []
        if not any(run.text.strip() for run in runs):
            return
        if self._labels:
            labels, self._labels = self._labels, []
            ended = flow(labels).text.endswith((":", ".", "?", "!"))
            runs = [*labels, Run(" " if ended else ": "), *runs]
        self._place(runs)

    def _flush_labels(self) -> None:
        """A term with nothing but a code block or a table below stands as a paragraph."""
        if self._labels:
            labels, self._labels = self._labels, []
            self._place(labels)

    def _place(self, runs: list[Run]) -> None:
        if self._lists:
            depth = min(len(self._lists), _MAX_DEPTH_SHOWN) - 1
            current = self._lists[-1]
            self._items.append(ListItem(runs, depth, current.marker))
            current.marker = ""
        elif self._quotes:
            self._builder.add_quote(runs)
        else:
            self._builder.add_paragraph(runs)

    def _close_list(self) -> None:
        self._flush()
        if self._items:
            items, self._items = self._items, []
            self._builder.add_list(items)

    def _table(self, element: Element) -> None:
        rows, header, caption = read_table(element, lambda cell: _flat_text(cell, self._classify))
        self._flush_labels()
        if caption.text:
            self._builder.add_paragraph(caption)
        self._builder.add_table(rows, header=header)


def _follows_label(element: Element) -> bool:
    """Whether a heading's number stands as an element of its own before it (JATS)."""
    before = element.getprevious()
    return before is not None and isinstance(before.tag, str) and local_name(before) == "label"


def _flat_text(cell: Element, classify: Classify) -> Flow:
    """A cell's or caption's text, its parts separated by spaces."""

    def flat(element: Element) -> Part:
        part = BLOCK if element is cell else classify(element)
        match part.kind:
            case "skip" | "inline" | "emphasis" | "link" | "tex" | "text" | "break" | "power":
                return part
            case "code":
                return Part("text", _verbatim(element, classify))
            case "formula":
                return Part("tex", part.value)
            case _:
                return BLOCK

    builder = DocumentBuilder()
    TreeReader(builder, flat).read(cell)
    return builder.joined()


def _verbatim(element: Element, classify: Classify) -> str:
    pieces: list[str] = [element.text or ""]
    stack = [iter(element)]
    tails: list[str] = []
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
            if tails:
                pieces.append(tails.pop())
            continue
        part = classify(child) if isinstance(child.tag, str) else SKIP
        if part.kind in ("skip", "text", "break", "tex"):
            pieces.append("\n" if part.kind == "break" else part.value)
            pieces.append(child.tail or "")
            continue
        pieces.append(child.text or "")
        tails.append(child.tail or "")
        stack.append(iter(child))
    return "".join(pieces)
