"""Commands of the tutor: learn, next, diagnose, concept, learner."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from graphrag.cli import as_json
from graphrag.cli.asking import place
from graphrag.cli.session import JsonFlag, Known, LearnerName, names, print_json, session
from graphrag.domain import Implicated, Learner, Prerequisite, Step
from graphrag.tutoring.explaining import reason
from graphrag.tutoring.learner import KNOWN
from graphrag.tutoring.next import Ready
from graphrag.tutoring.verdicts import listed
from graphrag.wording.terminal import printable

_REASONS = 3
_TELLING = 0.005


def register(app: typer.Typer) -> None:
    """Put the commands on the command line."""
    app.command()(learn)
    app.command(name="next")(next_)
    app.command()(diagnose)
    app.command()(concept)
    app.command()(learner)


def learn(
    context: typer.Context,
    concept: Annotated[str, typer.Argument(help="What is to be understood in the end.")],
    known: Known = "",
    learner: LearnerName = "",
    as_json_: JsonFlag = False,
) -> None:
    """The ordered path to a concept: each step with why, and its best passage.

    Example: graphrag learn eigenvalue --known "vector,matrix"
    """
    with session(context).open() as engine:
        goal = engine.resolve(concept)
        steps = engine.learn(concept, known=names(known), learner=learner)
        concept_names = engine.concept_names()
    if as_json_:
        print_json(as_json.learn(goal.name, steps, concept_names))
        return
    if not steps:
        print(f"{printable(goal.name)} is known already")
    for number, step in enumerate(steps, 1):
        _show_step(number, step, concept_names)


def _show_step(number: int, step: Step, concept_names: dict[str, str]) -> None:
    print(printable(f"{number}. {step.concept.name}"))
    for edges, why in _by_reason(step.because[:_REASONS]):
        ends = ", ".join(_end(edge, edge.prerequisite_id, concept_names) for edge in edges)
        print(printable(f"     after {ends}" + (f": {why}" if why else "")))
    rest = [concept_names.get(e.prerequisite_id, "") for e in step.because[_REASONS:]]
    if rest:
        print(printable(f"     and {', '.join(rest)}"))
    if step.passage is not None:
        print(f"     read {place(step.passage)}")
    if step.check:
        print(printable(f"     check: {step.check}"))


def _by_reason(edges: Sequence[Prerequisite]) -> list[tuple[list[Prerequisite], str]]:
    """The edges that one sentence gives the reason for together, by the first of each."""
    grouped: dict[str, list[Prerequisite]] = {}
    for edge in edges:
        grouped.setdefault(reason(edge), []).append(edge)
    return [(together, why) for why, together in grouped.items()]


def _edge(edge: Prerequisite, end: str, concept_names: dict[str, str]) -> str:
    why = reason(edge)
    return _end(edge, end, concept_names) + (f": {why}" if why else "")


def _end(edge: Prerequisite, end: str, concept_names: dict[str, str]) -> str:
    return f"{concept_names.get(end, end)} ({edge.status} {edge.weight:.2f})"


def next_(
    context: typer.Context,
    known: Known = "",
    learner: LearnerName = "",
    as_json_: JsonFlag = False,
) -> None:
    """What is ready to be learnt now, what it unlocks, and what to review.

    Example: graphrag next --known "vector,matrix,span"
    """
    with session(context).open() as engine:
        report = engine.next(known=names(known), learner=learner)
        concept_names = engine.concept_names()
    if as_json_:
        print_json(as_json.next_report(report, concept_names))
        return
    none = "nothing new is ready" if concept_names else "the index holds no concepts yet"
    print("ready to learn:" if report.ready else none)
    for ready in report.ready:
        why = _why_now(ready, concept_names)
        print(printable(f"  {ready.concept.name}" + (f"  ({why})" if why else "")))
    if report.review:
        print("to review:")
    for review in report.review:
        sure = "" if review.probability is None else f"  {review.probability:.2f}"
        print(printable(f"  {review.concept.name}{sure}: {review.because}"))


def _why_now(ready: Ready, concept_names: Mapping[str, str]) -> str:
    """What a concept rests on that is known, what it unlocks, and how many need it in the
    end."""
    rests = [concept_names.get(e.prerequisite_id, e.prerequisite_id) for e in ready.rests_on]
    unlocks = [each.name for each in ready.unlocks]
    parts = [
        f"{verb} {listed(found)}"
        for verb, found in (("rests on", rests), ("unlocks", unlocks))
        if found
    ]
    if ready.serves:
        parts.append(f"needed by {ready.serves} concept" + ("s" if ready.serves > 1 else ""))
    return "; ".join(parts)


def diagnose(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question that was asked.")],
    answer: Annotated[str, typer.Option("--answer", help="The answer that was given.")],
    learner: LearnerName = "",
    judge: Annotated[
        str, typer.Option("--judge", help="An Ollama model that orders the suspects.")
    ] = "",
    as_json_: JsonFlag = False,
) -> None:
    """The upstream concepts that a wrong answer implicates, ranked, with quotes.

    Of an answer that says what a sentence of the documents does, in nearly its words, that
    sentence is shown and nothing is implicated. With --learner, the concept asked about is
    remembered as answered wrong, or right where a sentence agrees. With --judge, a local model
    puts those first that it holds to be misused; the numbers stay those of the signs in the
    documents.

    Example: graphrag diagnose "Is {v} a basis of the plane?" --answer "Yes, it spans it."
    """
    with session(context).open() as engine:
        found = engine.diagnosis(question, answer, learner=learner, judge=judge)
    if as_json_:
        print_json(as_json.diagnose(found, judge))
        return
    if found.agrees:
        print("this agrees with the documents, so no concept is implicated:")
        sentence = " ".join(found.agrees.sentence.split())
        print(printable(f'     "{sentence}" ({place(found.agrees.passage)})'))
        return
    if not found.implicated:
        print("no upstream concept stands out (an empty answer implicates none)")
    if found.implicated and judge:
        print(printable(f"ordered by {judge}"))
    _show_implicated(found.implicated)


def _show_implicated(found: Sequence[Implicated]) -> None:
    """The suspects, without those that would read 0.00; --json has them."""
    for each in [each for each in found if each.score >= _TELLING] or found[:1]:
        print(printable(f"{each.concept.name}  {each.score:.2f}"))
        for quote in each.quotes:
            print(printable(f'     "{" ".join(quote.split())}"'))


def concept(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A concept's name or alias.")],
    as_json_: JsonFlag = False,
) -> None:
    """One concept: its definition, names, prerequisites, dependents, and where it is named.

    Below what it needs directly stands what follows from that, and what it may need, as far
    as these are among the ten that are nearest to it.

    Example: graphrag concept "null space"
    """
    with session(context).open() as engine:
        card = engine.concept(name)
        concept_names = engine.concept_names()
    if as_json_:
        print_json(as_json.concept_card(card, concept_names))
        return
    aliases = f"  (also {', '.join(card.concept.aliases)})" if card.concept.aliases else ""
    print(printable(card.concept.name + aliases))
    if card.passage is not None:
        print(f"\n{place(card.passage)}")
        print(printable(card.passage.chunk.text.strip()) + "\n")
    for title, edges, end in (
        ("needs", card.prerequisites, "prerequisite_id"),
        ("needs through these", [e for e in card.listed if not e.direct], "prerequisite_id"),
        (
            "may need (the documents do not settle it)",
            [e for e in card.listed if e.status == "open"],
            "prerequisite_id",
        ),
        ("is needed for", card.dependents, "concept_id"),
    ):
        if edges:
            print(f"{title}:")
        for edge in edges:
            print(printable(f"  {_edge(edge, getattr(edge, end), concept_names)}"))
    if card.mentioned_in:
        print(printable(f"named in: {', '.join(card.mentioned_in)}"))


def learner(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The learner's name.")],
    knows: Annotated[str, typer.Option("--knows", metavar="A,B", help="Now known.")] = "",
    shaky: Annotated[str, typer.Option("--shaky", metavar="A,B", help="Known badly.")] = "",
    right: Annotated[str, typer.Option("--right", metavar="A,B", help="Answered right.")] = "",
    wrong: Annotated[str, typer.Option("--wrong", metavar="A,B", help="Answered wrong.")] = "",
    forget: Annotated[str, typer.Option("--forget", metavar="A,B", help="Drop.")] = "",
    as_json_: JsonFlag = False,
) -> None:
    """Show or change what a learner knows.

    --knows and --shaky set a belief, --right and --wrong move it by the evidence of one
    answered question each, and all of it says something of the prerequisites as well.

    Example: graphrag learner ada --knows "vector,matrix" --shaky determinant
    """
    if not name.strip():
        raise typer.BadParameter("a learner needs a name", param_hint="'name'")
    with session(context).open() as engine:
        state = engine.learner(
            name,
            knows=names(knows),
            shaky=names(shaky),
            right=names(right),
            wrong=names(wrong),
            forget=names(forget),
        )
        concept_names = engine.concept_names()
        believed = engine.desk.tutor().believed(state, now=time.time())
    if as_json_:
        print_json(as_json.learner(state, concept_names))
        return
    if not state.beliefs:
        print(printable(f"nothing is known of {name} yet"))
    for belief in sorted(state.beliefs.values(), key=lambda each: -each.probability):
        title = concept_names.get(belief.concept, belief.concept)
        print(printable(f"{belief.probability:4.2f}  {title}: {'; '.join(belief.because)}"))
    following = _following(state, believed or state, concept_names)
    if following:
        print(printable(f"taken as known, since the above rests on it: {following}"))


def _following(state: Learner, believed: Learner, concept_names: Mapping[str, str]) -> str:
    """The concepts that nothing was shown of, but that what was shown lets one take for known,
    the surest first."""
    inferred = [
        belief
        for key, belief in believed.beliefs.items()
        if key not in state.beliefs and belief.probability >= KNOWN
    ]
    ranked = sorted(inferred, key=lambda each: (-each.probability, each.concept))
    return listed([concept_names.get(each.concept, each.concept) for each in ranked])
