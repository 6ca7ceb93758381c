"""At which stage an expected passage was lost, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from graphrag.domain import Answer, Chunk, Passage, Refusal, Retrieval
from graphrag.evaluation.metrics import contains_answer, normalised
from graphrag.evaluation.relevance import document_of

Stage = Literal[
    "not in the corpus",
    "refused at reading",
    "split by chunking",
    "filtered",
    "superseded",
    "low in bm25",
    "low in vectors",
    "lost in fusion",
    "lost in reranking",
    "cut by the budget",
    "below the floor",
    "declined by the model",
    "in the prompt but not used",
    "struck by the check",
    "answered",
]


@dataclass(frozen=True, slots=True)
class Expected:
    """What was looked for, as it was found: the chunks that hold it, or the documents that
    hold it in no single chunk; ``refused`` are files that mention it but were not read."""

    chunks: tuple[Chunk, ...] = ()
    documents: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What ``why`` may look up; each is optional, and its stage is skipped without it.

    ``allowed`` says whether a chunk passes the filters of the question; ``superseded``
    takes a chunk id and names the document that replaces the chunk's (empty: none);
    ``deep`` lets every channel search far deeper than for a question; ``ask`` gives the
    answer; ``budget`` the passages that fit the writer's window.
    """

    allowed: Callable[[str], bool] | None = None
    superseded: Callable[[str], str] | None = None
    deep: Callable[[str], Retrieval] | None = None
    ask: Callable[[str], Answer | Refusal] | None = None
    budget: Callable[[Sequence[Passage]], Sequence[Passage]] | None = None
    depth: int = 50
    rerank: int = 30
    k: int = 5


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The stage at which the expected passage was lost, in a sentence, with the mend.

    ``ranks`` maps each stage that ran to the best rank of an expected chunk (None: not
    found); ``chunk_id`` is the chunk that came furthest.
    """

    question: str
    stage: Stage
    finding: str
    mend: str
    chunk_id: str = ""
    ranks: Mapping[str, int | None] = field(default_factory=dict)


def locate(
    expects: str,
    chunks: Sequence[Chunk],
    texts: Mapping[str, str],
    refused: Sequence[tuple[str, str]] = (),
) -> Expected:
    """Find what is expected: a chunk id, a document id (or the unique end of its path), or
    words that stand in a text.

    ``texts`` maps document ids to their text, ``refused`` lists files that could not be
    read with the reason. Words are compared folded, blanks and punctuation aside.
    """
    if any(chunk.id == expects for chunk in chunks):
        return Expected(tuple(chunk for chunk in chunks if chunk.id == expects))
    ends = [d for d in texts if d == expects or d.endswith("/" + expects)]
    if len(ends) == 1:
        return Expected(tuple(chunk for chunk in chunks if chunk.document_id == ends[0]))
    unread = tuple((path, why) for path, why in refused if path.endswith(expects))
    if unread:
        return Expected(refused=unread)
    holding = tuple(chunk for chunk in chunks if contains_answer(chunk.text, [expects]))
    documents = tuple(d for d, text in texts.items() if contains_answer(text, [expects]))
    return Expected(holding, documents, tuple(refused) if not documents else ())


def why(
    question: str,
    expects: str,
    *,
    expected: Expected,
    retrieval: Retrieval,
    surroundings: Surroundings | None = None,
) -> Diagnosis:
    """Walk from the corpus to the answer, and stop at the first stage that lost what was
    expected."""
    around = surroundings or Surroundings()
    early = _before_retrieval(question, expects, expected, around)
    if early is not None:
        return early
    wanted = {c.id for c in expected.chunks if around.allowed is None or around.allowed(c.id)}
    deep = around.deep(question) if around.deep is not None else retrieval
    # A channel has a rank also where it is too low to go on; what went on is as it was.
    searched = {**deep.stages, **{s: retrieval.stages.get(s, ()) for s in ("fused", "reranked")}}
    ranks = {name: _rank(hits, wanted) for name, hits in searched.items()}
    ranks["prompt"] = _rank(retrieval.passages, wanted)
    lost = _in_retrieval(ranks, around)
    if lost is None:
        lost = _after_retrieval(question, expects, retrieval, wanted, around)
    stage, finding, mend = lost
    return Diagnosis(question, stage, finding, mend, _furthest(deep, retrieval, wanted), ranks)


def _before_retrieval(
    question: str, expects: str, expected: Expected, around: Surroundings
) -> Diagnosis | None:
    shown = f"“{expects}”"
    if not expected.chunks and expected.documents:
        names = ", ".join(expected.documents[:3])
        return Diagnosis(
            question,
            "split by chunking",
            f"{shown} stands in {names}, but in no single chunk of it.",
            "raise chunking.limit or chunking.overlap and ingest again, or keep the sentence in "
            "one paragraph",
        )
    if not expected.chunks and expected.refused:
        path, reason = expected.refused[0]
        return Diagnosis(
            question,
            "refused at reading",
            f"{shown} is in no document that was read; {path} was refused: {reason}.",
            "mend or convert the file, then ingest it again",
        )
    if not expected.chunks:
        return Diagnosis(
            question,
            "not in the corpus",
            f"{shown} is in no document of the index.",
            "ingest the document that holds it, or check the wording of what is expected",
        )
    ids = [chunk.id for chunk in expected.chunks]
    # A search leaves replaced versions out by itself, so they look filtered, too.
    if around.superseded is not None:
        newer = {document_of(i): around.superseded(i) for i in ids}
        if all(newer.values()):
            document, replaced = next(iter(newer.items()))
            return Diagnosis(
                question,
                "superseded",
                f"{shown} stands in {document}, which {replaced} replaces.",
                "expect the newer version, or ask for the older one by its date",
                ids[0],
            )
    if around.allowed is not None and not any(map(around.allowed, ids)):
        return Diagnosis(
            question,
            "filtered",
            f"{shown} stands in {ids[0]}, which the filters (--where, access) keep out.",
            "drop or widen the filter, or mend the document's metadata",
            ids[0],
        )
    return None


def _rank(found: Sequence[object], wanted: set[str]) -> int | None:
    for rank, item in enumerate(found, start=1):
        chunk_id = item.chunk.id if isinstance(item, Passage) else getattr(item, "chunk_id", "")
        if chunk_id in wanted:
            return rank
    return None


def _in_retrieval(
    ranks: Mapping[str, int | None], around: Surroundings
) -> tuple[Stage, str, str] | None:
    if ranks["prompt"] is not None:
        return None
    reranked, fused = ranks.get("reranked"), ranks.get("fused")
    if reranked is not None and (fused is None or fused <= around.rerank):
        return (
            "lost in reranking",
            f"it was {_th(fused)} after fusion and {_th(reranked)} after reranking; "
            f"{around.k} passages are taken.",
            "ask with a larger -k, try --no-rerank, or another reranker",
        )
    channels = {c: ranks.get(c) for c in ("bm25", "vector", "graph") if c in ranks}
    best = min((r for r in channels.values() if r is not None), default=None)
    if best is not None and best <= around.k:
        name = next(c for c, r in channels.items() if r == best)
        return (
            "lost in fusion",
            f"{_label(name)} had it {_th(best)}, the other channels low or not at all, and it was "
            f"{_th(fused)} after fusion; {around.rerank} go on.",
            f"ask with --channel {name}, raise retrieval.rerank, or name the thing in the "
            "document's heading",
        )
    return _low(channels, around)


def _low(channels: Mapping[str, int | None], around: Surroundings) -> tuple[Stage, str, str]:
    """Neither channel had it high: say which one should have."""
    keyword, vector = channels.get("bm25"), channels.get("vector")
    ranks = f"keywords had it {_th(keyword)}, vectors {_th(vector)}"
    if keyword is None or (vector is not None and vector < keyword):
        return (
            "low in bm25",
            f"{ranks}: the question does not use the passage's words.",
            "use the document's own terms, or add the question's wording to the document as an "
            "alias or a glossary entry",
        )
    return (
        "low in vectors",
        f"{ranks}: the passage shares words with the question, but its meaning is buried among "
        f"other things; candidates reach {around.depth} deep.",
        "smaller chunks (chunking.target), a heading that says what the passage is about, or "
        "another embedding model",
    )


def _after_retrieval(
    question: str, expects: str, retrieval: Retrieval, wanted: set[str], around: Surroundings
) -> tuple[Stage, str, str]:
    rank = _rank(retrieval.passages, wanted)
    if around.budget is not None and _rank(around.budget(retrieval.passages), wanted) is None:
        return (
            "cut by the budget",
            f"it was passage {rank}, and the writer's window has no room for it.",
            "raise writer.window, lower -k or chunking.target, or choose a model with more context",
        )
    reply = around.ask(question) if around.ask is not None else None
    if reply is None:
        return ("answered", f"it is passage {rank} of those that the writer gets.", "nothing")
    if isinstance(reply, Refusal):
        if reply.warnings:
            return _struck(reply.writer, reply.warnings[0])
        if reply.reason == "the model declined":
            return (
                "declined by the model",
                f"it was passage {rank}, and {reply.writer or 'the writer'} declined to answer.",
                "ask more exactly, or choose another model",
            )
        return (
            "below the floor",
            f"it was passage {rank}, and the question was refused: {reply.reason}.",
            "ask in the words of the document; if many are refused so, the floor is too high",
        )
    return _in_the_answer(expects, reply, wanted, rank)


def _in_the_answer(
    expects: str, answer: Answer, wanted: set[str], rank: int | None
) -> tuple[Stage, str, str]:
    used = any(citation.chunk_id in wanted for citation in answer.citations)
    if used or contains_answer(answer.text, [expects]):
        return ("answered", f"the answer of {answer.writer} uses passage {rank}.", "nothing")
    words = set(normalised(expects))
    struck = [w for w in answer.warnings if "struck" in w and words & set(normalised(w))]
    if struck:
        return _struck(answer.writer, struck[0])
    return (
        "in the prompt but not used",
        f"it was passage {rank}, and {answer.writer} did not use it.",
        "ask more exactly, lower -k so that less distracts, or choose a stronger model",
    )


def _struck(writer: str, warning: str) -> tuple[Stage, str, str]:
    return (
        "struck by the check",
        f"{writer} wrote of it, and the check struck it: {warning}",
        "choose a model that keeps to the passages, or read the passage itself",
    )


def _furthest(deep: Retrieval, retrieval: Retrieval, wanted: set[str]) -> str:
    for passage in retrieval.passages:
        if passage.chunk.id in wanted:
            return passage.chunk.id
    for stage in ("reranked", "fused", "bm25", "vector", "graph"):
        for hit in deep.stages.get(stage, ()):
            if hit.chunk_id in wanted:
                return hit.chunk_id
    return min(wanted, default="")


def _th(rank: int | None) -> str:
    if rank is None:
        return "not at all"
    ending = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def _label(channel: str) -> str:
    return {"bm25": "keyword search", "vector": "vector search"}.get(channel, "the graph")


def as_json(diagnosis: Diagnosis) -> dict[str, object]:
    """The diagnosis as ``why --json`` prints it (why.schema.json)."""
    return {
        "question": diagnosis.question,
        "stage": diagnosis.stage,
        "finding": diagnosis.finding,
        "mend": diagnosis.mend,
        "chunk": diagnosis.chunk_id,
        "ranks": dict(diagnosis.ranks),
    }
