"""Ours beside what others do, on the same chunks and vectors, in one run.

``python -m tests.benchmarks.sidebyside [--sets NAME,...] [--every N] [--rerank]
[--without METHOD]...``. Each method builds what it needs and answers all questions in a
process of its own. Percent; processor milliseconds a question without building and without
embedding a question; memory is the peak of that process above what all of them begin with
(texts, vectors, the graph of names), in MB.
The walks of HippoRAG and LinearRAG are written from their papers (``walks``); LinearRAG
embeds every sentence, once, which takes a while.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rank_bm25 import BM25Okapi

from graphrag.adapters.onnx_models import OnnxReranker
from graphrag.domain import Hit
from graphrag.evaluation.metrics import mean, ndcg, recall
from graphrag.retrieval.channels import Query, keyword_hits, vector_hits
from graphrag.retrieval.fusion import fuse, ranked
from graphrag.retrieval.retrieve import Retriever, RetrieverSettings
from graphrag.tokens import question_terms, tokenize
from tests.benchmarks.retrieval_sets import DATA, ROOT, Case, Collection, gains_of, load
from tests.benchmarks.walks import Scores, TriGraph, hipporag, linearrag

SETS = ("2wikimultihopqa", "hotpotqa_train100", "musique_train100", "scifact")
MEASURES = {"R@2": recall(2), "R@5": recall(5), "R@20": recall(20), "nDCG@10": ndcg(10)}
AIMS = {
    "2wikimultihopqa": "R@2 86, R@5 98.5, R@20 99.8",
    "hotpotqa_train100": "R@5 98",
    "musique_train100": "R@5 88",
    "scifact": "nDCG@10 77",
}
Search = Callable[[Case], Sequence[Hit]]
_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Row:
    """What one method reached."""

    rankings: list[list[str]]
    milliseconds: float
    megabytes: float


def _best(scores: Scores, ids: Sequence[str]) -> list[Hit]:
    best = np.argsort(-scores, kind="stable")[:_DEPTH]
    return ranked({ids[row]: float(scores[row]) for row in best if scores[row] > 0})


def _query(held: Collection, case: Case) -> Query:
    vector = held.embedder.embed_questions([case.question])[0]
    return Query(case.question, vector, None, _DEPTH)


def rank_bm25(held: Collection) -> Search:
    okapi = BM25Okapi([tokenize(text) for text in held.texts.values()])
    ids = list(held.chunk_numbers().values())
    return lambda case: _best(okapi.get_scores(question_terms(case.question)), ids)


def bm25s(held: Collection) -> Search:
    import bm25s as library  # optional: the row is left out where it is not installed

    index = library.BM25()
    index.index([tokenize(text) for text in held.texts.values()], show_progress=False)
    ids = list(held.chunk_numbers().values())
    known = set(index.vocab_dict)

    def search(case: Case) -> Sequence[Hit]:
        terms = [term for term in question_terms(case.question) if term in known]
        return _best(index.get_scores(terms), ids) if terms else []

    return search


def faiss(held: Collection) -> Search:
    ids, index = held.chunk_ids, held.vectors
    return lambda case: vector_hits(index, _query(held, case), ids)


def rank_fusion(held: Collection) -> Search:
    ids, keyword, vectors = held.chunk_ids, held.keyword, held.vectors

    def search(case: Case) -> list[Hit]:
        asked = _query(held, case)
        bm25 = keyword_hits(keyword, asked, ids)
        return fuse({"bm25": bm25, "vector": vector_hits(vectors, asked, ids)})

    return search


def rank_fusion_reranked(held: Collection) -> Search:
    model, both = OnnxReranker.load(threads=1), rank_fusion(held)

    def search(case: Case) -> list[Hit]:
        ids = [hit.chunk_id for hit in both(case)[:24]]
        texts = [chunk.embedded_text for chunk in held.chunks(ids)]
        return ranked(dict(zip(ids, model.score(case.question, texts), strict=True)))

    return search


def _walk(
    held: Collection, walk: Callable[[TriGraph, str, np.ndarray], Scores], warm: Sequence[str]
) -> Search:
    graph, ids = TriGraph(held), list(held.chunk_numbers().values())
    for part in warm:
        getattr(graph, part)
    return lambda case: _best(walk(graph, case.question, _query(held, case).vector), ids)


def hipporag_like(held: Collection) -> Search:
    return _walk(held, hipporag, ["links"])


def linearrag_like(held: Collection) -> Search:
    return _walk(held, linearrag, ["links", "sentence_vectors"])


def _ours(held: Collection, *, graph: bool, rerank: bool) -> Search:
    retriever = Retriever(
        embedder=held.embedder,
        reranker=lambda: OnnxReranker.load(threads=1),
        keyword=held.keyword,
        vectors=held.vectors,
        names=held.names if graph else None,
        chunks=held,
        settings=RetrieverSettings(),
    )
    stage = "reranked" if rerank else "fused"
    return lambda case: retriever.retrieve(case.question, k=20, rerank=rerank).stages[stage]


METHODS: dict[str, Callable[[Collection], Search]] = {
    "rank_bm25": rank_bm25,
    "bm25s": bm25s,
    "FAISS flat": faiss,
    "RRF": rank_fusion,
    "walk as in HippoRAG 2": hipporag_like,
    "walk as in LinearRAG": linearrag_like,
    "ours, graph off": lambda held: _ours(held, graph=False, rerank=False),
    "ours": lambda held: _ours(held, graph=True, rerank=False),
}
RERANKED: dict[str, Callable[[Collection], Search]] = {
    "RRF + rerank of 24": rank_fusion_reranked,
    "ours, graph off, reranked": lambda held: _ours(held, graph=False, rerank=True),
    "ours, reranked": lambda held: _ours(held, graph=True, rerank=True),
}


def _memory(field: str) -> float:
    """A line of /proc/self/status in MB; 0 where there is no such file."""
    status = Path("/proc/self/status")
    found = re.search(rf"{field}:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0


def _run(method: Callable[[Collection], Search], held: Collection, cases: Sequence[Case]) -> Row:
    reset = Path("/proc/self/clear_refs")
    if reset.exists():
        reset.write_text("5")  # the peak counts from now
    began = _memory("VmRSS")
    search = method(held)
    search(cases[0])
    start = time.process_time()
    rankings = [[hit.chunk_id for hit in search(case)] for case in cases]
    spent = time.process_time() - start
    return Row(rankings, 1000 * spent / len(cases), _memory("VmHWM") - began)


def _apart(method: Callable[[Collection], Search], held: Collection, cases: Sequence[Case]) -> Row:
    """The row, from a process that is forked off: it has the collection and nothing else."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(_run(method, held, cases)))
    process.start()
    sender.close()
    row: Row = receiver.recv()
    process.join()
    return row


def compare(held: Collection, cases: Sequence[Case], methods: Iterable[str]) -> None:
    """Print a row for each method."""
    heads = "".join(f"{name:>9}" for name in MEASURES)
    aim = f"; aim: {AIMS[held.name]}" if held.name in AIMS else ""
    print(f"\n{held.name}: {len(cases)} questions, {len(held.numbered)} chunks{aim}")
    print(f"{'':28}{heads}{'ms':>9}{'MB':>7}")
    for name in methods:
        row = _apart((METHODS | RERANKED)[name], held, cases)
        values = [gains_of(found, case) for found, case in zip(row.rankings, cases, strict=True)]
        cells = "".join(
            f"{100 * mean([measure(g, n) for g, n in values]):>9.2f}"
            for measure in MEASURES.values()
        )
        print(f"{name:28}{cells}{row.milliseconds:>9.1f}{row.megabytes:>7.0f}", flush=True)


def _prepare(held: Collection, cases: Sequence[Case], chosen: Sequence[str]) -> None:
    """Embed in this process whatever any method asks for, so that no row waits for it."""
    held.embedder.embed_questions([case.question for case in cases])
    held.matrix  # noqa: B018 - worked out once, kept
    held.names  # noqa: B018
    ours = _ours(held, graph=True, rerank=False)
    for case in cases:
        ours(case)
    if "walk as in LinearRAG" in chosen:
        TriGraph(held).sentence_vectors  # noqa: B018
    held.embedder.save()


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--without", action="append", default=[], metavar="METHOD")
    parser.add_argument("--rerank", action="store_true")
    options = parser.parse_args()
    left_out = set(options.without)
    if importlib.util.find_spec("bm25s") is None:
        print("bm25s: left out, it is not installed (pip install bm25s)")
        left_out.add("bm25s")
    names = [*METHODS, *(RERANKED if options.rerank else ())]
    chosen = [name for name in names if name not in left_out]
    for name in options.sets.split(","):
        if not (DATA / name).is_dir() and not (ROOT / "corpora" / name).is_dir():
            print(f"\n{name}: skipped, there is no such folder in {DATA}")
            continue
        held = load(name)
        cases = [case for case in held.cases if case.relevant][:: options.every]
        _prepare(held, cases, chosen)
        compare(held, cases, chosen)


if __name__ == "__main__":
    main()
