"""What wants a human eye most: doubtful edges, circles, near-equal names, contradictions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal

from graphrag.concepts.names import name_key
from graphrag.concepts.suggestions import Suggestion
from graphrag.domain import ConceptGraph, Decision, Evidence, Prerequisite
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.alike import Likeness, near_equal_names
from graphrag.tutoring.decisions import write_decision
from graphrag.tutoring.explaining import counted_reason

ReviewKind = Literal[
    "doubtful",
    "circle",
    "same name",
    "contradiction",
    "weak concept",
    "missing concept",
    "unknown name",
]

# What an edge counts that follows from others anyway: deciding it changes no path.
_REDUNDANT = 0.3
_SAME: Mapping[Likeness, float] = {
    "the same words": 0.9,
    "an abbreviation": 0.6,
    "nearly the same letters": 0.3,
    "one name, told apart": 0.3,
}
_HOW_TO = (
    "What wants a human eye, weightiest first. Take the '# ' off one line of a choice to decide,",
    "leave the rest as it is, then: graphrag review --apply THIS_FILE. Lines may also be added:",
    "add A needs B, merge A = B, split A != B, alias NAME = SPELLING, ignore NAME, include NAME.",
    "All decisions in force stand in decisions.txt inside the index; a line taken away there is",
    "taken back.",
)
_UNKNOWN = 10.0
_WEAK = 0.5
_SURE, _FEW = 0.7, 3
_MISSING = 0.5


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One thing to decide: the question in words, how much hangs on it (higher first),
    the decisions to choose from, and the evidence for it."""

    kind: ReviewKind
    question: str
    importance: float
    choices: tuple[Decision, ...]
    evidence: tuple[Evidence, ...] = ()


def review(
    graph: ConceptGraph,
    decisions: Sequence[Decision] = (),
    missing: Iterable[Suggestion] = (),
    *,
    k: int = 50,
) -> list[ReviewItem]:
    """At most ``k`` things to decide, the weightiest first; what is decided stays out,
    unless the documents speak against it. ``missing`` concepts are those that a syllabus
    lacks."""
    names = {concept.id: concept.name for concept in graph.concepts}
    order = PrerequisiteOrder(graph.prerequisites, names)
    above = order.counted_descendants()
    decided = {(decision.concept, decision.other) for decision in decisions}
    decided |= {(other, concept) for concept, other in decided}
    items = [
        *_doubtful_edges(graph.prerequisites, names, order, above),
        *_circles(graph.prerequisites, names, above),
        *_same_names(graph, above),
        *_weak_concepts(graph, above),
        *map(_missing_concept, missing),
    ]
    open_items = [
        item
        for item in items
        if not any((choice.concept, choice.other) in decided for choice in item.choices)
    ]
    open_items.extend(_contradictions(graph.prerequisites, names, decisions))
    open_items.extend(unknown_names(graph, decisions))
    open_items.sort(key=lambda item: (-item.importance, item.kind, item.question))
    return open_items[:k]


def propose(items: Iterable[ReviewItem]) -> str:
    """The items as text for the decisions file: questions, what speaks for them, and choices
    as comments, so that taking a ``#`` away decides."""
    lines = [f"# {line}" for line in _HOW_TO]
    for item in items:
        lines.append(f"\n# {item.kind}: {item.question}")
        quotes = [evidence for evidence in item.evidence if evidence.sentence][:2]
        lines.extend(
            f'#   "{" ".join(quote.sentence.split())}" ({quote.document_id})' for quote in quotes
        )
        if item.evidence and not quotes:
            lines.append(f"#   no sentence says so; inferred {counted_reason(item.evidence)}")
        lines.extend(f"# {write_decision(choice)}" for choice in item.choices)
    return "".join(f"{line}\n" for line in lines)


# --- edges ---------------------------------------------------------------------------


def _edge_choices(edge: Prerequisite, names: Mapping[str, str]) -> tuple[Decision, ...]:
    concept, other = names[edge.concept_id], names[edge.prerequisite_id]
    return Decision("accept", concept, other), Decision("reject", concept, other)


def _known_ends(edges: Iterable[Prerequisite], names: Mapping[str, str]) -> Iterable[Prerequisite]:
    return (edge for edge in edges if edge.concept_id in names and edge.prerequisite_id in names)


def _reach(edge: Prerequisite, above: Mapping[str, int]) -> float:
    """How much hangs on an edge: the concepts whose paths it changes, on a log scale."""
    return log2(2 + above.get(edge.concept_id, 0))


def _follows(edge: Prerequisite, needs: Mapping[str, frozenset[str]]) -> bool:
    """Whether another need of the concept rests directly on the same prerequisite."""
    return any(edge.prerequisite_id in needs[other] for other in needs[edge.concept_id])


def _doubtful_edges(
    edges: Iterable[Prerequisite],
    names: Mapping[str, str],
    order: PrerequisiteOrder,
    above: Mapping[str, int],
) -> Iterable[ReviewItem]:
    needs = {
        key: frozenset(edge.prerequisite_id for edge in order.edges(key)) for key in order.concepts
    }
    for edge in _known_ends(edges, names):
        stated = any(evidence.kind == "stated" for evidence in edge.evidence)
        if not edge.in_force or not edge.direct or stated or edge.status == "certain":
            continue
        doubt = 1 - abs(2 * edge.weight - 1)
        if _follows(edge, needs):
            doubt *= _REDUNDANT
        concept, other = names[edge.concept_id], names[edge.prerequisite_id]
        yield ReviewItem(
            "doubtful",
            f"must {other!r} be understood before {concept!r}? ({edge.weight:.0%} sure)",
            round(doubt * _reach(edge, above), 6),
            _edge_choices(edge, names),
            edge.evidence,
        )


def _circles(
    edges: Iterable[Prerequisite], names: Mapping[str, str], above: Mapping[str, int]
) -> Iterable[ReviewItem]:
    for edge in _known_ends(edges, names):
        if edge.status != "suppressed":
            continue
        concept, other = names[edge.concept_id], names[edge.prerequisite_id]
        why = f": {edge.reason}" if edge.reason else ""
        yield ReviewItem(
            "circle",
            f"{concept!r} needs {other!r} was left out of a circle{why}; is it right after all?",
            round(edge.weight * _reach(edge, above), 6),
            _edge_choices(edge, names),
            edge.evidence,
        )


def _contradictions(
    edges: Iterable[Prerequisite], names: Mapping[str, str], decisions: Iterable[Decision]
) -> Iterable[ReviewItem]:
    """Where the documents clearly say what a person denied, or the reverse of it."""
    by_names = {
        (names[edge.concept_id], names[edge.prerequisite_id]): edge
        for edge in _known_ends(edges, names)
    }
    for decision in decisions:
        forward = by_names.get((decision.concept, decision.other))
        backward = by_names.get((decision.other, decision.concept))
        if decision.kind == "reject" and forward is not None:
            edge, says = forward, "all the same"
        elif decision.kind in ("accept", "add") and backward is not None:
            edge, says = backward, "the reverse"
        else:
            continue
        witnesses = tuple(item for item in edge.evidence if item.kind != "stated")
        strength = max((item.score for item in witnesses if item.sentence), default=0.0)
        if strength >= 0.5:
            yield ReviewItem(
                "contradiction",
                f"you said `{write_decision(decision)}`; the documents say {says}",
                round(2 * strength, 6),
                (decision,),
                witnesses,
            )


def unknown_names(graph: ConceptGraph, decisions: Iterable[Decision]) -> list[ReviewItem]:
    """Decisions that do nothing now, since they name what is no concept: a typing error, or
    a document that is gone (they take hold again when it comes back)."""
    known = {
        name_key(name) for concept in graph.concepts for name in (concept.name, *concept.aliases)
    }
    items = []
    for decision in decisions:
        if decision.kind in ("ignore", "split"):
            continue
        named = (decision.concept, decision.other)
        ends = named if decision.kind in ("accept", "reject", "add") else named[:1]
        missing = [repr(name) for name in ends if name_key(name) not in known]
        if missing:
            question = (
                f"you said `{write_decision(decision)}`, but no concept is called "
                f"{' or '.join(missing)} now; is it spelt right?"
            )
            items.append(ReviewItem("unknown name", question, _UNKNOWN, (decision,)))
    return items


# --- names ---------------------------------------------------------------------------


def _same_names(graph: ConceptGraph, above: Mapping[str, int]) -> Iterable[ReviewItem]:
    """Of two nodes for one thing each has half the edges: as much hangs on it as on both."""
    for one, other, why in near_equal_names(graph.concepts):
        reach = log2(2 + max(above.get(one.id, 0), above.get(other.id, 0)))
        yield ReviewItem(
            "same name",
            f"are {one.name!r} and {other.name!r} the same? ({why})",
            round(_SAME[why] * reach, 6),
            (Decision("merge", one.name, other.name), Decision("split", one.name, other.name)),
        )


def _weak_concepts(graph: ConceptGraph, above: Mapping[str, int]) -> Iterable[ReviewItem]:
    """What may be no concept at all: to ignore it answers all the doubts about its edges, to
    include it the one about itself."""
    doubts: dict[str, int] = defaultdict(int)
    for edge in graph.prerequisites:
        if edge.in_force and edge.direct and edge.status != "certain":
            doubts[edge.concept_id] += 1
            doubts[edge.prerequisite_id] += 1
    for concept in graph.concepts:
        count = doubts[concept.id]
        if concept.given or concept.weight >= _SURE or count < _FEW:
            continue
        reach = log2(2 + above.get(concept.id, 0))
        yield ReviewItem(
            "weak concept",
            f"is {concept.name!r} a concept? ({concept.weight:.0%} sure; "
            f"{count} doubtful edges hang on it)",
            round(_WEAK * (1 - concept.weight) * log2(1 + count) * reach, 6),
            (Decision("include", concept.name), Decision("ignore", concept.name)),
        )


def _missing_concept(suggestion: Suggestion) -> ReviewItem:
    name = suggestion.concept.name
    return ReviewItem(
        "missing concept",
        f"the syllabus lacks {name!r}, which the documents name {suggestion.mentions} times; "
        "is it one more concept?",
        round(_MISSING * suggestion.importance, 6),
        (Decision("include", name), Decision("ignore", name)),
        suggestion.evidence,
    )
