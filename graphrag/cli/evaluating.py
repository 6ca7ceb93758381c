"""Commands that measure: evaluate questions, evaluate prerequisites, why."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from graphrag.cli.session import (
    JsonFlag,
    Where,
    WriterKind,
    print_json,
    print_json_line,
    session,
)
from graphrag.domain import Question
from graphrag.evaluation.bars import missed_bars, parse_bars
from graphrag.evaluation.questions import add_question, load_questions, next_id, set_digest
from graphrag.evaluation.runs import (
    Comparison,
    as_json,
    compare,
    comparison_json,
    free_name,
    keep_run,
    load_run,
)
from graphrag.evaluation.why import as_json as why_as_json
from graphrag.wording.terminal import printable

evaluate = typer.Typer(no_args_is_help=True, help="Measure retrieval, answers and the graph.")
_MEASURES = ("hit@1", "hit@3", "hit@5", "recall@5", "recall@20", "mrr", "ndcg@10")


def register(app: typer.Typer) -> None:
    """Put the commands on the command line."""
    app.add_typer(evaluate, name="evaluate")
    app.command()(why)


@evaluate.command()
def questions(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="*.jsonl of {id, question, answers?, relevant}.")],
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Retrieval alone, without writing answers.")
    ] = False,
    writer: WriterKind = None,
    judge: Annotated[
        str, typer.Option("--judge", metavar="MODEL", help="An Ollama model that judges answers.")
    ] = "",
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="MEASURE=VALUE", help="Exit 1 below this bar."),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="RUN", help="Compare with a kept run.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Keep this run under that name.")] = "",
    as_json_: JsonFlag = False,
) -> None:
    """Hit rate, recall, MRR and nDCG per stage; refusals; answers from retrieved and from
    injected passages. Each run is kept in the index.

    Example: graphrag evaluate questions questions.jsonl --fail-under hit@5=0.95
    """
    chosen = session(context)
    folder = chosen.existing() / "runs"
    if judge and ablate:
        raise typer.BadParameter("--judge judges answers, and --ablate writes none")
    # What is wrong with the request is said before the work, not after it.
    bars = parse_bars(fail_under or [], answers=not ablate)
    digest = set_digest(load_questions(file))
    other = None if against is None else load_run(_run_file(folder, against))
    run = free_name(folder, name, time.strftime("%Y%m%d-%H%M%S"))
    with chosen.open({"writer.kind": writer}) as engine:
        report = engine.evaluate_questions(file, answers=not ablate, judge=judge, progress=_dot)
    settings = {"file": str(file), "answers": not ablate, "writer": writer or "auto"}
    kept = keep_run(folder, run, report, {**settings, "judge": judge, "set": digest})
    numbers = {**as_json(report), "set": digest, "run": str(kept)}
    compared = None if other is None else compare(other, load_run(kept))
    missed = missed_bars(numbers, bars)
    if as_json_:
        if compared is not None:
            numbers["against"] = comparison_json(against or "", compared)
        print_json({**numbers, "missed": missed})
    else:
        _show_numbers(numbers, kept)
        if compared is not None:
            _show_comparison(compared)
    for bar in missed:
        print(f"graphrag: {bar}", file=sys.stderr)
    if missed:
        raise typer.Exit(1)


def _run_file(folder: Path, run: str) -> Path:
    return Path(run) if run.endswith(".json") else folder / f"{run}.json"


def _dot(count: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("." * count)
        sys.stderr.flush()


def _show_numbers(numbers: dict[str, Any], kept: Path) -> None:
    print(f"{numbers['questions']} questions with an answer; kept as {kept.stem}")
    print(f"{'stage':10}" + "".join(f"{measure:>10}" for measure in _MEASURES))
    for stage, values in numbers["stages"].items():
        print(f"{stage:10}" + "".join(f"{values[measure]:10.3f}" for measure in _MEASURES))
    within = ", ".join(
        f"{stage} {low:.3f}..{high:.3f}"
        for stage, intervals in numbers["intervals"].items()
        for low, high in [intervals["hit@5"]]
    )
    print(f"95 % bootstrap intervals of hit@5: {within}")
    if "refusal" in numbers:
        found = ", ".join(f"{key} {_share(value)}" for key, value in numbers["refusal"].items())
        print(f"refusal: {found}")
    for kind, values in numbers.get("answers", {}).items():
        found = ", ".join(f"{key} {_number(key, value)}" for key, value in values.items())
        print(f"answers from {kind} passages: {found}")
    for sentence in numbers["pattern"]:
        print(f"- {sentence}")
    for failure in numbers.get("failed", []):
        rank = "not found" if failure["rank"] is None else f"rank {failure['rank']}"
        print(printable(f"  {failure['id']}: {rank}, {failure['question']}"))


def _share(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _number(key: str, value: float) -> str:
    return f"{value:.0f}" if key == "questions" else f"{value:.3f}"


def _show_comparison(compared: Comparison) -> None:
    print(f"against the other run ({compared.shared} shared questions):")
    for change in compared.changes:
        sure = "" if change.certain else "  (within chance)"
        print(f"  {change.measure:10} {change.before:.3f} -> {change.after:.3f}{sure}")
    print(printable(f"  won: {', '.join(compared.won) or 'none'}"))
    print(printable(f"  lost: {', '.join(compared.lost) or 'none'}"))
    if compared.reworded:
        print(printable(f"  not compared, asked in other words: {', '.join(compared.reworded)}"))


@evaluate.command()
def prerequisites(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="*.jsonl of {concept, prerequisite, label}.")],
    concepts: Annotated[
        Path | None, typer.Option("--concepts", help="A syllabus, for this evaluation only.")
    ] = None,
    as_json_: JsonFlag = False,
) -> None:
    """Precision, recall, F1 and AUC of the prerequisite relation; order violations.

    Example: graphrag evaluate prerequisites prerequisites.jsonl --concepts concepts.jsonl
    """
    with session(context).open() as engine:
        numbers = engine.evaluate_prerequisites(file, concepts=concepts).as_json()
    if as_json_:
        print_json(numbers)
        return
    for key, value in numbers.items():
        shown = f"{value:.3f}" if isinstance(value, float) else value
        print(printable(f"{key:18} {shown}"))


@evaluate.command()
def add(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The question set; made where there is none.")],
    question: Annotated[str, typer.Argument(help="The question that went wrong.")],
    relevant: Annotated[
        list[str] | None,
        typer.Option("--relevant", help="A document or chunk id that answers it; none: refuse."),
    ] = None,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", help="A short right answer.")
    ] = None,
    type_: Annotated[str, typer.Option("--type", help="lookup, procedure, ...")] = "",
    as_json_: JsonFlag = False,
) -> None:
    """Turn a failure in use into a case of a question set. What is relevant must be in the
    index; a case without it, which must be refused, needs no index.

    Example: graphrag evaluate add cases.jsonl "What does E7 mean?" --relevant codes.md
    """
    if relevant:
        from graphrag.appraisal import check_relevant

        with session(context).open() as engine:
            check_relevant(engine, relevant)
    known = load_questions(file) if file.exists() and file.stat().st_size else []
    case = Question(
        next_id(known), question, tuple(relevant or ()), tuple(answer or ()), type_ or "lookup"
    )
    add_question(file, case)
    if as_json_:
        print_json({"id": case.id, "file": str(file)})
    else:
        print(f"added {case.id} to {printable(str(file))}")


@evaluate.command()
def draft(
    context: typer.Context,
    most: Annotated[int, typer.Option("--most", min=1, help="How many at most.")] = 50,
    as_json_: JsonFlag = False,
) -> None:
    """Propose questions from the documents for a person to accept: one JSON object a line, as
    question sets are written, or with --json all in one value.

    Example: graphrag evaluate draft --most 20 > drafts.jsonl
    """
    with session(context).open() as engine:
        cases = [_case(each) for each in engine.draft_questions(most=most)]
    if as_json_:
        print_json({"questions": cases})
        return
    for case in cases:
        print_json_line(case)
    if not cases:
        print(
            "nothing to draft from: no passage defines a concept, explains a code in a table or "
            "lists the steps of a procedure; write questions with 'graphrag evaluate add'",
            file=sys.stderr,
        )


def _case(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "question": question.question,
        "answers": list(question.answers),
        "relevant": list(question.relevant),
        "type": question.type,
    }


def why(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="The question that was answered badly.")],
    expects: Annotated[str, typer.Option("--expects", help="Words, a chunk id or a document id.")],
    where: Where = None,
    as_json_: JsonFlag = False,
) -> None:
    """At which stage the expected passage was lost, with the mend.

    Example: graphrag why "What does E1042 mean?" --expects "seal flush pressure"
    """
    with session(context).open() as engine:
        found = engine.why(question, expects, where=where or [])
    if as_json_:
        print_json(why_as_json(found))
        return
    print(printable(f"{found.stage}: {found.finding}"))
    if found.mend:
        print(printable(f"mend: {found.mend}"))
    if found.ranks:
        ranks = ", ".join(f"{stage} {rank or '-'}" for stage, rank in found.ranks.items())
        print(f"ranks: {ranks}")
