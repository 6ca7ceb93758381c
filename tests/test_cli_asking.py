"""What ``graphrag ask`` and ``graphrag evaluate`` say beside the answer, on a small index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphrag import Engine
from graphrag.cli.app import app
from tests.ollama_server import OllamaServer

OFFER = "--whole answers from them"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "pump.md").write_text("# Pump\n\nThe seal of the pump is flushed at 2.4 bar.\n")
    (folder / "belt.md").write_text("# Belt\n\nThe belt is tightened to 48 Nm.\n")
    path = tmp_path_factory.mktemp("index") / "i"
    with Engine.open(path) as engine:
        engine.ingest([folder])
    return path


def run(index: Path, *arguments: str, **settings: object) -> str:
    environment = {f"GRAPHRAG_{name.upper()}": str(value) for name, value in settings.items()}
    result = CliRunner().invoke(app, ["--index", str(index), *arguments], env=environment)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def test_all_documents_in_the_prompt_are_offered_where_they_fit(index: Path) -> None:
    question = "At what pressure is the seal of the pump flushed?"
    with OllamaServer(reply="The seal of the pump is flushed at 2.4 bar [1].") as server:
        found = {"ollama_host": server.host, "writer_kind": "ollama"}
        assert OFFER in run(index, "ask", question, **found)
        assert OFFER not in run(index, "ask", question, "--whole", **found)
        # Template, instructions, question and answer take 1,350 with what is to spare, the pages
        # some 60 each.
        assert OFFER not in run(index, "ask", question, **found, writer_window=1440)
        json.loads(run(index, "ask", question, "--json", **found))


def test_they_are_not_offered_where_no_model_writes(index: Path) -> None:
    found = run(index, "ask", "What is the belt tightened to?", writer_kind="extractive")
    assert OFFER not in found


def test_an_evaluation_shows_how_sure_its_numbers_are(index: Path, tmp_path: Path) -> None:
    case = {"id": "q", "question": "Which belt is tightened?", "relevant": ["belt.md"]}
    (tmp_path / "q.jsonl").write_text(json.dumps(case) + "\n")
    found = run(index, "evaluate", "questions", str(tmp_path / "q.jsonl"), "--ablate")
    assert "95 % bootstrap intervals of hit@5: bm25 " in found


@pytest.mark.parametrize(
    "wrong",
    [
        ["search", "x", "--channel", "foo"],
        ["ask", "x", "--writer", "foo"],
        ["cypher", "RETURN 1", "--format", "foo"],
        ["cypher", "RETURN 1", "-p", "foo"],
        ["learner", " "],
    ],
)
def test_a_value_that_an_option_cannot_have_is_wrong_usage(index: Path, wrong: list[str]) -> None:
    assert CliRunner().invoke(app, ["--index", str(index), *wrong]).exit_code == 2


def test_the_mend_for_a_folder_without_an_index_names_that_folder(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["--index", str(tmp_path), "status"])
    assert f"graphrag --index {tmp_path} ingest" in str(found.exception)


def test_a_file_that_is_not_there_is_named_once(tmp_path: Path, index: Path) -> None:
    missing = str(tmp_path / "none.csv")
    found = CliRunner().invoke(
        app, ["--index", str(index), "ingest", str(tmp_path), "--concepts", missing]
    )
    assert str(found.exception) == f"cannot read the syllabus {missing}: No such file or directory"
