"""Quality of the prerequisite graph on labelled courses.

Run with ``python -m tests.benchmarks.prerequisites``. Reads the evaluation data from
``../shared/data`` or the folder in ``GRAPHRAG_BENCH_DATA``, and the course in ``corpora/``.
No model is asked while indexing but the embedder.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import ConceptGraph, GivenConcept
from graphrag.evaluation.prerequisites import evaluate_prerequisites, load_pairs
from graphrag.ingest.syllabus import read_syllabus
from graphrag.prerequisites.build import build_with_scorer
from graphrag.prerequisites.scoring import PAIR_THRESHOLD, PairScorer
from graphrag.reading.read import read_file

DATA = Path(os.environ.get("GRAPHRAG_BENCH_DATA", "../shared/data"))
CORPORA = Path("corpora")
_LISTED = 10


@dataclass(frozen=True, slots=True)
class Built:
    """A graph with its scorer, the seconds it took after spotting and embedding, and the
    words a second of spotting."""

    graph: ConceptGraph
    scorer: PairScorer
    seconds: float
    spotting: float


class Bench:
    """Builds graphs with the default models, loaded once."""

    def __init__(self) -> None:
        self._spotter = SpacySpotter.load()
        self._embedder = OnnxEmbedder.load()

    def build(self, folders: Sequence[Path], given: Sequence[GivenConcept]) -> Built:
        """The graph of all Markdown files of the folders, in the order of their names."""
        documents = [
            document
            for folder in folders
            for path in sorted(folder.rglob("*.md"))
            for document in read_file(path, document_id=f"{folder.name}/{path.name}", root=folder)
        ]
        begin = time.perf_counter()
        annotations = dict(
            zip([d.id for d in documents], self._spotter.annotate(documents), strict=True)
        )
        words = sum(len(d.text.split()) for d in documents)
        spotting = words / (time.perf_counter() - begin)
        chunks = [
            chunk
            for document in documents
            for chunk in chunk_document(document, self._embedder, ChunkingOptions())
        ]
        vectors = self._embedder.embed_passages([chunk.embedded_text for chunk in chunks])
        titles: dict[str, NDArray[np.float32]] = {}

        def embed(names: Sequence[str]) -> NDArray[np.float32]:
            new = [name for name in dict.fromkeys(names) if name not in titles]
            if new:
                titles.update(zip(new, self._embedder.embed_passages(new), strict=True))
            return np.stack([titles[name] for name in names])

        def run() -> tuple[ConceptGraph, PairScorer]:
            return build_with_scorer(
                documents,
                chunks,
                annotations,
                given=given,
                chunk_vectors={c.id: v for c, v in zip(chunks, vectors, strict=True)},
                embed=embed,
            )

        first, _ = run()
        begin = time.perf_counter()
        graph, scorer = run()
        seconds = time.perf_counter() - begin
        if graph != first:
            raise SystemExit("two builds over the same documents differ")
        return Built(graph, scorer, seconds, spotting)


def labelled(name: str, built: Built, gold: Path, aims: Mapping[str, str]) -> None:
    """F1 of labelled pairs with the fixed threshold, and of what is shown as certain."""
    pairs = load_pairs(gold)
    scores = dict(
        zip(
            [(p.concept, p.prerequisite) for p in pairs],
            built.scorer.score([(p.concept, p.prerequisite) for p in pairs]),
            strict=True,
        )
    )
    found = evaluate_prerequisites(
        pairs,
        built.graph,
        score=lambda a, b: scores.get((a, b)) or built.scorer.score([(a, b)])[0],
        threshold=PAIR_THRESHOLD,
    )
    positive = sum(pair.label for pair in pairs)
    row(f"{name}: F1 of labelled pairs", found.f1, aims["f1"])
    row(f"{name}: precision / recall", f"{found.precision:.3f} / {found.recall:.3f}", "")
    row(f"{name}: AUC", found.auc, "")
    row(f"{name}: right among edges shown as certain", found.certain_precision, "0.95")
    row(f"{name}: order violations", found.order_violations / positive, "< 0.03")
    _by_kind(name, built, {(p.concept, p.prerequisite): p.label for p in pairs})
    row(f"{name}: seconds to derive the graph", built.seconds, "")


def _by_kind(name: str, built: Built, labels: Mapping[tuple[str, str], bool]) -> None:
    """The precision of each kind of evidence on labelled edges."""
    kinds: dict[str, list[bool]] = {}
    for edge in built.graph.prerequisites:
        label = labels.get((edge.concept_id, edge.prerequisite_id))
        if edge.in_force and label is not None:
            for kind in {each.kind for each in edge.evidence}:
                kinds.setdefault(kind, []).append(label)
    shown = ", ".join(
        f"{kind} {sum(right) / len(right):.2f} ({len(right)})"
        for kind, right in sorted(kinds.items())
    )
    row(f"{name}: right by evidence", shown, "")


def complete(name: str, built: Built, gold: Path, *, stated: bool) -> None:
    """Edges against a complete gold relation: F1 where it is stated, else recall in ten."""
    pairs = load_pairs(gold)
    found = evaluate_prerequisites(pairs, built.graph)
    if stated:
        row(f"{name}: F1 of edges", found.f1, "1.00")
        row(f"{name}: order violations", found.order_violations / len(pairs), "0")
        return
    listed: dict[str, list[str]] = {}
    for edge in sorted(built.graph.prerequisites, key=lambda e: -e.weight):
        if edge.in_force:
            listed.setdefault(edge.concept_id, []).append(edge.prerequisite_id)
    in_graph = [p.prerequisite in listed.get(p.concept, [])[:_LISTED] for p in pairs]
    related = built.scorer.nearest(sorted({p.concept for p in pairs}), _LISTED)
    in_nearest = [p.prerequisite in related[p.concept] for p in pairs]
    row(f"{name}: direct prerequisites among the first ten", np.mean(in_nearest), "0.72")
    row(f"{name}: the same, among edges in force", np.mean(in_graph), "")
    row(f"{name}: order violations", found.order_violations / len(pairs), "< 0.03")
    row(f"{name}: seconds to derive the graph", built.seconds, "")


def row(what: str, value: object, aim: str) -> None:
    """One line of the table."""
    shown = f"{value:.3f}" if isinstance(value, float) else str(value)
    print(f"{what:72} {shown:>12}  {aim}", flush=True)


def main() -> int:
    """Print the table."""
    bench = Bench()
    print(f"{'what':72} {'value':>12}  aim")
    course = CORPORA / "linear-algebra"
    built = bench.build([course / "documents"], ())
    labelled("own course, no syllabus", built, course / "prerequisites.jsonl", {"f1": "0.85"})
    if not DATA.is_dir():
        print(f"{DATA} is absent: the other rows are skipped", file=sys.stderr)
        return 0
    sets = (
        ("AL-CPL physics", "prereq_alcpl_physics", ("documents", "documents_fhsst"), "0.75"),
        ("AL-CPL precalculus", "prereq_alcpl_precalculus", ("documents",), "0.89"),
    )
    for name, folder, documents, aim in sets:
        home = DATA / folder
        built = bench.build([home / d for d in documents], read_syllabus(home / "concepts.jsonl"))
        labelled(name, built, home / "prerequisites.jsonl", {"f1": aim})
    home = DATA / "prereq_metacademy"
    for name, documents_folder, stated in (
        ("Metacademy with its sections", "docs_with_prerequisites", True),
        ("Metacademy without them", "docs", False),
    ):
        built = bench.build([home / documents_folder], read_syllabus(home / "concepts.jsonl"))
        complete(name, built, home / "prerequisites.jsonl", stated=stated)
    return 0


if __name__ == "__main__":
    sys.exit(main())
