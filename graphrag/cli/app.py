"""The commands of ``graphrag``: a thin shell, one engine call a command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphrag.cli.asking import register as asking
from graphrag.cli.chatting import register as chatting
from graphrag.cli.evaluating import register as evaluating
from graphrag.cli.graphs import register as graphs
from graphrag.cli.indexing import register as indexing
from graphrag.cli.session import Session
from graphrag.cli.tutoring import register as tutoring

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
