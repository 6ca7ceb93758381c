"""Commands that make and keep the index: ingest, remove, migrate, status, verify."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from graphrag.cli import as_json
from graphrag.cli.conflicts import as_json as conflicts_as_json
from graphrag.cli.conflicts import show as show_conflicts
from graphrag.cli.progress import shown_progress
from graphrag.cli.session import AsOf, JsonFlag, counted, print_json, session
from graphrag.engine import Engine
from graphrag.errors import GraphragError
from graphrag.ingest.report import IngestReport
from graphrag.status import Status
from graphrag.wording.terminal import printable

_PART = 3


def register(app: typer.Typer) -> None:
    """Put the commands on the command line."""
    app.command()(ingest)
    app.command()(remove)
    app.command()(status)
    app.command()(verify)
    app.command()(migrate)


def ingest(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.")],
    concepts: Annotated[
        Path | None,
        typer.Option(
            "--concepts", help="A syllabus: .jsonl {id,title,aliases?} or .csv; used as it stands."
        ),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Also drop documents whose file does not exist.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Stay, and follow changes until Ctrl-C.")
    ] = False,
    as_json_: JsonFlag = False,
) -> None:
    """Read files and folders into the index; a folder given again is synchronised.

    Example: graphrag ingest notes/ handbook.pdf --concepts syllabus.csv
    """
    # Readers and their libraries, which other commands of this module do without.
    from graphrag.feeding import DECISIONS_FILE
    from graphrag.ingest.watching import Seen, follow, look

    with session(context).open_or_create() as engine:
        folders = [path for path in paths if path.is_dir()]

        def look_again() -> Seen:
            # Decisions that people edit inside the index are taken in like files.
            return look(paths, [engine.desk.workspace.path / DECISIONS_FILE], folders=folders)

        seen = look_again() if watch else ()
        report = _ingest_once(engine, paths, concepts, prune=prune)
        _show_report(report, as_json_)
        if watch:
            again = partial(_ingest_once, engine, paths, None, prune=prune, quiet=True)
            for changed in follow(seen, look_again, again, pause=_pause, tell=_tell):
                _show_report(changed, as_json_)
    if report.refused:
        raise typer.Exit(_PART)


def _pause() -> None:
    time.sleep(2.0)


def _tell(error: GraphragError) -> None:
    print(f"graphrag: {printable(str(error))}; tried again", file=sys.stderr)


def _ingest_once(
    engine: Engine, paths: list[Path], concepts: Path | None, *, prune: bool, quiet: bool = False
) -> IngestReport:
    with shown_progress("files", quiet=quiet) as progress:
        return engine.ingest(paths, concepts=concepts, prune=prune, progress=progress)


def _show_report(report: IngestReport, as_json_: bool) -> None:
    if as_json_:
        print_json(as_json.ingest(report))
        return
    print(
        f"{report.added} added, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.removed} removed, {len(report.refused)} refused"
    )
    for each in report.refused:
        print(f"  refused {printable(each.path)}: {printable(each.reason)}")
    said = report.hearing
    if said is not None:
        print(
            f"the model was asked about {said.asked} doubtful prerequisites ({said.kept} more were "
            f"known): {said.yes} yes, {said.no} no, {said.unsure} unsure, {said.silent} no answer"
        )
    named = report.extraction
    if named is not None:
        print(
            f"the model named the concepts of {named.asked} passages ({named.kept} more were "
            f"known), {named.silent} sentences without a usable reply; {named.dropped} names are "
            "not in their passage and were dropped"
        )
    seconds = report.seconds
    stages = ", ".join(
        f"{name} {seconds[name]:.1f}"
        for name in ("reading", "embedding", "concepts", "stores")
        if name in seconds
    )
    print(
        f"the index holds {counted(report.chunks, 'chunk')} ({report.embedded} embedded now), "
        f"{counted(report.concepts, 'concept')}, {counted(report.prerequisites, 'prerequisite')} "
        f"({seconds.get('total', 0.0):.1f} s: {stages})"
    )
    if not report.chunks:
        print("no document was read: give files, or a folder that holds some (--help)")


def remove(
    context: typer.Context,
    paths: Annotated[list[str], typer.Argument(help="Files, folders or document ids.")],
    as_json_: JsonFlag = False,
) -> None:
    """Take documents out of every store (the files themselves stay).

    Example: graphrag remove notes/old.md
    """
    with session(context).open() as engine:
        removed = engine.remove(paths)
    if as_json_:
        print_json({"removed": removed})
    else:
        print(f"{len(removed)} removed: {printable(', '.join(removed))}")


def migrate(
    context: typer.Context,
    model: Annotated[
        str, typer.Argument(help="As in 'embedding.model', which is the default.")
    ] = "",
    as_json_: JsonFlag = False,
) -> None:
    """Take another embedding model for the index; searches go on with the old one until all
    is ready. A run that was stopped goes on where it was.

    Example: graphrag migrate models/all-minilm-l6-v2
    """
    with session(context).open() as engine, shown_progress("documents") as progress:
        report = engine.migrate(model, progress=progress)
    if as_json_:
        print_json(asdict(report))
        return
    print(
        f"from {printable(report.former)} to {printable(report.model)}: {report.embedded} vectors "
        f"made, {report.rechunked} documents cut anew; the index holds {report.chunks} chunks "
        f"({report.seconds:.1f} s)"
    )


def status(
    context: typer.Context,
    conflicts: Annotated[
        bool, typer.Option("--conflicts", help="Documents that contradict each other instead.")
    ] = False,
    as_of: AsOf = None,
    as_json_: JsonFlag = False,
) -> None:
    """Say what the index holds, which models made it, and what is stale; or which documents
    contradict each other.

    Example: graphrag status --conflicts
    """
    if as_of is not None and not conflicts:
        raise typer.BadParameter("--as-of goes with --conflicts")
    with session(context).open() as engine:
        if conflicts:
            report = engine.conflicts(as_of=as_of)
            if as_json_:
                print_json(conflicts_as_json(report))
            else:
                show_conflicts(report)
            return
        found = engine.status()
    if as_json_:
        print_json(found.as_json())
    else:
        _show_status(found)


def _show_status(found: Status) -> None:
    rows = [
        ("index", found.path),
        (
            "holds",
            f"{counted(found.documents, 'document')}, {counted(found.chunks, 'chunk')}, "
            f"revision {found.revision}",
        ),
        (
            "graph",
            f"{counted(found.concepts, 'concept')}, {counted(found.prerequisites, 'prerequisite')}"
            + f" ({', '.join(f'{n} {status}' for status, n in found.by_status.items())})"
            * bool(found.prerequisites),
        ),
        ("embedder", found.embedder),
        ("stale", ", ".join(found.stale) or "nothing"),
        ("writer", found.writer),
        ("ollama", found.ollama),
        *(("problem", problem) for problem in found.problems),
    ]
    for name, value in rows:
        print(f"{name:9} {printable(value)}")


def verify(context: typer.Context, as_json_: JsonFlag = False) -> None:
    """Check every store against the catalog, and rebuild what differs.

    Example: graphrag verify
    """
    with session(context).open() as engine:
        findings = engine.verify()
    if as_json_:
        print_json({"findings": findings})
    elif findings:
        print("\n".join(printable(finding) for finding in findings))
    else:
        print("all stores agree with the catalog")
