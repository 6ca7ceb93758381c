"""Files are whole or as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphrag.adapters import durable_files
from graphrag.adapters.durable_files import make_folder, replacing, translated, write_whole
from graphrag.errors import StoreError


def test_a_file_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    write_whole(path, b"new ", memoryview(b"content"))
    assert path.read_bytes() == b"new content"
    assert os.listdir(tmp_path) == ["file"]


def test_an_error_while_writing_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail() -> None:
        with replacing(path) as beside:
            beside.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_writes_is_not(
    tmp_path: Path,
) -> None:
    dead, living = 4_000_000, os.getppid()
    for name in (f"file.{dead}.new", f"file.{dead}.new.wal", f"file.{living}.new", "file.x.new"):
        (tmp_path / name).write_bytes(b"x")
    write_whole(tmp_path / "file", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted(["file", f"file.{living}.new", "file.x.new"])


def test_a_folder_is_made_once(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_every_folder_that_was_made_is_flushed_in_the_one_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[Path] = []
    monkeypatch.setattr(durable_files, "flush", flushed.append)
    make_folder(tmp_path / "a" / "b")
    assert flushed == [tmp_path / "a", tmp_path]


@pytest.mark.parametrize(
    ("number", "mend"),
    [(28, "the disk is full"), (30, "the disk is read-only"), (13, "check the permissions")],
)
def test_errors_of_the_file_system_name_the_path_and_the_mend(number: int, mend: str) -> None:
    with pytest.raises(StoreError, match=f"/some/file: .*{mend}"), translated(Path("/some/file")):
        raise OSError(number, "text")
