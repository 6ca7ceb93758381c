"""Traces of questions as OpenTelemetry spans, where its API is installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from typing import Any

from graphrag.errors import SettingsError

_NANOSECONDS = 1_000_000_000
# Stages run one after the other in this order, those that ran at all.
STAGES = (
    *("embedding", "bm25", "vector", "graph"),
    *("fused", "reranked", "passages", "answering"),
)


def available() -> bool:
    """Whether ``opentelemetry-api`` is installed."""
    return importlib.util.find_spec("opentelemetry") is not None


def collecting() -> bool:
    """Whether this process has OpenTelemetry's SDK loaded, so that somebody may collect spans."""
    return "opentelemetry.sdk.trace" in sys.modules


def record_spans(trace: Mapping[str, Any]) -> None:
    """Record a question's trace (``answering.trace.as_json``) with the installed tracer: one
    span for the question (``graphrag.ask`` or ``graphrag.search``), one below it for each stage,
    at the times that they took.

    Where nothing collects spans, they vanish, as is usual. Raises SettingsError without
    the package.
    """
    if not available():
        raise SettingsError("OpenTelemetry is not installed: pip install opentelemetry-sdk")
    # Optional, and a tenth of a second to import: only for those who trace.
    from opentelemetry import trace as telemetry

    tracer = telemetry.get_tracer("graphrag")
    begin = int(trace["started"] * _NANOSECONDS)
    seconds = dict(trace["seconds"])
    end = begin + int(seconds.pop("total", 0.0) * _NANOSECONDS)
    name = "search" if trace["kind"] == "search" else "ask"
    whole = tracer.start_span(f"graphrag.{name}", start_time=begin, attributes=_attributes(trace))
    context = telemetry.set_span_in_context(whole)
    at = begin
    names = [*(n for n in STAGES if n in seconds), *sorted(set(seconds) - set(STAGES))]
    for name in names:
        until = at + int(seconds[name] * _NANOSECONDS)
        hits = trace["stages"].get(name, [])
        tracer.start_span(
            f"graphrag.{name}", context, start_time=at, attributes={"graphrag.hits": len(hits)}
        ).end(until)
        at = until
    whole.end(max(end, at))


def _attributes(trace: Mapping[str, Any]) -> dict[str, str | int]:
    return {
        "graphrag.route": trace["route"],
        "graphrag.kind": trace["kind"],
        "graphrag.reason": trace["reason"],
        "graphrag.candidates": trace["candidates"],
        "graphrag.passages": len(trace["passages"]),
        "graphrag.citations": len(trace["citations"]),
        "gen_ai.request.model": trace["writer"],
        "gen_ai.usage.input_tokens": trace["prompt_tokens"],
    }
