"""History does not matter: any sequence of changes equals a fresh build."""

import random
import shutil
from dataclasses import replace

import pytest

from graphrag import Engine
from tests.history import differences, page, run_history, shown

A = "# Basis\n\nA **basis** is a spanning set. It needs the span.\n"
B = "# Span\n\nThe **span** of vectors is a set. A span requires vectors.\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with one document."""
    made = tmp_path / "d"
    made.mkdir()
    (made / "a.md").write_text(A)
    return made


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 6165])  # 6165: copies that fell apart by 3e-6
def test_a_random_history_equals_a_fresh_build(tmp_path, seed):
    run_history(tmp_path / "d", tmp_path / "i.graphrag", tmp_path / "f.graphrag", seed)


def test_what_two_files_share_survives_the_deletion_of_one(folder, tmp_path):
    (folder / "b.md").write_text(B)
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        (folder / "a.md").unlink()
        assert engine.ingest([folder]).removed == 1
        assert [passage.chunk.document_id for passage in engine.search("span")] == ["b.md"]
        assert not differences(engine, folder, tmp_path / "f.graphrag")


def test_a_file_edited_to_empty_is_gone(folder, tmp_path):
    (folder / "b.md").write_text(B)
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        (folder / "a.md").write_text("")
        report = engine.ingest([folder])
        assert [each.path for each in report.refused] == [str(folder / "a.md")]
        assert not differences(engine, folder, tmp_path / "f.graphrag")


def test_the_same_folder_again_changes_nothing_and_embeds_nothing(folder, tmp_path):
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        before = shown(engine)
        report = engine.ingest([folder])
        assert (report.unchanged, report.embedded) == (1, 0)
        assert shown(engine) == before


def test_a_renamed_file_is_not_embedded_again(folder, tmp_path):
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        (folder / "a.md").rename(folder / "c.md")
        report = engine.ingest([folder])
        assert (report.added, report.removed, report.embedded) == (1, 1, 0)
        assert not differences(engine, folder, tmp_path / "f.graphrag")


def test_deleted_projections_come_back_on_opening(folder, tmp_path):
    (folder / "b.md").write_text(B)
    index = tmp_path / "i.graphrag"
    with Engine.open(index) as engine:
        engine.ingest([folder])
        before = shown(engine)
    for path in index.iterdir():
        if not path.name.startswith("catalog"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    with Engine.open(index) as engine:
        assert shown(engine) == before


def test_metadata_that_is_edited_beside_a_document_is_read_again(folder, tmp_path):
    sidecar = folder / "graphrag.toml"
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        sidecar.write_text('[[documents]]\npath = "*.md"\ntype = "draft"\n')
        assert engine.ingest([folder]).changed == 1
        assert engine.search("basis", where=["type=draft"])
        assert engine.ingest([folder]).unchanged == 1
        sidecar.unlink()
        engine.ingest([folder])
        assert not differences(engine, folder, tmp_path / "f.graphrag")


def test_an_inner_folder_given_later_changes_nothing(tmp_path):
    folder = tmp_path / "d"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.md").write_text(A)
    (folder / "graphrag.toml").write_text('[[documents]]\npath = "sub/*"\ntype = "draft"\n')
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([folder])
        report = engine.ingest([folder / "sub"])
        assert (report.unchanged, report.changed, report.removed) == (1, 0, 0)
        assert not differences(engine, folder, tmp_path / "f.graphrag")


def test_the_order_in_which_equal_files_came_changes_no_digit(tmp_path):
    generator = random.Random(4)
    texts = [page(generator) for _ in range(7)]
    files = {f"{i:02}-page.md": texts[i % 7] for i in range(14)}
    order = generator.sample(sorted(files), 14)
    folder = tmp_path / "d"
    folder.mkdir()
    with Engine.open(tmp_path / "i") as engine, Engine.open(tmp_path / "f") as fresh:
        fresh.desk.models = engine.desk.models
        for part in (order[:5], order[5:9], order[9:]):
            for name in part:
                (folder / name).write_text(files[name])
            engine.ingest([folder])
        fresh.ingest([folder])
        for question in ("vector 7", "the span requires the basis", "determinant of a matrix"):
            one, other = (
                each.retrieve(question, k=5, rerank=False).stages for each in (engine, fresh)
            )
            assert {
                stage: [replace(hit, path=()) for hit in hits] for stage, hits in one.items()
            } == {stage: [replace(hit, path=()) for hit in hits] for stage, hits in other.items()}
