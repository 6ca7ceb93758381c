"""How often the upstream concept of a wrong answer is among the first implicated.

    python -m tests.benchmarks.diagnosis [CORPUS] [--cases FILE] [--syllabus] [--verbose]

CORPUS (default corpora/linear-algebra) holds ``documents/`` and ``concepts.jsonl`` of {id,
title, aliases?}; the cases (default its ``diagnoses.jsonl``) are {question, answer,
implicates: [concept ids or titles]}. The index is built from the documents alone;
``--syllabus`` gives it the concepts' names as well. An answer counts at k when one of the
concepts that it implicates is among the first k; cases whose concepts the index does not
know count as missed. ``diagnosis_fitting.jsonl`` holds the answers, by field, that the
weights were fitted on; no corpus's own cases set any.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

from graphrag import Engine
from graphrag.errors import QueryError

CUTS = (1, 3, 5)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def ranks(
    cases: list[dict[str, Any]],
    titles: dict[str, str],
    implicated: Callable[[str, str], list[str]],
    resolve: Callable[[str], str],
    *,
    verbose: bool,
) -> list[float]:
    found = []
    for case in cases:
        wanted = {resolve(titles.get(key, key)) for key in case["implicates"]} - {""}
        listed = implicated(case["question"], case["answer"])
        places = [place for place, key in enumerate(listed, 1) if key in wanted]
        found.append(places[0] if places else float("inf"))
        if verbose and found[-1] > CUTS[1]:
            print(f"  {case['id']}: wants {sorted(wanted)}, finds {listed[:5]}")
    return found


def report(name: str, found: list[float], seconds: float) -> None:
    at = "  ".join(f"@{k} {mean(place <= k for place in found):6.1%}" for k in CUTS)
    reciprocal = mean(1 / place for place in found)
    print(f"{name:28} {at}  mrr {reciprocal:.3f}  {1000 * seconds / len(found):6.0f} ms a case")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("corpus", nargs="?", type=Path, default=Path("corpora/linear-algebra"))
    parser.add_argument("--cases", type=Path, help="default: diagnoses.jsonl of the corpus")
    parser.add_argument("--field", default="", help="only cases whose field begins so")
    parser.add_argument("--index", type=Path, help="keep the index here, or use the one there")
    parser.add_argument("--syllabus", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    cases = lines(options.cases or options.corpus / "diagnoses.jsonl")
    cases = [case for case in cases if str(case.get("field", "")).startswith(options.field)]
    titles = {each["id"]: each["title"] for each in lines(options.corpus / "concepts.jsonl")}
    with tempfile.TemporaryDirectory() as folder:
        index = options.index or Path(folder) / "index"
        with Engine.open(index) as engine:
            if not engine.status().documents:
                syllabus = options.corpus / "concepts.jsonl" if options.syllabus else None
                engine.ingest([options.corpus / "documents"], concepts=syllabus)

            def resolve(name: str) -> str:
                try:
                    return engine.resolve(name).id
                except QueryError:
                    return ""

            def implicated(question: str, answer: str) -> list[str]:
                return [each.concept.id for each in engine.diagnose(question, answer)]

            start = time.perf_counter()
            found = ranks(cases, titles, implicated, resolve, verbose=options.verbose)
            report(f"{len(cases)} wrong answers", found, time.perf_counter() - start)


if __name__ == "__main__":
    main()
