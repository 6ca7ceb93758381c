"""Tables of a plain text: between pipes, in grids of lines, as database consoles print them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.reading.builder import DocumentBuilder

_DELIMITERS = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_RULE = re.compile(r"\+(?:[-=]+\+)+")
_CONSOLE_RULE = re.compile(r"-+(?:\+-+)+")
# The signs that draw boxes, as the plain ones that stand for them.
_DRAWN = {
    ord(sign): plain
    for plain, signs in (
        ("|", "│║┃"),
        ("-", "─═━"),
        ("+", "┌┬┐├┼┤└┴┘╔╦╗╠╬╣╚╩╝╒╤╕╞╪╡╘╧╛╓╥╖╟╫╢╙╨╜┏┳┓┣╋┫┗┻┛╭╮╰╯┝┿┥┡╇┩"),
    )
    for sign in signs
}


def add_text_table(builder: DocumentBuilder, group: Sequence[str]) -> bool:
    """Add the table that a group of lines is; False, and nothing is added, where it is none."""
    lines = [line.strip().translate(_DRAWN) for line in group]
    if len(lines) > 1 and _CONSOLE_RULE.fullmatch(lines[1]):
        rows = [[cell.strip() for cell in line.split("|")] for line in lines]
        builder.add_table([rows[0], *rows[2:]])
        return True
    ruled = [line for line in lines if _RULE.fullmatch(line)]
    if ruled and len(lines) > len(ruled) and all(_is_row(line) for line in lines):
        builder.add_table(_grid(lines, len(ruled)), header=len(ruled) > 2)
        return True
    if len(lines) < 2 or ruled or not all(_is_row(line) for line in lines):
        return False
    rows = [_cells(line) for line in lines if not _DELIMITERS.fullmatch(line)]
    builder.add_table(rows, header=bool(_DELIMITERS.fullmatch(lines[1])))
    return bool(rows)


def _is_row(line: str) -> bool:
    is_between = len(line) > 1 and line.startswith("|") and line.endswith("|")
    return is_between or bool(_RULE.fullmatch(line))


def _cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _grid(lines: Sequence[str], rules: int) -> list[list[str]]:
    """The rows of a grid. Where a rule parts the first row alone, each line is a row; else the
    lines between two rules are one, whose cells go on from line to line."""
    rows: list[list[str]] = []
    is_new = True
    for line in lines:
        if _RULE.fullmatch(line):
            is_new = True
            continue
        cells = _cells(line)
        if is_new or rules <= 3 or len(cells) != len(rows[-1]):
            rows.append(cells)
        else:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
        is_new = False
    return rows
