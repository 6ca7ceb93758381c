"""Whatever a reader fails with on odd content becomes a refusal that says why."""

import csv
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from lxml import etree

from graphrag.errors import ReadingError
from graphrag.reading.border import refusing
from graphrag.reading.formats import formats
from graphrag.reading.read import read_file
from tests.reading_samples import make_pdf, read

LONG = "9" * 5_000


@pytest.mark.parametrize(
    "failure",
    [
        ValueError("bad number"), UnicodeDecodeError("utf-16-le", b"\xd8", 0, 1, "cut"),
        KeyError("k"), IndexError("i"), TypeError("t"), AttributeError("a"), OverflowError("o"),
        ZeroDivisionError("z"), AssertionError(), EOFError("e"), NotImplementedError("n"),
        csv.Error("c"), struct.error("s"), zlib.error("z"), zipfile.BadZipFile("b"),
        etree.XPathEvalError("x"), LookupError("unknown encoding: x"),
    ],
    ids=lambda failure: type(failure).__name__,
)  # fmt: skip
def test_a_failure_on_content_names_file_format_and_what_was_wrong(failure: Exception) -> None:
    with pytest.raises(ReadingError) as refusal, refusing("a.html", "html"):
        raise failure
    for part in ("a.html", "as html", type(failure).__name__, str(failure)):
        assert part in str(refusal.value)
    assert refusal.value.__cause__ is failure


def test_a_reason_that_the_reader_gives_is_kept_as_it_is() -> None:
    with pytest.raises(ReadingError, match=r"\Aencrypted\Z"), refusing("a.html", "html"):
        raise ReadingError("encrypted")


@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit, PermissionError, NameError])
def test_what_content_cannot_cause_is_no_refusal(failure: type[BaseException]) -> None:
    with pytest.raises(failure), refusing("a.html", "html"):
        raise failure


def test_a_reason_is_kept_short_and_on_one_line() -> None:
    with pytest.raises(ReadingError) as refusal, refusing("a.html", "html"):
        raise ValueError("x\n" * 10_000)
    assert len(str(refusal.value)) < 400
    assert "\n" not in str(refusal.value)


def test_every_reader_stands_behind_the_border(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise KeyError("odd")

    monkeypatch.setattr("graphrag.reading.read._reader", lambda kind: failing)
    monkeypatch.setattr("graphrag.reading.read.read_jsonl", failing)
    for suffix in formats():
        path = tmp_path / f"a{suffix}"
        path.write_bytes(b"x")
        with pytest.raises(ReadingError, match=rf"a\{suffix} has content .*KeyError: 'odd'"):
            read_file(path, document_id="d", root=tmp_path)


@pytest.mark.parametrize(
    "text", [f"a: 0x{'f' * 5000}", "a: !!int ''", "a: !!bool x", "a: !!timestamp x"]
)
def test_values_that_yaml_cannot_make_do_not_cost_the_file(text: str) -> None:
    assert read("a.md", f"---\ntitle: T\n{text}\n---\nkeep\n").text.endswith("keep")


def test_values_that_toml_cannot_make_do_not_cost_the_file() -> None:
    for value in (f"0x{'f' * 5000}", LONG, "[" * 5_000):
        assert read("a.md", f"+++\na = {value}\n+++\nkeep\n").text.endswith("keep")


def test_metadata_that_no_store_can_keep_is_mended(tmp_path: Path) -> None:
    lone = "\\ud800x"
    notebook = {"cells": [{"cell_type": "code", "source": "1"}]}
    samples = {
        "a.md": f'---\nauthor: "{lone}"\n"{lone}": a\nz: "\\0"\n---\ntext\n',
        "a.jsonl": f'{{"id": "{lone}", "title": "{lone}", "text": "x", "{lone}": ["{lone}"]}}',
        "a.ipynb": json.dumps(
            {**notebook, "metadata": {"date": "\ud800", "authors": [{"name": "\ud800"}],
             "title": "\ud800", "language_info": {"name": "\ud800"}}}
        ),
    }  # fmt: skip
    for name, content in samples.items():
        path = tmp_path / name
        path.write_text(content)
        (document,) = read_file(path, document_id="d", root=tmp_path)
        assert "\ufffd" in f"{document}"
        f"{document}{document.metadata}{document.blocks}".encode()
        assert "\\x00" not in f"{document}"


def test_a_pdf_with_an_odd_title_or_bookmark_is_read() -> None:
    page = [(72.0, 700.0, 12.0, "F", "Some text of the page that is long enough")]
    # A mark of UTF-16 and half of a pair after it.
    odd = "\xfe\xff\xd8\x00"
    draft = read("a.pdf", make_pdf([page], outline=[(odd, 0)], title=odd))
    assert "Some text" in draft.text
