"""One question's way is kept as a JSON line and as spans."""

from __future__ import annotations

import json

import pytest

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.adapters.opentelemetry_spans import STAGES, available, record_spans
from graphrag.answering.answer import answer_lookup
from graphrag.answering.trace import append_trace, as_json, traced
from graphrag.errors import StoreError
from graphrag.ports import WriteRequest
from tests.answering_values import passage, retrieval

QUESTION = "To what torque are the pump's bolts tightened?"
FOUND = retrieval(QUESTION, passage("The pump's bolts are tightened to 45 Nm."))


def a_trace():
    reply = answer_lookup(QUESTION, FOUND, ExtractiveWriter())
    request = WriteRequest(QUESTION, "rules", FOUND.passages)
    return traced(reply, started=1000.0, seconds=0.5, retrieval=FOUND, request=request)


def test_a_trace_holds_stages_times_prompt_and_reply():
    value = as_json(a_trace())
    assert value["stages"]["reranked"] == [{"chunk": "notes.md#0", "rank": 1, "score": 0.9}]
    assert value["seconds"] == {"bm25": 0.001, "answering": 0.499, "total": 0.5}
    assert value["prompt"].startswith("rules\n\n<passage")
    assert value["prompt_tokens"] > 20
    assert value["citations"] == [{"number": 1, "chunk": "notes.md#0", "supported": True}]
    assert (value["kind"], value["reason"]) == ("answer", "")


def test_a_refusal_leaves_its_reason():
    reply = answer_lookup(QUESTION, retrieval(QUESTION), ExtractiveWriter())
    value = as_json(traced(reply, started=0.0, seconds=0.1))
    assert (value["kind"], value["reason"], value["prompt"]) == ("refusal", "no passages", "")


def test_traces_are_one_json_object_a_line(tmp_path):
    path = tmp_path / "traces" / "today.jsonl"
    append_trace(path, a_trace())
    append_trace(path, a_trace())
    lines = path.read_text().splitlines()
    assert [json.loads(line)["question"] for line in lines] == [QUESTION, QUESTION]


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="folder"):
        append_trace(tmp_path / "folder", a_trace())


@pytest.mark.skipif(not available(), reason="opentelemetry-sdk is an optional extra")
def test_spans_nest_under_the_question_and_take_their_time():
    from opentelemetry import trace as telemetry
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    telemetry.set_tracer_provider(provider)
    record_spans(as_json(a_trace()))
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert set(spans) == {"graphrag.ask", "graphrag.bm25", "graphrag.answering"}
    whole = spans["graphrag.ask"]
    assert whole.end_time - whole.start_time == 500_000_000
    assert spans["graphrag.bm25"].parent.span_id == whole.context.span_id
    assert spans["graphrag.bm25"].end_time == spans["graphrag.answering"].start_time
    assert whole.attributes["graphrag.kind"] == "answer"
    assert whole.attributes["gen_ai.usage.input_tokens"] > 20


@pytest.mark.skipif(not available(), reason="opentelemetry-sdk is an optional extra")
def test_every_stage_of_a_search_has_its_place_among_the_spans(course):
    seconds = course.retrieve("What is a pivot column?").seconds
    assert set(seconds) <= set(STAGES)
    assert [name for name in STAGES if name in seconds] == list(seconds)


def test_a_question_gives_its_spans_wherever_they_are_collected(course):
    from opentelemetry import trace as telemetry
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    telemetry.set_tracer_provider(TracerProvider())  # only the first of a process is taken
    exporter = InMemorySpanExporter()
    telemetry.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
    course.ask("What is a pivot column?")
    names = [span.name for span in exporter.get_finished_spans()]
    assert names.count("graphrag.ask") == 1


def test_a_search_gives_its_spans_too(course):
    from opentelemetry import trace as telemetry
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    telemetry.set_tracer_provider(TracerProvider())  # only the first of a process is taken
    exporter = InMemorySpanExporter()
    telemetry.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
    course.retrieve("What is a pivot column?")
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert "graphrag.ask" not in spans
    assert spans["graphrag.bm25"].parent.span_id == spans["graphrag.search"].context.span_id


def test_a_search_is_kept_with_its_stages_and_no_prompt(course, tmp_path):
    file = tmp_path / "t.jsonl"
    found = course.retrieve("What is a pivot column?", k=2, trace=file)
    value = json.loads(file.read_text())
    assert (value["kind"], value["prompt"], value["text"]) == ("search", "", "")
    assert [each["chunk"] for each in value["passages"]] == [p.chunk.id for p in found.passages]
    assert set(value["stages"]) == set(found.stages)
    assert value["seconds"]["total"] > 0
