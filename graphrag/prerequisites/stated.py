"""What people decided about prerequisites, by names, brought to concept ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag.domain import Decision
from graphrag.prerequisites.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Statements:
    """Pairs (concept, prerequisite) by number that people accepted or refused, with their note."""

    accepted: dict[tuple[int, int], str]
    rejected: dict[tuple[int, int], str]


def read_statements(corpus: Corpus, decisions: Sequence[Decision]) -> Statements:
    """The accepting and rejecting decisions whose names are concepts; the last one on a pair
    holds. Names that are no concept any more are passed over: the decision stays stored."""
    accepted: dict[tuple[int, int], str] = {}
    rejected: dict[tuple[int, int], str] = {}
    for decision in decisions:
        if decision.kind not in ("accept", "reject", "add"):
            continue
        concept = _number(corpus, decision.concept)
        other = _number(corpus, decision.other)
        if concept is None or other is None:
            continue
        pair = (concept, other)
        kept, dropped = (rejected, accepted) if decision.kind == "reject" else (accepted, rejected)
        kept[pair] = decision.note
        dropped.pop(pair, None)
    return Statements(accepted, rejected)


def _number(corpus: Corpus, name: str) -> int | None:
    by_id = corpus.number.get(name)
    return by_id if by_id is not None else corpus.concept_named(name)
