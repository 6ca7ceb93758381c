"""The remembered words and names of texts: equal to fresh ones whatever befell the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag.retrieval.name_texts import KnownTexts, NamedText, read_text

TEXTS = ("Ermengarde of Tours wed Lothair I.", "the C++ of .NET", "", "\ud800 odd — 標準 Café")


def kept(path: Path, texts: tuple[str, ...]) -> list[NamedText]:
    known = KnownTexts.load(path)
    found = [known(text) for text in texts]
    known.save()
    return found


def test_a_text_is_its_words_their_capitals_and_its_names() -> None:
    assert read_text("The Café of Paris opens.") == NamedText(
        "the cafe of paris opens", "11010", ("cafe of paris",)
    )


def test_what_is_remembered_equals_what_is_read(tmp_path: Path) -> None:
    expected = [read_text(text) for text in TEXTS]
    assert kept(tmp_path / "t", TEXTS) == expected
    assert kept(tmp_path / "t", TEXTS) == expected


def test_a_known_text_is_not_written_again_and_a_new_one_is_appended(tmp_path: Path) -> None:
    kept(tmp_path / "t", TEXTS)
    size = (tmp_path / "t").stat().st_size
    kept(tmp_path / "t", TEXTS)
    assert (tmp_path / "t").stat().st_size == size
    kept(tmp_path / "t", (*TEXTS, "A new one."))
    assert (tmp_path / "t").read_bytes().count(b"\n") == len(TEXTS) + 2  # the magic line


@pytest.mark.parametrize("cut", [1, 30, 200])
def test_a_torn_or_damaged_file_does_no_harm(tmp_path: Path, cut: int) -> None:
    expected = kept(tmp_path / "t", TEXTS)
    whole = (tmp_path / "t").read_bytes()
    for damaged in (whole[:-cut], whole[:cut] + b"?" + whole[cut + 1 :], b""):
        (tmp_path / "t").write_bytes(damaged)
        assert kept(tmp_path / "t", TEXTS) == expected
        assert (tmp_path / "t").read_bytes() == whole


def test_the_file_is_written_anew_where_most_of_it_is_of_no_use(tmp_path: Path) -> None:
    kept(tmp_path / "t", TEXTS)
    kept(tmp_path / "t", TEXTS[:1])
    assert (tmp_path / "t").read_bytes().count(b"\n") == 2
