"""Keeping what happened on the way to a reply."""

from __future__ import annotations

from pathlib import Path

from graphrag.adapters import opentelemetry_spans as spans
from graphrag.answering.trace import Trace, append_trace, as_json


def wanted(path: Path | None) -> bool:
    """Whether somebody wants a trace: a file was named, or spans are collected here."""
    return path is not None or spans.collecting()


def record(trace: Trace, path: Path | None) -> None:
    """Keep the trace in the file, if one was named, and as OpenTelemetry's spans.
    Raises StoreError if the file cannot be written."""
    if path is not None:
        append_trace(path, trace)
    if spans.available():
        spans.record_spans(as_json(trace))
