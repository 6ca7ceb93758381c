"""One question, from its wording to an answer: the graph gives tutoring and relationship
questions their concepts and order, retrieval gives each its prose."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graphrag.answering.answer import (
    AnswerOptions,
    OnText,
    OutlineLine,
    answer_lookup,
    answer_outline,
)
from graphrag.answering.comparing import Compared, half_known
from graphrag.answering.doubt import Doubt
from graphrag.answering.free_words import Embed, in_free_words, subject
from graphrag.answering.route import Routed, route
from graphrag.answering.support import Score
from graphrag.domain import Answer, Concept, Passage, Refusal, Relation, Retrieval, Route
from graphrag.lessons import Lessons, given
from graphrag.ports import Writer
from graphrag.tutor import Knowledge, Tutor
from graphrag.tutoring.overview import Overview, joining, overview
from graphrag.tutoring.relate import in_words
from graphrag.tutoring.together import names_both
from graphrag.tutoring.verdicts import listed
from graphrag.wording.terms import content_words

_PATHS = 1
_OF_A_THEME = 6
_THEMES = 6


@dataclass(frozen=True, slots=True)
class Sources:
    """Where an answer's material comes from, and who writes it; with ``embed``, the unit
    vectors of texts, questions about learning are known in free words as well."""

    tutor: Tutor
    retrieve: Callable[[str], Retrieval]
    passages: Callable[[Sequence[str]], list[Passage]]
    writer: Writer
    score: Score | None
    options: AnswerOptions
    embed: Embed | None = None


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions for one state of knowledge at one moment."""

    sources: Sources
    knowledge: Callable[[Sequence[str]], Knowledge]
    now: float

    def ask(self, question: str, on_text: OnText | None = None) -> Answer | Refusal:
        """The answer, or the refusal with its reason. Raises GenerationError."""
        compared = self._compared(question)
        if compared is not None:
            asked, lead = compared.asks, Doubt(compared.lead)
            return replace(self._looked_up(asked, "lookup", on_text, lead), question=question)
        routed = self._routed(question)
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
        return self._looked_up(question, routed.route, on_text)

    def _looked_up(
        self, question: str, taken: Route, on_text: OnText | None, doubt: Doubt | None = None
    ) -> Answer | Refusal:
        return answer_lookup(
            question,
            self.sources.retrieve(question),
            self.sources.writer,
            options=self.sources.options,
            score=self.sources.score,
            route=taken,
            on_text=on_text,
            doubt=doubt,
        )

    def _compared(self, question: str) -> Compared | None:
        """The thing that is left of a comparison with what no document knows; slips of the
        pen are no such thing."""
        options = self.sources.options
        found = half_known(question, options.occurs) if options.occurs is not None else None
        misspelt = options.misspelt
        return None if found and misspelt is not None and misspelt(question) else found

    def _routed(self, question: str) -> Routed:
        """The route by the patterns; where these find none, by the meaning of the words."""
        linked = self.sources.tutor.linker.link(question)
        routed = route(question, linked)
        if routed != Routed("lookup", routed.targets) or self.sources.embed is None:
            return routed
        meant = in_free_words(question, linked, self.sources.embed)
        foreign = meant is not None and any(map(self._is_foreign, meant.qualified))
        return routed if meant is None or foreign else meant

    @property
    def _lessons(self) -> Lessons:
        return Lessons(self.sources.tutor, self.sources.passages, self.now)

    def _outline(self, question: str, routed: Routed) -> list[OutlineLine]:
        """The graph's plan for the answer; empty where retrieval alone must answer."""
        knowledge = self.knowledge(routed.known)
        if routed.route == "prerequisite" and routed.targets:
            return self._lessons.needed(question, routed, knowledge)
        if routed.manner == "check":
            return self._lessons.check(routed.targets)
        if routed.route == "next" and routed.manner == "dependents":
            return self._lessons.depending(routed.known or routed.targets, knowledge)
        if routed.manner == "begin" and not self._teaches(question):
            return []
        if routed.route == "next":
            return self._lessons.next(knowledge, routed.known)
        if routed.route == "relationship" and len(routed.targets) > 1:
            if any(self._is_foreign(word) for word in routed.qualified):
                # "Fourier coefficients" are no coefficients that the documents know.
                return []
            return self._related(question, routed.targets[0], routed.targets[1])
        if routed.route == "overview":
            return self._themes()
        return []

    def _teaches(self, question: str) -> bool:
        """Whether the documents speak of what a question calls the subject, or stand in a
        folder of that name."""
        found = self.sources.retrieve(question).passages
        folders = set(content_words(" ".join(re.sub(r"\W", " ", p.source) for p in found)))
        occurs = self.sources.options.occurs
        return all(
            word in folders or (occurs is not None and occurs(word)) for word in subject(question)
        )

    def _is_foreign(self, word: str) -> bool:
        """Whether a word is nowhere in the documents, as far as that is known."""
        occurs = self.sources.options.occurs
        return occurs is not None and not occurs(word)

    def _related(self, question: str, one: str, other: str) -> list[OutlineLine]:
        """What each of two concepts is, what the documents say of both together, and the
        steps of the graph from one to the other, where a sentence shows each of them."""
        tutor = self.sources.tutor
        steps = [step for path in tutor.relate(one, other)[:_PATHS] for step in path.steps]
        if not steps:
            return []
        told = _telling(steps)
        about = [
            OutlineLine(f"**{tutor.names[key]}**:", self._passage(key)) for key in (one, other)
        ]
        names = f"{tutor.names[one]} and {tutor.names[other]}"
        together = self.sources.retrieve(question).passages
        joined = [OutlineLine("What joins them:")] if len(told) > 1 else []
        return [
            *about,
            OutlineLine(f"Of {names} together:", together),
            *joined,
            *(self._relation(step) for step in told),
        ]

    def _relation(self, step: Relation) -> OutlineLine:
        names = self.sources.tutor.names
        bold = {end: f"**{names[end]}**" for end in (step.source_id, step.target_id)}
        return OutlineLine(
            f"- {in_words(step, bold)}.", tuple(self.sources.passages([step.chunk_id]))
        )

    def _tells(self, relation: Relation) -> bool:
        """Whether a whole sentence names both ends of the relation, each by itself."""
        concepts, said = self.sources.tutor.concepts, relation.sentence
        ends = concepts[relation.source_id], concepts[relation.target_id]
        return "|" not in said and names_both(*ends, said)

    def _passage(self, concept_id: str) -> tuple[Passage, ...]:
        return given(self.sources.tutor.passage_for(concept_id))

    def _themes(self) -> list[OutlineLine]:
        tutor = self.sources.tutor
        found = themes(tutor)
        lines = []
        for number, theme in enumerate(found.themes, 1):
            told = theme.summaries[:1]
            first = told[0].concept if told else theme.concepts[0]
            central = [concept for concept in theme.concepts if concept != first]
            others = [concept.name for concept in central[: _OF_A_THEME - 1]]
            more = f", with {listed(others)}" if others else ""
            chunk_ids = [summary.chunk_id for summary in told]
            passages = self.sources.passages(chunk_ids) or self._passage(first.id)
            lines.append(OutlineLine(f"{number}. **{first.name}**{more}.", tuple(passages)))
        telling = joining(found.links, self._tells)
        if telling:
            lines.append(OutlineLine("How they hang together:"))
        return [*lines, *(self._relation(relation) for relation in telling)]


def _telling(steps: list[Relation]) -> list[Relation]:
    """The steps of a path, if they tell something: each in a sentence, or one that is more
    than being treated together."""
    if all(step.sentence for step in steps):
        return steps
    return steps if len(steps) == 1 and steps[0].kind != "co_occurs" else []


def themes(tutor: Tutor) -> Overview:
    """The corpus's main themes, summed up by the definitions of their central concepts."""

    def explained(concept: Concept) -> tuple[str, str] | None:
        passage = tutor.passage_for(concept.id)
        return None if passage is None else (passage.chunk.id, passage.chunk.text)

    return overview(tutor.graph, explained, themes=_THEMES)
