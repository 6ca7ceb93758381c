"""Faults planted in a real index are named by ``Engine.why``."""

from __future__ import annotations

import pytest

from graphrag import Engine
from graphrag.settings import Settings, WriterSettings

QUOTING = Settings(writer=WriterSettings(kind="extractive"))
QUESTION = "At what pressure is the seal of the pump flushed?"
STORY = [f"Sentence {n} of the story tells of rain and wind at sea." for n in range(400)]
# More than any one chunk holds.
SPLIT = " ".join(STORY[7:200])
PAGES = {
    "pump.md": "# Pump\n\nThe seal of the pump is flushed at 2.4 bar.\n",
    "old.md": "---\ntitle: Seal\n---\n\n# Seal\n\nThe seal of the pump is flushed at 1.9 bar.\n",
    "new.md": "---\ntitle: Seal, new\nsupersedes: old.md\n---\n\n# Seal\n\n"
    "The seal of the pump is flushed at 2.1 bar.\n",
    "staff.md": "---\naccess: staff\n---\n\n# Vault\n\nThe vault of the works opens at seven.\n",
    "long.md": f"# Story\n\n{' '.join(STORY)}\n",
    "broken.docx": "no archive at all",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """An open index over the pages, with its real models."""
    folder = tmp_path_factory.mktemp("planted")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with Engine.open(tmp_path_factory.mktemp("index") / "i", settings=QUOTING) as opened:
        opened.ingest([folder])
        yield opened


def test_a_document_that_was_never_ingested_is_named(tmp_path):
    (tmp_path / "pump.md").write_text(PAGES["pump.md"], encoding="utf-8")
    with Engine.open(tmp_path / "i", settings=QUOTING) as opened:
        opened.ingest([tmp_path / "pump.md"])
        assert opened.why(QUESTION, "9.9 bar").stage == "not in the corpus"


@pytest.mark.parametrize(
    ("question", "expects", "where", "stage"),
    [
        ("What does the broken file say?", "broken.docx", (), "refused at reading"),
        (
            "Which sentence follows sentence 7 of the story?",
            SPLIT,
            (),
            "split by chunking",
        ),
        ("When does the vault open?", "opens at seven", ("access=public",), "filtered"),
        (QUESTION, "1.9 bar", (), "superseded"),
        (QUESTION, "2.4 bar", (), "answered"),
    ],
)
def test_a_planted_fault_is_named(engine, question, expects, where, stage):
    found = engine.why(question, expects, where=where)
    assert found.stage == stage
    assert found.finding
    assert stage == "answered" or found.mend
