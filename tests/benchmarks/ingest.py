"""Ingest against the embedder alone, again without changes, and after one change.

``python -m tests.benchmarks.ingest [FOLDER] [--files N] [--rounds N]``: a folder of documents
(the course of this project without), how many synthetic files the incremental part has (0:
none), and how often ingest and embedder alone take turns. Processor time is this process's:
the language pipeline's comes on top.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from graphrag import Engine
from graphrag.adapters.onnx_models import OnnxEmbedder
from tests.benchmarks.tables import table

_WORDS = (
    *("vector", "matrix", "span", "basis", "rank", "kernel", "image", "determinant", "norm"),
    *("eigenvalue", "angle", "projection", "row", "column", "pivot", "system", "solution"),
    *("dimension", "subspace", "plane", "line", "point", "sum", "product", "inverse"),
)


def whole(folder: Path) -> list[tuple[object, ...]]:
    """The stages of a fresh ingest, each as a share of embedding the same chunks alone."""
    with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
        before = time.process_time()
        report = engine.ingest([folder])
        worked = time.process_time() - before
        texts = [chunk.embedded_text for chunk in engine.desk.workspace.catalog.chunks()]
    embedder = OnnxEmbedder.load()
    begin, before = time.perf_counter(), time.process_time()
    embedder.embed_passages(texts)
    alone, alone_worked = time.perf_counter() - begin, time.process_time() - before
    rows: list[tuple[object, ...]] = [("embedder alone", alone, 1.0)]
    rows += [(name, seconds, seconds / alone) for name, seconds in report.seconds.items()]
    rows.append(("processor time", worked, worked / alone_worked))
    return rows


def incremental(files: int) -> list[tuple[object, ...]]:
    """A folder of small files: whole, again, and with one of them changed."""
    generator = random.Random(0)
    with tempfile.TemporaryDirectory() as place, Engine.open(Path(place) / "i") as engine:
        folder = Path(place) / "d"
        folder.mkdir()
        for number in range(files):
            (folder / f"{number}.md").write_text(_page(generator, number))
        first = engine.ingest([folder]).seconds["total"]
        again = engine.ingest([folder]).seconds["total"]
        (folder / "7.md").write_text(_page(generator, 7))
        one = engine.ingest([folder]).seconds["total"]
    return [
        (f"{files} files", first, 1.0),
        ("nothing changed", again, again / first),
        ("one changed", one, one / first),
    ]


def _page(generator: random.Random, number: int) -> str:
    sentences = []
    for _ in range(30):
        words = generator.choices(_WORDS, k=9)
        sentences.append(f"The {' '.join(words)} of {generator.choice(_WORDS)}.")
    title = f"{generator.choice(_WORDS).title()} {number}"
    middle = len(sentences) // 2
    return (
        f"# {title}\n\n{' '.join(sentences[:middle])}\n\n## Use\n\n{' '.join(sentences[middle:])}\n"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    course = Path(__file__).parents[2] / "corpora" / "linear-algebra" / "documents"
    parser.add_argument("folder", nargs="?", type=Path, default=course)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    chosen = parser.parse_args()
    header = ("part", "seconds", "ratio")
    title = f"ingest of {chosen.folder.name}, against the embedder alone"
    for _ in range(chosen.rounds):
        table(title, header, whole(chosen.folder))
    if not chosen.files:
        return
    table("incremental ingest, against the whole", header, incremental(chosen.files))


if __name__ == "__main__":
    main()
