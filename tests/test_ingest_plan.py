"""What an ingest has to do, and that ids do not depend on history."""

from hypothesis import given
from hypothesis import strategies as st

from graphrag.ingest.plan import KnownFile, document_ids, file_of, make_plan, natural_key
from graphrag.ports import FileStamp


def stamp(path: str, root: str) -> FileStamp:
    return FileStamp(path, root, 1, 1, "digest")


def test_a_document_is_named_by_its_path_below_the_given_folder():
    ids = document_ids([KnownFile("/d/notes/a/x.md", "/d/notes")])
    assert ids == {"/d/notes/a/x.md": "a/x.md"}


def test_two_files_of_one_name_in_two_folders_both_get_their_folder_in_front():
    ids = document_ids([KnownFile("/d/a/readme.md", "/d/a"), KnownFile("/d/b/readme.md", "/d/b")])
    assert ids == {"/d/a/readme.md": "a/readme.md", "/d/b/readme.md": "b/readme.md"}


def test_folders_of_one_name_make_the_whole_path_the_id():
    paths = ["/x/a/readme.md", "/y/a/readme.md"]
    assert document_ids([KnownFile(path, path[:4]) for path in paths]) == dict(
        zip(paths, paths, strict=True)
    )


@given(st.permutations([("/d/a", "r.md"), ("/d/b", "r.md"), ("/e/a", "r.md"), ("/e", "a/r.md")]))
def test_ids_are_distinct_and_do_not_depend_on_the_order_of_files(files):
    known = [KnownFile(f"{root}/{name}", root) for root, name in files]
    ids = document_ids(known)
    assert ids == document_ids(sorted(known, key=lambda each: each.path))
    assert len(set(ids.values())) == len({each.path for each in known})


def test_only_new_and_changed_files_are_read():
    plan = make_plan(
        [KnownFile("/d/new.md", "/d"), KnownFile("/d/old.md", "/d"), KnownFile("/d/same.md", "/d")],
        {"old.md": stamp("/d/old.md", "/d"), "same.md": stamp("/d/same.md", "/d")},
        folders=["/d"],
        unchanged=["/d/same.md"],
    )
    assert [document_id for _, document_id in plan.read] == ["new.md", "old.md"]
    assert plan.unchanged == ("same.md",)
    assert plan.gone == ()


def test_a_folder_given_again_loses_the_files_that_are_gone():
    stored = {"gone.md": stamp("/d/gone.md", "/d"), "x.md": stamp("/e/x.md", "/e")}
    assert make_plan([], stored, folders=["/d"], unchanged=[]).gone == ("gone.md",)


def test_a_single_file_given_again_leaves_its_neighbours():
    stored = {"a.md": stamp("/d/a.md", "/d"), "b.md": stamp("/d/b.md", "/d")}
    plan = make_plan([KnownFile("/d/a.md", "/d")], stored, folders=[], unchanged=["/d/a.md"])
    assert plan.gone == ()
    assert plan.unchanged == ("a.md",)


def test_a_second_file_of_the_same_name_renames_the_first(tmp_path):
    first, second = tmp_path / "a" / "readme.md", tmp_path / "b" / "readme.md"
    first.parent.mkdir()
    first.write_text("first")
    plan = make_plan(
        [KnownFile(str(second), str(second.parent))],
        {"readme.md": stamp(str(first), str(first.parent))},
        folders=[str(second.parent)],
        unchanged=[],
    )
    assert [document_id for _, document_id in plan.read] == ["a/readme.md", "b/readme.md"]
    assert plan.gone == ("readme.md",)


def test_a_file_that_was_not_given_and_is_no_more_stays_as_it_is():
    plan = make_plan(
        [KnownFile("/d/b/readme.md", "/d/b")],
        {"readme.md": stamp("/d/a/readme.md", "/d/a")},
        folders=["/d/b"],
        unchanged=[],
        anew=True,
    )
    assert [document_id for _, document_id in plan.read] == ["b/readme.md"]
    assert plan.gone == ()


def test_every_corpus_file_is_read_when_one_changed():
    files = [KnownFile(f"/d/{name}", "/d") for name in ("a.jsonl", "b.jsonl", "c.md")]
    stored = {
        "x1": stamp("/d/a.jsonl#x1", "/d"),
        "x2": stamp("/d/b.jsonl#x2", "/d"),
        "c.md": stamp("/d/c.md", "/d"),
    }
    plan = make_plan(files, stored, folders=["/d"], unchanged=["/d/b.jsonl", "/d/c.md"])
    assert [known.path for known, _ in plan.read] == ["/d/a.jsonl", "/d/b.jsonl"]


def test_a_file_of_an_outer_folder_keeps_its_id_when_the_inner_one_is_given():
    plan = make_plan(
        [KnownFile("/d/sub/a.md", "/d/sub")],
        {"sub/a.md": stamp("/d/sub/a.md", "/d")},
        folders=["/d/sub"],
        unchanged=["/d/sub/a.md"],
    )
    assert plan.unchanged == ("sub/a.md",)
    assert plan.read == ()


def test_pruning_drops_documents_whose_file_does_not_exist(tmp_path):
    (tmp_path / "here.md").write_text("here")
    stored = {
        "here.md": stamp(str(tmp_path / "here.md"), str(tmp_path)),
        "lost.md": stamp(str(tmp_path / "lost.md"), str(tmp_path)),
    }
    assert make_plan([], stored, folders=[], unchanged=[], prune=True).gone == ("lost.md",)


def test_the_file_of_a_corpus_line_is_the_corpus():
    assert file_of("q#1", stamp("/d/c.jsonl#q#1", "/d")) == "/d/c.jsonl"
    assert file_of("odd#name.md", stamp("/d/odd#name.md", "/d")) == "/d/odd#name.md"


def test_numbers_in_names_sort_as_numbers():
    assert sorted(["10-rank.md", "2-basis.md", "1/z.md"], key=natural_key) == [
        "1/z.md",
        "2-basis.md",
        "10-rank.md",
    ]
