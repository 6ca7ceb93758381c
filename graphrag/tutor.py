"""Questions to the concept graph: paths, what is next, diagnosis, relations, one concept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from graphrag.concepts.linking import Linker
from graphrag.domain import (
    Chunk,
    Concept,
    ConceptGraph,
    Implicated,
    Learner,
    Passage,
    Prerequisite,
    Relation,
    Step,
)
from graphrag.errors import QueryError
from graphrag.prerequisites.listable import LISTED
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutoring.bearing import Score, bearing
from graphrag.tutoring.checks import check_question
from graphrag.tutoring.diagnose import Accused, accused, ranked, unanswered
from graphrag.tutoring.explaining import best_explaining
from graphrag.tutoring.judge import JUDGED, judged
from graphrag.tutoring.learner import beliefs_at, knows, record, shown_at
from graphrag.tutoring.listed import listed_for
from graphrag.tutoring.next import Ready, Review, ready_to_learn, standing, to_review
from graphrag.tutoring.path import learning_path
from graphrag.tutoring.relate import RelationPath, all_relations
from graphrag.tutoring.relating import Teller
from graphrag.tutoring.sightings import Sightings, sightings
from graphrag.tutoring.signs import Embed
from graphrag.tutoring.suspects import Searched, WrongAnswer, asked_about, suspected
from graphrag.wording.prompting import AskJson

_CONSIDERED = 6
_NAMING_BOTH = 12
# Of so many passages found for a wrong answer each sentence is looked at: for question and
# answer together, and for either alone.
_READ, _READ_MORE = 5, 3


@dataclass(frozen=True, slots=True)
class Prose:
    """Where a concept's text comes from: passages by chunk id, and the ids of the chunks
    that name a concept, best first."""

    passages: Callable[[Sequence[str]], list[Passage]]
    naming: Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class NextReport:
    """What is ready to be learnt (the outer fringe) and what to review."""

    ready: tuple[Ready, ...]
    review: tuple[Review, ...]


@dataclass(frozen=True, slots=True)
class ConceptCard:
    """All that is known of one concept. ``prerequisites`` are the direct ones in force;
    ``listed`` the ten that a person should look at first, see ``tutoring.listed``."""

    concept: Concept
    passage: Passage | None
    prerequisites: tuple[Prerequisite, ...]
    dependents: tuple[Prerequisite, ...]
    relations: tuple[Relation, ...]
    mentioned_in: tuple[str, ...]
    listed: tuple[Prerequisite, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What may be taken as known, and what was shown to be lacking, by concept id."""

    known: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shown:
    """What a learner showed, by name of concept: what the learner says of some, and on
    which a question was answered right or wrong; ``forget`` takes all evidence away."""

    said: Sequence[str] = ()
    shaky: Sequence[str] = ()
    right: Sequence[str] = ()
    wrong: Sequence[str] = ()
    forget: Sequence[str] = ()


class Tutor:
    """Walks one concept graph; a value of its inputs, safe to share between threads."""

    def __init__(self, graph: ConceptGraph, prose: Prose) -> None:
        self.graph = graph
        self._prose = prose
        self.concepts = {concept.id: concept for concept in graph.concepts}
        self.names = {concept.id: concept.name for concept in graph.concepts}

    @cached_property
    def order(self) -> PrerequisiteOrder:
        """The prerequisite relation in force."""
        return PrerequisiteOrder(self.graph.prerequisites, self.concepts)

    @cached_property
    def linker(self) -> Linker:
        """Finds concepts in questions."""
        return Linker(self.graph.concepts)

    @cached_property
    def seen(self) -> Sightings:
        """Where the documents name the concepts."""
        return sightings(self.graph.mentions)

    @cached_property
    def unexplained(self) -> frozenset[str]:
        """The doubtful concepts that the documents neither define nor have a title for, and
        that no author or person lists as a prerequisite."""
        known = {each.concept_id for each in self.graph.mentions if each.kind == "title"}
        known.update(
            edge.prerequisite_id
            for edge in self.graph.prerequisites
            if any(each.kind in LISTED for each in edge.evidence)
        )
        return frozenset(
            concept.id
            for concept in self.graph.concepts
            if concept.definition is None and concept.weight < 1 and concept.id not in known
        )

    def standing(self, concept_id: str) -> float:
        """What a concept is worth learning, see ``tutoring.next.standing``."""
        serves = len(self.order.descendants(concept_id))
        return standing(self.concepts[concept_id], serves, self.seen.weight.get(concept_id, 0.0))

    def resolve(self, name: str) -> Concept:
        """The concept of that name, id or alias. Raises QueryError naming the nearest."""
        if name in self.concepts:
            return self.concepts[name]
        return self.linker.resolve(name)

    def knowledge(self, known: Sequence[str], learner: Learner | None, *, now: float) -> Knowledge:
        """What is known by name, joined with what the learner is believed to know."""
        ids = frozenset(self.resolve(name).id for name in known)
        if learner is None:
            return Knowledge(ids)
        believed = knows(learner, self.order, now=now)
        shown = shown_at(learner, now=now)
        lacking = frozenset(key for key in shown if key not in believed) - ids
        return Knowledge(ids | believed, lacking)

    def path(self, goal: str, knowledge: Knowledge) -> list[Step]:
        """The steps to the concept with id ``goal``, each with its passage and question."""
        return learning_path(
            goal,
            self.order,
            self.concepts,
            knowledge.known,
            lacking=knowledge.lacking,
            unexplained=self.unexplained,
            passage_for=self.passage_for,
            check_for=self.check_for,
        )

    def next(
        self, knowledge: Knowledge, learner: Learner | None, *, now: float, k: int = 10
    ) -> NextReport:
        """The fringes of what is known."""
        shown = shown_at(learner, now=now) if learner else {}
        ready = ready_to_learn(
            self.order,
            self.concepts,
            knowledge.known,
            k=k,
            lacking=knowledge.lacking,
            unexplained=self.unexplained,
            told=self.seen.weight,
        )
        review = to_review(self.order, self.concepts, knowledge.known, beliefs=shown, k=k)
        return NextReport(tuple(ready), tuple(review))

    def relate(self, source: str, target: str, *, k: int = 3) -> list[RelationPath]:
        """The paths between two concept ids that explain most, see ``Teller.paths``."""
        return Teller(self.graph, self.concepts, self._naming_both).paths(source, target, k=k)

    def _naming_both(self, one: str, other: str) -> list[Chunk]:
        """Chunks that name both concepts, those first that speak of them most."""
        both = {
            chunk_id: min(said[one], said[other])
            for chunk_id, said in self.seen.named.items()
            if one in said and other in said
        }
        ranked = sorted(both, key=lambda key: (-both[key], key))[:_NAMING_BOTH]
        return [passage.chunk for passage in self._prose.passages(ranked)]

    def diagnose(
        self,
        question: str,
        answer: str,
        *,
        embed: Embed,
        search: Callable[[str], list[str]],
        score: Score,
        ask_json: AskJson | None = None,
        k: int = 5,
    ) -> list[Implicated]:
        """At most ``k`` upstream concepts that a wrong answer implicates, likeliest first.

        ``embed`` gives unit vectors of passages; ``search`` chunk ids, best first; ``score``
        is the cross-encoder; ``ask_json`` a model that judges the first suspects, where
        there is one.
        """
        found = self.accused(question, answer, embed=embed, search=search, score=score)
        if ask_json is None:
            return ranked(found, k=k)
        first = ranked(found, k=max(k, JUDGED))
        return judged(question, answer, first, ask_json=ask_json)[:k]

    def accused(
        self,
        question: str,
        answer: str,
        *,
        embed: Embed,
        search: Callable[[str], list[str]],
        score: Score,
    ) -> Accused:
        """The likeliest suspects of a wrong answer with the signs against each, see
        ``diagnose``."""
        if unanswered(answer):
            return Accused()
        linked = [each.concept_id for each in self.linker.link(question)]
        told = search(question)
        asked = asked_about(linked, self.seen, told)
        wrong = WrongAnswer(
            question,
            answer,
            asked,
            tuple(each.concept_id for each in self.linker.link(answer)),
            tuple(key for key in asked if key not in linked),
        )
        said = f"{question} {answer}"
        whole, alone = search(said), search(answer)
        read = dict.fromkeys([*whole[:_READ], *alone[:_READ_MORE], *told[:_READ_MORE]])
        pages = [(each.chunk.id, each.chunk.text) for each in self._prose.passages(list(read))]
        searched = Searched(whole, alone, self.seen, bearing([said, answer], pages, embed, score))
        place = suspected(wrong, self.order, self.concepts, searched)
        chunks = self.texts_of({*place, *wrong.asked})
        texts = {key: [(chunk.id, chunk.text) for chunk in found] for key, found in chunks.items()}
        return accused(wrong, self.order, self.concepts, texts, embed, searched=searched)

    def card(self, concept_id: str) -> ConceptCard:
        """Everything on one concept."""
        naming = self._prose.naming(concept_id)
        touching = [
            relation
            for relation in all_relations(self.graph)
            if concept_id in (relation.source_id, relation.target_id)
            and relation.kind != "requires"
        ]
        return ConceptCard(
            self.concepts[concept_id],
            self.passage_for(concept_id),
            tuple(self.order.direct(concept_id)),
            tuple(self.order.dependents(concept_id)),
            tuple(touching),
            tuple(dict.fromkeys(chunk_id.rpartition("#")[0] for chunk_id in naming)),
            listed_for(self.graph, concept_id),
        )

    def passage_for(self, concept_id: str) -> Passage | None:
        """The passage that explains the concept best, among its definition and those that
        name it most."""
        concept = self.concepts.get(concept_id)
        if concept is None:
            return None
        naming = self._prose.naming(concept_id)[:_CONSIDERED]
        keys = dict.fromkeys([concept.definition, *naming] if concept.definition else naming)
        passages = self._prose.passages([key for key in keys if key])
        best = best_explaining(concept, [passage.chunk for passage in passages])
        return next((passage for passage in passages if passage.chunk is best), None)

    def check_for(self, concept_id: str) -> str:
        """An exercise of the documents on the concept, or nothing, of those that name least
        of what it does not rest on; those of the document that defines it come first."""
        concept = self.concepts.get(concept_id)
        if concept is None:
            return ""
        naming = self._prose.naming(concept_id)
        home = (concept.definition or next(iter(naming), "")).rpartition("#")[0]
        ranked = sorted(naming, key=lambda chunk_id: chunk_id.rpartition("#")[0] != home)
        chunks = [passage.chunk for passage in self._prose.passages(ranked)]
        certain = [e for e in self.order.dependents(concept_id) if e.status == "certain"]
        later = [self.names[edge.concept_id] for edge in certain if edge.concept_id in self.names]
        learnt = self.order.ancestors(concept_id) | {concept_id}

        def beyond(exercise: str) -> int:
            return len({each.concept_id for each in self.linker.link(exercise)} - learnt)

        names = (concept.name, *concept.aliases)
        return check_question(names, chunks, later=later, beyond=beyond)

    def texts_of(self, concept_ids: Collection[str], *, each: int = 6) -> dict[str, list[Chunk]]:
        """Concept id to the passages that explain it, best first."""
        return {
            concept_id: [
                passage.chunk
                for passage in self._prose.passages(self._prose.naming(concept_id)[:each])
            ]
            for concept_id in sorted(concept_ids)
        }

    def believed(self, learner: Learner | None, *, now: float) -> Learner | None:
        """The learner with what follows for prerequisites, faded to now."""
        if learner is None:
            return None
        return replace(learner, beliefs=beliefs_at(learner, self.order, now=now))

    def learnt(self, learner: Learner, shown: Shown, *, now: float) -> Learner:
        """The learner after what was shown. Raises QueryError for a name of no concept."""
        for names, kind in (
            (shown.said, "said"),
            (shown.shaky, "shaky"),
            (shown.right, "right"),
            (shown.wrong, "wrong"),
            (shown.forget, "forget"),
        ):
            for name in names:
                learner = record(learner, self._learnable(name), kind, now=now)  # type: ignore[arg-type]
        return learner

    def _learnable(self, name: str) -> str:
        try:
            return self.resolve(name).id
        except QueryError as error:
            raise QueryError(f"{error}; a learner can only know concepts of the index") from error
