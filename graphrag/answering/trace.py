"""What happened on the way to one answer, as a value that can be kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphrag.domain import Answer, Refusal, Retrieval
from graphrag.errors import StoreError
from graphrag.ports import WriteRequest
from graphrag.wording.prompting import estimate_tokens, user_message

# Deeper ranks of a stage say little and would fill the disk.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Trace:
    """One question's way: ``started`` in seconds since the epoch, ``seconds`` by stage with
    ``total``, ``stages`` with (chunk id, rank, score), the prompt as it was sent with the
    estimate of its tokens (empty where no writer was asked), and the reply."""

    question: str
    started: float
    seconds: Mapping[str, float]
    route: str
    candidates: int
    stages: Mapping[str, tuple[tuple[str, int, float], ...]]
    passages: tuple[tuple[str, float], ...]
    prompt: str
    prompt_tokens: int
    writer: str
    kind: str
    text: str
    reason: str = ""
    citations: tuple[tuple[int, str, bool], ...] = ()
    warnings: tuple[str, ...] = field(default=())


def traced(
    reply: Answer | Refusal,
    *,
    started: float,
    seconds: float,
    retrieval: Retrieval | None = None,
    request: WriteRequest | None = None,
) -> Trace:
    """The trace of a reply; ``seconds`` is the time from the question to its end."""
    prompt = f"{request.instructions}\n\n{user_message(request)}" if request else ""
    times = dict(retrieval.seconds) if retrieval is not None else {}
    times["answering"] = max(0.0, seconds - sum(times.values()))
    return Trace(
        question=reply.question,
        started=started,
        seconds={**times, "total": seconds},
        route=reply.route,
        candidates=retrieval.candidates if retrieval is not None else 0,
        stages=_ranked(retrieval) if retrieval is not None else {},
        passages=tuple((passage.chunk.id, passage.score) for passage in reply.passages),
        prompt=prompt,
        prompt_tokens=estimate_tokens(prompt) if prompt else 0,
        writer=reply.writer,
        kind="answer" if isinstance(reply, Answer) else "refusal",
        text=reply.text,
        reason=reply.reason if isinstance(reply, Refusal) else "",
        citations=tuple((c.number, c.chunk_id, c.supported) for c in reply.citations)
        if isinstance(reply, Answer)
        else (),
        warnings=reply.warnings,
    )


def traced_search(retrieval: Retrieval, *, started: float, seconds: float) -> Trace:
    """The trace of a search alone, of kind ``search``; ``seconds`` is the whole time."""
    return Trace(
        question=retrieval.question,
        started=started,
        seconds={**retrieval.seconds, "total": seconds},
        route="",
        candidates=retrieval.candidates,
        stages=_ranked(retrieval),
        passages=tuple((passage.chunk.id, passage.score) for passage in retrieval.passages),
        prompt="",
        prompt_tokens=0,
        writer="",
        kind="search",
        text="",
    )


def _ranked(retrieval: Retrieval) -> dict[str, tuple[tuple[str, int, float], ...]]:
    return {
        name: tuple((hit.chunk_id, hit.rank, hit.score) for hit in hits[:_SHOWN])
        for name, hits in retrieval.stages.items()
    }


def as_json(trace: Trace) -> dict[str, Any]:
    """The trace as one JSON value."""
    return {
        "question": trace.question,
        "started": trace.started,
        "seconds": {name: round(value, 6) for name, value in trace.seconds.items()},
        "route": trace.route,
        "candidates": trace.candidates,
        "stages": {
            name: [{"chunk": chunk, "rank": rank, "score": score} for chunk, rank, score in hits]
            for name, hits in trace.stages.items()
        },
        "passages": [{"chunk": chunk, "score": score} for chunk, score in trace.passages],
        "prompt": trace.prompt,
        "prompt_tokens": trace.prompt_tokens,
        "writer": trace.writer,
        "kind": trace.kind,
        "text": trace.text,
        "reason": trace.reason,
        "citations": [
            {"number": number, "chunk": chunk, "supported": supported}
            for number, chunk, supported in trace.citations
        ],
        "warnings": list(trace.warnings),
    }


def append_trace(path: Path, trace: Trace) -> None:
    """Write the trace as one more JSON line. Raises StoreError if the file cannot be."""
    line = json.dumps(as_json(trace), ensure_ascii=True) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # One write of one line: traces of several threads do not mix.
        with path.open("a", encoding="ascii") as file:
            file.write(line)
    except OSError as error:
        raise StoreError(
            f"the trace cannot be written to {path}: {error.strerror}; choose another file"
        ) from error
