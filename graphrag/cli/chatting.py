"""The command chat: a thread of questions in a plain terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from graphrag.cli import as_json
from graphrag.cli.asking import place, show_answer
from graphrag.cli.session import LearnerName, WriterKind, WriterModel, print_json_line, session
from graphrag.errors import GraphragError
from graphrag.wording.terminal import printable

if TYPE_CHECKING:
    from graphrag.conversing import Conversation

_HELP = (
    "Ask anything. /open N shows source N of the last answer, /sources lists them, Ctrl-C stops "
    "an answer, /quit (or Ctrl-D) ends."
)


def register(app: typer.Typer) -> None:
    """Put the command on the command line."""
    app.command()(chat)


def chat(
    context: typer.Context,
    learner: LearnerName = "",
    writer: WriterKind = None,
    model: WriterModel = None,
    as_json_: Annotated[
        bool, typer.Option("--json", help="Each answer as one line of JSON, all else on stderr.")
    ] = False,
) -> None:
    """Ask in a thread: follow-up questions are understood from what was asked before.

    With --learner, "I know span and basis" is remembered.

    Example: graphrag chat --learner ada
    """
    from graphrag.conversing import Conversation

    with session(context).open({"writer.kind": writer, "writer.model": model}) as engine:
        thread = Conversation(engine, learner)
        beside = sys.stderr if as_json_ else sys.stdout
        print(_HELP, file=beside)
        for line in _lines():
            if line in ("/quit", "/exit"):
                break
            try:
                _reply(thread, line, beside, as_json_=as_json_)
            except GraphragError as error:
                print(f"({printable(str(error))})", file=beside)
            except KeyboardInterrupt:
                # Ctrl-C takes back the question, not the thread; at the prompt it ends both.
                print("\n(stopped)", file=beside)


def _lines() -> Iterator[str]:
    while True:
        try:
            line = input("> " if sys.stdin.isatty() else "").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if line:
            yield line


def _reply(thread: Conversation, line: str, beside: TextIO, *, as_json_: bool) -> None:
    said = _said_beside(thread, line)
    if said:
        print(said, file=beside)
        return
    noted = thread.doubted(line)
    if noted:
        print(printable(noted), file=beside)
    asked = thread.completed(line)
    if asked != line:
        print(printable(f"({asked})"), file=beside)
    if as_json_:
        print_json_line(as_json.answer(thread.ask(line)))
        return
    shown: list[str] = []

    def stream(text: str) -> None:
        shown.append(text)
        sys.stdout.write(printable(text))
        sys.stdout.flush()

    show_answer(thread.ask(line, stream), streamed="".join(shown))


def _said_beside(thread: Conversation, line: str) -> str:
    """The reply to what asks nothing of the documents: commands, courtesies, and what a learner
    says to know; empty for a question."""
    from graphrag.conversing import asks_for_sources, small_talk, source_to_open

    number = source_to_open(line)
    if number:
        return _opened(thread, number)
    if asks_for_sources(line):
        return _sources(thread)
    if line.startswith("/"):
        return _HELP
    return small_talk(line) or printable(thread.remarked(line))


def _opened(thread: Conversation, number: str) -> str:
    sources = [str(each) for each in range(1, len(thread.passages) + 1)]
    if not sources:
        return "(there is no answer yet whose sources could be opened)"
    if number not in sources:
        return f"(the last answer has {len(sources)} sources: /open 1 shows the first)"
    passage = thread.passages[int(number) - 1]
    return f"{place(passage)}\n{printable(passage.chunk.text.strip())}"


def _sources(thread: Conversation) -> str:
    """The sources of the last answer that it cites, for people."""
    listed = [
        f"[{number}] {place(passage)}"
        for number, passage in enumerate(thread.passages, 1)
        if number in thread.cited
    ]
    return "\n".join(listed) or "(the last answer cites no source)"
