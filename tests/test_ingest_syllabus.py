"""A syllabus gives concepts as they stand, each with an id of its own."""

import json

import pytest

from graphrag.errors import ReadingError
from graphrag.ingest.syllabus import read_syllabus


def test_names_that_differ_in_marks_only_get_ids_of_their_own(tmp_path):
    titles = ["C", "C++", "C#", ".NET", "Net", "HTTP", "HTTPS", "$$", "λ", "国際標準化"]
    file = tmp_path / "s.csv"
    file.write_text("title\n" + "\n".join(titles))
    found = read_syllabus(file)
    assert [each.title for each in found] == titles
    assert len({each.id for each in found}) == len(titles)
    assert all(each.id for each in found)


def test_an_id_that_comes_twice_is_named_with_the_mend(tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("title\nvector\nVectors\n")
    with pytest.raises(ReadingError, match=r"s.csv:3: the id 'vector' comes twice; give one"):
        read_syllabus(file)


def test_line_separators_inside_a_name_do_not_end_its_line(tmp_path):
    lines = tmp_path / "s.jsonl"
    lines.write_text(json.dumps({"title": "a\u2028b"}, ensure_ascii=False) + "\r\n\r\n")
    assert [each.title for each in read_syllabus(lines)] == ["a\u2028b"]
    table = tmp_path / "s.csv"
    table.write_text('title,aliases\n"two\nlines",x;y\n')
    (found,) = read_syllabus(table)
    assert (found.title, found.aliases) == ("two\nlines", ("x", "y"))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("s.csv", "title\nok\n" + "x" * (17 << 20), r"s.csv:3: not CSV: field larger"),
        ("s.jsonl", '{"title": "a"}\n{"title": ' + "[" * 100_000, r"s.jsonl:2: not JSON"),
        ("s.jsonl", '{"title": "a", "id": ' + "9" * 5000 + "}", r"s.jsonl:1: not JSON"),
        ("s.jsonl", '{"title": ["a"]}', r"s.jsonl:1: every concept needs a 'title'"),
        ("s.jsonl", '{"title": " \\t"}', r"s.jsonl:1: every concept needs a 'title'"),
        ("s.csv", 'title\na\n  \n" "\n', r"s.csv:\d: every concept needs a 'title'"),
    ],
    ids=["long cell", "deep", "long number", "list", "blank", "blank cell"],
)
def test_a_row_that_cannot_be_read_is_named(tmp_path, name, content, reason):
    (tmp_path / name).write_text(content)
    with pytest.raises(ReadingError, match=reason):
        read_syllabus(tmp_path / name)


def test_names_are_made_such_that_every_store_keeps_them(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_text('{"title": "a\\ud800\\u0000", "aliases": ["b\\udc00"], "id": "\\ud800"}\n')
    (found,) = read_syllabus(file)
    assert (found.title, found.aliases, found.id) == ("a\ufffd", ("b\ufffd",), "\ufffd")
