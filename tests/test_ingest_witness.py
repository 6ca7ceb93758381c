"""A model that is asked about doubtful prerequisites while an index is made."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from graphrag import Engine
from graphrag.domain import Prerequisite
from graphrag.errors import GenerationError
from graphrag.settings import ConceptSettings, OllamaSettings, Settings, WriterSettings
from tests.ollama_server import OllamaServer

REPLY = json.dumps({"verdict": "no", "reason": "they only meet"})
COURSE = Path(__file__).parent.parent / "corpora/linear-algebra/documents"


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons")
    for file in sorted(COURSE.glob("*.md"))[:5]:
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def asking(host: str, *, witness: int = 4) -> Settings:
    return Settings(
        ollama=OllamaSettings(host=host),
        writer=WriterSettings(model="qwen3:8b"),
        concepts=ConceptSettings(witness=witness),
    )


def told(engine: Engine) -> list[Prerequisite]:
    """The edges and open pairs of which the model said something."""
    graph = engine.desk.workspace.catalog.concept_graph()
    every = (*graph.prerequisites, *graph.open)
    return [each for each in every if any(e.kind == "model" for e in each.evidence)]


def test_its_verdicts_are_evidence_counted_kept_and_asked_for_once(
    lessons: Path, tmp_path: Path
) -> None:
    index = tmp_path / "e.graphrag"
    with OllamaServer(reply=REPLY) as server:
        with Engine.open(index, settings=asking(server.host)) as engine:
            report = engine.ingest([lessons])
            edges = told(engine)
        asked = len(server.bodies("/api/chat"))
        assert report.hearing is not None
        assert (report.hearing.asked, report.hearing.no, asked) == (4, 4, 4)
        assert len(edges) == 4
        assert {e.evidence[-1].sentence for e in edges} == {"no: they only meet"}
        assert {e.status for e in edges} == {"possible", "open"}
        # The same again: everything is known, and a changed setting asks only what is new.
        with Engine.open(index, settings=asking(server.host, witness=5)) as engine:
            again = engine.ingest([lessons])
    assert again.hearing is not None
    assert (again.hearing.asked, again.hearing.kept) == (1, 4)


def test_an_open_pair_that_it_confirms_comes_in_force(lessons: Path, tmp_path: Path) -> None:
    index = tmp_path / "e.graphrag"
    reply = json.dumps({"verdict": "yes", "reason": "it is built from it"})
    with OllamaServer(reply=reply) as server:
        with Engine.open(index) as engine:
            engine.ingest([lessons])
            was_open = pairs(engine.desk.workspace.catalog.concept_graph().open)
        with Engine.open(index, settings=asking(server.host)) as engine:
            engine.ingest([lessons])
            edges = told(engine)
            still_open = pairs(engine.desk.workspace.catalog.concept_graph().open)
    confirmed = [edge for edge in edges if pairs([edge]) <= was_open]
    assert confirmed
    assert {edge.status for edge in confirmed} == {"likely"}
    assert not pairs(confirmed) & still_open


def pairs(edges: Iterable[Prerequisite]) -> set[frozenset[str]]:
    return {frozenset((edge.concept_id, edge.prerequisite_id)) for edge in edges}


def test_a_model_that_is_gone_is_an_error_and_the_documents_stay(
    lessons: Path, tmp_path: Path
) -> None:
    with OllamaServer() as server:
        gone = server.host
    index = tmp_path / "e.graphrag"
    with Engine.open(index, settings=asking(gone)) as engine, pytest.raises(GenerationError):
        engine.ingest([lessons])
    with Engine.open(index) as engine:
        report = engine.ingest([lessons])
    assert (report.unchanged, report.hearing) == (5, None)
    assert report.concepts > 0
