"""What a tutoring question is answered with: a verdict, a path, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphrag.answering.answer import OutlineLine
from graphrag.answering.route import Routed, asks_learning
from graphrag.domain import Passage, Prerequisite, Step
from graphrag.tutor import Knowledge, Tutor
from graphrag.tutoring.explaining import reason
from graphrag.tutoring.signs import names_pattern
from graphrag.tutoring.verdicts import (
    chain_of_needs,
    comparison,
    is_said,
    possible_without,
    readiness,
    sequence,
)

MOST_STEPS = 9
_READY = 6
_BUILDING = 5
_SURE = 0.5
# What each further need takes from how surely a concept builds on what is known.
_LACK = 0.05


@dataclass(frozen=True, slots=True)
class Lessons:
    """Outlines of answers from the concept graph, at one moment."""

    tutor: Tutor
    passages: Callable[[Sequence[str]], list[Passage]]
    now: float

    def needed(self, question: str, routed: Routed, knowledge: Knowledge) -> list[OutlineLine]:
        """The verdict that was asked for, its reasons, and the path; nothing where the
        documents say too little for a verdict that may be about a machine."""
        order, goal = self.tutor.order, routed.targets[0]
        if routed.manner == "order":
            return self._ordered(routed.targets)
        if routed.manner in ("why", "compare", "without"):
            return self._compared(question, routed)
        if routed.manner == "start" and not is_said(goal, order):
            return []
        if routed.manner in ("ready", "start"):
            return self._ready(goal, knowledge)
        other = routed.targets[1] if len(routed.targets) > 1 else ""
        verdict = comparison(goal, other, order, self.tutor.names) if other else ""
        return [*([OutlineLine(verdict)] if verdict else []), *self._before(goal, knowledge)]

    def _ordered(self, ids: Sequence[str]) -> list[OutlineLine]:
        """In which order the concepts are learnt, and why one needs the one before it, where
        it does so directly."""
        order = self.tutor.order
        lines = [OutlineLine(sequence(ids, order, self.tutor.names))]
        ranked = order.sort(ids)
        for before, after in pairwise(ranked):
            needs = chain_of_needs(after, before, order)
            lines += [self._need(edge) for edge in needs if len(needs) == 1]
        return lines

    def check(self, ids: Sequence[str]) -> list[OutlineLine]:
        """A question of the documents on each concept that they have one for; where they have
        none at all, what the first is to be compared with, once it has been said."""
        names = self.tutor.names
        asked = [(names[key], self.tutor.check_for(key)) for key in ids]
        lines = [OutlineLine(f"On **{name}**: {question}") for name, question in asked if question]
        passage = given(self.tutor.passage_for(ids[0])) if ids and not lines else ()
        if not passage:
            return lines
        lacking = f"The documents have no exercise on **{names[ids[0]]}**."
        advice = "Say in your own words what it is, and compare that with what they say."
        return [OutlineLine(f"{lacking} {advice}", passage)]

    def _compared(self, question: str, routed: Routed) -> list[OutlineLine]:
        """Whether, or why, one concept needs another, with the steps between them."""
        order, names = self.tutor.order, self.tutor.names
        goal, other = routed.targets[:2]
        ends = (goal, other) if other in order.ancestors(goal) else (other, goal)
        needs = chain_of_needs(*ends, order)
        if not needs and (routed.manner == "why" or not asks_learning(question)):
            return []
        judge = possible_without if routed.manner == "without" else comparison
        verdict = judge(goal, other, order, names)
        if routed.manner == "why" and ends == (goal, other):
            verdict = f"**{names[goal]}** builds on **{names[other]}**."
        return [OutlineLine(verdict), *(self._need(edge) for edge in needs)]

    def _need(self, edge: Prerequisite) -> OutlineLine:
        tutor = self.tutor
        ends = [tutor.concepts[key] for key in (edge.concept_id, edge.prerequisite_id)]
        telling = [
            each
            for each in edge.evidence
            if each.sentence and all(names_pattern(end).search(each.sentence) for end in ends)
        ]
        why = reason(edge)
        text = f"- **{ends[0].name}** needs **{ends[1].name}**"
        if telling or not why:  # the writer quotes the sentence that names both
            passages = self.passages([each.chunk_id for each in telling[:1]])
            return OutlineLine(f"{text}.", tuple(passages))
        return OutlineLine(f"{text}: {why}")

    def _ready(self, goal: str, knowledge: Knowledge) -> list[OutlineLine]:
        tutor = self.tutor
        steps = tutor.path(goal, knowledge)
        known = tutor.order.foundations(knowledge.known, lacking=knowledge.lacking)
        verdict = OutlineLine(readiness(goal, steps, known, tutor.names))
        if len(steps) < 2:
            return [verdict, *(OutlineLine("", given(step.passage)) for step in steps)]
        return [verdict, *self._before(goal, knowledge)]

    def _before(self, goal: str, knowledge: Knowledge) -> list[OutlineLine]:
        tutor = self.tutor
        lines: list[OutlineLine] = []
        steps = tutor.path(goal, knowledge)
        if not steps:
            return [OutlineLine(f"**{tutor.names[goal]}** is known already.")]
        if len(steps) == 1 and not steps[0].because:
            name = tutor.names[goal]
            text = f"These documents name nothing that has to be known before **{name}**."
            return [OutlineLine(text, given(steps[0].passage))]
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
        order = self.tutor.order
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

    def _step(self, number: int, step: Step, later: Sequence[Step]) -> OutlineLine:
        served = [
            each.concept.name
            for each in later
            if any(edge.prerequisite_id == step.concept.id for edge in each.because)
        ]
        why = f": needed for {', '.join(served[:3])}" if served else ": the goal"
        return OutlineLine(f"{number}. **{step.concept.name}**{why}.", given(step.passage))

    def depending(self, named: Sequence[str], knowledge: Knowledge) -> list[OutlineLine]:
        """What surely builds on the concepts named; nothing where nothing does."""
        tutor = self.tutor
        sure = {
            edge.concept_id
            for key in named
            for edge in tutor.order.dependents(key)
            if edge.status != "possible"
        }
        known = tutor.order.foundations([*knowledge.known, *named], lacking=knowledge.lacking)
        building = [each for each in self._building(named, known) if each[0] in sure]
        lines: list[OutlineLine] = []
        for key, missing in building[:MOST_STEPS]:
            lines.append(self._numbered(len(lines) + 1, key, self._why_next(key, named, missing)))
        rest = [tutor.names[key] for key, _ in building[MOST_STEPS:]]
        if rest:
            lines.append(OutlineLine(f"Further: {', '.join(rest)}."))
        return lines

    def _why_next(self, key: str, named: Sequence[str], missing: Sequence[str]) -> str:
        """What a concept builds on and lacks besides."""
        tutor = self.tutor
        needed = {edge.prerequisite_id for edge in tutor.order.edges(key)}
        why = f"builds on {', '.join(tutor.names[one] for one in named if one in needed)}"
        further = ", ".join(tutor.names[other] for other in missing[:3])
        return why + (f"; also needs {further}" if further else "")

    def next(self, knowledge: Knowledge, named: Sequence[str]) -> list[OutlineLine]:
        """What builds most surely on the concepts that the question names and lacks little
        else; then what else is ready."""
        tutor = self.tutor
        known = tutor.order.foundations(knowledge.known, lacking=knowledge.lacking)
        building = self._building(named, known)[:_BUILDING]
        report = tutor.next(knowledge, None, now=self.now, k=_READY + _BUILDING)
        lines: list[OutlineLine] = []
        for key, missing in building:
            why = self._why_next(key, named, missing)
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

    def _building(
        self, named: Sequence[str], known: Collection[str]
    ) -> list[tuple[str, list[str]]]:
        """The concepts that rest directly on one of those named, with what else they need
        that is not known: first those whose need is surest, less a little for each other
        need, and that are most worth learning; ties by id."""
        order = self.tutor.order
        sure: dict[str, float] = {}
        for key in named:
            for edge in order.dependents(key):
                if edge.concept_id not in known and edge.concept_id not in self.tutor.unexplained:
                    sure[edge.concept_id] = max(edge.weight, sure.get(edge.concept_id, 0.0))
        if any(weight >= _SURE for weight in sure.values()):
            sure = {key: weight for key, weight in sure.items() if weight >= _SURE}
        needs = {
            key: [
                edge.prerequisite_id
                for edge in order.edges(key)
                if edge.prerequisite_id not in known and edge.weight >= _SURE
            ]
            for key in sure
        }

        def worth(key: str) -> float:
            return (sure[key] - _LACK * len(needs[key])) * self.tutor.standing(key)

        return [(key, needs[key]) for key in sorted(sure, key=lambda key: (-worth(key), key))]

    def _numbered(self, number: int, key: str, why: str) -> OutlineLine:
        tutor = self.tutor
        text = f"{number}. **{tutor.names[key]}**" + (f": {why}." if why else ".")
        return OutlineLine(text, given(tutor.passage_for(key)))


def given(passage: Passage | None) -> tuple[Passage, ...]:
    """The passage as a tuple; empty for none."""
    return () if passage is None else (passage,)
