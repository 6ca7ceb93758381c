"""The command ``graphrag``: a thin shell, one engine call a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from graphrag.cli.asking import register as asking
from graphrag.cli.chatting import register as chatting
from graphrag.cli.evaluating import register as evaluating
from graphrag.cli.graphs import register as graphs
from graphrag.cli.indexing import register as indexing
from graphrag.cli.session import Session
from graphrag.cli.tutoring import register as tutoring
from graphrag.errors import GraphragError
from graphrag.wording.terminal import printable

_INTERRUPTED = 130

app = typer.Typer(
    name="graphrag",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Concepts, prerequisites and cited answers from a folder of documents, on this machine.",
    epilog="Start with: graphrag ingest my-notes/   then: graphrag ask 'What is ...?'",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root(
    context: typer.Context,
    index: Annotated[
        Path | None,
        typer.Option(
            "--index",
            envvar="GRAPHRAG_INDEX",
            help="The index directory; without it, .graphrag here or in a folder above.",
        ),
    ] = None,
) -> None:
    context.obj = Session(index)


for _register in (indexing, asking, chatting, tutoring, graphs, evaluating):
    _register(app)


def main() -> None:
    """Run the command line; expected failures are one line on stderr and exit code 1."""
    run(app)


def run(command: Callable[[], object]) -> None:
    """Run a command and end the process's part in it as the interface says.

    Raises SystemExit: 1 for an expected failure, 130 for Ctrl-C, else what the command gave.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal's encoding does not have is shown as a question mark.
            stream.reconfigure(errors="replace")
    try:
        command()
        sys.stdout.flush()
    except GraphragError as error:
        print(f"graphrag: {printable(' '.join(str(error).split()))}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        _nobody_reads()
    except SystemExit as end:
        # Typer answers to both itself, and says nothing.
        if end.code == _INTERRUPTED:
            _interrupted()
        if isinstance(end.__context__, BrokenPipeError):
            _nobody_reads()
        raise


def _interrupted() -> NoReturn:
    print("graphrag: stopped; what was done is kept, the next run goes on", file=sys.stderr)
    sys.exit(_INTERRUPTED)


def _nobody_reads() -> NoReturn:
    # The reader went away (``| head``): nothing to tell, and nothing may be flushed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


if __name__ == "__main__":
    main()
