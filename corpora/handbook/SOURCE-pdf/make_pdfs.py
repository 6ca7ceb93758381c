"""Render the Markdown-like sources beside this script as the PDFs of the corpus.

Usage (needs the package reportlab, which the project itself does not need):

    python make_pdfs.py            # writes ../documents/pdf/*.pdf

The output is deterministic: the same sources and the same reportlab give the same bytes.
"""

import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer, Table, TableStyle

rl_config.invariant = 1

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "documents" / "pdf"

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=14, spaceAfter=6)
ITEM = ParagraphStyle("item", parent=BODY, leftIndent=16, bulletIndent=2, spaceAfter=3)
CELL = ParagraphStyle("cell", fontName="Times-Roman", fontSize=9, leading=11)
HEAD_CELL = ParagraphStyle("headcell", parent=CELL, fontName="Times-Bold")
HEADINGS = {
    1: ParagraphStyle("h1", fontName="Helvetica-Bold", fontSize=20, leading=25, spaceAfter=10),
    2: ParagraphStyle("h2", fontName="Helvetica-Bold", fontSize=14, leading=18, spaceBefore=10, spaceAfter=5, keepWithNext=1),
    3: ParagraphStyle("h3", fontName="Helvetica-Bold", fontSize=12, leading=15, spaceBefore=8, spaceAfter=4, keepWithNext=1),
}
WIDTHS = {6: [22, 54, 30, 17, 22, 25], 5: [30, 50, 25, 30, 35], 3: [40, 40, 60]}


def inline(text: str) -> str:
    text = escape(text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)
    return re.sub(r"`(.+?)`", r'<font face="Courier">\1</font>', text)


class Manual(BaseDocTemplate):
    """A4 pages with a running head, a page number and an outline of the headings."""

    def __init__(self, path: Path, title: str) -> None:
        super().__init__(str(path), pagesize=A4, title=title, author="Tarnbeck works", subject="Line 4",
                         leftMargin=20 * mm, rightMargin=20 * mm, topMargin=26 * mm, bottomMargin=22 * mm)
        frame = Frame(self.leftMargin, self.bottomMargin, self.width, self.height, id="main")
        self.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=self.furniture)])
        self.running_title = title
        self.marks = 0

    def furniture(self, canvas, doc) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        top = A4[1] - 15 * mm
        canvas.drawString(20 * mm, top, "Tarnbeck works, Line 4")
        canvas.drawRightString(A4[0] - 20 * mm, top, self.running_title)
        canvas.line(20 * mm, top - 4, A4[0] - 20 * mm, top - 4)
        canvas.drawCentredString(A4[0] / 2, 12 * mm, f"Page {doc.page}")
        canvas.restoreState()

    def afterFlowable(self, flowable) -> None:
        level = {"h1": 0, "h2": 1, "h3": 2}.get(getattr(getattr(flowable, "style", None), "name", ""))
        if level is None:
            return
        key = f"mark{self.marks}"
        self.marks += 1
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(flowable.getPlainText(), key, level=level, closed=False)


def flowables(source: str) -> list:
    out = []
    lines = source.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if heading := re.match(r"(#{1,3}) (.+)", line):
            out.append(Paragraph(inline(heading[2]), HEADINGS[len(heading[1])]))
        elif item := re.match(r"(\d+\.|-) (.+)", line):
            out.append(Paragraph(inline(item[2]), ITEM, bulletText="\u2022" if item[1] == "-" else item[1]))
        elif line.startswith("|"):
            rows = []
            while at < len(lines) and lines[at].startswith("|"):
                rows.append([cell.strip() for cell in lines[at].strip("|").split("|")])
                at += 1
            head, body = rows[0], rows[2:]
            cells = [[Paragraph(inline(c), HEAD_CELL) for c in head]] + [[Paragraph(inline(c), CELL) for c in r] for r in body]
            widths = WIDTHS.get(len(head))
            table = Table(cells, colWidths=[w * mm for w in widths] if widths else None, repeatRows=1)
            table.setStyle(TableStyle([
                ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]))
            out += [table, Spacer(1, 8)]
            continue
        elif line.strip():
            out.append(Paragraph(inline(line), BODY))
        at += 1
    return out


def main() -> int:
    TARGET.mkdir(parents=True, exist_ok=True)
    for source in sorted(HERE.glob("*.md")):
        text = source.read_text(encoding="utf-8")
        title = text.splitlines()[0].removeprefix("# ")
        target = TARGET / (source.stem + ".pdf")
        Manual(target, title).build(flowables(text))
        print(target.relative_to(HERE.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
