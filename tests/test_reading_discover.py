"""Discovery: which files below a folder are documents."""

import os
from pathlib import Path

import pytest

from graphrag.reading.discover import discover


def write(root: Path, *names: str, content: bytes = b"text") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def found(root: Path) -> list[str]:
    return [file.path.relative_to(root).as_posix() for file in discover([root]).files]


def test_files_come_in_the_order_that_people_expect(tmp_path: Path) -> None:
    write(tmp_path, "10-x.md", "2-x.md", "b/1.txt", "B.md", "a.md", "2-x/9.md", "2-x/10.md")
    assert found(tmp_path) == [
        "2-x/9.md",
        "2-x/10.md",
        "2-x.md",
        "10-x.md",
        "a.md",
        "b/1.txt",
        "B.md",
    ]


def test_hidden_version_control_and_index_folders_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, ".git/a.md", ".graphrag/a.md", "x.graphrag/a.md", ".h.md", "node_modules/a.md")
    write(tmp_path, "graphrag.toml", "graphrag.csv", content=b"")
    assert discover([tmp_path]).files == ()
    assert discover([tmp_path]).refused == ()


def test_an_index_of_any_name_is_left_out_of_the_folder_that_it_lies_in(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "idx/catalog.sqlite", "idx/lock", "idx/decisions.txt")
    write(tmp_path, "shop/catalog.sqlite", "shop/b.md")
    assert found(tmp_path) == ["a.md", "shop/b.md"]
    assert "an index of this program" in discover([tmp_path / "idx"]).refused[0][1]


def test_ignore_files_follow_the_syntax_of_gitignore(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.tmp.md", "c/drafts/x.md", "c/keep.md", "c/d.log", "build/x.md")
    write(tmp_path, ".graphragignore", content=b"# comment\n*.tmp.md\ndrafts/\n/build\n*.log\n")
    write(tmp_path, "c/.graphragignore", content=b"!d.log\n")
    assert found(tmp_path) == ["a.md", "c/d.log", "c/keep.md"]


def test_links_out_of_the_folder_and_in_circles_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, "a.md")
    write(tmp_path, "outside.md")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "up").symlink_to(tmp_path, target_is_directory=True)
    (root / "self").symlink_to("self")
    (root / "again").symlink_to(root, target_is_directory=True)
    (root / "twin.md").symlink_to(root / "a.md")
    discovery = discover([root])
    assert [file.path.name for file in discovery.files] == ["a.md"]
    assert {path.name: reason for path, reason in discovery.refused} == {
        "out.md": "symbolic link that leads out of the folder",
        "up": "symbolic link that leads out of the folder",
        "self": "symbolic link that leads nowhere or in a circle",
    }


def test_binary_files_are_refused_and_unknown_text_is_read(tmp_path: Path) -> None:
    write(tmp_path, "x.png", "y.unknown", content=b"\x00\x01\x02\x03" * 9)
    write(tmp_path, "README", "notes.xyz", "old.rtf", content=b"some text")
    discovery = discover([tmp_path])
    assert [file.path.name for file in discovery.files] == ["notes.xyz", "README"]
    assert {path.name: reason for path, reason in discovery.refused} == {
        "old.rtf": "an RTF file; save it as .docx to read it",
        "x.png": "a .png file, which has no text to read",
        "y.unknown": "binary file of an unknown format (.unknown)",
    }


def test_a_name_that_is_no_utf8_is_found(tmp_path: Path) -> None:
    try:
        write(tmp_path, os.fsdecode(b"caf\xe9.md"))
    except OSError:
        pytest.skip("this file system wants UTF-8 names")
    assert [os.fsencode(file.path.name) for file in discover([tmp_path]).files] == [b"caf\xe9.md"]


def test_a_single_file_has_its_folder_as_root_and_comes_once(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    discovery = discover([tmp_path / "b.md", tmp_path, tmp_path / "b.md"])
    assert [(file.path.name, file.root) for file in discovery.files] == [
        ("b.md", tmp_path),
        ("a.md", tmp_path),
    ]


def test_paths_that_are_not_there_are_refused(tmp_path: Path) -> None:
    assert discover([tmp_path / "no"]).refused == ((tmp_path / "no", "no such file or folder"),)


def test_a_pipe_is_refused_and_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert discover([tmp_path]).refused == ((tmp_path / "pipe.md", "not a regular file"),)
