"""DOCX: Word's paragraphs, headings, lists, tables, code and formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.docx_notes import mark_of, note_marks, notes
from graphrag.reading.docx_styles import (
    Numbering,
    Style,
    W,
    attribute,
    is_mono,
    is_on,
    read_numbering,
    read_styles,
)
from graphrag.reading.elements import Element, local_name
from graphrag.reading.inline import BREAK, Flow, Run, flow, join_flows, repeated
from graphrag.reading.names import is_power
from graphrag.reading.numerals import whole_number
from graphrag.reading.omml import omml_to_tex
from graphrag.reading.symbol_fonts import sign_of
from graphrag.reading.zips import Package, Relation
from graphrag.wording.days import iso_day

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_SKIPPED = frozenset(
    ("del", "movefrom", "instrtext", "fallback", "ppr", "rpr", "sectpr", "deltext", "pict")
)
_NO_OUTLINE = 9


@dataclass(slots=True)
class _Reading:
    """The state of one reading: what the parts say, and what waits to be added."""

    builder: DocumentBuilder
    styles: Mapping[str, Style]
    numbering: Numbering
    relations: Mapping[str, Relation]
    shift: int
    marks: Mapping[tuple[str, str], str]
    items: list[ListItem] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    terms: list[Run] = field(default_factory=list)
    date: str = ""


def read_docx(content: bytes, name: str) -> Draft:
    """A Word file: body text, then its foot- and endnotes; heads, feet, comments and
    deleted text are left out. Raises ReadingError: damaged, encrypted, a ZIP bomb."""
    package = Package(content, "DOCX")
    main = next(
        (r.target for r in package.relations("").values() if r.kind == "officeDocument"),
        "word/document.xml",
    )
    root = package.needed_xml(main)
    metadata = package.core_metadata()
    title = metadata.pop("title", "")
    styles = read_styles(package)
    has_title = any(styles.get(attribute(e), Style()).is_title for e in root.iter(f"{W}pStyle"))
    builder = DocumentBuilder()
    reading = _Reading(
        builder,
        styles,
        read_numbering(package),
        package.relations(main),
        shift=int(has_title),
        marks=note_marks(root),
    )
    body = root.find(f"{W}body")
    _add_blocks(reading, body if body is not None else root)
    _close(reading)
    _end_terms(reading)
    _add_notes(reading, package)
    if reading.date:  # as written; the file's own is the day on which a program made it
        metadata["date"] = reading.date
    heading = builder.first_heading()
    return builder.build(
        title="" if has_title and heading else title,
        fallback_title=title or name,
        metadata=metadata,
    )


def _blocks(parent: Element) -> Iterator[Element]:
    """Paragraphs and tables in order, through content controls and the like."""
    stack = [iter(parent)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif isinstance(child.tag, str):
            if child.tag in (f"{W}p", f"{W}tbl"):
                yield child
            elif local_name(child) not in _SKIPPED and not _is_contents(child):
                stack.append(iter(child))


def _is_contents(control: Element) -> bool:
    """Whether a content control holds the table of contents."""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return attribute(gallery) == "Table of Contents"


def _add_blocks(reading: _Reading, parent: Element) -> None:
    for block in _blocks(parent):
        if block.tag == f"{W}tbl":
            _close(reading)
            _add_table(reading, block)
        else:
            _add_paragraph(reading, block)


def _add_paragraph(reading: _Reading, paragraph: Element) -> None:
    properties = paragraph.find(f"{W}pPr")
    style = reading.styles.get(
        attribute(properties.find(f"{W}pStyle") if properties is not None else None), Style()
    )
    if style.is_contents:
        return
    runs = _runs(paragraph, reading)
    label, depth = _label(reading, properties, style)
    level = _level(properties, style)
    text = "".join(run.text for run in runs)
    if style.definition != "definition" and text.strip():
        _end_terms(reading)
    if style.name == "Date":
        reading.date = reading.date or iso_day(text)
    if text.strip() and (level or style.is_title):
        _close(reading)
        shown = [Run(f"{label} "), *runs] if label.strip("- ") else runs
        is_title = style.is_title
        reading.builder.add_heading(1 if is_title else level + reading.shift, shown)
    elif style.is_code or (text.strip() and _all_mono(paragraph)):
        _close(reading, keep_code=True)
        reading.code.append(text.replace(BREAK, "\n"))
    elif text.strip() and label:
        _close(reading, keep_items=True)
        reading.items.append(ListItem(runs, depth, label.strip()))
    elif text.strip() and style.definition:
        _close(reading)
        _add_definition(reading, style.definition, runs)
    elif text.strip():
        _close(reading)
        if style.is_quote:
            reading.builder.add_quote(runs)
        elif formula := _only_formula(paragraph):
            reading.builder.add_formula(formula)
        else:
            reading.builder.add_paragraph(runs)
    for box in _text_boxes(paragraph):
        _close(reading)
        _add_blocks(reading, box)


def _add_definition(reading: _Reading, part: str, runs: list[Run]) -> None:
    """A term waits for its definition and opens the first paragraph of that."""
    if part == "term":
        reading.builder.entry = flow(runs).text
        reading.terms = [Run(run.text, True, run.target) for run in runs]
        return
    lead = [*reading.terms, Run(": ")] if reading.terms else []
    reading.terms = []
    reading.builder.add_paragraph([*lead, *runs])


def _end_terms(reading: _Reading) -> None:
    """What follows tells no more of the last term; one without a definition stands alone."""
    reading.builder.add_paragraph(reading.terms)
    reading.terms = []
    reading.builder.entry = ""


def _close(reading: _Reading, *, keep_items: bool = False, keep_code: bool = False) -> None:
    """Add the list and the code that ended."""
    if reading.items and not keep_items:
        reading.builder.add_list(reading.items)
        reading.items = []
    if reading.code and not keep_code:
        reading.builder.add_code("\n".join(reading.code))
        reading.code = []


def _label(reading: _Reading, properties: Element | None, style: Style) -> tuple[str, int]:
    """The label of a paragraph in a list and its depth; empty where it is in none."""
    numbers = properties.find(f"{W}numPr") if properties is not None else None
    list_id, depth = style.list_id, style.list_level
    if numbers is not None:
        list_id = attribute(numbers.find(f"{W}numId")) or list_id
        level = attribute(numbers.find(f"{W}ilvl"))
        depth = whole_number(level, otherwise=depth)
    if not list_id or list_id == "0":
        return "", 0
    return reading.numbering.next_label(list_id, depth), min(depth, 8)


def _level(properties: Element | None, style: Style) -> int:
    outline = attribute(properties.find(f"{W}outlineLvl") if properties is not None else None)
    level = whole_number(outline, otherwise=-1)
    if level < 0:
        return style.level
    return level + 1 if level < _NO_OUTLINE else 0


def _runs(paragraph: Element, reading: _Reading) -> list[Run]:
    """The visible text of a paragraph with its terms, links and formulas."""
    runs: list[Run] = []
    stack: list[tuple[Iterator[Element], str]] = [(iter(paragraph), "")]
    while stack:
        children, target = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            continue
        if not isinstance(child.tag, str):
            continue
        name = local_name(child)
        if child.tag.startswith(_MATH) and name == "omath":
            runs.append(Run(f"${omml_to_tex(child)}$"))
        elif name == "r":
            runs.extend(_run(child, target, reading.marks))
        elif name == "hyperlink":
            relation = reading.relations.get(child.get(_R_ID) or "")
            anchor = attribute(child, "anchor")
            goal = relation.target if relation else f"#{anchor}" if anchor else ""
            stack.append((iter(child), goal))
        elif name not in _SKIPPED:
            stack.append((iter(child), target))
    return runs


def _run(run: Element, target: str, marks: Mapping[tuple[str, str], str]) -> Iterator[Run]:
    properties = run.find(f"{W}rPr")
    if properties is not None and is_on(properties.find(f"{W}vanish")):
        return
    term = properties is not None and (
        is_on(properties.find(f"{W}b")) or is_on(properties.find(f"{W}i"))
    )
    raised = properties is not None and (
        attribute(properties.find(f"{W}vertAlign")) == "superscript"
    )
    for child in run:
        name = local_name(child) if isinstance(child.tag, str) else ""
        if name == "t" and child.text:
            yield Run(
                f"^{child.text}" if raised and is_power(child.text) else child.text, term, target
            )
        elif name in ("tab", "ptab"):
            yield Run("\t", False, target)
        elif name in ("br", "cr"):
            yield Run(BREAK)
        elif name == "sym":
            yield Run(sign_of(attribute(child, "font"), attribute(child, "char")), term, target)
        elif name == "nobreakhyphen":
            yield Run("-", term, target)
        elif name in ("footnotereference", "endnotereference"):
            yield Run(f" [{mark_of(child, marks)}]")
        elif name == "drawing" and (alt := _alternative(child)):
            yield Run(f"[image: {alt}]", False, target)


def _alternative(drawing: Element) -> str:
    """What a picture shows, as its author wrote it."""
    found = next(drawing.iter("{*}docPr"), None)
    alt = " ".join((found.get("descr") or "").split()) if found is not None else ""
    return alt if len(alt) > 2 else ""


def _all_mono(paragraph: Element) -> bool:
    runs = [run for run in paragraph.iter(f"{W}r") if run.find(f"{W}t") is not None]
    return bool(runs) and all(is_mono(run.find(f"{W}rPr")) for run in runs)


def _only_formula(paragraph: Element) -> str:
    """The formulas of a paragraph that holds nothing else."""
    if paragraph.find(f".//{W}t") is not None or paragraph.find(f"{_MATH}oMathPara") is None:
        return ""
    return " ".join(omml_to_tex(math) for math in paragraph.iter(f"{_MATH}oMath"))


def _text_boxes(paragraph: Element) -> Iterator[Element]:
    for box in paragraph.iter(f"{W}txbxContent"):
        if not any(
            local_name(above) in ("fallback", "txbxcontent") for above in box.iterancestors()
        ):
            yield box


def _add_table(reading: _Reading, table: Element) -> None:
    rows: list[list[Flow]] = []
    for row in table.iter(f"{W}tr"):
        if next(row.iterancestors(f"{W}tbl"), None) is not table:
            continue
        cells: list[Flow] = []
        for cell in row.iter(f"{W}tc"):
            if next(cell.iterancestors(f"{W}tr"), None) is not row:
                continue
            _add_cell(reading, cell, cells, rows[-1] if rows else [])
        rows.append(cells)
    if max((len(row) for row in rows), default=0) < 2:
        for row in table.iter(f"{W}tc"):
            if next(row.iterancestors(f"{W}tbl"), None) is table:
                _add_blocks(reading, row)
        _close(reading)
        return
    reading.builder.add_table(rows, header=_has_header(table))


def _add_cell(reading: _Reading, cell: Element, cells: list[Flow], above: list[Flow]) -> None:
    properties = cell.find(f"{W}tcPr")
    merge = properties.find(f"{W}vMerge") if properties is not None else None
    span = attribute(properties.find(f"{W}gridSpan") if properties is not None else None)
    if merge is not None and attribute(merge) != "restart":
        cells.append(repeated(above[len(cells)]) if len(cells) < len(above) else Flow(""))
    else:
        parts = [flow(_runs(paragraph, reading)) for paragraph in cell.iter(f"{W}p")]
        cells.append(join_flows([part for part in parts if part.text], " "))
    width = min(whole_number(span, otherwise=1), 60)
    cells.extend([Flow("")] * (width - 1))


def _has_header(table: Element) -> bool:
    if table.find(f"{W}tr/{W}trPr/{W}tblHeader") is not None:
        return True
    look = table.find(f"{W}tblPr/{W}tblLook")
    first_row = attribute(look, "firstRow")
    mask = attribute(look)
    return first_row in ("1", "true") or (not first_row and _has_bit(mask, 0x20)) or look is None


def _has_bit(mask: str, bit: int) -> bool:
    try:
        return bool(int(mask, 16) & bit)
    except ValueError:
        return False


def _add_notes(reading: _Reading, package: Package) -> None:
    for note in notes(package, reading.marks):
        parts = [flow(_runs(paragraph, reading)) for paragraph in note.paragraphs]
        said = join_flows([part for part in parts if part.text], " ")
        if said.text:
            reading.builder.add_paragraph(join_flows([Flow(f"[{note.mark}]"), said], " "))
