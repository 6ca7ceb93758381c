"""One question, from its wording to an answer: the graph gives tutoring and relationship
questions their concepts and order, retrieval gives each its prose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
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
from graphrag.prerequisites.order import PrerequisiteOrder
from graphrag.tutor import Knowledge, Tutor
from graphrag.tutoring.overview import Overview, overview
from graphrag.tutoring.relate import in_words
from graphrag.wording.terms import contains_identifier, identifiers

MOST_STEPS = 9
_READY = 6
_BUILDING = 4
_PATHS = 1
_SURE = 0.5
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
            return self._before(routed.targets, knowledge)
        if routed.route == "next":
            return self._next(knowledge, routed.known)
        if routed.route == "relationship" and len(routed.targets) > 1:
            return self._related(question, routed.targets[0], routed.targets[1])
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

    def _next(self, knowledge: Knowledge, named: Sequence[str]) -> list[OutlineLine]:
        """What builds directly on the concepts that the question names, what lacks least for
        it first; then what else is ready."""
        tutor = self.sources.tutor
        known = tutor.order.foundations(knowledge.known, lacking=knowledge.lacking)
        building = _building(tutor.order, named, known)[:_BUILDING]
        report = tutor.next(knowledge, None, now=self.now, k=_READY + _BUILDING)
        lines: list[OutlineLine] = []
        for key, missing in building:
            named_missing = ", ".join(tutor.names[other] for other in missing[:3])
            needed = {edge.prerequisite_id for edge in tutor.order.edges(key)}
            why = f"builds on {', '.join(tutor.names[one] for one in named if one in needed)}"
            why += f"; also needs {named_missing}" if missing else ""
            opened = next((each.unlocks for each in report.ready if each.concept.id == key), ())
            unlocks = ", ".join(each.name for each in opened[:3])
            why += f"; unlocks {unlocks}" if unlocks else ""
            lines.append(self._numbered(len(lines) + 1, key, why))
        taken = {key for key, _ in building}
        for ready in report.ready:
            if ready.concept.id in taken or len(lines) >= _READY:
                continue
            rests = ", ".join(tutor.names[edge.prerequisite_id] for edge in ready.rests_on[:3])
            unlocks = ", ".join(each.name for each in ready.unlocks[:3])
            parts = (rests and f"rests on {rests}", unlocks and f"unlocks {unlocks}")
            why = "; ".join(part for part in parts if part)
            lines.append(self._numbered(len(lines) + 1, ready.concept.id, why))
        return lines

    def _numbered(self, number: int, key: str, why: str) -> OutlineLine:
        tutor = self.sources.tutor
        text = f"{number}. **{tutor.names[key]}**" + (f": {why}." if why else ".")
        return OutlineLine(text, _given(tutor.passage_for(key)))

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


def _building(
    order: PrerequisiteOrder, named: Sequence[str], known: Collection[str]
) -> list[tuple[str, list[str]]]:
    """The concepts that rest directly on one of those named, with what else they need that
    is not known: those that lack least first, then by how sure it is, ties by id."""
    sure: dict[str, float] = {}
    for key in named:
        for edge in order.dependents(key):
            if edge.concept_id not in known:
                sure[edge.concept_id] = max(edge.weight, sure.get(edge.concept_id, 0.0))
    if any(weight >= _SURE for weight in sure.values()):
        sure = {key: weight for key, weight in sure.items() if weight >= _SURE}
    found = []
    for key in sure:
        needs = [
            edge.prerequisite_id
            for edge in order.edges(key)
            if edge.prerequisite_id not in known and edge.weight >= _SURE
        ]
        found.append((key, needs))
    return sorted(found, key=lambda each: (len(each[1]), -sure[each[0]], each[0]))


def _given(passage: Passage | None) -> tuple[Passage, ...]:
    return () if passage is None else (passage,)
