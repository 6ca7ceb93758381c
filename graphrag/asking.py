"""One question, from its wording to an answer: the graph gives tutoring and relationship
questions their concepts and order, retrieval gives each its prose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graphrag.answering.answer import (
    AnswerOptions,
    OnText,
    OutlineLine,
    answer_lookup,
    answer_outline,
)
from graphrag.answering.exact import exact_first
from graphrag.answering.route import Routed, route
from graphrag.answering.support import Score
from graphrag.domain import Answer, Passage, Refusal, Relation, Retrieval
from graphrag.lessons import Lessons, given
from graphrag.ports import Writer
from graphrag.tutor import Knowledge, Tutor
from graphrag.tutoring.overview import Overview, overview
from graphrag.tutoring.relate import in_words
from graphrag.wording.terms import contains_identifier, identifiers

_PATHS = 1
_EXACT = 2
_THEMES = 6


@dataclass(frozen=True, slots=True)
class Sources:
    """Where an answer's material comes from, and who writes it."""

    tutor: Tutor
    retrieve: Callable[[str], Retrieval]
    exact: Callable[[str], list[Passage]]
    passages: Callable[[Sequence[str]], list[Passage]]
    writer: Writer
    score: Score | None
    options: AnswerOptions


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions for one state of knowledge at one moment."""

    sources: Sources
    knowledge: Callable[[Sequence[str]], Knowledge]
    now: float

    def ask(self, question: str, on_text: OnText | None = None) -> Answer | Refusal:
        """The answer, or the refusal with its reason. Raises GenerationError."""
        tutor = self.sources.tutor
        routed = route(question, tutor.linker.link(question))
        outline = self._outline(question, routed)
        if outline:
            return answer_outline(
                question,
                routed.route,
                outline,
                self.sources.writer,
                options=self.sources.options,
                score=self.sources.score,
                on_text=on_text,
            )
        return answer_lookup(
            question,
            self._found(question),
            self.sources.writer,
            options=self.sources.options,
            score=self.sources.score,
            route=routed.route,
            on_text=on_text,
        )

    @property
    def _lessons(self) -> Lessons:
        return Lessons(self.sources.tutor, self.sources.passages, self.now)

    def _found(self, question: str) -> Retrieval:
        """What retrieval found; a code of the question that is in none of it is looked up to
        the letter, and what holds it comes first."""
        retrieval = self.sources.retrieve(question)
        found = "\n".join(passage.chunk.embedded_text for passage in retrieval.passages)
        missing = [code for code in identifiers(question) if not contains_identifier(found, code)]
        exact = self.sources.exact(" ".join(missing))[:_EXACT] if missing else []
        if not exact:
            return retrieval
        k = max(len(retrieval.passages), 1)
        return replace(retrieval, passages=exact_first(question, retrieval.passages, exact, k=k))

    def _outline(self, question: str, routed: Routed) -> list[OutlineLine]:
        """The graph's plan for the answer; empty where retrieval alone must answer."""
        knowledge = self.knowledge(routed.known)
        if routed.route == "prerequisite" and routed.targets:
            return self._lessons.needed(question, routed, knowledge)
        if routed.route == "next" and routed.manner == "dependents":
            return self._lessons.depending(routed.known or routed.targets, knowledge)
        if routed.route == "next":
            return self._lessons.next(knowledge, routed.known)
        if routed.route == "relationship" and len(routed.targets) > 1:
            return self._related(question, routed.targets[0], routed.targets[1])
        if routed.route == "overview":
            return self._themes()
        return []

    def _related(self, question: str, one: str, other: str) -> list[OutlineLine]:
        """What each of two concepts is, what the documents say of both together, and the
        steps of the graph from one to the other."""
        tutor = self.sources.tutor
        steps = [step for path in tutor.relate(one, other)[:_PATHS] for step in path.steps]
        direct = [step for step in steps if {step.source_id, step.target_id} == {one, other}]
        told = {(step.source_id, step.target_id): step for step in direct or steps}
        if not told:
            return []
        about = [
            OutlineLine(f"**{tutor.names[key]}**:", self._passage(key)) for key in (one, other)
        ]
        together = self.sources.retrieve(question).passages
        names = f"{tutor.names[one]} and {tutor.names[other]}"
        return [
            *about,
            OutlineLine(f"Of {names} together:", together),
            *(self._relation(step) for step in told.values()),
        ]

    def _relation(self, step: Relation) -> OutlineLine:
        names = self.sources.tutor.names
        bold = {end: f"**{names[end]}**" for end in (step.source_id, step.target_id)}
        return OutlineLine(
            f"- {in_words(step, bold)}.", tuple(self.sources.passages([step.chunk_id]))
        )

    def _passage(self, concept_id: str) -> tuple[Passage, ...]:
        return given(self.sources.tutor.passage_for(concept_id))

    def _themes(self) -> list[OutlineLine]:
        tutor = self.sources.tutor
        found = themes(tutor, self.sources.passages)
        lines = []
        for number, theme in enumerate(found.themes, 1):
            members = ", ".join(concept.name for concept in theme.concepts[3:8])
            more = f" (with {members})" if members else ""
            chunk_ids = [summary.chunk_id for summary in theme.summaries[:2]]
            lines.append(
                OutlineLine(
                    f"{number}. **{theme.name}**{more}.", tuple(self.sources.passages(chunk_ids))
                )
            )
        for link in found.links[:3]:
            lines.extend(self._relation(relation) for relation in link.relations[:1])
        return lines


def themes(tutor: Tutor, passages: Callable[[Sequence[str]], list[Passage]]) -> Overview:
    """The corpus's main themes, summed up by the definitions of their central concepts."""
    ids = [concept.definition for concept in tutor.graph.concepts if concept.definition]
    texts = {passage.chunk.id: passage.chunk.text for passage in passages(ids)}
    return overview(tutor.graph, texts, themes=_THEMES)
