"""Reading a file: where it stands, what stands beside it, and why it is refused."""

import csv
import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.errors import ReadingError
from graphrag.reading import files
from graphrag.reading.files import path_of, printable
from graphrag.reading.read import formats, read_file


def read_at(path: Path, content: bytes | str, root: Path | None = None) -> list:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_file(path, document_id="d", root=root or path.parent)


def test_a_document_knows_its_id_source_format_and_language(tmp_path: Path) -> None:
    (document,) = read_at(tmp_path / "a.md", "# T\n\nThis is the text of it and that is all.\n")
    assert document.id == "d"
    assert document.source == str(tmp_path / "a.md")
    assert (document.title, document.format, document.language) == ("T", "markdown", "en")


def test_a_document_without_title_takes_its_files_name(tmp_path: Path) -> None:
    assert read_at(tmp_path / "my notes.md", "text")[0].title == "my notes"


def test_a_corpus_file_gives_one_document_a_line(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    first = '{"id": "x1", "title": "T", "text": "A.\\n\\nB.", "Year": 2020}'
    one, two = read_at(path, first + '\n\n{"id": 2, "text": "C"}\n')
    assert (one.id, one.source, one.title, one.text) == ("x1", f"{path}#x1", "T", "A.\n\nB.")
    assert one.metadata == {"year": "2020"}
    assert (two.id, two.title) == ("2", "2")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', "line 2 repeats the id 'a'"),
        ("[1]\n", "line 1 is not a JSON object"),
        ('{"text": "x"}', "line 1 has no id"),
        ('{"id": "a"}', "line 1 has no text"),
        ('{"id": "a", "text": "x"}\n{"id": \n', "line 2 is not JSON"),
        ("[" * 100_000, "line 1 is not JSON"),
    ],
)
def test_a_broken_corpus_line_is_named(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(ReadingError, match=reason):
        read_at(tmp_path / "c.jsonl", content)


def test_metadata_beside_the_documents_wins_over_front_matter(tmp_path: Path) -> None:
    (tmp_path / "graphrag.toml").write_text(
        '[[documents]]\npath = "policies/*.md"\ntype = "policy"\nauthority = 0.9\n'
        '[[documents]]\npath = "policies/a.md"\nvalid_from = 2024-01-02\ntags = ["x", "y"]\n'
    )
    (tmp_path / "graphrag.csv").write_text("path,author,access\npolicies/a.md,Ann;Bo,staff\n")
    content = "---\ntype: note\norder: 1\n---\ntext\n"
    (document,) = read_at(tmp_path / "policies" / "a.md", content, root=tmp_path)
    assert document.metadata == {
        "access": "staff",
        "author": ("Ann", "Bo"),
        "authority": "0.9",
        "order": "1",
        "tags": ("x", "y"),
        "type": "policy",
        "valid_from": "2024-01-02",
    }


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ("valid_to: soon", "valid_to is 'soon'; write a day as YYYY-MM-DD"),
        ("valid_from: 02/03/2024", "valid_from is '02/03/2024'"),
        ("valid_from: 2024-06\nvalid_to: 2024-05-31", "it would never hold"),
    ],
)
def test_a_validity_that_no_day_compares_with_is_refused(
    tmp_path: Path, limits: str, reason: str
) -> None:
    with pytest.raises(ReadingError, match=reason):
        read_at(tmp_path / "a.md", f"---\n{limits}\n---\ntext\n")


def test_of_several_rules_beside_documents_the_last_wins(tmp_path: Path) -> None:
    (tmp_path / "graphrag.toml").write_text(
        '[[documents]]\npath = "*.md"\ntype = "one"\nlevel = 1\n'
        '[[documents]]\npath = "a.md"\ntype = "two"\naccess = "all"\n'
    )
    (tmp_path / "graphrag.csv").write_text("path,access\na.md,staff\n")
    (document,) = read_at(tmp_path / "a.md", "text")
    assert document.metadata == {"access": "staff", "level": "1", "type": "two"}


def test_a_title_beside_the_document_wins(tmp_path: Path) -> None:
    (tmp_path / "graphrag.toml").write_text('[[documents]]\npath = "a.md"\ntitle = "Better"\n')
    assert read_at(tmp_path / "a.md", "# Worse\n\nx\n")[0].title == "Better"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("graphrag.toml", "[[documents]\n", "not valid TOML"),
        ("graphrag.toml", "[[documents]]\ntype = 'x'\n", "without path"),
        ("graphrag.toml", "[[documents]]\npath = 'a.md'\nauthority = 5\n", "from 0 to 1"),
        ("graphrag.toml", "[[documents]]\npath = 'a.md'\nvalid_to = 'soon'\n", "'soon'; write"),
        ("graphrag.csv", "file,type\na.md,x\n", "no column named path"),
    ],
)
def test_broken_metadata_beside_documents_is_said(
    tmp_path: Path, name: str, content: str, reason: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ReadingError, match=reason):
        read_at(tmp_path / "a.md", "text")


def test_packed_text_is_unpacked(tmp_path: Path) -> None:
    (document,) = read_at(tmp_path / "a.txt.gz", gzip.compress(b"some text"))
    assert (document.text, document.format) == ("some text", "text")


def test_damaged_packed_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="damaged gzip"):
        read_at(tmp_path / "a.txt.gz", gzip.compress(b"some text" * 99)[:-9])


def test_a_name_that_is_no_utf8_gives_a_source_that_is(tmp_path: Path) -> None:
    try:
        (document,) = read_at(tmp_path / os.fsdecode(b"caf\xe9.md"), "text")
    except OSError:
        pytest.skip("this file system wants UTF-8 names")
    assert document.source.endswith("caf\\xe9.md")
    assert document.title == "caf\\xe9"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(ReadingError, match="no permission"):
        read_file(path, document_id="d", root=tmp_path)


def test_missing_files_folders_and_pipes_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.md")
    for name, reason in (
        ("no.md", "no such file"),
        ("p.md", "regular"),
        (".", "regular|directory"),
    ):
        with pytest.raises(ReadingError, match=reason):
            read_file(tmp_path / name, document_id="d", root=tmp_path)


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 2049)
    with pytest.raises(ReadingError, match="too large"):
        files.read_bytes(path, limit=2048)


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x")
    real = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        with path.open("a") as file:
            file.write("y")
        return real(descriptor)

    monkeypatch.setattr(files.os, "fstat", growing)
    with pytest.raises(ReadingError, match="changed while"):
        files.read_bytes(path)


def test_every_format_is_named_by_its_suffixes() -> None:
    assert formats()[".md"] == "markdown"
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in formats())


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("graphrag.csv", "path,type\na.md," + "x" * (17 << 20), "graphrag.csv:2 .*field larger"),
        ("graphrag.csv", 'path,type\na.md,"\0"x\n', "graphrag.csv cannot be read: binary"),
        ("graphrag.toml", f"[[documents]]\npath = 'a.md'\nn = {'9' * 5000}\n", "not valid TOML"),
        ("graphrag.toml", f"[[documents]]\npath = 'a.md'\nn = {'[' * 5000}\n", "not valid TOML"),
        ("graphrag.toml", "[[documents]]\npath = 'a\\'\n", r"'a\\' is no pattern"),
        ("graphrag.toml", "[[documents]]\npath = '*'\nauthority = 7\n", "toml: authority is 7; "),
        ("graphrag.csv", "path,authority\n*,high\n", "csv: authority is high; give a number"),
    ],
    ids=["long cell", "NUL", "long number", "deep list", "no pattern", "above 1", "no number"],
)
def test_odd_values_beside_documents_are_said(
    tmp_path: Path, name: str, content: str, reason: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ReadingError, match=reason):
        read_at(tmp_path / "a.md", "text")


@pytest.mark.parametrize("value", ["1.5", "-1", "85", "nan"])
def test_an_authority_that_a_document_cannot_have_is_said(tmp_path: Path, value: str) -> None:
    with pytest.raises(ReadingError, match=f"authority is {value}; give a number from 0 to 1"):
        read_at(tmp_path / "a.md", f"---\nauthority: {value}\n---\ntext")
    (tmp_path / "graphrag.csv").write_text("path,authority\na.md,0.4\n")
    (found,) = read_at(tmp_path / "a.md", f"---\nauthority: {value}\n---\ntext")
    assert found.metadata["authority"] == "0.4"


def test_an_authority_in_words_is_what_its_author_meant_by_it(tmp_path: Path) -> None:
    (found,) = read_at(tmp_path / "a.md", "---\nauthority: City of Oslo\n---\ntext")
    assert found.metadata["authority"] == "City of Oslo"


def test_metadata_beside_documents_may_have_any_line_ends(tmp_path: Path) -> None:
    (tmp_path / "graphrag.csv").write_bytes(b'path,access\ra.md,staff\rb.md,"two\r\nlines"\r')
    assert read_at(tmp_path / "a.md", "text")[0].metadata == {"access": "staff"}


def test_a_long_cell_beside_documents_is_kept_whatever_was_read_before(tmp_path: Path) -> None:
    before = csv.field_size_limit(131_072)
    (tmp_path / "graphrag.csv").write_text("path,note\na.md," + "x" * 200_000)
    try:
        assert len(read_at(tmp_path / "a.md", "text")[0].metadata["note"]) == 200_000
    finally:
        csv.field_size_limit(before)


def test_days_of_metadata_are_written_year_first(tmp_path: Path) -> None:
    front = "---\ndate: 2 March 2024\nvalid_from: 2024/5/1\nvalid_to: 31.12.2027\n---\nText.\n"
    (document,) = read_at(tmp_path / "a.md", front)
    assert document.metadata == {
        "date": "2024-03-02",
        "valid_from": "2024-05-01",
        "valid_to": "2027-12-31",
    }


def test_one_short_word_over_and_over_speaks_for_no_language(tmp_path: Path) -> None:
    assert read_at(tmp_path / "a.md", "a = b, a = c, a = d")[0].language is None


@given(st.binary(min_size=1, max_size=12).filter(lambda name: b"\0" not in name))
def test_a_printed_path_is_utf8_and_gives_the_path_back(name: bytes) -> None:
    path = os.fsdecode(name.replace(b"e", rb"\xe9"))
    assert path_of(printable(path).encode().decode()) == path


def test_several_authors_are_several_values(tmp_path: Path) -> None:
    (document,) = read_at(tmp_path / "a.md", "---\nauthor: Ada Li; Bo Ek\n---\n\nText.\n")
    assert document.metadata["author"] == ("Ada Li", "Bo Ek")


@pytest.mark.parametrize(("stated", "language"), [("de-AT", "de"), ("C", "en"), ("eng", "eng")])
def test_what_is_no_code_of_a_language_is_none(tmp_path: Path, stated: str, language: str) -> None:
    text = f"---\nlanguage: {stated}\n---\nThis is the text of it and that is all.\n"
    assert read_at(tmp_path / "a.md", text)[0].language == language
