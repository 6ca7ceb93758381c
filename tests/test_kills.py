"""An index whose writer is killed goes on with the next run as if nothing had happened."""

import random
import shutil

import pytest

from graphrag.assembly import Models
from graphrag.settings import Settings
from tests.benchmarks.kills import Kills, killed_command
from tests.history import differences


@pytest.fixture
def kills(tmp_path):
    (tmp_path / "d").mkdir()
    places = (tmp_path / "d", tmp_path / "i.graphrag", tmp_path / "f.graphrag")
    models = Models(Settings())
    models.embedder()
    models.spotter()
    return Kills(*places, models, random.Random(7))


def test_changes_killed_at_random_calls_leave_nothing_behind(kills):
    for _ in range(3):
        assert kills.round() == []
    assert any("killed" in end for end in kills.ends)


def test_a_killed_command_is_made_good_by_the_next_one(kills):
    (kills.folder / "a.md").write_text("# Basis\n\nA **basis** spans. It needs the span.\n")
    arguments = ["--index", str(kills.index), "ingest", str(kills.folder)]
    assert killed_command(arguments, seconds=0.8)
    (kills.folder / "b.md").write_text("# Span\n\nThe **span** of vectors is a set.\n")
    assert not killed_command(arguments, seconds=300)
    with kills._engine() as engine:
        assert engine.ingest([kills.folder]).unchanged == 2
        shutil.rmtree(kills.scratch, ignore_errors=True)
        assert not differences(engine, kills.folder, kills.scratch)
        assert engine.verify() == []
