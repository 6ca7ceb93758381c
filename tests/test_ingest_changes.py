"""What changes beside a file's bytes reaches the index too: owners of ids, settings, sidecars."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.errors import ReadingError
from graphrag.ingest import derive
from graphrag.settings import Settings
from tests.history import differences, shown

PAGE = "# Basis\n\n" + "A basis of a space is a set of vectors that spans it. " * 60


def _corpus(path, **entries):
    lines = [json.dumps({"id": key, "title": key, "text": text}) for key, text in entries.items()]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "d"
    made.mkdir()
    return made


def test_a_line_that_moved_to_another_corpus_file_is_indexed_from_there(tmp_path, folder):
    _corpus(folder / "a.jsonl", x1="One is a number.")
    _corpus(folder / "b.jsonl", x2="Two is a number.", x3="Three is a number.")
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        _corpus(folder / "a.jsonl", x1="One is a number.", x2="Two is an even number.")
        _corpus(folder / "b.jsonl", x3="Three is a number.")
        assert not engine.ingest([folder]).refused
        assert not differences(engine, folder, tmp_path / "f")


def test_an_id_in_two_corpus_files_is_had_by_the_first_whichever_came_first(tmp_path, folder):
    _corpus(folder / "b.jsonl", x1="One is a number of b.")
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        _corpus(folder / "a.jsonl", x1="One is a number of a.")
        report = engine.ingest([folder])
        assert [refused.path.rpartition("/")[2] for refused in report.refused] == ["b.jsonl#x1"]
        assert not differences(engine, folder, tmp_path / "f")


def test_a_refused_line_is_listed_again_by_a_run_that_changes_nothing(tmp_path, folder):
    _corpus(folder / "a.jsonl", x1="One is a number of a.")
    _corpus(folder / "b.jsonl", x1="One is a number of b.", x2="Two is a number.")
    with Engine.open(tmp_path / "i") as engine:
        first = engine.ingest([folder])
        revision = engine.status().revision
        for _ in range(2):
            again = engine.ingest([folder])
            assert again.refused == first.refused
            assert (again.unchanged, again.changed, again.embedded) == (2, 0, 0)
        assert engine.status().revision == revision


def test_a_folder_that_is_gone_as_a_whole_keeps_its_documents_unless_that_is_meant(
    tmp_path, folder
):
    (folder / "basis.md").write_text(PAGE)
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        folder.rename(tmp_path / "away")
        with pytest.raises(ReadingError, match=r"holds 1 documents of it.*graphrag remove"):
            engine.ingest([folder])
        assert engine.status().documents == 1
        assert engine.remove([folder]) == ["basis.md"]


def test_a_line_refused_for_its_id_is_indexed_once_the_id_is_free(tmp_path, folder):
    _corpus(folder / "a.jsonl", x1="One is a number of a.")
    _corpus(folder / "b.jsonl", x1="One is a number of b.")
    with Engine.open(tmp_path / "i") as engine:
        assert len(engine.ingest([folder]).refused) == 1
        (folder / "a.jsonl").unlink()
        assert not engine.ingest([folder]).refused
        assert not differences(engine, folder, tmp_path / "f")


def test_another_chunk_size_cuts_unchanged_files_again(tmp_path, folder):
    (folder / "a.md").write_text(PAGE)
    small = replace(Settings(), chunking=replace(Settings().chunking, target=64, limit=128))
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        before = engine.status().chunks
    with Engine.open(tmp_path / "i", settings=small) as engine:
        assert engine.ingest([folder]).changed == 1
        assert engine.status().chunks > before
        assert engine.ingest([folder]).unchanged == 1
        with Engine.open(tmp_path / "f", settings=small) as fresh:
            fresh.desk.models = engine.desk.models
            fresh.ingest([folder])
            assert shown(engine) == shown(fresh)


def test_concepts_are_found_in_unchanged_files_once_they_are_wanted(tmp_path, folder):
    (folder / "a.md").write_text("# Basis\n\nA basis requires a span. A span is a set.\n")
    none = replace(Settings(), concepts=replace(Settings().concepts, extract=False))
    with Engine.open(tmp_path / "i", settings=none) as engine:
        assert engine.ingest([folder]).concepts == 0
    with Engine.open(tmp_path / "i") as engine:
        assert engine.ingest([folder]).concepts
        assert not differences(engine, folder, tmp_path / "f")


def test_a_graph_made_by_other_rules_is_made_anew_where_nothing_changed(
    tmp_path, folder, monkeypatch
):
    (folder / "a.md").write_text("# Basis\n\nA basis requires a span. A span is a set.\n")
    with Engine.open(tmp_path / "i") as engine:
        with monkeypatch.context() as before:
            before.setattr(derive, "GRAPH_RULES", "of before")
            engine.ingest([folder])
        catalog = engine.desk.workspace.catalog
        told = catalog.value("concept graph derived from")
        assert engine.ingest([folder]).unchanged == 1
        assert catalog.value("concept graph derived from") != told
        assert not differences(engine, folder, tmp_path / "f")


def test_no_chunk_is_longer_than_what_the_model_reads(tmp_path, folder):
    (folder / "a.md").write_text(PAGE)
    large = replace(Settings(), chunking=replace(Settings().chunking, target=600, limit=800))
    with Engine.open(tmp_path / "i", settings=large) as engine:
        engine.ingest([folder])
        texts = [chunk.embedded_text for chunk in engine.desk.workspace.catalog.chunks()]
        assert max(engine.desk.embedder().count_tokens(texts)) <= 512


def test_a_line_put_in_front_moves_the_others_down(tmp_path, folder):
    _corpus(folder / "a.jsonl", x1="One is a number.", x2="Two is a number.")
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        _corpus(folder / "a.jsonl", x9="Nine is one.", x1="One is a number.", x2="Two is a number.")
        engine.ingest([folder])
        assert [each.id for each in engine.desk.workspace.catalog.documents()] == ["x9", "x1", "x2"]
        assert not differences(engine, folder, tmp_path / "f")


def test_a_sidecar_older_than_the_documents_is_taken_in(tmp_path, folder):
    (folder / "a.md").write_text(PAGE)
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        sidecar = folder / "graphrag.toml"
        sidecar.write_text('[[documents]]\npath = "a.md"\naccess = "secret"\n')
        os.utime(sidecar, (1_000_000_000, 1_000_000_000))
        assert engine.ingest([folder]).changed == 1
        assert not differences(engine, folder, tmp_path / "f")


def test_a_sidecar_of_a_folder_within_is_taken_in(tmp_path, folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "a.md").write_text(PAGE)
    (folder / "b.md").write_text(PAGE)
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        sidecar = folder / "inner" / "graphrag.toml"
        sidecar.write_text('[[documents]]\npath = "*.md"\naccess = "secret"\n')
        assert engine.ingest([folder]).changed == 1
        assert not differences(engine, folder, tmp_path / "f")
        sidecar.write_text('[[documents]]\npath = "*.md\n')
        with pytest.raises(ReadingError, match=r"graphrag\.toml is not valid TOML"):
            engine.ingest([folder])


def test_a_broken_sidecar_costs_the_index_nothing(tmp_path, folder):
    (folder / "a.md").write_text(PAGE)
    sidecar = folder / "graphrag.toml"
    sidecar.write_text('[[documents]]\npath = "a.md"\naccess = "secret"\n')
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        before = shown(engine)
        sidecar.write_text('[[documents]]\npath = "a.md\naccess = "secret"\n')
        with pytest.raises(ReadingError, match=r"graphrag\.toml is not valid TOML"):
            engine.ingest([folder])
        assert shown(engine) == before


def test_a_removed_document_leaves_the_ids_of_a_fresh_build(tmp_path, folder):
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "readme.md").write_text(f"# {name}\n\nThe text of {name}.\n")
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder / "a", folder / "b"])
        engine.remove([str(folder / "b" / "readme.md")])
        with Engine.open(tmp_path / "f") as fresh:
            fresh.desk.models = engine.desk.models
            fresh.ingest([folder / "a"])
            assert shown(engine)["documents"] == shown(fresh)["documents"]


def test_an_index_inside_the_folder_is_no_document(tmp_path, folder):
    (folder / "a.md").write_text(PAGE)
    with Engine.open(folder / "idx") as engine:
        engine.ingest([folder])
        report = engine.ingest([folder])
    assert (report.added, report.unchanged, report.refused) == (0, 1, ())
