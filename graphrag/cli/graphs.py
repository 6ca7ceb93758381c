"""Commands that show and mend the graph: relate, cypher, export, review."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from graphrag.cli import as_json
from graphrag.cli.saved_queries import parameters_of, save_query, saved_queries, saved_query
from graphrag.cli.session import JsonFlag, print_json, session
from graphrag.ports import Rows
from graphrag.tutoring.relate import in_words
from graphrag.wording.terminal import printable

_MOST_SHOWN = 20
_INFERRED = " (inferred from how they are used; no sentence names both)"


def register(app: typer.Typer) -> None:
    """Put the commands on the command line."""
    app.command()(relate)
    app.command()(cypher)
    app.command()(export)
    app.command()(review)


def relate(
    context: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="A concept.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    as_json_: JsonFlag = False,
) -> None:
    """The best paths between two concepts, each step with its kind and its sentence.

    Example: graphrag relate rank "null space"
    """
    with session(context).open() as engine:
        paths = engine.relate(one, other)
        names = engine.concept_names()
        ends = [engine.resolve(name).name for name in (one, other)]
    if as_json_:
        print_json(as_json.relate(paths, names))
        return
    if not paths:
        same = ends[0] == ends[1]
        print(
            printable(
                f"both are called '{ends[0]}' here: one concept"
                if same
                else f"nothing in this graph joins '{ends[0]}' and '{ends[1]}'"
            )
        )
    for number, path in enumerate(paths, 1):
        print(
            printable(f"{number}. " + " - ".join(names.get(key, key) for key in path.concept_ids))
        )
        for step in path.steps:
            quote = f': "{" ".join(step.sentence.split())}"' if step.sentence else _INFERRED
            print(printable(f"     {in_words(step, names)}{quote}"))


def cypher(
    context: typer.Context,
    statement: Annotated[str, typer.Argument(help="One read-only statement.")] = "",
    schema: Annotated[
        bool, typer.Option("--schema", help="Labels, keys and example statements.")
    ] = False,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="NAME=VALUE", help="A value for $NAME."),
    ] = None,
    format_: Annotated[
        Literal["table", "json", "csv"],
        typer.Option("--format", help="json is exact, csv safe for spreadsheets."),
    ] = "table",
    save: Annotated[
        str, typer.Option("--save", metavar="NAME", help="Keep the statement, once it ran.")
    ] = "",
    run: Annotated[str, typer.Option("--run", metavar="NAME", help="Run a kept one.")] = "",
    saved: Annotated[bool, typer.Option("--saved", help="List those kept.")] = False,
    as_json_: JsonFlag = False,
) -> None:
    """Look into the graph with Cypher; it can neither write nor read files.

    Example: graphrag cypher "MATCH (c:Concept)-[r:REQUIRES]->(p) RETURN c.name, p.name LIMIT 5"

    A statement that ran is kept with --save NAME and run again with --run NAME -p KEY=VALUE.
    """
    form = "json" if as_json_ else format_
    index = session(context).existing()
    if saved:
        _show_saved(saved_queries(index), as_json_=form == "json")
        return
    statement = saved_query(index, run) if run else statement
    with session(context).open() as engine:
        if schema or not statement:
            labels = engine.graph_schema()
            print_json({"schema": labels}) if form == "json" else print(labels)
            return
        rows = engine.cypher(statement, _parameters(parameter or []))
    if save:
        print(f"kept as {save_query(index, save, statement)}", file=sys.stderr)
    if form == "json":
        print_json(as_json.rows(rows))
    elif form == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(_for_sheets(column) for column in rows.columns)
        writer.writerows([_for_sheets(value) for value in row] for row in rows.rows)
    else:
        _show_rows(rows)


def _show_saved(queries: dict[str, str], *, as_json_: bool) -> None:
    if as_json_:
        print_json({"saved": queries})
        return
    if not queries:
        print("no query is kept yet; keep one with --save NAME")
    for name, statement in queries.items():
        values = "".join(f" -p {each}=..." for each in parameters_of(statement))
        print(printable(f"{name}{values}\n     {' '.join(statement.split())}"))


def _parameters(pairs: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator:
            raise typer.BadParameter(f"'{pair}' is not NAME=VALUE", param_hint="'-p'")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _show_rows(rows: Rows) -> None:
    # rich costs a tenth of a second to import; JSON and CSV do without.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for column in rows.columns:
        table.add_column(printable(column), overflow="fold")
    for row in rows.rows:
        table.add_row(*(Text(printable(_cell(value))) for value in row))
    Console(width=None if sys.stdout.isatty() else 200).print(table)
    if rows.truncated:
        print(f"(only the first {len(rows.rows)} rows are shown; add LIMIT or SKIP)")


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _for_sheets(value: object) -> object:
    """A value as CSV has it. Text that a spreadsheet would run as a formula begins with an
    apostrophe, as spreadsheets themselves mark text."""
    if isinstance(value, int | float):
        return value
    cell = printable(_cell(value))
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t")) else cell


def export(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="*.graphml, .json, .cypher, .dot, .svg or .html.")],
    learner: Annotated[str, typer.Option("--learner", help="Colour by what they know.")] = "",
    as_json_: JsonFlag = False,
) -> None:
    """Write the concept graph to a file, by its ending; .html is one page to explore it.

    Example: graphrag export graph.html
    """
    with session(context).open() as engine:
        engine.export(file, learner=learner)
    if as_json_:
        print_json({"file": str(file)})
    else:
        print(f"wrote {printable(str(file))}")


def review(
    context: typer.Context,
    export_: Annotated[
        Path | None, typer.Option("--export", help="Write the open decisions to a file to edit.")
    ] = None,
    apply: Annotated[
        Path | None, typer.Option("--apply", help="Take the decisions of an edited file.")
    ] = None,
    as_json_: JsonFlag = False,
) -> None:
    """Edges and names that want a human eye; decisions are a file that people edit.

    Example: graphrag review --export decisions.txt

    In the file, take the mark off what you decide; then: graphrag review --apply decisions.txt
    """
    with session(context).open() as engine:
        if apply is not None:
            count = engine.apply_decisions(apply)
            print_json({"decisions": count}) if as_json_ else print(f"{count} decisions in force")
            for item in engine.review():
                if item.kind == "unknown name":
                    print(f"graphrag: {printable(item.question)}", file=sys.stderr)
            return
        items = engine.review()
        if export_ is not None:
            engine.export_review(export_, items)
            print(f"wrote {len(items)} open decisions to {export_}", file=sys.stderr)
    if as_json_:
        print_json(as_json.review(items))
    elif export_ is None:
        if not items:
            print("nothing wants a human eye")
        for item in items[:_MOST_SHOWN]:
            print(printable(f"{item.importance:5.2f}  {item.question}"))
        if items:
            more = f"{len(items) - _MOST_SHOWN} more; " if len(items) > _MOST_SHOWN else ""
            print(f"({more}to decide: graphrag review --export FILE, edit it, then --apply FILE)")
