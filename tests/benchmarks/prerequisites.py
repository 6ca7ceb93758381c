"""Quality of the prerequisite graph on labelled courses.

Run with ``python -m tests.benchmarks.prerequisites [SET ...]``. Reads the evaluation data from
``--data``, by default ``../shared/data`` or the folder in ``GRAPHRAG_BENCH_DATA``, and the
course in ``corpora/``. No model is asked while indexing but the embedder.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.concepts.names import name_key
from graphrag.domain import (
    Annotation,
    Chunk,
    ConceptGraph,
    Document,
    EvidenceKind,
    GivenConcept,
    Prerequisite,
)
from graphrag.evaluation.prerequisites import GoldPair, evaluate_prerequisites, load_pairs
from graphrag.export.json import write_json
from graphrag.ingest.syllabus import read_syllabus
from graphrag.prerequisites.build import build_with_scorer
from graphrag.prerequisites.listable import MOST_LISTED
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.prerequisites.scoring import PAIR_THRESHOLD, PairScorer
from graphrag.reading.read import read_file
from graphrag.tutoring.listed import listed
from graphrag.tutoring.path import needed_for
from tests.benchmarks.weights import Weighed, rows

DATA = Path(os.environ.get("GRAPHRAG_BENCH_DATA", "../shared/data"))
CORPORA = Path("corpora")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A set: its folders of Markdown, syllabus and gold pairs, and the aim for F1.

    A ``complete`` one names every direct prerequisite, and no pair that is none.
    """

    title: str
    folders: tuple[Path, ...]
    syllabus: Path | None
    gold: Path
    aim: str
    complete: bool = False


def sets(data: Path) -> dict[str, Labelled]:
    """All sets by the names that the command line knows."""
    course = CORPORA / "linear-algebra"
    physics = data / "prereq_alcpl_physics"
    precalculus = data / "prereq_alcpl_precalculus"
    metacademy = data / "prereq_metacademy"

    def one(title: str, home: Path, folders: Sequence[str], aim: str, **more: bool) -> Labelled:
        return Labelled(
            title,
            tuple(home / folder for folder in folders),
            home / "concepts.jsonl",
            home / "prerequisites.jsonl",
            aim,
            **more,
        )

    documents = ("documents",)
    return {
        "course": Labelled(
            "own course, no syllabus",
            (course / "documents",),
            None,
            course / "prerequisites.jsonl",
            "0.85",
        ),
        "links": one("notes that link each other", CORPORA / "linked-notes", documents, "-"),
        "syllabus": one("own course, its syllabus", course, documents, "0.85"),
        "physics": one("AL-CPL physics", physics, ("documents", "documents_fhsst"), "0.75"),
        "precalculus": one("AL-CPL precalculus", precalculus, documents, "0.89"),
        "stated": one(
            "Metacademy with its sections",
            metacademy,
            ("docs_with_prerequisites",),
            "1.00",
            complete=True,
        ),
        "metacademy": one("Metacademy without them", metacademy, ("docs",), "-", complete=True),
    }


@dataclass(frozen=True, slots=True)
class Read:
    """What deriving starts from: everything that a workspace has stored."""

    documents: list[Document]
    annotations: dict[str, Annotation]
    chunks: list[Chunk]
    vectors: NDArray[np.float32]


class Bench:
    """Reads sets with the default models, loaded once and only where needed.

    With ``cache`` what was read, spotted and embedded is kept in that folder; remove it when
    the reading, the spotting or the models change.
    """

    def __init__(self, cache: Path | None) -> None:
        self._cache = cache
        self._titles: dict[str, NDArray[np.float32]] = {}

    @cached_property
    def _spotter(self) -> SpacySpotter:
        return SpacySpotter.load()

    @cached_property
    def _embedder(self) -> OnnxEmbedder:
        return OnnxEmbedder.load()

    def build(self, chosen: Labelled) -> Built:
        """The graph of a set, built twice to see that both are equal to the byte."""
        read = self._read(chosen.folders)
        given = read_syllabus(chosen.syllabus) if chosen.syllabus else ()
        first, _, _ = self._derive(read, given)
        graph, scorer, seconds = self._derive(read, given)
        if write_json(graph) != write_json(first):
            raise SystemExit("two builds over the same documents differ")
        return Built(chosen, graph, scorer, seconds, load_pairs(chosen.gold))

    def _read(self, folders: Sequence[Path]) -> Read:
        kept = None
        if self._cache is not None:
            name = "-".join("_".join(folder.parts[-2:]) for folder in folders)
            kept = self._cache / f"{name}.pickle"
            if kept.exists():
                return Read(*pickle.loads(kept.read_bytes()))
        documents = [
            document
            for folder in folders
            for path in sorted(folder.rglob("*.md"))
            for document in read_file(path, document_id=f"{folder.name}/{path.name}", root=folder)
        ]
        spotted = self._spotter.annotate(documents)
        annotations = dict(zip([d.id for d in documents], spotted, strict=True))
        options = ChunkingOptions()
        chunks = [c for d in documents for c in chunk_document(d, self._embedder, options)]
        vectors = self._embedder.embed_passages([chunk.embedded_text for chunk in chunks])
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(pickle.dumps((documents, annotations, chunks, vectors)))
        return Read(documents, annotations, chunks, vectors)

    def _derive(
        self, read: Read, given: Sequence[GivenConcept]
    ) -> tuple[ConceptGraph, PairScorer, float]:
        begin = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        graph, scorer = build_with_scorer(
            read.documents,
            read.chunks,
            read.annotations,
            given=given,
            chunk_vectors={c.id: v for c, v in zip(read.chunks, read.vectors, strict=True)},
            embed=self._embed,
        )
        return graph, scorer, resource.getrusage(resource.RUSAGE_SELF).ru_utime - begin

    def _embed(self, names: Sequence[str]) -> NDArray[np.float32]:
        new = [name for name in dict.fromkeys(names) if name not in self._titles]
        if new:
            self._titles.update(zip(new, self._embedder.embed_passages(new), strict=True))
        return np.stack([self._titles[name] for name in names])


@dataclass(frozen=True, slots=True)
class Built:
    """A graph with its scorer, the processor seconds of deriving it, and the gold."""

    set: Labelled
    graph: ConceptGraph
    scorer: PairScorer
    seconds: float
    pairs: list[GoldPair]


def report(built: Built) -> None:
    """The rows of one set."""
    if built.set.complete:
        _complete(built)
    else:
        _pairs(built)
    title, positive = built.set.title, sum(pair.label for pair in built.pairs)
    violated = evaluate_prerequisites(built.pairs, built.graph, paths=_paths(built.graph))
    row(f"{title}: paths out of order", violated.order_violations / positive, "< 0.03")
    row(f"{title}: concepts / edges in force", f"{len(built.graph.concepts)} / {_edges(built)}", "")
    row(f"{title}: processor seconds to derive the graph", built.seconds, "")


def _edges(built: Built) -> int:
    return sum(edge.in_force for edge in built.graph.prerequisites)


def _paths(graph: ConceptGraph) -> Callable[[str], list[str]]:
    """What a learner who knows nothing is led through to a goal."""
    order = PrerequisiteOrder(graph.prerequisites, [c.id for c in graph.concepts])
    known: dict[str, list[str]] = {}

    def path(goal: str) -> list[str]:
        if goal not in known:
            known[goal] = order.sort(needed_for(goal, order, ())) if goal in order else [goal]
        return known[goal]

    return path


def _pairs(built: Built) -> None:
    """F1 of labelled pairs with the fixed threshold, and of what is shown as certain."""
    title, pairs = built.set.title, built.pairs
    wanted = [(p.concept, p.prerequisite) for p in pairs]
    scores = dict(zip(wanted, built.scorer.score(wanted), strict=True))
    found = evaluate_prerequisites(
        pairs,
        built.graph,
        score=lambda a, b: scores.get((a, b)) or built.scorer.score([(a, b)])[0],
        threshold=PAIR_THRESHOLD,
    )
    row(f"{title}: F1 of labelled pairs", found.f1, built.set.aim)
    row(f"{title}: precision / recall", f"{found.precision:.3f} / {found.recall:.3f}", "")
    row(f"{title}: AUC", found.auc, "")
    if any(edge.status == "certain" for edge, _ in edges_with_labels(built)):
        row(f"{title}: right among edges shown as certain", found.certain_precision, "0.95")
    kinds: dict[str, list[bool]] = defaultdict(list)
    for edge, label in edges_with_labels(built):
        kinds[f"{edge.status}:"].append(label)
        for kind in {each.kind for each in edge.evidence}:
            kinds[kind].append(label)
    shown = ", ".join(
        f"{kind} {np.mean(right):.2f} ({len(right)})" for kind, right in sorted(kinds.items())
    )
    row(f"{title}: right by status and evidence", shown, "")


def edges_with_labels(built: Built) -> list[tuple[Prerequisite, bool]]:
    """Edges in force whose pair is labelled, with the label."""
    ids = {c.id: c.id for c in built.graph.concepts}
    for concept in built.graph.concepts:
        for name in (concept.name, *concept.aliases):
            ids.setdefault(name_key(name), concept.id)

    def found(name: str) -> str:
        return ids.get(name) or ids.get(name_key(name.replace("_", " "))) or name

    labels = {(found(p.concept), found(p.prerequisite)): p.label for p in built.pairs}
    pairs = [(e, labels.get((e.concept_id, e.prerequisite_id))) for e in built.graph.prerequisites]
    return [(edge, label) for edge, label in pairs if edge.in_force and label is not None]


def _complete(built: Built) -> None:
    """Edges against a complete gold relation: their F1, and recall among the first ten."""
    title = built.set.title
    if built.set.aim != "-":
        row(f"{title}: F1 of edges", evaluate_prerequisites(built.pairs, built.graph).f1, "1.00")
    ranked = built.scorer.nearest(sorted({p.concept for p in built.pairs}), MOST_LISTED)
    shown = {
        concept: [edge.prerequisite_id for edge in edges]
        for concept, edges in listed(built.graph).items()
    }
    for what, ten, aim in (("listed", shown, "0.72"), ("ranked, listed or not", ranked, "")):
        share = np.mean([p.prerequisite in ten.get(p.concept, ()) for p in built.pairs])
        row(f"{title}: direct prerequisites among the first ten {what}", float(share), aim)
    row(f"{title}: pairs listed as open", len(built.graph.open), "")


def calibration(built: Mapping[str, Built]) -> None:
    """What a weight means, the own course counted once, without its syllabus, and the notes
    not at all: a quarter of their linked pairs is wrong by design."""
    courses = {
        name: Weighed(
            np.array([edge.weight for edge, _ in edges_with_labels(each)]),
            np.array([label for _, label in edges_with_labels(each)], dtype=bool),
        )
        for name, each in built.items()
        if not each.set.complete and name not in ("syllabus", "links")
    }
    for what, value, aim in rows(courses):
        row(what, value, aim)


def kinds(built: Mapping[str, Built]) -> None:
    """How often an edge is right that has evidence of each kind, over the sets that label
    pairs which are none too."""
    right: dict[str, list[bool]] = defaultdict(list)
    for each in (one for one in built.values() if not one.set.complete):
        for edge, label in edges_with_labels(each):
            for kind in {one.kind for one in edge.evidence}:
                right[kind].append(label)
    for kind in get_args(EvidenceKind):
        found = f"{np.mean(right[kind]):.2f} ({len(right[kind])})" if right[kind] else "none"
        row(f"right of labelled edges with evidence '{kind}'", found, "")


def row(what: str, value: object, aim: str) -> None:
    """One line of the table."""
    shown = f"{value:.3f}" if isinstance(value, float) else str(value)
    print(f"{what:76} {shown:>12}  {aim}", flush=True)


def main() -> int:
    """Print the table."""
    names = list(sets(DATA))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(names)}: all")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the evaluation data")
    parser.add_argument("--cache", type=Path, help="folder that keeps vectors and annotations")
    options = parser.parse_args()
    unknown = sorted(set(options.sets) - set(names))
    if unknown:
        parser.error(f"no set {unknown[0]!r}; there are {', '.join(names)}")
    bench = Bench(options.cache)
    print(f"{'what':76} {'value':>12}  aim")
    built: dict[str, Built] = {}
    for name, chosen in sets(options.data).items():
        if options.sets and name not in options.sets:
            continue
        if not chosen.gold.is_file():
            print(f"{chosen.gold} is absent: {name} is skipped", file=sys.stderr)
            continue
        built[name] = bench.build(chosen)
        report(built[name])
    kinds(built)
    calibration(built)
    return 0


if __name__ == "__main__":
    sys.exit(main())
