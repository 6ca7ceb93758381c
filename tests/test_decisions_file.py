"""The file of decisions inside an index: nothing that a person decided is lost."""

import pytest

from graphrag import Engine
from graphrag.errors import QueryError, ReadingError, StoreError
from graphrag.feeding import DECISIONS_FILE


@pytest.fixture
def engine(tmp_path):
    (tmp_path / "empty").mkdir()
    with Engine.open(tmp_path / "i") as engine:
        yield engine


def decided(engine):
    return [
        (each.kind, each.concept, each.other) for each in engine.desk.workspace.catalog.decisions()
    ]


def apply(engine, tmp_path, text):
    (tmp_path / "mine.txt").write_text(text)
    return engine.apply_decisions(tmp_path / "mine.txt")


def test_what_was_edited_by_hand_is_kept_when_more_is_applied(engine, tmp_path):
    apply(engine, tmp_path, "accept b needs a\n")
    (tmp_path / "i" / DECISIONS_FILE).write_text("reject d needs c\n")
    assert apply(engine, tmp_path, "ignore e\n") == 2
    assert decided(engine) == [("reject", "d", "c"), ("ignore", "e", "")]


def test_a_split_replaces_the_merge_of_the_same_two_in_whatever_order(engine, tmp_path):
    apply(engine, tmp_path, "merge a = b\n")
    assert apply(engine, tmp_path, "split b != a\n") == 1
    engine.ingest([tmp_path / "empty"])
    assert decided(engine) == [("split", "b", "a")]


def test_what_needs_what_says_nothing_of_whether_they_are_one(engine, tmp_path):
    apply(engine, tmp_path, 'split "set (music)" != set\n')
    assert apply(engine, tmp_path, 'reject set needs "set (music)"\n') == 2
    assert ("split", "set (music)", "set") in decided(engine)


def test_needs_has_a_direction(engine, tmp_path):
    apply(engine, tmp_path, "accept a needs b\n")
    assert apply(engine, tmp_path, "reject b needs a\n") == 2


def test_a_decision_whose_run_was_stopped_is_taken_in_by_the_next_ingest(
    engine, tmp_path, monkeypatch
):
    catalog = engine.desk.workspace.catalog

    def stopped(decisions):
        raise StoreError("stopped")

    with monkeypatch.context() as patched:
        patched.setattr(catalog, "put_decisions", stopped)
        with pytest.raises(StoreError, match="stopped"):
            apply(engine, tmp_path, "accept a needs b\n")
    engine.ingest([tmp_path / "empty"])
    assert decided(engine) == [("accept", "a", "b")]


def test_a_line_that_cannot_be_read_is_named_with_its_file(engine, tmp_path):
    file = tmp_path / "i" / DECISIONS_FILE
    file.write_text("accept a\n")
    with pytest.raises(QueryError, match=r"decisions\.txt: line 1"):
        engine.ingest([tmp_path / "empty"])
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReadingError, match=r"decisions\.txt"):
        engine.ingest([tmp_path / "empty"])
