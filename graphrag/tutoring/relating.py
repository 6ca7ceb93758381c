"""The paths between two concepts, each step told by the sentence that says it best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphrag.domain import Chunk, Concept, ConceptGraph, Evidence, EvidenceKind, Relation
from graphrag.tutoring.explaining import is_bare
from graphrag.tutoring.relate import DEFAULT_EXPLAINING, RelationPath, relate
from graphrag.tutoring.signs import names_pattern
from graphrag.tutoring.together import names_both, opens_with_either, said_together

NamingBoth = Callable[[str, str], Sequence[Chunk]]
_TOLD_ANEW = frozenset({"requires", "co_occurs", "corequisite"})
_IN_SO_MANY_WORDS: frozenset[EvidenceKind] = frozenset({"stated", "section", "front_matter", "cue"})
_FEWEST_WORDS = 4


@dataclass(slots=True)
class Teller:
    """Finds the sentences of steps. ``naming_both`` gives chunks that name both of two
    concepts, the most telling first."""

    graph: ConceptGraph
    concepts: Mapping[str, Concept]
    naming_both: NamingBoth
    _evidence: dict[tuple[str, str], Sequence[Evidence]] = field(init=False)
    _together: dict[tuple[str, str], Relation | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._evidence = {
            (edge.concept_id, edge.prerequisite_id): edge.evidence
            for edge in self.graph.prerequisites
        }

    def paths(self, source: str, target: str, *, k: int) -> list[RelationPath]:
        """At most ``k`` paths that explain most, best first: those whose every step is told
        in a sentence; where there is none, the best one. What one sentence says of both
        ends is a path, where nothing else joins them in one step."""
        if source == target:
            return []
        found = [self._told(path) for path in relate(source, target, self.graph, k=2 * k)]
        if not any(len(path.steps) == 1 and path.steps[0].sentence for path in found):
            said = self.together(source, target)
            if said is not None:
                found = [path for path in found if len(path.steps) > 1]
                found.append(RelationPath((said,), (source, target), 1.0))
        found.sort(key=lambda path: (_silent(path), path.cost))
        told = [path for path in found if not _silent(path)]
        return (told or found[:1])[:k]

    def together(self, one: str, other: str) -> Relation | None:
        """What the documents say of both in one sentence, see ``said_together``."""
        if (one, other) not in self._together:
            self._together[one, other] = said_together(
                self.concepts[one], self.concepts[other], self.naming_both(one, other)
            )
        return self._together[one, other]

    def _told(self, path: RelationPath) -> RelationPath:
        steps = tuple(self._step(step) for step in path.steps)
        gained = sum(
            bool(new.sentence) > bool(old.sentence)
            for old, new in zip(path.steps, steps, strict=True)
        )
        return replace(path, steps=steps, cost=path.cost - gained * DEFAULT_EXPLAINING.silent)

    def _step(self, step: Relation) -> Relation:
        """The step with the sentence that tells it best: what a document says in so many
        words of the need, then a sentence that opens with the name of an end, then one that
        names both ends; else what it had. The sentence by which a typed relation was found
        stays."""
        if step.kind not in _TOLD_ANEW:
            return step
        one, other = (self.concepts[key] for key in _ends(step))
        said = self.together(*_ends(step))
        evidence = [
            each
            for each in self._evidence.get(_ends(step), ())
            if each.sentence and each.kind not in ("title", "model") and not is_bare(each)
        ]
        evidence.sort(key=lambda each: (each.kind not in _IN_SO_MANY_WORDS, -each.score))
        sayings = [_with(step, each) for each in (*evidence, *([said] if said else ()))]
        naming = [each for each in sayings if names_both(one, other, each.sentence)]
        opening = [each for each in naming if opens_with_either(one, other, each.sentence)]
        stated = [
            saying
            for saying, each in zip(sayings, evidence, strict=False)
            if each.kind in _IN_SO_MANY_WORDS
        ]
        kept = replace(step, sentence="") if _tells_nothing(one, other, step.sentence) else step
        return next(iter([*stated, *opening, *naming, kept]))


def _tells_nothing(one: Concept, other: Concept, sentence: str) -> bool:
    """Whether a sentence is a bare name or a row of a table, or holds both names only
    inside of each other or of longer words. Other forms of the names may tell."""
    if len(sentence.split()) < _FEWEST_WORDS or "|" in sentence:
        return True
    held = all(names_pattern(each).search(sentence) for each in (one, other))
    return held and not names_both(one, other, sentence)


def _silent(path: RelationPath) -> int:
    return sum(not step.sentence for step in path.steps)


def _ends(step: Relation) -> tuple[str, str]:
    return step.source_id, step.target_id


def _with(step: Relation, said: Evidence | Relation) -> Relation:
    return replace(
        step, sentence=said.sentence, document_id=said.document_id, chunk_id=said.chunk_id
    )
