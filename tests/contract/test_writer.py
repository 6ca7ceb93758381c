"""What every writer promises."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.adapters.ollama import OllamaWriter
from graphrag.answering.grounding import check
from graphrag.ports import Writer, WriteRequest
from tests.answering_values import passage
from tests.ollama_server import OllamaServer

BOLTS = passage("The pump's bolts are torqued to 45 Nm. The cover stays in place.", title="Pump")
BELT = passage("The belt runs at 2 m/s.", document="belt.md", title="Belt")
PLAN = (("1. **bolt**: named in the definition of pump", (1,)), ("2. **pump**: the goal", (1,)))


def reply(body: object) -> str:
    """As a model would: follow the outline where there is one, decline what is not there."""
    text = str(body)
    if "moon" in text:
        return "NO ANSWER"
    if "<outline>" in text:
        return "1. **bolt**: named in the definition of pump [1]\n2. **pump**: the goal [1]"
    return "The pump's bolts are torqued to 45 Nm [1]."


@pytest.fixture(params=["extractive", "ollama"])
def writer(request: pytest.FixtureRequest) -> Iterator[Writer]:
    if request.param == "extractive":
        yield ExtractiveWriter()
        return
    with OllamaServer(reply=reply) as server:
        yield OllamaWriter.connect(server.host)


def test_it_has_a_name(writer: Writer) -> None:
    assert writer.name


def test_its_pieces_are_one_text_with_citations_that_hold(writer: Writer) -> None:
    request = WriteRequest("To what torque are the pump's bolts set?", "Cite.", (BOLTS, BELT))
    text = "".join(writer.write(request))
    assert "45 Nm" in text
    grounded = check(text, request.passages)
    assert [c.number for c in grounded.citations] == [1]
    assert grounded.warnings == ()


def test_what_is_not_there_is_declined(writer: Writer) -> None:
    request = WriteRequest("Who walked on the moon first?", "Cite.", (BOLTS, BELT))
    assert "".join(writer.write(request)) == "NO ANSWER"


def test_an_outline_is_followed_line_by_line(writer: Writer) -> None:
    request = WriteRequest("What do I need before pump?", "Follow.", (BOLTS,), PLAN)
    text = "".join(writer.write(request))
    assert text.index("1. **bolt**") < text.index("2. **pump**")


def test_it_can_be_given_up_at_any_piece(writer: Writer) -> None:
    request = WriteRequest("To what torque are the pump's bolts set?", "Cite.", (BOLTS,))
    parts = writer.write(request)
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert "45 Nm" in "".join(writer.write(request))


def test_the_same_question_gives_the_same_text(writer: Writer) -> None:
    request = WriteRequest("To what torque are the pump's bolts set?", "Cite.", (BOLTS, BELT))
    assert "".join(writer.write(request)) == "".join(writer.write(request))
