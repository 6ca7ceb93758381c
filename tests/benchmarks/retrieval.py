"""How well questions find their passages: by channel, and part by part.

Run: ``python -m tests.benchmarks.retrieval [--sets NAME,...] [--ablate] [--rerank]
[--questions FILE] [--every N] [--expand answer|phrasings [--model NAME]]``. Percent; a document
counts once, at the rank of its first chunk. ``--ablate`` turns one part off at a time, with
``--rerank`` one of reranking; ``--every N`` takes each Nth question; beside other methods ours
stands in ``sidebyside``. Times are processor milliseconds a question without embedding, from one
run; only in the ablation of reranking they hold that too.

``--expand`` adds a row with questions widened by a model of the Ollama at ``OLLAMA_HOST`` (else
here) and says how many it widened, in how many letters and seconds of waiting a question, and at
how many the measure rose and fell. A question on which the model gave nothing usable is searched
as it was put. To measure another model: ``ollama pull NAME``, then
``python -m tests.benchmarks.retrieval --sets scifact,musique_train100 --every 4 --expand answer
--model NAME``.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from graphrag.adapters.onnx_models import OnnxReranker
from graphrag.domain import Hit
from graphrag.errors import GenerationError, UnusableReplyError
from graphrag.evaluation.metrics import mean, ndcg, recall
from graphrag.retrieval.blending import BlendSettings
from graphrag.retrieval.expanding import Expander
from graphrag.retrieval.hops import HopSettings
from graphrag.retrieval.pairs import PairSettings
from graphrag.retrieval.relations import RelationSettings
from graphrag.retrieval.retrieve import Retriever, RetrieverSettings
from graphrag.retrieval.steps import WalkSettings
from graphrag.settings import load_settings
from graphrag.writers import Writers
from tests.benchmarks.retrieval_sets import DATA, ROOT, Case, Collection, gains_of, load

SETS = (
    "2wikimultihopqa",
    "hotpotqa_train100",
    "musique_train100",
    "scifact",
    "handbook",
    "linear-algebra",
)
MEASURES = {
    "R@2": recall(2),
    "R@5": recall(5),
    "R@10": recall(10),
    "R@20": recall(20),
    "nDCG@10": ndcg(10),
}


class Table:
    """Rows of mean measures."""

    def __init__(self, title: str) -> None:
        heads = "".join(f"{name:>9}" for name in MEASURES)
        print(f"\n{title}\n{'':34}{heads}{'ms':>9}")

    def row(
        self,
        name: str,
        rankings: Iterable[Sequence[Hit]],
        cases: Sequence[Case],
        *,
        timed: bool = True,
    ) -> None:
        """``timed`` says whether the rankings are made while they are gone through."""
        found, spent = [], 0.0
        began = time.process_time()
        for ranking in rankings:
            spent += time.process_time() - began
            found.append(ranking)
            began = time.process_time()
        values = [gains_of(_ids(hits), case) for hits, case in zip(found, cases, strict=True)]
        cells = "".join(
            f"{100 * mean([measure(g, n) for g, n in values]):>9.2f}"
            for measure in MEASURES.values()
        )
        milliseconds = f"{1000 * spent / len(cases):>9.1f}" if timed else ""
        print(f"{name:34}{cells}{milliseconds}", flush=True)


def _retriever(
    held: Collection,
    settings: RetrieverSettings,
    *,
    graph: bool = True,
    expander: Expander | None = None,
) -> Retriever:
    return Retriever(
        embedder=held.embedder,
        reranker=OnnxReranker.load,
        keyword=held.keyword,
        vectors=held.vectors,
        names=held.names if graph else None,
        chunks=held,
        settings=settings,
        expander=expander,
    )


def _expander(kind: str, model: str) -> Expander | None:
    """What asks a model of the Ollama at OLLAMA_HOST, else here; None with ``off``."""
    flags = {"retrieval.expansion": kind, "writer.model": model}
    return Writers(load_settings(environment=os.environ, flags=flags)).expander()


def by_channel(
    held: Collection, cases: Sequence[Case], *, rerank: bool, expander: Expander | None
) -> None:
    """Each stage of our own search, and the last before reranking without the graph and
    with widened questions."""
    retriever = _retriever(held, RetrieverSettings())
    plain = _retriever(held, RetrieverSettings(), graph=False)
    stages = ["bm25", "vector", "graph", "fused", *(["reranked"] if rerank else [])]
    found = [retriever.retrieve(case.question, k=20, rerank=rerank) for case in cases]
    table = Table(
        f"{held.name}: {len(cases)} questions, {len(held.numbered)} chunks, "
        f"linkage {held.names.linkage:.3f}"
    )
    for stage in stages:
        table.row(stage, [one.stages.get(stage, ()) for one in found], cases, timed=False)
    table.row("fused, graph off", (_last(plain, case) for case in cases), cases)
    if expander is not None:
        _widened(held, cases, [one.stages["fused"] for one in found], expander, table)


def _widened(
    held: Collection,
    cases: Sequence[Case],
    before: Sequence[Sequence[Hit]],
    expander: Expander,
    table: Table,
) -> None:
    """The row of widened questions, and what it cost and changed, question by question."""
    texts, seconds = [], 0.0
    for case in cases:
        began = time.perf_counter()
        texts.append(_texts(expander, case.question))
        seconds += time.perf_counter() - began
    after = []
    for case, written in zip(cases, texts, strict=True):
        known = Expander(expander.kind, partial(_known, written)) if written else None
        after.append(_last(_retriever(held, RetrieverSettings(), expander=known), case))
    table.row(f"fused, widened by {expander.kind}", after, cases, timed=False)
    letters = mean([float(sum(map(len, written))) for written in texts])
    print(
        f"    {sum(map(bool, texts))} of {len(cases)} widened, {letters:.0f} letters and "
        f"{seconds / len(cases):.1f} s of waiting a question"
    )
    for name, measure in MEASURES.items():
        change = [
            measure(*gains_of(_ids(new), case)) - measure(*gains_of(_ids(old), case))
            for old, new, case in zip(before, after, cases, strict=True)
        ]
        print(
            f"    {name}: rose at {sum(c > 0 for c in change)}, fell at "
            f"{sum(c < 0 for c in change)}"
        )


def _texts(expander: Expander, question: str) -> tuple[str, ...]:
    try:
        return expander.texts(question)
    except UnusableReplyError:
        return ()


def _known(texts: Sequence[str], *_: object) -> object:
    return {"texts": list(texts)}


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk_id for hit in hits]


def _last(retriever: Retriever, case: Case) -> Sequence[Hit]:
    return retriever.retrieve(case.question, k=20, rerank=False).stages["fused"]


def _reranked(retriever: Retriever, case: Case) -> Sequence[Hit]:
    return retriever.retrieve(case.question, rerank=True).stages["reranked"]


def parts() -> Mapping[str, RetrieverSettings]:
    """Our settings with one part off or changed at a time."""
    whole, hops = RetrieverSettings(), HopSettings()
    walk = WalkSettings()

    def walking(**changes: float) -> RetrieverSettings:
        return replace(whole, hops=replace(hops, walk=replace(walk, **changes)))

    return {
        "whole": whole,
        "no second question": replace(whole, hops=replace(hops, bridges=0)),
        "no relations": replace(whole, hops=replace(hops, relations=RelationSettings(weight=0.0))),
        "one bridge": replace(whole, hops=replace(hops, bridges=1)),
        "no name seeds": walking(name_share=0.0),
        "no passage seeds": walking(name_share=1.0),
        "titles pull like mentions": walking(title_pull=1.0),
        "no way to the own title": walking(own_pull=0.0),
        "names alike, rare or not": walking(rarity=0.0),
        "similarity does not steer": walking(sharpness=0.0),
        "damping .8": walking(damping=0.8),
        "5 iterations": walking(iterations=5),
        "hubs open": walking(hub=1 << 30),
        "walkers to 1e-4 only": walking(least=1e-4),
        "no penalty for neighbours": replace(
            whole, neighbour_penalty=0.0, walk_neighbour_penalty=0.0
        ),
        "no BM25 beside vectors": replace(whole, blend=BlendSettings(keyword_weight=0.0)),
        "no feedback from the first": replace(whole, blend=BlendSettings(feedback=0.0)),
        "the blend has one vote": replace(whole, blend_votes=1.0),
        "the walk has no vote": replace(whole, graph_votes=0.0),
        "walk never leads": replace(whole, linkage=2.0),
        "walk always leads": replace(whole, linkage=0.0),
    }


def parts_of_reranking() -> Mapping[str, RetrieverSettings]:
    """Our settings with one part of reranking off or changed at a time."""
    whole = RetrieverSettings()
    return {
        "reranked": whole,
        "no pairs": replace(whole, pairs=PairSettings(others=0)),
        "the logit alone orders": replace(whole, logit_weight=1e3, walk_logit_weight=1e3),
    }


def ablation(held: Collection, cases: Sequence[Case], *, rerank: bool) -> None:
    """One part off at a time: of the search, or of reranking what it found."""
    table = Table(f"{held.name}: one part off at a time")
    last = _reranked if rerank else _last
    for name, settings in (parts_of_reranking() if rerank else parts()).items():
        retriever = _retriever(held, settings)
        table.row(name, (last(retriever, case) for case in cases), cases)


def main() -> None:
    """Print the tables that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--questions", default="questions.jsonl")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--expand", choices=("off", "answer", "phrasings"), default="off")
    parser.add_argument("--model", default="", help="of Ollama, for --expand; default: its choice")
    for flag in ("--ablate", "--rerank"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    expander = _expander(options.expand, options.model)
    for name in options.sets.split(","):
        if not (DATA / name).is_dir() and not (ROOT / "corpora" / name).is_dir():
            print(f"\n{name}: skipped, there is no such folder in {DATA}")
            continue
        held = load(name, options.questions)
        cases = [case for case in held.cases if case.relevant][:: options.every]
        held.embedder.embed_questions([case.question for case in cases])
        if options.ablate:
            ablation(held, cases, rerank=options.rerank)
        else:
            by_channel(held, cases, rerank=options.rerank, expander=expander)
        held.embedder.save()


if __name__ == "__main__":
    try:
        main()
    except GenerationError as error:
        sys.exit(str(error))
