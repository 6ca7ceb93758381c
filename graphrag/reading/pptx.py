"""PPTX: slides as sections, their titles as headings, their numbers as pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphrag.reading.builder import DocumentBuilder, Draft, ListItem
from graphrag.reading.elements import Element, local_name, raw_text
from graphrag.reading.inline import BREAK, Flow, Run, flow, join_flows, repeated
from graphrag.reading.numerals import whole_number
from graphrag.reading.omml import omml_to_tex
from graphrag.reading.zips import Package, Relation

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("dt", "ftr", "sldNum", "hdr")
_MAX_POINTS = 200
_MAX_LEVEL = 8


def read_pptx(content: bytes, name: str) -> Draft:
    """A presentation: each slide's text in reading order, its tables, the numbers of its
    charts, and its notes. Raises ReadingError."""
    package = Package(content, "PPTX")
    main = next(
        (r.target for r in package.relations("").values() if r.kind == "officeDocument"),
        "ppt/presentation.xml",
    )
    root = package.needed_xml(main)
    relations = package.relations(main)
    builder = DocumentBuilder()
    for number, slide in enumerate(root.iter(f"{_P}sldId"), 1):
        relation = relations.get(slide.get(f"{_R}id") or "")
        tree = package.xml(relation.target) if relation else None
        if relation is None or tree is None:
            continue
        builder.page = number
        _add_slide(builder, tree, package, relation.target)
    metadata = package.core_metadata()
    title = metadata.pop("title", "")
    if title.lower() in ("powerpoint presentation", "presentation", "slide 1"):
        title = ""
    first = builder.first_heading()
    return builder.build(
        title=title or (name if first == "Slide 1" else ""),
        fallback_title=first or name,
        metadata=metadata,
    )


def _add_slide(builder: DocumentBuilder, tree: Element, package: Package, part: str) -> None:
    relations = package.relations(part)
    if tree.get("show") == "0":
        return
    shapes = list(_shapes(tree))
    titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
    named = [title for shape in titles if (title := _joined(shape, relations)).text]
    for title in named:
        builder.add_heading(1, title)
    if not named and any(shape not in titles for shape in shapes):
        # Else its text would stand under the title of the slide before.
        builder.add_heading(1, f"Slide {builder.page}")
    for shape in sorted((s for s in shapes if s not in titles), key=_place):
        if _placeholder(shape) in _FURNITURE:
            continue
        table = next(shape.iter(f"{_A}tbl"), None)
        if table is not None:
            _add_table(builder, table, relations)
        elif (chart := next(shape.iter(f"{_C}chart"), None)) is not None:
            relation = relations.get(chart.get(f"{_R}id") or "")
            root = package.xml(relation.target) if relation else None
            if root is not None:
                _add_chart(builder, root)
        else:
            _add_text(builder, shape, relations)
    for relation in relations.values():
        if relation.kind == "notesSlide" and (notes := package.xml(relation.target)) is not None:
            for shape in _shapes(notes):
                if _placeholder(shape) == "body":
                    _add_text(builder, shape, {}, opening="Notes: ")


def _shapes(tree: Element) -> Iterator[Element]:
    """Shapes that hold something, those of groups too, each once."""
    for element in tree.iter(f"{_P}sp", f"{_P}graphicFrame", f"{_P}pic"):
        if not any(local_name(above) == "fallback" for above in element.iterancestors()):
            yield element


def _placeholder(shape: Element) -> str:
    found = next(shape.iter(f"{_P}ph"), None)
    return (found.get("type") or "body") if found is not None else ""


def _place(shape: Element) -> tuple[int, int]:
    """Top and left of a shape; those without a place of their own come first."""
    offset = next(shape.iter(f"{_A}off"), None)
    if offset is None:
        return (0, 0)
    # Shapes whose tops differ by less than half a centimetre stand in one row.
    return (_measure(offset.get("y")) // 180_000, _measure(offset.get("x")))


def _measure(written: str | None) -> int:
    """A length, which may be negative: what begins outside of the slide."""
    size = whole_number((written or "").removeprefix("-"), otherwise=0)
    return -size if (written or "").startswith("-") else size


def _add_text(
    builder: DocumentBuilder, shape: Element, relations: Mapping[str, Relation], opening: str = ""
) -> None:
    if shape.tag == f"{_P}pic":
        picture = next(shape.iter(f"{_P}cNvPr"), None)
        alt = " ".join(((picture.get("descr") if picture is not None else "") or "").split())
        builder.add_paragraph(f"[image: {alt}]" if len(alt) > 2 else "")
        return
    is_body = _placeholder(shape) not in ("", "subTitle")
    items: list[ListItem] = []
    for paragraph in shape.iter(f"{_A}p"):
        runs = _runs(paragraph, relations)
        if not any(run.text.strip() for run in runs):
            continue
        properties = paragraph.find(f"{_A}pPr")
        level = whole_number(properties.get("lvl") if properties is not None else "", otherwise=0)
        inside = properties if properties is not None else ()
        marks = {local_name(e) for e in inside if isinstance(e.tag, str)}
        is_item = (is_body or bool(marks & {"buchar", "buautonum"})) and "bunone" not in marks
        if is_item and not opening:
            items.append(ListItem(runs, min(level, _MAX_LEVEL)))
            continue
        builder.add_list(items)
        items = []
        builder.add_paragraph([Run(opening), *runs])
        opening = " " if opening else ""
    if len(items) == 1:
        builder.add_paragraph(items[0].content)
    else:
        builder.add_list(items)


def _runs(paragraph: Element, relations: Mapping[str, Relation]) -> list[Run]:
    runs: list[Run] = []
    for element in paragraph.iter():
        if not isinstance(element.tag, str):
            continue
        name = local_name(element)
        if name == "omath":
            runs.append(Run(f"${omml_to_tex(element)}$"))
        elif element.tag == f"{_A}br":
            runs.append(Run(BREAK))
        elif element.tag == f"{_A}t" and element.text:
            holder = element.getparent()
            properties = holder.find(f"{_A}rPr") if holder is not None else None
            term = properties is not None and "1" in (properties.get("b"), properties.get("i"))
            link = properties.find(f"{_A}hlinkClick") if properties is not None else None
            relation = relations.get((link.get(f"{_R}id") or "") if link is not None else "")
            runs.append(Run(element.text, term, relation.target if relation else ""))
    return runs


def _joined(shape: Element, relations: Mapping[str, Relation]) -> Flow:
    parts = [flow(_runs(p, relations)) for p in shape.iter(f"{_A}p")]
    return join_flows([part for part in parts if part.text], " ")


def _add_table(builder: DocumentBuilder, table: Element, relations: Mapping[str, Relation]) -> None:
    rows: list[list[Flow]] = []
    for row in table.iter(f"{_A}tr"):
        cells: list[Flow] = []
        for cell in row.iter(f"{_A}tc"):
            is_below = cell.get("vMerge") == "1" and rows and len(cells) < len(rows[-1])
            cells.append(repeated(rows[-1][len(cells)]) if is_below else _joined(cell, relations))
        rows.append(cells)
    properties = table.find(f"{_A}tblPr")
    builder.add_table(rows, header=properties is None or properties.get("firstRow") == "1")


def _add_chart(builder: DocumentBuilder, root: Element) -> None:
    """A chart as the table of its numbers."""
    title = next(root.iter(f"{_C}title"), None)
    if title is not None:
        builder.add_paragraph(" ".join(raw_text(t) for t in title.iter(f"{_A}t")))
    series = list(root.iter(f"{_C}ser"))
    heads = [" ".join(_values(next(s.iter(f"{_C}tx"), None))) for s in series]
    categories = _values(next(root.iter(f"{_C}cat"), None))
    columns = [_values(next(s.iter(f"{_C}val"), None)) for s in series]
    length = min(max((len(c) for c in (categories, *columns)), default=0), _MAX_POINTS)
    rows = [["", *heads]]
    for i in range(length):
        rows.append([values[i] if i < len(values) else "" for values in (categories, *columns)])
    builder.add_table(rows if series else [])


def _values(holder: Element | None) -> list[str]:
    if holder is None:
        return []
    return [" ".join(raw_text(value).split()) for value in holder.iter(f"{_C}v")]
