"""What every vector index does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag.adapters import segments
from graphrag.adapters.faiss_bytes import byte_codes
from graphrag.adapters.faiss_coarse import Precision
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.adapters.memory import MemoryVectorIndex
from graphrag.errors import ModelError, StoreError
from graphrag.ports import Keys, VectorIndex, Vectors

X, Y, Z = np.eye(3, dtype=np.float32)


def open_faiss(path: Path, dimension: int = 3, fingerprint: str = "model") -> FaissIndex:
    return FaissIndex.open(path, dimension=dimension, fingerprint=fingerprint)


@pytest.fixture(params=["memory", "faiss"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> VectorIndex:
    if request.param == "memory":
        return MemoryVectorIndex(dimension=3, fingerprint="model")
    return open_faiss(tmp_path / "vectors.faiss")


def keys(*numbers: int) -> Keys:
    return np.asarray(numbers, dtype=np.int64)


def put(index: VectorIndex, vectors: dict[int, Vectors], removed: list[int], revision: int) -> None:
    rows = np.stack(list(vectors.values())) if vectors else np.empty((0, 3), dtype=np.float32)
    index.update(list(vectors), rows, removed, revision)


def test_an_empty_index_finds_nothing(index: VectorIndex) -> None:
    assert (index.revision, index.fingerprint) == (0, "model")
    assert index.search(X, 5) == []
    assert index.similarities(X, keys(1, 2)).tolist() == [0, 0]
    put(index, {}, [1], 4)
    assert index.revision == 4


def test_the_nearest_come_first_and_never_more_than_there_are(index: VectorIndex) -> None:
    put(index, {7: X, 3: (X + Y) / np.float32(2**0.5), 5: Y}, [], 1)
    # cosine of 45 degrees is 0.707107
    assert index.search(X, 10) == [(7, 1.0), (3, pytest.approx(0.707107)), (5, 0.0)]
    assert index.search(X, 1) == [(7, 1.0)]
    assert index.search(X, 0) == []


def test_equal_scores_are_ordered_by_number_also_at_the_border(index: VectorIndex) -> None:
    put(index, dict.fromkeys([*range(90, 30, -1), 5, 2], X), [], 1)
    assert [number for number, _ in index.search(X, 3)] == [2, 5, 31]


def test_only_allowed_numbers_are_found(index: VectorIndex) -> None:
    put(index, {1: X, 2: Y, 3: X}, [], 1)
    assert index.search(X, 5, allowed=keys(2, 3, 9)) == [(3, 1.0), (2, 0.0)]
    assert index.search(X, 5, allowed=keys()) == []


def test_removed_and_replaced_numbers_leave_no_trace(index: VectorIndex) -> None:
    put(index, {1: X, 2: Y}, [], 1)
    put(index, {2: Z}, [1, 99], 2)
    assert index.search(Z, 5) == [(2, 1.0)]
    put(index, {1: Y}, [2], 3)
    assert index.search(Y, 5) == [(1, 1.0)]
    assert index.revision == 3


def test_similarities_follow_the_order_asked_for(index: VectorIndex) -> None:
    put(index, {4: X, 2: Y, 9: -X}, [], 1)
    assert index.similarities(X, keys(9, 4, 100, 2)).tolist() == [-1, 1, 0, 0]
    assert index.similarities(X, keys(2, 4, 9)).tolist() == [0, 1, -1]
    assert index.similarities(X, keys()).shape == (0,)


def test_vectors_follow_the_order_asked_for(index: VectorIndex) -> None:
    put(index, {4: X, 2: Y, 9: -X}, [], 1)
    put(index, {5: Z}, [2], 2)
    assert index.vectors(keys(9, 5, 100, 2)).tolist() == [
        (-X).tolist(),
        Z.tolist(),
        [0] * 3,
        [0] * 3,
    ]
    assert index.vectors(keys()).shape == (0, 3)


@pytest.mark.parametrize(
    ("numbers", "vectors"),
    [
        ([1], np.ones((1, 4), dtype=np.float32)),
        ([1, 2], np.ones((1, 3), dtype=np.float32)),
        ([1], np.asarray([[np.nan, 0, 0]], dtype=np.float32)),
    ],
    ids=["another dimension", "too few", "not a number"],
)
def test_vectors_that_do_not_fit_are_refused(
    index: VectorIndex, numbers: list[int], vectors: Vectors
) -> None:
    with pytest.raises(ModelError):
        index.update(numbers, vectors, [], 1)
    assert index.revision == 0


def test_a_question_of_another_dimension_is_refused(index: VectorIndex) -> None:
    put(index, {1: X}, [], 1)
    with pytest.raises(ModelError):
        index.search(np.ones(4, dtype=np.float32), 5)
    with pytest.raises(ModelError):
        index.similarities(np.ones(2, dtype=np.float32), keys(1))


def test_a_number_given_twice_is_refused(index: VectorIndex) -> None:
    with pytest.raises(StoreError, match="twice"):
        index.update([1, 1], np.stack([X, Y]), [], 1)


coordinates = st.lists(st.integers(-2, 2), min_size=3, max_size=3)
updates = st.lists(
    st.tuples(
        st.dictionaries(st.integers(1, 30), coordinates, max_size=12),
        st.lists(st.integers(1, 30), max_size=4),
    ),
    max_size=5,
)


@settings(max_examples=40, deadline=None)
@given(updates, coordinates, st.integers(0, 12), st.none() | st.sets(st.integers(1, 30)))
def test_faiss_equals_the_plain_products_after_any_updates(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[tuple[dict[int, list[int]], list[int]]],
    question: list[int],
    k: int,
    among: set[int] | None,
) -> None:
    path = tmp_path_factory.mktemp("vectors") / "v.faiss"
    plain = MemoryVectorIndex(dimension=3, fingerprint="model")
    for revision, (added, removed) in enumerate(history, 1):
        vectors = {n: np.asarray(v, dtype=np.float32) for n, v in added.items()}
        put(plain, vectors, removed, revision)
        put(open_faiss(path), vectors, removed, revision)
    index = open_faiss(path)
    vector = np.asarray(question, dtype=np.float32)
    allowed = None if among is None else keys(*sorted(among))
    assert index.search(vector, k, allowed=allowed) == plain.search(vector, k, allowed=allowed)
    some = keys(30, 3, 17, 4)
    assert index.similarities(vector, some).tolist() == plain.similarities(vector, some).tolist()


def test_an_index_of_another_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    put(open_faiss(path), {1: X}, [], 1)
    with pytest.raises(ModelError, match="was made by model model, not by other"):
        open_faiss(path, fingerprint="other")
    with pytest.raises(StoreError):
        open_faiss(path, dimension=4)


def contents(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_a_failed_update_leaves_the_old_index(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    index = open_faiss(path)
    put(index, {1: X}, [], 1)
    before = contents(path)
    with pytest.raises(ModelError):
        index.update([2], np.full((1, 3), np.inf, dtype=np.float32), [1], 2)
    assert contents(path) == before
    assert index.search(X, 5) == [(1, 1.0)]


def test_a_large_segment_is_not_rewritten_for_a_small_change(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    index = open_faiss(path)
    put(index, dict.fromkeys(range(20000), X), [], 1)
    (large,) = path.glob("segment-*")
    before = large.stat().st_mtime_ns
    put(index, {50_000: Y}, [3], 2)
    put(index, {50_001: Y}, [4], 3)
    assert large.stat().st_mtime_ns == before
    assert len(list(path.glob("segment-*"))) == 2
    again = open_faiss(path)
    assert [number for number, _ in again.search(Y, 2)] == [50_000, 50_001]
    assert [number for number, _ in again.search(X, 5)] == [0, 1, 2, 5, 6]


def test_a_reader_keeps_what_it_opened_until_it_asks_for_the_revision(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    writer = open_faiss(path)
    put(writer, {1: X, 2: Y}, [], 1)
    reader = open_faiss(path)
    put(writer, {3: X}, [1], 2)
    assert reader.search(X, 1) == [(1, 1.0)]
    assert reader.revision == 2
    assert reader.search(X, 1) == [(3, 1.0)]


def test_a_change_by_one_that_opened_earlier_builds_on_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    first = open_faiss(path)
    put(first, {1: X, 2: Y}, [], 1)
    second = open_faiss(path)
    put(first, {3: X, 4: Z}, [1], 2)
    put(second, {3: X, 5: Z}, [1], 3)
    for index in (first, second, open_faiss(path)):
        assert index.revision == 3
        assert index.search(X, 2) == [(3, 1.0), (2, 0.0)]
        assert index.search(Z, 2) == [(4, 1.0), (5, 1.0)]


def spoil(file: Path, how: str, at: float) -> None:
    content = bytearray(file.read_bytes())
    place = int(at * (len(content) - 1))
    if how == "cut":
        del content[place:]
    else:
        content[place] ^= 0xFF
    file.unlink()
    file.write_bytes(content)


@pytest.mark.parametrize("at", [0.0, 0.05, 0.3, 0.6, 0.95, 1.0])
@pytest.mark.parametrize("how", ["cut", "flip"])
@pytest.mark.parametrize("which", ["manifest.json", "segment-000001.faiss"])
def test_a_damaged_file_is_a_store_error(tmp_path: Path, which: str, how: str, at: float) -> None:
    path = tmp_path / "v.faiss"
    put(open_faiss(path), dict.fromkeys(range(20), X), [], 1)
    spoil(path / which, how, at)
    with pytest.raises(StoreError):
        open_faiss(path)


# --- coarse stand-ins ------------------------------------------------------------------


def clustered(count: int, seed: int) -> Vectors:
    """Unit vectors (count, 32) around 40 centres, somewhat as passages lie."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((40, 32))
    rows = centres[random.integers(0, 40, count)] + 0.7 * random.standard_normal((count, 32))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32)


@pytest.mark.parametrize(
    ("precision", "count", "least"),
    [("int8", 12_000, 1.0), ("binary", 12_000, 0.97), ("ivf", 12_000, 1.0), ("ivf", 50_000, 0.97)],
)
def test_a_coarse_index_finds_what_the_exact_one_does(
    tmp_path: Path, precision: Precision, count: int, least: float
) -> None:
    numbers, vectors = range(0, 3 * count, 3), clustered(count, 2)
    exact = FaissIndex.open(tmp_path / "exact", dimension=32, fingerprint="m")
    exact.update(numbers, vectors, [], 1)
    FaissIndex.open(tmp_path / "coarse", dimension=32, fingerprint="m", precision=precision).update(
        numbers, vectors, [], 1
    )
    coarse = FaissIndex.open(
        tmp_path / "coarse", dimension=32, fingerprint="m", precision=precision
    )
    for index in (exact, coarse):
        index.update([7], vectors[:1], [0, 3, 6], 2)
    half, tenth = (np.arange(0, 3 * count, n, dtype=np.int64) for n in (2, 10))
    for allowed in (None, half, tenth):
        found = wanted = 0
        for question in clustered(50, 3):
            truth = dict(exact.search(question, 10, allowed=allowed))
            hits = dict(coarse.search(question, 10, allowed=allowed))
            found += len(truth.keys() & hits.keys())
            wanted += len(truth)
            assert all(abs(truth[n] - hits[n]) < 2e-6 for n in truth.keys() & hits.keys())
            assert not hits.keys() & {0, 3, 6}
        assert found / wanted >= least
    assert 7 in dict(coarse.search(vectors[0], 3))
    some = np.asarray([0, 7, 9, 3 * count - 3], dtype=np.int64)
    question = clustered(1, 4)[0]
    np.testing.assert_array_equal(
        coarse.similarities(question, some), exact.similarities(question, some)
    )


@pytest.mark.parametrize("length", [1.0, 37.5])
def test_bytes_find_the_same_in_the_same_order_also_among_vectors_hardly_apart(
    tmp_path: Path, length: float
) -> None:
    random = np.random.default_rng(8)
    # Vectors that differ by less than a step of their bytes, and some that are equal.
    near = clustered(100, 5)[random.integers(0, 100, 12_000)]
    near[6_000:] += 1e-3 * random.standard_normal((6_000, 32), dtype=np.float32)
    for name in ("exact", "int8"):
        index = FaissIndex.open(tmp_path / name, dimension=32, fingerprint="m", precision=name)
        index.update(range(12_000), length * near, [5, 11_000], 1)
    exact, by_bytes = (
        FaissIndex.open(tmp_path / name, dimension=32, fingerprint="m", precision=name)
        for name in ("exact", "int8")
    )
    allowed = np.arange(0, 12_000, 3, dtype=np.int64)
    for question in clustered(30, 6):
        for k in (1, 40):
            assert by_bytes.search(question, k) == exact.search(question, k)
            asked = by_bytes.search(question, k, allowed=allowed)
            assert asked == exact.search(question, k, allowed=allowed)


def test_what_is_read_often_is_read_the_same_from_its_copy(tmp_path: Path) -> None:
    vectors, question = clustered(40, 2), clustered(1, 3)[0]
    FaissIndex.open(tmp_path, dimension=32, fingerprint="m").update(range(40), vectors, [], 1)
    index = FaissIndex.open(tmp_path, dimension=32, fingerprint="m")
    numbers = np.array([3, 1, 39, 7], dtype=np.int64)  # few: many are not fetched singly
    first = index.similarities(question, numbers).tobytes()
    for _ in range(20):  # after ten as many rows were read as there are
        assert index.similarities(question, numbers).tobytes() == first
        assert index.vectors(numbers).tobytes() == vectors[[3, 1, 39, 7]].tobytes()


def test_bytes_alone_prove_which_vectors_are_best_or_give_up() -> None:
    vectors = clustered(12_000, 2)
    codes = byte_codes(vectors)
    proved = 0
    for question in clustered(50, 3):
        every = vectors @ question
        found = codes.best(question, 10, None, lambda rows, every=every: every[rows])
        if found is not None:
            proved += 1
            assert set(np.argsort(-every)[:10].tolist()) <= set(found[0].tolist())
    assert proved > 45


def test_an_index_of_another_precision_is_a_store_error(tmp_path: Path) -> None:
    path = tmp_path / "v.faiss"
    put(open_faiss(path), {1: X}, [], 1)
    with pytest.raises(StoreError, match="build it anew"):
        FaissIndex.open(path, dimension=3, fingerprint="model", precision="int8")


def test_the_same_vectors_make_the_same_lists(tmp_path: Path) -> None:
    vectors = clustered(50_000, 2)
    for name in ("one", "other"):
        index = FaissIndex.open(tmp_path / name, dimension=32, fingerprint="m", precision="ivf")
        index.update(range(50_000), vectors, [], 1)
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert "segment-000001.ivf" in contents(tmp_path / "one")


@pytest.mark.parametrize("how", ["cut", "flip"])
@pytest.mark.parametrize(("precision", "count"), [("binary", 10_000), ("ivf", 50_000)])
def test_a_damaged_stand_in_is_a_store_error(
    tmp_path: Path, how: str, precision: Precision, count: int
) -> None:
    path = tmp_path / "v.faiss"
    index = FaissIndex.open(path, dimension=32, fingerprint="m", precision=precision)
    index.update(range(count), clustered(count, 2), [], 1)
    spoil(path / f"segment-000001.{precision}", how, 0.7)
    with pytest.raises(StoreError):
        FaissIndex.open(path, dimension=32, fingerprint="m", precision=precision)


@pytest.mark.parametrize("precision", ["int8", "binary"])
def test_a_large_stand_in_is_mapped_and_its_bytes_are_checked_when_asked(
    tmp_path: Path, precision: Precision, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "v.faiss"
    index = FaissIndex.open(path, dimension=32, fingerprint="m", precision=precision)
    index.update(range(10_000), clustered(10_000, 2), [], 1)
    index.check()
    monkeypatch.setattr(segments, "CHECKED_AT_ONCE", 1000)
    spoil(path / f"segment-000001.{precision}", "flip", 0.7)
    opened = FaissIndex.open(path, dimension=32, fingerprint="m", precision=precision)
    with pytest.raises(StoreError, match="wrong checksum"):
        opened.check()
    spoil(path / f"segment-000001.{precision}", "cut", 0.7)
    with pytest.raises(StoreError):
        FaissIndex.open(path, dimension=32, fingerprint="m", precision=precision)
