"""A model that is asked about doubtful prerequisites while an index is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphrag import Engine
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


def test_its_verdicts_are_evidence_counted_kept_and_asked_for_once(
    lessons: Path, tmp_path: Path
) -> None:
    index = tmp_path / "e.graphrag"
    with OllamaServer(reply=REPLY) as server:
        with Engine.open(index, settings=asking(server.host, witness=1)) as engine:
            report = engine.ingest([lessons])
            edges = engine.desk.workspace.catalog.concept_graph().prerequisites
        asked = len(server.bodies("/api/chat"))
        assert report.hearing is not None
        assert (report.hearing.asked, report.hearing.no, asked) == (1, 1, 1)
        heard = [e for e in edges if any(each.kind == "model" for each in e.evidence)]
        assert len(heard) == 1
        assert {e.evidence[-1].sentence for e in heard} == {"no: they only meet"}
        assert "certain" not in {e.status for e in heard}
        # The same again: everything is known, and a changed setting asks only what is new.
        with Engine.open(index, settings=asking(server.host, witness=2)) as engine:
            again = engine.ingest([lessons])
    assert again.hearing is not None
    assert (again.hearing.asked, again.hearing.kept) == (1, 1)


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
