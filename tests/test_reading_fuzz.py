"""Damaged files of every format: read or refused with a reason, never a crash."""

import io
import json
import random
import re
import zipfile
from collections.abc import Callable

import pytest

from graphrag.errors import ReadingError
from graphrag.reading.jsonl import read_jsonl
from tests import (
    test_reading_html,
    test_reading_markup,
    test_reading_numerals,
    test_reading_office,
    test_reading_rst,
)
from tests.reading_samples import check_tiling, make_pdf, make_zip, read

MARKDOWN = """---
title: T
tags: [a, b]
---
# T

Text **bold** $x$ [l](u) `c` [[w|l]] <b>h</b>.[^1]

- a
  - b

| a | b |
|---|---|
| 1 | 2 |

```py
x
```

:::{note}
n
:::

Term
: Meaning

[^1]: Note.
"""
EML = (
    "From: =?utf-8?q?G=C3=B6?= <a@b>\nSubject: s\nDate: Tue, 02 Jan 2024 10:00:00 +0000\n"
    "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n"
    "Content-Transfer-Encoding: quoted-printable\n\nHello =C3=B6\n\n> quoted\n--b\n"
    "Content-Type: text/html\n\n<p>hi</p>\n--b--\n"
)
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# A\n", "b"]},
            {"cell_type": "code", "source": "1", "outputs": [{"data": {"text/plain": ["1"]}}]},
        ],
        "metadata": {"language_info": {"name": "python"}},
    }
)
SAMPLES: dict[str, bytes] = {
    "a.md": MARKDOWN.encode(),
    "a.html": test_reading_html.PAGE.encode(),
    "a.rst": test_reading_rst.PAGE.encode(),
    "a.adoc": test_reading_markup.ADOC.encode(),
    "a.tex": test_reading_markup.LATEX.encode(),
    "a.nxml": test_reading_markup.JATS.encode(),
    "a.cnxml": test_reading_markup.CNXML.encode(),
    "a.txt": b"Title\n=====\n\n1. One\n\ntext\n\n    code = 1;\n\n* a\n* b\n",
    "a.csv": b'a,b\n1,"x, y"\n2,z\n',
    "a.py": b"import x\n\n\n@w\ndef f(a):\n    return a\n",
    "a.eml": EML.encode(),
    "a.mbox": f"From a@b Mon\n{EML}".encode(),
    "a.ipynb": NOTEBOOK.encode(),
    "a.pdf": make_pdf([[(72, 700, 14, "B", "T"), (72, 680, 10, "F", "text")]], outline=[("T", 0)]),
    "a.docx": test_reading_office.docx(
        test_reading_office.paragraph("T", "H1") + test_reading_office.item("one", 1)
    ),
    "a.xlsx": test_reading_numerals.sheet("1"),
    "a.pptx": test_reading_numerals.slides("1"),
    "a.odt": test_reading_numerals.opendocument("2"),
    "a.ods": test_reading_numerals.opendocument("2"),
    "a.epub": make_zip(
        {
            "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
            "b.opf": '<p><item id="a" href="a.xhtml"/><itemref idref="a"/></p>',
            "a.xhtml": "<h1>A</h1><p>text</p>",
        }
    ),
}
PIECES = [
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"<", b"</", b"&", b"[[", b"$$", b"```\n", b"{", b"}",
    b"\\begin{x}", b"\n\n# ", b"|a|\n|-|\n", b"::\n", b"<![CDATA[", b"<!--", b"(", b"endobj",
    b"9999999999999", "\u202e".encode(),
]  # fmt: skip
# What a reader may take for a number and cannot make one of.
NUMBERS = [
    "²".encode(), "٣".encode(), "１".encode(), "Ⅷ".encode(), "½".encode(), b"9" * 5_000,
    b"-1", b"1_0", b"1e9", b"0x10", b"999999999999999999", b"NaN", b"",
]  # fmt: skip
OPENINGS = [
    b"stem:[", b"\\(", b"\\[", b"\\begin{verbatim}", b"\\begin{itemize}", b"\\emph{", b"[[", b"`",
    b"<!DOCTYPE a [", b"<ol start='", b"<td rowspan=99 colspan=99>", b"<div>", b"![a](", b"<<",
    b"|", b"* ", b"== ", b"{", b"```{eval-rst}\n", b":::{note}\n", b"From a\n", b'"', b"[", b"(",
    b"> ", b"----\n",
]  # fmt: skip
SIBLINGS = re.compile(rb"<([\w:]+)[^<>]*(?:/>|>[^<>]*</\1>)|[^\n]{1,80}\n|[^,]{1,80},")


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The content with some bytes changed, lost, doubled or put in."""
    data = bytearray(content)
    for _ in range(rng.choice([1, 2, 5, 20])):
        i = rng.randrange(len(data) + 1)
        j = min(len(data), i + rng.choice([1, 2, 8, 64, 500]))
        match rng.randrange(8):
            case 0:
                data[i:j] = bytes(rng.randrange(256) for _ in range(j - i))
            case 1:
                del data[i:j]
            case 2:
                data[i:i] = data[i:j] * rng.choice([1, 3])
            case 3:
                data[i:i] = rng.choice(PIECES) * rng.choice([1, 3, 300])
            case 4:
                data[i:j] = data[i:j].swapcase()
            case 5:
                _put_odd_number(data, rng)
            case 6:
                _flood(data, rng)
            case _:
                data[i:j] = data[i:j].replace(b"1", b"-1").replace(b"0", b"99999999999")
    return bytes(data)


def _put_odd_number(data: bytearray, rng: random.Random) -> None:
    """Put what is no number in the place of one, wherever the content has one."""
    places = [found.span() for found in re.finditer(rb"\d+", data[:100_000])]
    if places:
        start, stop = rng.choice(places)
        data[start:stop] = rng.choice(NUMBERS)


def _flood(data: bytearray, rng: random.Random) -> None:
    """Repeat a mark that opens something, or an element, a line or a value of the content."""
    times = rng.choice([50, 500])
    if rng.random() < 0.5:
        i = rng.randrange(len(data) + 1)
        data[i:i] = rng.choice(OPENINGS) * times
        return
    siblings = [found.span() for found in SIBLINGS.finditer(data[:20_000])]
    if siblings:
        start, stop = rng.choice(siblings)
        data[start:start] = data[start:stop][:200] * times


def mutated_inside(content: bytes, rng: random.Random) -> bytes:
    """A ZIP archive with one part damaged or lost, the archive itself sound."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(parts))
    if rng.random() < 0.3 and re.search(rb"\d", parts[name]):
        part = bytearray(parts[name])
        _put_odd_number(part, rng)
        return make_zip({**parts, name: bytes(part)})
    parts[name] = mutated(parts[name], rng)
    if rng.random() < 0.1:
        del parts[name]
    return make_zip(parts)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_damaged_files_are_read_or_refused_with_a_reason(name: str) -> None:
    content = SAMPLES[name]
    check_tiling(read(name, content))
    rng = random.Random(name)
    ways: list[Callable[[bytes, random.Random], bytes]] = [mutated]
    if content.startswith(b"PK"):
        ways.append(mutated_inside)
    for _ in range(60):
        damaged = rng.choice(ways)(content, rng)
        try:
            check_tiling(read(name, damaged))
        except ReadingError as error:
            if not str(error):
                pytest.fail("a refusal without a reason")


def test_damaged_corpora_are_read_or_refused_with_a_reason() -> None:
    content = (
        b'{"id": "a", "title": "T", "text": "x\\n\\ny", "year": 2020}\n{"id": 2, "text": "z"}\n'
    )
    rng = random.Random(7)
    for _ in range(200):
        try:
            for entry in read_jsonl(mutated(content, rng)):
                check_tiling(entry.draft)
        except ReadingError as error:
            if not str(error):
                pytest.fail("a refusal without a reason")
