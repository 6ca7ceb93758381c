"""What every keyword index does; ``rank_bm25`` is the oracle of its scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.memory import MemoryKeywordIndex
from graphrag.errors import StoreError
from graphrag.ports import KeywordIndex
from graphrag.tokens import question_terms, text_terms


@pytest.fixture(params=["memory", "bm25"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> KeywordIndex:
    return MemoryKeywordIndex() if request.param == "memory" else Bm25Index.open(tmp_path / "k")


def numbers(hits: list[tuple[int, float]]) -> list[int]:
    return [number for number, _ in hits]


def test_an_empty_index_finds_nothing(index: KeywordIndex) -> None:
    assert index.revision == 0
    assert index.search("matrix", 5) == []


def test_a_question_without_a_known_term_finds_nothing(index: KeywordIndex) -> None:
    index.update({1: "matrix", 2: "vector", 3: "scalar"}, [], 1)
    assert index.search("zebra", 5) == []
    assert index.search("", 5) == []
    assert index.search("?!", 5) == []


def test_a_score_is_that_of_the_formula(index: KeywordIndex) -> None:
    index.update({1: "matrix matrix", 2: "vector", 3: "scalar"}, [], 1)
    # idf = log(3 - 1 + .5) - log(1 + .5) = 0.5108256; mean length 4/3, length 2, f 2
    # 0.5108256 * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 1.5)) = 0.5108256 * 5 / 4.0625
    assert index.search("matrix", 5) == [(1, pytest.approx(0.6287085, abs=1e-7))]


def test_a_term_in_most_texts_gets_a_quarter_of_the_mean_idf(index: KeywordIndex) -> None:
    index.update({1: "red apple", 2: "red pear", 3: "red plum", 4: "fig"}, [], 1)
    # red: log(1.5) - log(3.5) = -0.8472979; the other four: log(3.5) - log(1.5) = 0.8472979
    # mean = 3 * 0.8472979 / 5 = 0.5083787, a quarter 0.1270947; mean length 7/4, length 2
    # 0.1270947 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 8 / 7)) = 0.1270947 * 2.5 / 2.6607143
    hits = index.search("red", 5)
    assert numbers(hits) == [1, 2, 3]
    assert hits[0][1] == pytest.approx(0.1194179, abs=1e-6)


def test_equal_scores_are_ordered_by_number_also_at_the_border(index: KeywordIndex) -> None:
    index.update(
        dict.fromkeys((5, 3, 9, 1), "same text") | dict.fromkeys(range(10, 20), "other"), [], 1
    )
    assert numbers(index.search("same", 2)) == [1, 3]


def test_only_allowed_numbers_are_found_with_the_scores_of_the_whole(index: KeywordIndex) -> None:
    others = dict.fromkeys(range(30, 90), "plum")
    index.update({n: f"apple {'pie ' * n}" for n in range(1, 30)} | others, [], 1)
    everything = dict(index.search("pie", 50))
    allowed = np.asarray([2, 7, 99], dtype=np.int64)
    assert dict(index.search("pie", 50, allowed=allowed)) == {n: everything[n] for n in (2, 7)}
    assert index.search("pie", 5, allowed=np.empty(0, dtype=np.int64)) == []


def test_at_most_k_are_found(index: KeywordIndex) -> None:
    index.update({1: "fig", 2: "fig fig", 3: "plum", 4: "plum", 5: "plum"}, [], 1)
    assert numbers(index.search("fig", 1)) == [2]
    assert index.search("fig", 0) == []


def test_removed_numbers_leave_no_trace(index: KeywordIndex) -> None:
    index.update({1: "fig", 2: "fig plum", 3: "pear", 4: "nut", 5: "nut"}, [], 1)
    index.update({}, [2, 99], 2)
    other = MemoryKeywordIndex()
    other.update({1: "fig", 3: "pear", 4: "nut", 5: "nut"}, [], 1)
    assert index.revision == 2
    assert index.search("plum", 5) == []
    assert index.search("fig", 5) == other.search("fig", 5)
    index.update({}, [1, 3, 4, 5], 3)
    assert index.search("fig", 5) == []


def test_a_text_put_again_replaces_the_old_one(index: KeywordIndex) -> None:
    index.update({1: "fig", 2: "pear", 3: "nut"}, [], 1)
    index.update({1: "plum"}, [1], 2)
    assert index.search("fig", 5) == []
    assert numbers(index.search("plum", 5)) == [1]


@pytest.mark.parametrize(
    "question", ["E1042-B", "e1042-b", "VX-2207-B", "v2.3.1", "C++", ".NET", "max_db_size"]
)
def test_a_code_finds_its_text_before_its_likes(index: KeywordIndex, question: str) -> None:
    index.update(
        {
            1: "Error E1042-A: the pump of VX-2207-A. Version 2.3.10 in C by net, db size.",
            2: "Error E1042-B: the pump of VX-2207-B. v2.3.1 in C++ by .NET, max_db_size.",
            3: "Error E1042-C: the pump of VX-2207-C. v2.3.2 in C# by Net, max size.",
            4: "Other things altogether, and more of them.",
            5: "Yet another text.",
            6: "A sixth one.",
        },
        [],
        1,
    )
    assert numbers(index.search(question, 5))[0] == 2


def test_words_are_found_whatever_their_form(index: KeywordIndex) -> None:
    index.update(
        {1: "Eigenvalues of matrices", 2: "Un café noir", 3: "国際標準化機構", 4: "x", 5: "y"},
        [],
        1,
    )
    assert numbers(index.search("eigenvalue of a matrix", 5)) == [1]
    assert numbers(index.search("cafe\u0301", 5)) == [2]
    assert numbers(index.search("標準化", 5)) == [3]


def test_a_question_of_stop_words_alone_still_finds(index: KeywordIndex) -> None:
    index.update({1: "to be or not to be", 2: "nut", 3: "fig", 4: "plum", 5: "pear"}, [], 1)
    assert numbers(index.search("to be or not to be", 5)) == [1]


def test_a_text_alone_and_one_of_two_are_found(index: KeywordIndex) -> None:
    index.update({1: "error E1042 means low flush pressure"}, [], 1)
    assert numbers(index.search("what is E1042", 5)) == [1]
    index.update({2: "the pump is primed by hand"}, [], 2)
    assert numbers(index.search("E1042", 5)) == [1]
    assert numbers(index.search("pump", 5)) == [2]


def test_hostile_texts_are_taken(index: KeywordIndex) -> None:
    texts = ["", "\ud800 lone", "a" * 5000, " " * 10000, "\0", "'; DROP TABLE x", "é" * 300]
    index.update(dict(enumerate(texts)), [], 1)
    assert numbers(index.search("lone", 5)) == [1]
    assert numbers(index.search("a" * 5000, 5)) == [2]


words = st.sampled_from(["ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen"])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
updates = st.lists(
    st.tuples(
        st.dictionaries(st.integers(1, 12), texts, max_size=6),
        st.lists(st.integers(1, 12), max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(updates, texts, st.booleans())
def test_scores_equal_rank_bm25_after_any_updates(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[tuple[dict[int, str], list[int]]],
    question: str,
    reopen: bool,
) -> None:
    path = tmp_path_factory.mktemp("keywords") / "index"
    index = Bm25Index.open(path)
    kept: dict[int, str] = {}
    for revision, (added, removed) in enumerate(history, 1):
        index.update(added, removed, revision)
        kept = {n: text for n, text in kept.items() if n not in removed} | added
        if reopen:
            index = Bm25Index.open(path)
    scores: dict[int, float] = {}
    if kept:
        oracle = BM25Okapi([text_terms(text) for text in kept.values()])
        for term, idf in oracle.idf.items():
            if idf <= 0:  # counts nothing there, or against the text that holds it
                n = sum(term in text_terms(text) for text in kept.values())
                lucene = math.log(1 + (len(kept) - n + 0.5) / (n + 0.5))
                oracle.idf[term] = oracle.average_idf / 4 if oracle.average_idf > 0 else lucene
        found = oracle.get_scores(question_terms(question))
        scores = {n: score for n, score in zip(kept, found, strict=True) if score > 0}
    hits = index.search(question, 100)
    assert {number for number, _ in hits} == set(scores)
    assert all(abs(score - scores[number]) < 1e-9 for number, score in hits)
    assert hits == sorted(hits, key=lambda hit: (-hit[1], hit[0]))


def test_small_updates_keep_the_segments_few(tmp_path: Path) -> None:
    index = Bm25Index.open(tmp_path / "k")
    for number in range(50):
        index.update({number: f"word{number} common"}, [], number + 1)
    assert len(list((tmp_path / "k").glob("segment-*"))) == 1
    assert numbers(index.search("word7", 3)) == [7]


def test_a_large_segment_is_not_rewritten_for_a_small_change(tmp_path: Path) -> None:
    index = Bm25Index.open(tmp_path / "k")
    index.update({n: f"word{n} common" for n in range(2000)}, [], 1)
    (large,) = (tmp_path / "k").glob("segment-*")
    before = large.stat().st_mtime_ns
    index.update({5000: "fresh text"}, [3], 2)
    assert large.stat().st_mtime_ns == before
    reopened = Bm25Index.open(tmp_path / "k")
    assert reopened.revision == 2
    assert numbers(reopened.search("fresh", 3)) == [5000]
    assert reopened.search("word3", 3) == []


def test_a_reader_keeps_what_it_opened_until_it_asks_for_the_revision(tmp_path: Path) -> None:
    writer = Bm25Index.open(tmp_path / "k")
    writer.update({1: "fig", 2: "nut", 3: "pear"}, [], 1)
    reader = Bm25Index.open(tmp_path / "k")
    writer.update({4: "plum"}, [1], 2)
    assert numbers(reader.search("fig", 3)) == [1]
    assert reader.revision == 2
    assert reader.search("fig", 3) == []
    assert numbers(reader.search("plum", 3)) == [4]


def test_a_change_by_one_that_opened_earlier_builds_on_what_is_there(tmp_path: Path) -> None:
    first = Bm25Index.open(tmp_path / "k")
    first.update({1: "fig", 2: "nut", 3: "pear"}, [], 1)
    second = Bm25Index.open(tmp_path / "k")
    first.update({4: "plum", 5: "kiwi"}, [1], 2)
    second.update({4: "plum", 6: "lime"}, [1], 3)
    for index in (first, second, Bm25Index.open(tmp_path / "k")):
        assert index.revision == 3
        found = {word: numbers(index.search(word, 3)) for word in ("fig", "plum", "kiwi", "lime")}
        assert found == {"fig": [], "plum": [4], "kiwi": [5], "lime": [6]}


def test_a_failed_update_leaves_the_old_index(tmp_path: Path) -> None:
    index = Bm25Index.open(tmp_path / "k")
    index.update({1: "fig", 2: "nut", 3: "pear"}, [], 1)
    (tmp_path / "k" / "manifest.json").unlink()
    (tmp_path / "k" / "manifest.json").mkdir()
    with pytest.raises(StoreError):
        index.update({4: "plum"}, [1], 2)
    assert numbers(index.search("fig", 3)) == [1]


@pytest.mark.parametrize(
    ("which", "spoil"),
    [
        ("manifest.json", "cut"),
        ("manifest.json", "empty"),
        ("manifest.json", "other"),
        ("segment-000001.bin", "cut"),
        ("segment-000001.bin", "empty"),
        ("segment-000001.bin", "other"),
        ("segment-000001.bin", "missing"),
    ],
)
def test_a_damaged_file_is_a_store_error(tmp_path: Path, which: str, spoil: str) -> None:
    index = Bm25Index.open(tmp_path / "k")
    index.update({1: "fig", 2: "nut"}, [], 1)
    file = tmp_path / "k" / which
    spoilers: dict[str, Callable[[], object]] = {
        "cut": lambda: file.write_bytes(file.read_bytes()[:-1]),
        "empty": lambda: file.write_bytes(b""),
        "other": lambda: file.write_bytes(b"rubbish" * 100),
        "missing": file.unlink,
    }
    spoilers[spoil]()
    with pytest.raises(StoreError):
        Bm25Index.open(tmp_path / "k")


def test_terms_in_use_are_told_by_their_letter_and_length(tmp_path: Path) -> None:
    index = Bm25Index.open(tmp_path / "k")
    index.update({1: "pump valve pumice", 2: "pump plant"}, (), 1)
    assert index.terms("p", range(4, 6)) == {"pump": 2, "pumic": 1, "plant": 1}
    index.update({}, (2,), 2)
    assert index.terms("p", range(4, 6)) == {"pump": 1, "pumic": 1}
