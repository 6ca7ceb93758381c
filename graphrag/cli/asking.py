"""Commands that ask the corpus: search and ask."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import typer

from graphrag.cli import as_json
from graphrag.cli.session import (
    AsOf,
    JsonFlag,
    LearnerName,
    Where,
    WriterKind,
    WriterModel,
    print_json,
    session,
)
from graphrag.domain import CHANNELS, Answer, Channel, Passage, Refusal, Retrieval
from graphrag.wording.terminal import printable

Trace = Annotated[
    Path | None, typer.Option("--trace", help="Append how it came about, as a JSON line.")
]


def register(app: typer.Typer) -> None:
    """Put the commands on the command line."""
    app.command()(search)
    app.command()(ask)


def search(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[
        int | None, typer.Option("-k", min=1, help="How many passages; 'retrieval.k' without.")
    ] = None,
    where: Where = None,
    channel: Annotated[
        list[str] | None,
        typer.Option("--channel", help="bm25, vector or graph; may be repeated; all without."),
    ] = None,
    no_rerank: Annotated[
        bool, typer.Option("--no-rerank", help="Leave the fused order as it is.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Stages, times, and the graph's paths.")
    ] = False,
    widen: Annotated[
        int, typer.Option("--widen", min=0, help="Tokens up to which a hit grows to its section.")
    ] = 0,
    as_of: AsOf = None,
    trace: Trace = None,
    as_json_: JsonFlag = False,
) -> None:
    """Find passages: keyword, vector and graph search, fused and reranked.

    Example: graphrag search "error E1042" --where type=manual --explain
    """
    channels = tuple(channel or CHANNELS)
    for name in channels:
        if name not in CHANNELS:
            raise typer.BadParameter(f"'{name}' is not one of {', '.join(CHANNELS)}")
    with session(context).open() as engine:
        retrieval = engine.retrieve(
            question,
            k=k,
            where=where or [],
            channels=cast(tuple[Channel, ...], channels),
            rerank=not no_rerank,
            as_of=as_of,
            trace=trace,
        )
        if widen:
            wider = engine.widen(retrieval.passages, widen)
            retrieval = replace(retrieval, passages=tuple(wider))
    if as_json_:
        print_json(as_json.search(retrieval, explain=explain))
    else:
        _show_retrieval(retrieval, explain=explain)


def _show_retrieval(retrieval: Retrieval, *, explain: bool) -> None:
    if not retrieval.passages:
        print("nothing found")
    for number, each in enumerate(retrieval.passages, 1):
        print(f"[{number}] {place(each)}  {each.score:.3f}")
        if explain:
            for name, hit in each.channels.items():
                path = f"  by {' > '.join(hit.path)}" if hit.path else ""
                print(printable(f"    {name}: rank {hit.rank}, score {hit.score:.4f}{path}"))
        print(printable(_indented(each.chunk.text)))
    if explain:
        for text in retrieval.expansions:
            print(printable(f"the model added: {text}"))
        times = ", ".join(f"{name} {1000 * s:.1f}" for name, s in retrieval.seconds.items())
        print(f"candidates {retrieval.candidates}; milliseconds: {times}")


def place(passage: Passage) -> str:
    """Where a passage stands, for people."""
    page = f", page {passage.chunk.page}" if passage.chunk.page else ""
    path = " > ".join((passage.chunk.document_id, *passage.chunk.heading_path))
    return printable(" ".join(path.split()) + page)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="Any question on the documents.")],
    writer: WriterKind = None,
    model: WriterModel = None,
    learner: LearnerName = "",
    where: Where = None,
    as_of: AsOf = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="All documents in the prompt, where they fit.")
    ] = False,
    trace: Trace = None,
    as_json_: JsonFlag = False,
) -> None:
    """Answer a question from the documents, with checked citations, or refuse with the reason.

    Example: graphrag ask "What do I need before eigenvalues?"
    """
    flags = {"writer.kind": writer, "writer.model": model}
    shown: list[str] = []

    def stream(text: str) -> None:
        shown.append(text)
        sys.stdout.write(printable(text))
        sys.stdout.flush()

    # With it come the models' libraries, which other commands start without.
    from graphrag.replying import Asked, whole_would_fit

    with session(context).open(flags) as engine:
        result = engine.ask(
            question,
            learner=learner,
            where=where or [],
            as_of=as_of,
            whole=whole,
            trace=trace,
            on_text=None if as_json_ else stream,
        )
        searched = Asked(question, where=tuple(where or ()), as_of=as_of)
        offered = not (whole or as_json_) and whole_would_fit(engine.desk, searched)
    if as_json_:
        print_json(as_json.answer(result))
    else:
        show_answer(result, streamed="".join(shown))
    if offered:
        print("(all documents fit the prompt: --whole answers from them without a search)")


def show_answer(result: Answer | Refusal, *, streamed: str = "") -> None:
    """The answer (where it was not streamed as it stands) and its sources."""
    ended = len(streamed) - len(streamed.rstrip("\n"))
    if streamed.strip() != result.text.strip():
        print("\n" if streamed else "", end="")
        print(printable(result.text.rstrip("\n")))
        ended = 1
    elif not ended:
        print()
    if isinstance(result, Refusal):
        print(f"(refused: {result.reason})")
        return
    by_chunk = {passage.chunk.id: passage for passage in result.passages}
    sources = {each.number: by_chunk.get(each.chunk_id) for each in result.citations}
    if sources and ended < 2:
        print()
    for number, passage in sorted(sources.items()):
        if passage is not None:
            print(f"[{number}] {place(passage)}")
    for warning in result.warnings:
        if warning not in result.text:
            print(f"note: {printable(warning)}")
    print(f"(written by {result.writer}; route: {result.route})")
