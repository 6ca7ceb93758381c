"""How often the upstream concept of a wrong answer is among the first implicated.

    python -m tests.benchmarks.diagnosis [CORPUS...] [--cases FILE] [--syllabus] [--verbose]

Each CORPUS (default corpora/linear-algebra) holds ``documents/`` and maybe ``concepts.jsonl`` of
{id, title, aliases?}; the cases (default its ``diagnoses.jsonl``) are {question, answer,
implicates: [concept ids or titles], accepts?, accepts_because?, version?}, reported by version:
each was written before the method was changed for the next. The index is built from the
documents alone; ``--syllabus`` gives it the concepts' names as well. An answer counts at k when
one of the concepts that it implicates is among the first k; what a case ``accepts`` besides, for
the reason it gives, counts in a line of its own only. Cases whose concepts the index does not
know count as missed; a concept's aliases count as the concept, where the index made one of
their own. ``diagnosis_fitting.jsonl`` holds the answers, by field, that the weights were fitted
on; no corpus's own cases set any.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from graphrag import Engine
from graphrag.concepts.names import name_key
from graphrag.errors import QueryError

CUTS = (1, 3, 5)
NOWHERE = float("inf")


@dataclass(frozen=True, slots=True)
class Place:
    """The rank of the first concept that a case implicates, and of the first that it
    implicates or accepts besides, counted from 1."""

    version: int
    strict: float
    accepted: float


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def resolver(corpus: Path, engine: Engine) -> Callable[[list[str]], set[str]]:
    """Gives the ids of the index's concepts that names stand for: ids or titles of the corpus's
    ``concepts.jsonl``, where there is one, with their aliases, or names of the documents."""
    syllabus = corpus / "concepts.jsonl"
    listed = lines(syllabus) if syllabus.exists() else []
    spellings = {each["id"]: [each["title"], *each.get("aliases", ())] for each in listed}
    spellings |= {names[0]: names for names in spellings.values()}
    known = {name_key(name): key for key, name in engine.concept_names().items()}

    def one(names: list[str]) -> set[str]:
        found = {known[key] for name in names if (key := name_key(name)) in known}
        with suppress(QueryError):
            found.add(engine.resolve(names[0]).id)
        return found

    return lambda names: set().union(*(one(spellings.get(name, [name])) for name in names))


def places(
    cases: list[dict[str, Any]],
    implicated: Callable[[str, str], list[str]],
    ids: Callable[[list[str]], set[str]],
    *,
    verbose: bool,
) -> list[Place]:
    found = []
    for case in cases:
        wanted = ids(case["implicates"])
        also = wanted | ids(case.get("accepts", []))
        listed = implicated(case["question"], case["answer"])
        ranks = [
            next((place for place, key in enumerate(listed, 1) if key in good), NOWHERE)
            for good in (wanted, also)
        ]
        found.append(Place(case.get("version", 1), *ranks))
        if verbose and ranks[0] > CUTS[1]:
            print(f"  {case['id']}: wants {sorted(wanted)}, finds {listed[:5]}")
    return found


def report(name: str, found: list[float], seconds: float | None = None) -> None:
    at = "  ".join(f"@{k} {mean(place <= k for place in found):6.1%}" for k in CUTS)
    reciprocal = mean(1 / place for place in found)
    spent = (
        "" if seconds is None else f"  {1000 * seconds / len(found):6.0f} ms of processor a case"
    )
    print(f"{name:32} {at}  mrr {reciprocal:.3f}{spent}")


def report_all(name: str, found: list[Place], seconds: float | None = None) -> None:
    """All cases, then with what is accepted besides, then by version."""
    report(f"{name}: {len(found)}", [each.strict for each in found], seconds)
    if any(each.accepted < each.strict for each in found):
        report("  with what is accepted besides", [each.accepted for each in found])
    versions = sorted({each.version for each in found})
    for version in versions if len(versions) > 1 else ():
        chosen = [each.strict for each in found if each.version == version]
        report(f"  version {version}: {len(chosen)}", chosen)


def diagnosed(corpus: Path, options: argparse.Namespace) -> tuple[list[Place], float]:
    """The places of a corpus's cases, and the seconds of processor time they took."""
    cases = lines(options.cases or corpus / "diagnoses.jsonl")
    cases = [case for case in cases if str(case.get("field", "")).startswith(options.field)]
    syllabus = corpus / "concepts.jsonl"
    with tempfile.TemporaryDirectory() as folder:
        index = options.index or Path(folder) / "index"
        with Engine.open(index) as engine:
            if not engine.status().documents:
                given = syllabus if options.syllabus else None
                engine.ingest([corpus / "documents"], concepts=given)

            def implicated(question: str, answer: str) -> list[str]:
                return [each.concept.id for each in engine.diagnose(question, answer)]

            start = time.process_time()
            found = places(cases, implicated, resolver(corpus, engine), verbose=options.verbose)
            return found, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("corpora", nargs="*", type=Path, default=[Path("corpora/linear-algebra")])
    parser.add_argument("--cases", type=Path, help="default: diagnoses.jsonl of the corpus")
    parser.add_argument("--field", default="", help="only cases whose field begins so")
    parser.add_argument("--index", type=Path, help="keep the index here, or use the one there")
    parser.add_argument("--syllabus", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.index and len(options.corpora) > 1:
        parser.error("--index keeps the index of one corpus: give one corpus with it")
    found: list[Place] = []
    seconds = 0.0
    for corpus in options.corpora:
        mine, took = diagnosed(corpus, options)
        report_all(corpus.name, mine, took)
        found += mine
        seconds += took
    if len(options.corpora) > 1:
        report("all: " + str(len(found)), [each.strict for each in found], seconds)


if __name__ == "__main__":
    main()
