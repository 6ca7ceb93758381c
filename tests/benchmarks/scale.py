"""Curves of build time, disk, memory and latency over collections of growing size.

``python -m tests.benchmarks.scale [CHUNKS ...]`` (1,000, 10,000 and 100,000 by default; a
million needs some 9 GB of disk).
Keywords and vectors are given what is new as it comes. Building is in processor time.

The collection is synthetic: entries of an encyclopaedia that does not exist, each with a
title of two names, 90 words drawn by Zipf's law from 200,000, and mentions of three other
titles, well-known ones more often. Vectors are made from the titles that a text names (a
model would take days for a million), so similarities cluster as real ones do, but their
quality means nothing here and is not measured. Everything else is the product: the catalog,
the projections and their healing, and a search with all three channels, without rerank, in
a process of its own. ``whole`` is by the clock and leaves out the time to embed the question;
all else is processor time: the parts of a search, and ``beyond embedding``, which leaves out
the second questions of the walk too. ``filtered`` searches among every twentieth chunk.
``--index`` keeps the built indexes in a folder, and searches those that are there already;
with another ``--precision`` than they were made with their vectors are made anew.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from types import SimpleNamespace
from typing import get_args
from unittest.mock import patch

import numpy as np

from graphrag.adapters.faiss_coarse import Precision
from graphrag.domain import Annotation, Block, Chunk, Document
from graphrag.ports import FileStamp, Keys, ModelIdentity, StoredDocument, Vectors
from graphrag.retrieval import tracing
from graphrag.retrieval.retrieve import Retriever
from graphrag.workspace import Workspace
from tests.benchmarks.stores import Texts
from tests.benchmarks.tables import table

_DIMENSION = 384
_WORDS = 90
_BATCH = 5_000
_STREAMED = 50_000  # chunks after which what can take a change is given it: memory stays flat
_STORES = ("keywords", "names", "vectors", "graph")
_QUESTIONS = 100
_NAME = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+\d*")


class NameEmbedder:
    """Unit vectors made from the names in a text: texts that name the same are near."""

    identity = ModelIdentity("names", "1", _DIMENSION, 512, "names-1")

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        rows = np.stack([self._vector(text) for text in texts])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def __init__(self) -> None:
        self.spent = 0.0  # seconds of the processor on questions, second ones too

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        began = time.process_time()
        rows = self.embed_passages(texts)
        self.spent += time.process_time() - began
        return rows

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def _vector(self, text: str) -> Vectors:
        vector = _gaussian(f"common {len(text) % 7}") * 0.8
        for place, name in enumerate(_NAME.findall(text)):
            vector = vector + _gaussian(name) / (1 + place)
        return vector


def _gaussian(key: str) -> Vectors:
    seed = int.from_bytes(key.encode()[-8:], "little")
    return np.random.default_rng(seed).standard_normal(_DIMENSION, dtype=np.float32)


class Entries:
    """Titles and texts, the same for the same size."""

    def __init__(self, size: int) -> None:
        self._random = np.random.default_rng(size)
        self._texts = Texts(size)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        picks = self._random.integers(0, len(syllables), (size, 5)).tolist()
        self.titles = [
            f"{syllables[a]}{syllables[b]}".title() + f" {syllables[c]}{syllables[d]}".title()
            for a, b, c, d, _ in picks
        ]

    def documents(self, first: int, stop: int) -> list[StoredDocument]:
        words = self._texts.words((stop - first) * _WORDS)
        made = []
        for number in range(first, stop):
            place = (number - first) * _WORDS
            own = words[place : place + _WORDS]
            for at, other in zip((20, 50, 80), self._mentioned(), strict=True):
                own[at : at + 1] = [own[at], "with", self.titles[other], "and"]
            made.append(_entry(number, self.titles[number], " ".join(own) + "."))
        return made

    def _mentioned(self) -> list[int]:
        # Squared, so that titles of low numbers are named more often, none by everybody.
        return (self._random.random(3) ** 2 * len(self.titles)).astype(int).tolist()

    def questions(self) -> list[str]:
        chosen = self._random.integers(0, len(self.titles), (_QUESTIONS, 2)).tolist()
        words = self._texts.words(10 * _QUESTIONS, telling=True)
        return [
            f"Which {word} of {self.titles[a]} came before the one of {self.titles[b]}?"
            for word, (a, b) in zip(words, chosen, strict=False)
        ]


def _entry(number: int, title: str, body: str) -> StoredDocument:
    document_id = f"entry-{number:07d}"
    text = f"{title}\n\n{body}"
    start = len(title) + 2
    chunk = Chunk(
        f"{document_id}#0", document_id, 0, start, len(text), body, (title,), title, "prose", 120
    )
    blocks = (
        Block("heading", 0, len(title), (title,)),
        Block("paragraph", start, len(text), (title,)),
    )
    return StoredDocument(
        Document(document_id, document_id, title, text, blocks, "corpus"),
        (chunk,),
        (f"key of {document_id}",),
        Annotation(),
        FileStamp(document_id, "entries", len(text), 1, "digest"),
        (document_id,),
    )


def build(path: Path, size: int, precision: Precision) -> list[tuple[str, float]]:
    """Write the catalog, then heal every projection; seconds of the processor by part."""
    entries, embedder = Entries(size), NameEmbedder()
    seconds: list[tuple[str, float]] = []
    streamed: list[tuple[str, float]] = []
    workspace = Workspace.open(path, create=True, precision=precision)
    workspace.agree_on(embedder.identity)
    with workspace.writing():
        writing = 0.0
        for first in range(0, size, _BATCH):
            documents = entries.documents(first, min(first + _BATCH, size))
            texts = [chunk.embedded_text for each in documents for chunk in each.chunks]
            vectors = embedder.embed_passages(texts)
            begin = time.process_time()
            keys = [key for each in documents for key in each.embedding_keys]
            workspace.catalog.put_embeddings(embedder.identity.fingerprint, keys, vectors)
            workspace.catalog.write_documents(documents, [])
            writing += time.process_time() - begin
            if not (first + _BATCH) % _STREAMED:
                streamed += _healed(workspace, ("keywords", "vectors"))
        seconds.append(("catalog", writing))
        seconds += _summed([*streamed, *_healed(workspace)])
        one = entries.documents(0, 1)
        begin = time.process_time()
        workspace.catalog.write_documents(one, [])
        changed = [("one changed: catalog", time.process_time() - begin)]
        changed += [(f"one changed: {name}", taken) for name, taken in _healed(workspace)]
    workspace.close()
    return seconds + changed


def _healed(workspace: Workspace, names: Sequence[str] = _STORES) -> Iterator[tuple[str, float]]:
    for name in names:
        begin = time.process_time()
        getattr(workspace, name)()
        yield name, time.process_time() - begin
        print(f"  {name}: at most {_memory('VmHWM'):.0f} MB so far", file=sys.stderr, flush=True)


def _summed(seconds: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    return [(store, sum(taken for name, taken in seconds if name == store)) for store in _STORES]


def serve(path: Path, size: int, precision: Precision) -> None:
    """Open the index and search; prints one JSON object."""
    begin = time.process_time()
    workspace = Workspace.open(path, create=False, precision=precision)
    embedder = NameEmbedder()
    retriever = Retriever(
        embedder=embedder,
        reranker=_no_reranker,
        keyword=workspace.keywords(),
        vectors=workspace.vectors(),
        names=workspace.names(),
        chunks=workspace.catalog,
    )
    found: dict[str, object] = {
        "opening, ms": 1000 * (time.process_time() - begin),
        "opened, memory of its own, MB": _memory("RssAnon"),
    }
    first, *questions = Entries(size).questions()
    begin = time.process_time()
    retriever.retrieve(first, rerank=False)
    found["first question, ms"] = 1000 * (time.process_time() - begin)
    parts = _parts(retriever, embedder, questions)
    whole = parts.pop("whole")
    found |= {f"{name}, p50 ms": median(values) for name, values in parts.items()}
    found |= {
        "beyond embedding, p95 ms": quantiles(parts["beyond embedding"], n=20)[-1],
        "whole, p50 ms": median(whole),
        "whole, p95 ms": quantiles(whole, n=20)[-1],
    }
    some = np.arange(1, size + 1, 20, dtype=np.int64)
    filtered = _parts(retriever, embedder, questions, some)["beyond embedding"]
    found["filtered, beyond embedding, p50 ms"] = median(filtered)
    found["memory of its own, MB"] = _memory("RssAnon")
    found["memory with mapped files, MB"] = _memory("VmHWM")
    print(json.dumps(found))


def _parts(
    retriever: Retriever,
    embedder: NameEmbedder,
    questions: Sequence[str],
    allowed: Keys | None = None,
) -> dict[str, list[float]]:
    """Milliseconds of each question by part."""
    parts: dict[str, list[float]] = {}
    by_processor = SimpleNamespace(perf_counter=time.process_time)
    with patch.object(tracing, "time", by_processor):
        for question in questions:
            began, used, embedding = time.perf_counter(), time.process_time(), embedder.spent
            seconds = retriever.retrieve(question, rerank=False, allowed=allowed).seconds
            whole = time.perf_counter() - began - seconds["embedding"]
            beyond = time.process_time() - used - (embedder.spent - embedding)
            for name, each in {**seconds, "beyond embedding": beyond, "whole": whole}.items():
                parts.setdefault(name, []).append(1000 * each)
    return parts


def _memory(kind: str) -> float:
    """Of this process, in MB: ``VmHWM`` is the most that it has held, ``RssAnon`` what it
    holds beside mapped files, which the system may take back. What ``resource`` tells of it
    counts that of the process which started it."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.findall(rf"{kind}:\s*(\d+)", status)[0]) / 1024


def _no_reranker() -> NameEmbedder:
    raise AssertionError("this benchmark searches without rerank")


def measure(size: int, kept: Path | None, precision: Precision) -> dict[str, object]:
    """Everything about one size, by row."""
    with tempfile.TemporaryDirectory(prefix="graphrag-scale-") as place:
        path = (kept or Path(place)) / f"index-{size}"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows: dict[str, object] = {}
        if not path.exists():
            rows |= {f"build {name}, s": seconds for name, seconds in build(path, size, precision)}
            rows["build, memory at most so far, MB"] = _memory("VmHWM")
        for store in sorted(path.iterdir()):
            files = store.rglob("*") if store.is_dir() else [store]
            rows[f"disk {store.name}, MB"] = sum(f.stat().st_size for f in files) / 1e6
        command = [sys.executable, "-m", "tests.benchmarks.scale", "--serve", str(path), str(size)]
        command += ["--precision", precision]
        served = subprocess.run(command, check=True, capture_output=True, text=True)
        return rows | json.loads(served.stdout)


def main() -> None:
    """Print one column a size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chunks", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--index", type=Path, metavar="FOLDER")
    parser.add_argument("--precision", default="int8", choices=get_args(Precision))
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.serve, chosen.chunks[0], chosen.precision)
        return
    columns = [measure(size, chosen.index, chosen.precision) for size in chosen.chunks]
    names = dict.fromkeys(name for column in columns for name in column)
    rows = [(name, *(column.get(name, "-") for column in columns)) for name in names]
    table("an index by its number of chunks", ("part", *map(str, chosen.chunks)), rows)


if __name__ == "__main__":
    main()
