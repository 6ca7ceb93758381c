"""Small files made by hand for the tests of reading."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

from graphrag.domain import Block, Document
from graphrag.reading.builder import Draft
from graphrag.reading.formats import format_of, text_format
from graphrag.reading.read import read_content

# One placed text: x, y (points from the lower left corner), size, font, text.
Placed = tuple[float, float, float, str, str]
FONTS = {
    "F": "Helvetica",
    "B": "Helvetica-Bold",
    "I": "Helvetica-Oblique",
    "M": "Courier",
    "V": "CMMI10",
    "X": "CMEX10",
}
"""Fonts by their short names; the last two are TeX's for letters and large signs of formulas."""


def read(name: str, content: bytes | str) -> Draft:
    """What the reader of that name's format makes of the content."""
    data = content.encode() if isinstance(content, str) else content
    return read_content(data, format_of(name) or text_format(), name)


def kinds(draft: Draft | Document) -> list[str]:
    return [block.kind for block in draft.blocks]


def texts(draft: Draft | Document, kind: str | None = None) -> list[str]:
    """The texts of the blocks (of one kind)."""
    return [
        draft.text[block.start : block.stop]
        for block in draft.blocks
        if kind is None or block.kind == kind
    ]


def paths(draft: Draft | Document) -> list[tuple[str, ...]]:
    """The heading paths of the headings, the document's title left out."""
    return [b.heading_path for b in draft.blocks if b.kind == "heading" and b.heading_path]


def terms(draft: Draft | Document) -> list[str]:
    return [draft.text[s.start : s.stop] for block in draft.blocks for s in block.terms]


def check_tiling(draft: Draft | Document) -> None:
    """Blocks tile the text in order, with only blank lines between; spans lie inside."""
    position = 0
    blocks: Sequence[Block] = draft.blocks
    for number, block in enumerate(blocks):
        gap = draft.text[position : block.start]
        assert gap == ("\n\n" if number else ""), repr(gap)
        piece = draft.text[block.start : block.stop]
        assert piece.strip(), "an empty block"
        assert piece == piece.rstrip(), "white space at a block's end"
        assert not piece.startswith("\n")
        for span in block.terms:
            assert block.start <= span.start < span.stop <= block.stop
        position = block.stop
    assert position == len(draft.text)
    for link in draft.links:
        assert 0 <= link.start < link.stop <= len(draft.text)
    draft.text.encode("utf-8")
    assert "\x00" not in draft.text
    assert "\r" not in draft.text


_TURNED = ("1 0 0 1 0 0", "0 1 -1 0 842 0", "-1 0 0 -1 595 842", "0 -1 1 0 0 595")


def make_pdf(
    pages: Sequence[Sequence[Placed]],
    *,
    outline: Sequence[tuple[str, int]] = (),
    title: str = "",
    rules: Sequence[tuple[float, float, float, float]] = (),
    turns: int = 0,
) -> bytes:
    """A PDF of placed texts; ``outline`` holds (text, page from 0), ``rules`` lines, ``turns``
    the quarters by which all that is drawn is turned to the left."""
    objects: list[bytes] = []

    def add(body: str) -> int:
        objects.append(body.encode("latin-1"))
        return len(objects)

    add("<< /Type /Catalog /Pages 2 0 R " + ("/Outlines 3 0 R " if outline else "") + ">>")
    add("")  # the page tree, known only below
    add("")  # the outline's root
    fonts = {
        key: add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>")
        for key, name in FONTS.items()
    }
    resources = " ".join(f"/{key} {number} 0 R" for key, number in fonts.items())
    numbers = []
    for page in pages:
        drawing = f"{_TURNED[turns]} cm\n"
        drawing += "".join(f"{a} {b} m {c} {d} l S\n" for a, b, c, d in rules)
        for x, y, size, font, text in page:
            safe = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            drawing += f"BT /{font} {size} Tf {x} {y} Td ({safe}) Tj ET\n"
        content = add(
            f"<< /Length {len(drawing.encode('latin-1'))} >>\nstream\n{drawing}\nendstream"
        )
        numbers.append(
            add(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
                f"/Resources << /Font << {resources} >> >> /Contents {content} 0 R >>"
            )
        )
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} >>".encode()
    if outline:
        first = len(objects) + 1
        objects[2] = (
            f"<< /Type /Outlines /First {first} 0 R /Last {first + len(outline) - 1} 0 R >>"
        ).encode()
        for i, (text, page_number) in enumerate(outline):
            following = f"/Next {first + i + 1} 0 R " if i + 1 < len(outline) else ""
            add(
                f"<< /Title ({text}) /Parent 3 0 R {following}"
                f"/Dest [{numbers[page_number]} 0 R /Fit] >>"
            )
    info = add(f"<< /Title ({title}) /CreationDate (D:20240203) >>")
    return _with_table(objects, info)


def _with_table(objects: Sequence[bytes], info: int) -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.5\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body or b"null"))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for offset in offsets:
        out.write(b"%010d 00000 n \n" % offset)
    out.write(
        b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, info, start)
    )
    return out.getvalue()


def make_zip(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of those files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
