"""The commands of ``graphrag``: a thin shell, one engine call a command."""

from __future__ import annotations

import inspect
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


def _word_help(commands: typer.Typer) -> None:
    """Give every command its docstring as help: each paragraph on one line, which the
    terminal's width then breaks, and brackets as they stand, since they are no markup."""
    for command in commands.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        command.help = text.replace("[", "\\[")
    for group in commands.registered_groups:
        if group.typer_instance is not None:
            _word_help(group.typer_instance)


for _register in (indexing, asking, chatting, tutoring, graphs, evaluating):
    _register(app)
_word_help(app)
