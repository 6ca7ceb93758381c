"""Files are followed without reading again what has not changed."""

from itertools import islice

import pytest

from graphrag.errors import ReadingError, StoreError
from graphrag.ingest.report import IngestReport
from graphrag.ingest.watching import follow, look


@pytest.fixture
def notes(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n")
    return tmp_path / "notes"


def test_a_look_sees_new_changed_and_removed_files_and_the_metadata_beside_them(notes, tmp_path):
    seen = [look([notes])]
    assert look([notes]) == seen[0]
    (notes / "b.md").write_text("# B\n")
    seen.append(look([notes]))
    (notes / "b.md").write_text("# B changed\n")
    seen.append(look([notes]))
    (notes / "graphrag.toml").write_text("[[documents]]\npath = '*'\ntype = 'note'\n")
    seen.append(look([notes]))
    (notes / "a.md").unlink()
    seen.append(look([notes]))
    (tmp_path / "decisions.txt").write_text("ignore a\n")
    seen.append(look([notes], [tmp_path / "decisions.txt"]))
    assert len(set(seen)) == 6


def test_only_a_change_is_ingested():
    found = iter(["one", "one", "two", "two", "three"])
    ingested = []

    def ingest():
        ingested.append(1)
        return IngestReport()

    following = follow(
        ("one",), lambda: (next(found),), ingest, pause=lambda: None, tell=lambda _: None
    )
    assert len(list(islice(following, 2))) == 2
    assert len(ingested) == 2


@pytest.mark.parametrize("kind", [StoreError, ReadingError])
def test_an_ingest_that_fails_is_told_once_and_tried_again(kind):
    outcomes = iter([kind("written by 7"), kind("written by 7"), IngestReport()])
    told = []

    def ingest():
        outcome = next(outcomes)
        if isinstance(outcome, kind):
            raise outcome
        return outcome

    following = follow((), lambda: ("changed",), ingest, pause=lambda: None, tell=told.append)
    assert next(following) == IngestReport()
    assert [str(each) for each in told] == ["written by 7"]


def test_a_folder_that_is_gone_as_a_whole_is_told_and_nothing_is_taken_out(notes):
    before = look([notes], folders=[notes])
    notes.rename(notes.with_name("away"))
    pauses = iter([None, None, "back"])

    def pause():
        if next(pauses):
            notes.with_name("away").rename(notes)
            (notes / "b.md").write_text("# B\n")

    told = []
    following = follow(
        before, lambda: look([notes], folders=[notes]), IngestReport, pause=pause, tell=told.append
    )
    assert next(following) == IngestReport()
    assert [str(each).split(";")[0] for each in told] == [f"the folder {notes} is not there"]
