"""How long the stores take to build, change and answer, at several sizes.

Run: ``python -m tests.benchmarks.stores [CHUNKS ...]`` (10000 and 100000 by default).
The texts are synthetic: 150 words a chunk drawn from a vocabulary of 200,000 by Zipf's
law, ten chunks a document, five mentions a chunk; questions have eight words, the
frequent ones too or (as when stop words are left out) all but the 100 most frequent; the
vectors are random unit vectors.
CPU is that of this process alone: on a busy machine it says more than the time.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.faiss_index import FaissIndex
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.domain import (
    Annotation,
    Block,
    Chunk,
    Concept,
    ConceptGraph,
    Document,
    Evidence,
    Mention,
    Phrase,
    Prerequisite,
    Relation,
    Span,
)
from graphrag.ports import FileStamp, GraphSnapshot, StoredDocument, Vectors

_DIMENSION = 384
_WORDS = 150
_CHUNKS_A_DOCUMENT = 10
_MENTIONS_A_CHUNK = 5
_VOCABULARY = 200_000


class Table:
    """Rows of a table, printed as they come."""

    def __init__(self) -> None:
        self._size = 0

    def begin(self, size: int) -> None:
        self._size = size
        print(f"\n{size:,} chunks\n{'':52}{'time':>12}{'CPU':>12}")

    def row(self, what: str, seconds: float, cpu: float) -> None:
        print(f"  {what:50}{_shown(seconds):>12}{_shown(cpu):>12}", flush=True)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        begun, cpu = time.perf_counter(), time.process_time()
        yield
        self.row(what, time.perf_counter() - begun, time.process_time() - cpu)

    def median(self, what: str, calls: list[Callable[[], object]]) -> None:
        taken, used = [], []
        for call in calls:
            begun, cpu = time.perf_counter(), time.process_time()
            call()
            taken.append(time.perf_counter() - begun)
            used.append(time.process_time() - cpu)
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            self.row(
                f"{what}, {name}",
                float(np.quantile(taken, share)),
                float(np.quantile(used, share)),
            )


def _shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.2f} ms"


class Texts:
    """A stream of synthetic words, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        syllables = [a + b for a in "bcdfghklmnprstvz" for b in "aeiou"]
        self._words = [
            "".join(syllables[i] for i in self._random.integers(0, len(syllables), 3)) + str(n)
            if n > 50_000
            else "".join(syllables[i] for i in self._random.integers(0, len(syllables), 4))
            for n in range(_VOCABULARY)
        ]

    def words(self, count: int, *, telling: bool = False) -> list[str]:
        """Words by Zipf's law; telling ones leave out the 100 most frequent."""
        ranks = self._random.zipf(1.2, 20 * count if telling else 2 * count)
        kept = ranks[(ranks < _VOCABULARY) & (ranks >= (100 if telling else 0))]
        return [self._words[rank] for rank in kept[:count].tolist()]

    def chunk_texts(self, count: int) -> list[str]:
        words = self.words(count * _WORDS)
        return [" ".join(words[i : i + _WORDS]) for i in range(0, len(words), _WORDS)]


def documents(texts: list[str]) -> list[StoredDocument]:
    made = []
    for first in range(0, len(texts), _CHUNKS_A_DOCUMENT):
        parts = texts[first : first + _CHUNKS_A_DOCUMENT]
        made.append(_document(f"notes/{first:07d}.md", parts))
    return made


def _document(document_id: str, parts: list[str]) -> StoredDocument:
    chunks, blocks, phrases = [], [], []
    start = 0
    for ordinal, part in enumerate(parts):
        stop = start + len(part)
        path = ("Part", f"Section {ordinal}")
        chunk_id = f"{document_id}#{ordinal}"
        context = f"{document_id}\n{' > '.join(path)}"
        chunks.append(
            Chunk(chunk_id, document_id, ordinal, start, stop, part, path, context, "prose", 200)
        )
        blocks.append(Block("paragraph", start, stop, path))
        phrases += [Phrase(start + i, start + i + 8, part[i : i + 8]) for i in range(0, 600, 20)]
        start = stop + 2
    text = "\n\n".join(parts)
    sentences = tuple(Span(i, i + 80) for i in range(0, len(text), 80))
    return StoredDocument(
        Document(document_id, document_id, document_id, text, tuple(blocks), "markdown"),
        tuple(chunks),
        tuple(f"key of {chunk.id}" for chunk in chunks),
        Annotation(sentences, tuple(phrases)),
        FileStamp(document_id, "notes", len(text), 1, "digest"),
        (document_id,),
    )


def concept_graph(chunks: list[Chunk], seed: int) -> ConceptGraph:
    random = np.random.default_rng(seed)
    count = max(100, len(chunks) // 10)
    concepts = tuple(Concept(f"c{i:06d}", f"Concept {i}", (f"alias {i}",)) for i in range(count))
    chosen = (random.zipf(1.3, len(chunks) * _MENTIONS_A_CHUNK) % count).tolist()
    mentions = tuple(
        sorted(
            (
                Mention(f"c{chosen[i]:06d}", chunk.document_id, chunk.id, 8 * i, 8 * i + 7)
                for i, chunk in ((i, chunks[i // _MENTIONS_A_CHUNK]) for i in range(len(chosen)))
            ),
            key=lambda m: (m.concept_id, m.document_id, m.chunk_id, m.start),
        )
    )
    evidence = (Evidence("cue", 0.5, "One needs the other.", chunks[0].document_id),)
    pairs = sorted({(i, (i * 7 + j) % i) for i in range(1, count) for j in range(3)})
    prerequisites = tuple(
        Prerequisite(f"c{a:06d}", f"c{b:06d}", 0.5, "likely", evidence) for a, b in pairs
    )
    relations = tuple(
        Relation(f"c{a:06d}", "uses", f"c{b:06d}", 0.5, "It uses it.") for a, b in pairs[::2]
    )
    return ConceptGraph(concepts, mentions, prerequisites, relations)


def unit_vectors(count: int, seed: int) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, _DIMENSION), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def catalog_rows(
    table: Table, folder: Path, made: list[StoredDocument], graph: ConceptGraph
) -> None:
    keys = [key for stored in made for key in stored.embedding_keys]
    vectors = unit_vectors(len(keys), 3)
    catalog = SqliteCatalog.open(folder / "catalog.sqlite")
    with table.timed("catalog: write all documents"):
        catalog.write_documents(made, [])
    with table.timed("catalog: write all vectors"):
        catalog.put_embeddings("model", keys, vectors)
    with table.timed("catalog: write the concept graph"):
        catalog.put_concept_graph(graph)
    with table.timed("catalog: write the same concept graph"):
        catalog.put_concept_graph(graph)
    with table.timed("catalog: write one document again"):
        catalog.write_documents(made[:1], [])
    with table.timed("catalog: write the concept graph after it"):
        catalog.put_concept_graph(graph)
    catalog.close()
    with table.timed("catalog: open and read the revision"):
        catalog = SqliteCatalog.open(folder / "catalog.sqlite")
        _ = catalog.revision
    with table.timed("catalog: stamps of all documents"):
        catalog.stamps()
    with table.timed("catalog: read 1,000 documents with annotations"):
        catalog.documents([stored.document.id for stored in made[:1000]])
    with table.timed("catalog: annotations of all documents"):
        catalog.annotations()
    with table.timed("catalog: all chunks with their numbers"):
        catalog.changes_since(0)
    with table.timed("catalog: chunk numbers"):
        catalog.chunk_numbers()
    with table.timed("catalog: the concept graph"):
        catalog.concept_graph()
    with table.timed("catalog: 10,000 vectors by key"):
        catalog.embeddings("model", keys[:10_000])
    ids = [chunk.id for stored in made for chunk in stored.chunks]
    picks = np.random.default_rng(1).integers(0, len(ids), (200, 20)).tolist()
    table.median(
        "catalog: 20 chunks by id",
        [lambda pick=pick: catalog.chunks([ids[i] for i in pick]) for pick in picks],
    )
    catalog.close()


def keyword_rows(table: Table, folder: Path, texts: list[str], source: Texts) -> None:
    index = Bm25Index.open(folder / "keywords")
    with table.timed("keywords: build"):
        index.update(dict(enumerate(texts)), [], 1)
    with table.timed("keywords: change 10 chunks"):
        index.update({i: texts[i + 10] for i in range(10)}, [20, 21], 2)
    with table.timed("keywords: change 10 more"):
        index.update({i: texts[i + 10] for i in range(30, 40)}, [50, 51], 3)
    with table.timed("keywords: open"):
        index = Bm25Index.open(folder / "keywords")
    frequent = [" ".join(source.words(8)) for _ in range(200)]
    table.median(
        "keywords: search 20, frequent words", [lambda q=q: index.search(q, 20) for q in frequent]
    )
    questions = [" ".join(source.words(8, telling=True)) for _ in range(200)]
    table.median("keywords: search 20", [lambda q=q: index.search(q, 20) for q in questions])
    few = np.arange(0, len(texts), max(1, len(texts) // 500), dtype=np.int64)
    half = np.arange(0, len(texts), 2, dtype=np.int64)
    for name, allowed in (("among 500", few), ("among half", half)):
        table.median(
            f"keywords: search 20 {name}",
            [lambda q=q, a=allowed: index.search(q, 20, allowed=a) for q in questions],
        )


def vector_rows(table: Table, folder: Path, size: int) -> None:
    vectors = unit_vectors(size, 4)
    path = folder / "vectors.faiss"
    index = FaissIndex.open(path, dimension=_DIMENSION, fingerprint="model")
    with table.timed("vectors: build"):
        index.update(range(size), vectors, [], 1)
    with table.timed("vectors: change 10 chunks"):
        index.update(range(10), vectors[10:20], [20, 21], 2)
    with table.timed("vectors: open"):
        index = FaissIndex.open(path, dimension=_DIMENSION, fingerprint="model")
    questions = list(unit_vectors(100, 5))
    table.median("vectors: search 20", [lambda q=q: index.search(q, 20) for q in questions])
    everything = np.arange(size, dtype=np.int64)
    few, half = everything[:: max(1, size // 500)], everything[::2]
    for name, allowed in (("among 500", few), ("among half", half)):
        table.median(
            f"vectors: search 20 {name}",
            [lambda q=q, a=allowed: index.search(q, 20, allowed=a) for q in questions],
        )
    table.median(
        "vectors: similarities of all",
        [lambda q=q: index.similarities(q, everything) for q in questions],
    )


def graph_rows(table: Table, folder: Path, chunks: list[Chunk], graph: ConceptGraph) -> None:
    store = KuzuGraph(folder / "graph.kuzu")
    names = dict.fromkeys(chunk.document_id for chunk in chunks)
    snapshot = GraphSnapshot(tuple((n, n, n, {}) for n in names), tuple(chunks), graph)
    with table.timed(f"graph: build ({len(graph.mentions):,} mentions)"):
        store.replace(snapshot, 1)
    with table.timed("graph: read the revision"):
        _ = store.revision
    with table.timed("graph: read the concept graph"):
        store.concept_graph()
    statement = (
        "MATCH (k:Chunk)-[m:MENTIONS]->(c:Concept {name: 'Concept 17'}) "
        "RETURN k.id, m.count ORDER BY m.count DESC, k.id LIMIT 10"
    )
    table.median("graph: a console query", [lambda: store.query(statement) for _ in range(10)])


def main() -> None:
    sizes = [int(argument) for argument in sys.argv[1:]] or [10_000, 100_000]
    table = Table()
    source = Texts(7)
    for size in sizes:
        table.begin(size)
        texts = source.chunk_texts(size)
        made = documents(texts)
        chunks = [chunk for stored in made for chunk in stored.chunks]
        graph = concept_graph(chunks, 2)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            catalog_rows(table, folder, made, graph)
            keyword_rows(table, folder, texts, source)
            vector_rows(table, folder, size)
            graph_rows(table, folder, chunks, graph)
            for path in sorted(folder.iterdir()):
                files = path.rglob("*") if path.is_dir() else [path]
                print(f"  {path.name:50}{sum(f.stat().st_size for f in files) / 1e6:9.1f} MB")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"  {'highest memory of the process so far':50}{peak:9.0f} MB")


if __name__ == "__main__":
    main()
