"""Odd files that broke other engines, through the whole engine: read or refused, never lost."""

from __future__ import annotations

import base64
import os
import random
from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.errors import SettingsError
from graphrag.settings import Settings, load_settings
from tests.history import differences
from tests.test_chunking import WordTokenizer, document

QUOTING = replace(Settings(), writer=replace(Settings().writer, kind="extractive"))
BLOB = base64.b64encode(random.Random(1).randbytes(6_000)).decode()
ROWS = "\n".join(f"| pump {number} | {number * 7} bar |" for number in range(1, 201))
READ = {
    "bom.md": "\ufeff# Armadillo\n\nThe armadillo has a bony shell.\n".encode(),
    "crlf.md": b"# Badger\r\n\r\nThe badger digs a sett.\r\n\r\n- one\r\n- two\r\n",
    "utf16.txt": "Der Dachs gräbt einen Bau unter der Größe eines Hügels.".encode("utf-16"),
    "latin1.txt": "Die Größe der Fläche wird größer, naïve Café.".encode("latin-1"),
    "surrogate.txt": b"The chameleon \xed\xa0\x80 changes its colour.",
    "run.md": b"# Dolphin\n\n" + b"a" * 5_000 + b"\n\nThe dolphin swims.\n",
    "spaces.md": b"# Eland\n\nThe eland" + b" " * 10_000 + b"grazes.\n",
    "base64.md": (
        f"# Falcon\n\nThe falcon dives.\n\n```\n{BLOB}\n```\n\n![x](data:image/png;base64,{BLOB})\n"
    ).encode(),
    "headings.md": b"# Gecko\n\n## Feet\n\n## Tail\n\nThe gecko sheds its tail.\n",
    "fences.md": b"# Heron\n\n~~~\n# not a heading\n~~~\n\n```sh\n# nor this\n```\n\nIt waits.\n",
    "open.md": b"---\ntitle: Ibis\n\nThe ibis wades, and this front matter is never closed.\n",
    "setext.md": b"Jackal\n======\n\nHabits\n------\n\nThe jackal howls.\n",
    "table.md": f"# Kestrel\n\n| pump | pressure |\n|---|---|\n{ROWS}\n".encode(),
    "nested.md": b"# Lemur\n\n- a\n  - b\n    - c\n      1. The lemur leaps.\n",
    "math.md": b"# Mole\n\n$$\na^2\n$$\n\n\\[ b_1 \\]\n\nThe mole digs.\n",
    "cells.md": b"# Newt\n\n| a | b |\n|---|---|\n|  | 1 |\n| 2 |  |\n",
    "page.html": b"<p hidden>secret</p><script>bad()</script><!-- c --><h1>Otter</h1><p>It plays.",
    "japanese.md": "# 国際標準化\n\n「国際標準化」は国際的な標準を作ることである。\n".encode(),
    "arabic.txt": "المصفوفة هي جدول من الأعداد".encode(),
    "korean.txt": "행렬은 수를 직사각형으로 배열한 것이다".encode(),
    "accents.md": "# Élan\n\nL'élan mange des nénuphars où il veut.\n".encode(),
}
REFUSED = {
    "empty.md": (b"", "empty"),
    "blank.md": (b" \n\t\n\r\n", "empty"),
    "cut.docx": (b"PK\x03\x04" + b"\x00" * 40, "damaged|truncated|not a"),
}


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """An index over all the odd files, its folder, and the report of its ingest."""
    place = tmp_path_factory.mktemp("odd")
    folder = place / "d"
    folder.mkdir()
    contents = READ | {name: content for name, (content, _) in REFUSED.items()}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "loop").symlink_to(folder)
    (folder / "out.md").symlink_to("/etc/hostname")
    (folder / os.fsdecode(b"caf\xe9.md")).write_bytes(b"# Quail\n\nThe quail hides.\n")
    with Engine.open(place / "i.graphrag", settings=QUOTING) as engine:
        yield engine, folder, engine.ingest([folder]), place


def test_all_that_can_be_read_is_in_the_index(odd):
    engine, _, report, _ = odd
    found = {each.id for each in engine.desk.workspace.catalog.documents()}
    assert set(READ) <= found
    assert len(found) == len(READ) + 1  # and the name that is no UTF-8
    assert report.added == len(READ) + 1


def test_each_refusal_has_its_true_reason(odd):
    _, _, report, _ = odd
    reasons = {each.path.rpartition("/")[2]: each.reason for each in report.refused}
    assert set(reasons) == {*REFUSED, "out.md"}
    for name, (_, reason) in REFUSED.items():
        assert any(part in reasons[name] for part in reason.split("|")), (name, reasons[name])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("bony shell of the armadillo", "bom.md"),
        ("which animal digs a sett?", "crlf.md"),
        ("the chameleon changes its colour", "surrogate.txt"),
        ("the dolphin swims", "run.md"),
        ("the falcon dives", "base64.md"),
        ("the gecko sheds its tail", "headings.md"),
        ("front matter of the ibis", "open.md"),
        ("pressure of pump 187", "table.md"),
        ("国際標準化", "japanese.md"),
        ("where does the quail hide?", "caf\\xe9.md"),
    ],
)
def test_what_was_read_is_found(odd, question, name):
    engine, *_ = odd
    assert name in [each.chunk.document_id for each in engine.search(question, k=3, rerank=False)]


def test_nothing_hidden_is_indexed(odd):
    engine, *_ = odd
    texts = [each.text for each in engine.desk.workspace.catalog.documents()]
    assert not any("secret" in text or "bad()" in text for text in texts)


def test_the_stores_agree_and_a_second_run_changes_nothing(odd):
    engine, folder, report, place = odd
    assert engine.verify() == []
    again = engine.ingest([folder])
    assert (again.added, again.changed, again.removed) == (0, 0, 0)
    assert again.refused == report.refused
    assert not differences(engine, folder, place / "fresh.graphrag")
    # Last, since the index is shared: a name that is no UTF-8 can be named as any other.
    assert engine.remove([folder / os.fsdecode(b"caf\xe9.md")]) == ["caf\\xe9.md"]


def test_each_part_of_a_table_of_200_rows_carries_its_header(odd):
    engine, *_ = odd
    chunks = [
        each for each in engine.desk.workspace.catalog.chunks() if each.document_id == "table.md"
    ]
    assert len(chunks) > 2
    assert all("| pump | pressure |" in each.embedded_text for each in chunks)


def test_a_line_of_a_megabyte_is_cut_within_the_limit():
    doc = document(("paragraph", ("Part",), "word " * 200_000))
    chunks = chunk_document(doc, WordTokenizer(), ChunkingOptions())
    assert all(each.tokens <= ChunkingOptions().limit for each in chunks)
    assert "".join(doc.text[each.start : each.stop] for each in chunks).count("word") >= 200_000


def test_an_overlap_as_long_as_a_chunk_is_refused_and_would_end():
    with pytest.raises(SettingsError, match="overlap"):
        load_settings(environment={"GRAPHRAG_CHUNKING_OVERLAP": "1.0"})
    doc = document(("paragraph", ("Part",), "One is a number. Two is a number. " * 40))
    chunks = chunk_document(doc, WordTokenizer(), ChunkingOptions(20, 30, 1.0))
    assert chunks[-1].stop == len(doc.text.rstrip())
    assert [each.stop for each in chunks] == sorted({each.stop for each in chunks})
