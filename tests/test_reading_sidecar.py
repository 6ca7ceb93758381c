"""Metadata files beside documents, in every folder on the way to them."""

from __future__ import annotations

from graphrag.reading.sidecar import sidecar_files, sidecar_metadata


def test_the_nearer_folder_wins_and_its_patterns_start_there(tmp_path):
    inner = tmp_path / "course" / "week1"
    inner.mkdir(parents=True)
    (tmp_path / "graphrag.toml").write_text(
        '[[documents]]\npath = "course/**"\nauthor = "Ada"\ntype = "notes"\n'
    )
    (inner / "graphrag.csv").write_text("path,type\na.md,exercise\n")
    metadata = sidecar_metadata(tmp_path)
    assert metadata(inner / "a.md") == {"author": "Ada", "type": "exercise"}
    assert metadata(inner / "b.md") == {"author": "Ada", "type": "notes"}
    assert metadata(tmp_path / "a.md") == {}


def test_files_above_the_folder_that_was_given_are_not_asked(tmp_path):
    root = tmp_path / "given"
    (root / "inner").mkdir(parents=True)
    (tmp_path / "graphrag.toml").write_text("")
    (root / "graphrag.csv").write_text("path\n")
    assert sidecar_files(root / "inner", root) == [root / "graphrag.csv"]
