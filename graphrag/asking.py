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
from graphrag.domain import Answer, Passage, Refusal, Relation, Retrieval, Step
from graphrag.ports import Writer
from graphrag.tutor import Knowledge, Tutor
from graphrag.tutoring.overview import Overview, overview
from graphrag.wording.terms import contains_identifier, identifiers

MOST_STEPS = 9
_READY = 6
_EXACT = 2
_THEMES = 6
_PHRASES = {
    "requires": "{0} requires {1}",
    "uses": "{0} uses {1}",
    "part_of": "{0} is part of {1}",
    "kind_of": "{0} is a kind of {1}",
    "contrasts": "{0} contrasts with {1}",
    "derived_from": "{0} is derived from {1}",
    "used_for": "{0} is used for {1}",
    "co_occurs": "{0} and {1} are treated together",
    "corequisite": "{0} and {1} are best learnt together",
}


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
        outline = self._outline(routed)
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

    def _outline(self, routed: Routed) -> list[OutlineLine]:
        """The graph's plan for the answer; empty where retrieval alone must answer."""
        knowledge = self.knowledge(routed.known)
        if routed.route == "prerequisite" and routed.targets:
            return self._before(routed.targets, knowledge)
        if routed.route == "next":
            return self._next(knowledge)
        if routed.route == "relationship" and len(routed.targets) > 1:
            return self._related(routed.targets[0], routed.targets[1])
        if routed.route == "overview":
            return self._themes()
        return []

    def _before(self, targets: Sequence[str], knowledge: Knowledge) -> list[OutlineLine]:
        tutor = self.sources.tutor
        goal = targets[0]
        lines = []
        if len(targets) > 1:
            lines.append(OutlineLine(self._comparison(goal, targets[1])))
        steps = tutor.path(goal, knowledge)
        if not steps:
            return [*lines, OutlineLine(f"**{tutor.names[goal]}** is known already.")]
        if len(steps) == 1 and not steps[0].because:
            text = f"Nothing in these documents has to be known before **{tutor.names[goal]}**."
            return [*lines, OutlineLine(text, _given(steps[0].passage))]
        shown = self._most_needed(goal, steps)
        for number, step in enumerate(shown, 1):
            lines.append(self._step(number, step, shown[number:]))
        rest = [step.concept.name for step in steps if step not in shown]
        if rest:
            named = ", ".join(rest)
            lines.append(OutlineLine(f"What these rest on, from the foundations up: {named}."))
        return lines

    def _most_needed(self, goal: str, steps: Sequence[Step]) -> list[Step]:
        """At most ``MOST_STEPS`` of the path, in its order: the goal, what it needs
        directly, and what else it needs most surely."""
        order = self.sources.tutor.order
        direct = {edge.prerequisite_id for edge in order.direct(goal)}
        strengths = order.strengths(goal)
        ranked = sorted(
            steps,
            key=lambda step: (
                step.concept.id != goal,
                step.concept.id not in direct,
                -strengths.get(step.concept.id, 0.0),
                step.concept.id,
            ),
        )
        chosen = {step.concept.id for step in ranked[:MOST_STEPS]}
        return [step for step in steps if step.concept.id in chosen]

    def _comparison(self, goal: str, other: str) -> str:
        order, names = self.sources.tutor.order, self.sources.tutor.names
        if other in order.ancestors(goal):
            return f"Yes: **{names[goal]}** builds on **{names[other]}**."
        if goal in order.ancestors(other):
            return f"The other way round: **{names[other]}** builds on **{names[goal]}**."
        return f"Neither of **{names[goal]}** and **{names[other]}** needs the other here."

    def _step(self, number: int, step: Step, later: Sequence[Step]) -> OutlineLine:
        served = [
            each.concept.name
            for each in later
            if any(edge.prerequisite_id == step.concept.id for edge in each.because)
        ]
        why = f": needed for {', '.join(served[:3])}" if served else ": the goal"
        return OutlineLine(f"{number}. **{step.concept.name}**{why}.", _given(step.passage))

    def _next(self, knowledge: Knowledge) -> list[OutlineLine]:
        tutor = self.sources.tutor
        report = tutor.next(knowledge, None, now=self.now, k=_READY)
        lines = []
        for number, ready in enumerate(report.ready, 1):
            rests = ", ".join(tutor.names[edge.prerequisite_id] for edge in ready.rests_on[:3])
            unlocks = ", ".join(each.name for each in ready.unlocks[:3])
            why = "; ".join(
                part
                for part in (rests and f"rests on {rests}", unlocks and f"unlocks {unlocks}")
                if part
            )
            text = f"{number}. **{ready.concept.name}**" + (f": {why}." if why else ".")
            lines.append(OutlineLine(text, _given(tutor.passage_for(ready.concept.id))))
        return lines

    def _related(self, one: str, other: str) -> list[OutlineLine]:
        tutor = self.sources.tutor
        lines: list[OutlineLine] = []
        told: set[tuple[str, str]] = set()
        for path in tutor.relate(one, other):
            for step in path.steps:
                ends = (step.source_id, step.target_id)
                if ends not in told:
                    told.add(ends)
                    lines.append(self._relation(step))
        if not lines:
            return []
        about = [
            OutlineLine(f"**{tutor.names[key]}**:", self._passage(key)) for key in (one, other)
        ]
        return [*about, *lines]

    def _relation(self, step: Relation) -> OutlineLine:
        names = self.sources.tutor.names
        text = _PHRASES[step.kind].format(
            f"**{names[step.source_id]}**", f"**{names[step.target_id]}**"
        )
        return OutlineLine(f"- {text}.", tuple(self.sources.passages([step.chunk_id])))

    def _passage(self, concept_id: str) -> tuple[Passage, ...]:
        return _given(self.sources.tutor.passage_for(concept_id))

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


def _given(passage: Passage | None) -> tuple[Passage, ...]:
    return () if passage is None else (passage,)
