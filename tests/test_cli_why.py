"""Faults planted in a real index, named with their mend by ``graphrag why``.

The pages are read, cut, embedded and ranked by the default models; the language model is the
tests' own server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graphrag import Engine
from graphrag.cli.app import app
from tests.ollama_server import OllamaServer

_SONGS = " ".join(
    f"The choir of the village sang its song number {n} at the harvest, and the children danced."
    for n in range(9)
)
_STALLS = " ".join(
    f"On market day {n} the farmers sold apples, wool and cheese, and the band played until dark."
    for n in range(3)
)
_ROTA = " ".join(
    f"In week {n} of the night shift the rota of the crane has two people on deck and one below."
    for n in range(14)
)
_SPLIT = [f"Verse {n} of the ballad tells of rain and wind at sea." for n in range(300)]


def _pages() -> dict[str, str]:
    pages = {
        "pump.md": "# Pump\n\nThe seal of the pump is flushed at 2.4 bar.\n",
        "old.md": "---\ntitle: Seal\n---\n\n# Seal\n\n"
        "The seal of the pump is flushed at 1.9 bar.\n",
        "new.md": "---\ntitle: Seal, new\nsupersedes: old.md\n---\n\n# Seal\n\n"
        "The seal of the pump is flushed at 2.1 bar.\n",
        "staff.md": "---\naccess: staff\n---\n\n# Vault\n\n"
        "The vault of the works opens at seven.\n",
        "ballad.md": f"# Ballad\n\n{' '.join(_SPLIT)}\n",
        "broken.docx": "no archive at all",
        # Not one word of the question about the car, and forty pages that have its words.
        "halt.md": "# Pedals\n\n"
        "Press the left pedal firmly to bring your vehicle to a standstill.\n",
        # One sentence in the middle of quite another story.
        "choir.md": f"# Harvest\n\n{_SONGS} "
        f"The gasket of the boiler was renewed in 1987. {_SONGS}\n",
        "market.md": f"# Market\n\n{_STALLS} Tallow was for the wheels. {_STALLS}\n",
        # The fact, but not put as an answer.
        "list.md": "# Extensions\n\nOde, extension 12: heating, house.\n",
    }
    for n in range(40):
        pages[f"stop{n:02}.md"] = (
            f"# Car {n}\n\nThe quick way to the car park: take stop {n}, then turn at shop {n} "
            f"and make for gate {n}.\n"
        )
    for n in range(8):
        pages[f"boiler{n}.md"] = (
            f"# Boiler {n}\n\nThe gasket of boiler {n} was not renewed: boiler {n} has a gasket "
            "of steel.\n"
        )
    for n in range(32):
        pages[f"heater{n:02}.md"] = (
            f"# Heater {n}\n\nThe sealing ring on water heater {n} got replaced in {1950 + n}.\n"
        )
        pages[f"axle{n:02}.md"] = (
            f"# Axle {n}\n\nWaggon {n} rolls on axles lubricated by fat from animal {n}.\n"
        )
    for n in range(14):
        pages[f"house{n:02}.md"] = (
            f"# House {n}\n\nThe person who looks after the heating of house {n} is caretaker "
            f"number {n}.\n"
        )
    for n in range(24):
        pages[f"wheel{n:02}.md"] = f"# Wheel {n}\n\nWaggon {n} turns by the fat of animal {n}.\n"
    for name in ("north", "south", "east"):
        pages[f"{name}.md"] = (
            f"# Night shift of the {name} crane\n\n{_ROTA} The {name} crane has its tea at "
            f"{len(name)} past three.\n"
        )
    return pages


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    for name, text in _pages().items():
        (folder / name).write_text(text, encoding="utf-8")
    path = tmp_path_factory.mktemp("index") / "i"
    with Engine.open(path) as engine:
        engine.ingest([folder])
    return path


def why(index: Path, question: str, expects: str, *more: str, **settings: object) -> dict[str, Any]:
    """What ``graphrag why --json`` prints, with settings from the environment."""
    environment = {f"GRAPHRAG_{name.upper()}": str(value) for name, value in settings.items()}
    environment = {"GRAPHRAG_WRITER_KIND": "extractive", "GRAPHRAG_INDEX": ""} | environment
    arguments = ["--index", str(index), "why", question, "--expects", expects, *more, "--json"]
    result = CliRunner().invoke(app, arguments, env=environment)
    assert result.exit_code == 0, (result.output, result.exception)
    found: dict[str, Any] = json.loads(result.stdout)
    return found


SEAL = "At what pressure is the seal of the pump flushed?"
VERSE = "Which verse follows verse 7 of the ballad?"


@pytest.mark.parametrize(
    ("question", "expects", "where", "stage", "mend"),
    [
        (SEAL, "9.9 bar", (), "refused at reading", "convert the file"),  # perhaps in there
        ("What does the broken file say?", "broken.docx", (), "refused at reading", "convert"),
        (VERSE, " ".join(_SPLIT[7:200]), (), "split by chunking", "chunking.limit"),
        ("When does the vault open?", "opens at seven", ("--where", "access=public"), "filtered",
         "widen the filter"),
        (SEAL, "1.9 bar", (), "superseded", "newer version"),
        ("How do I make the car stop quickly?", "standstill", (), "low in bm25", "own terms"),
        ("Who looks after the heating of the house?", "Ode, extension 12", (),
         "lost in reranking", "another reranker"),
        (SEAL, "2.4 bar", (), "answered", "nothing"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_named_with_its_mend(
    index: Path, question: str, expects: str, where: tuple[str, ...], stage: str, mend: str
) -> None:
    found = why(index, question, expects, *where)
    assert (found["stage"], mend in found["mend"]) == (stage, True), found


@pytest.mark.parametrize(
    ("question", "expects", "stage", "mend"),
    [
        ("When was the gasket of the boiler renewed?", "renewed in 1987", "low in vectors",
         "smaller chunks"),
        ("Was tallow for the wheels?", "Tallow was for the wheels", "lost in fusion",
         "--channel bm25"),
    ],
)  # fmt: skip
def test_a_passage_that_only_keywords_have_is_named(
    index: Path, question: str, expects: str, stage: str, mend: str
) -> None:
    found = why(index, question, expects, retrieval_rerank=8)
    assert (found["stage"], mend in found["mend"]) == (stage, True), found


def test_a_document_that_was_never_ingested_is_named(tmp_path: Path) -> None:
    (tmp_path / "pump.md").write_text("# Pump\n\nThe seal is flushed at 2.4 bar.\n")
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([tmp_path / "pump.md"])
    found = why(tmp_path / "i", SEAL, "9.9 bar")
    assert found["stage"] == "not in the corpus"
    assert "ingest the document" in found["mend"]


def test_a_passage_for_which_the_window_has_no_room_is_named(index: Path) -> None:
    question = "When does the crane of the night shift have its tea?"
    with OllamaServer() as server:
        asked = {"writer_kind": "ollama", "ollama_host": server.host, "writer_window": 1900}
        stages = [
            why(index, question, f"{name} crane has its tea", **asked)
            for name in ("north", "south", "east")
        ]
    cut = [found for found in stages if found["stage"] == "cut by the budget"]
    assert len(cut) == 2, stages
    assert all("writer.window" in found["mend"] for found in cut)


def test_a_passage_that_the_model_ignored_is_named(index: Path) -> None:
    def another(body: Mapping[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        blocks = re.findall(r'<passage number="(\d+)".*?(The person who .*?\.)', prompt, re.DOTALL)
        number, sentence = next(each for each in blocks if "house 3 " not in each[1])
        return f"{sentence.removesuffix('.')} [{number}]."

    with OllamaServer(reply=another) as server:
        found = why(
            index,
            "Who looks after the heating of house 3?",
            "is caretaker number 3",
            writer_kind="ollama",
            ollama_host=server.host,
        )
    assert found["stage"] == "in the prompt but not used", found
    assert "stronger model" in found["mend"]


def test_a_reply_of_which_the_check_left_nothing_is_named(index: Path) -> None:
    with OllamaServer(reply="The seal of the pump is flushed at 3.4 bar [1].") as server:
        found = why(index, SEAL, "2.4 bar", writer_kind="ollama", ollama_host=server.host)
    assert found["stage"] == "struck by the check", found
    assert "3.4" in found["finding"]
    assert "keeps to the passages" in found["mend"]
