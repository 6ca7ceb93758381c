"""One real index over part of the course, shared by the end-to-end tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from graphrag import Engine

# A gate must give the same verdict twice; elsewhere new examples are tried each time.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("gate" if os.environ.get("CI") else "explore")

CORPORA = Path(__file__).parent.parent / "corpora"
LESSONS = ("02", "03", "04", "07", "08", "11", "12", "13", "16", "17", "18", "19", "20", "21")


@pytest.fixture(scope="session")
def course_folder(tmp_path_factory):
    """Fourteen lessons of the course and its glossary."""
    folder = tmp_path_factory.mktemp("course") / "lessons"
    folder.mkdir()
    for path in sorted((CORPORA / "linear-algebra" / "documents").glob("*.md")):
        if path.name[:2] in LESSONS or path.name == "glossary.md":
            shutil.copy(path, folder / path.name)
    return folder


@pytest.fixture(scope="session")
def course_index(tmp_path_factory, course_folder):
    """The index directory over these lessons, made with the default models."""
    path = tmp_path_factory.mktemp("index") / "course.graphrag"
    with Engine.open(path) as engine:
        engine.ingest([course_folder])
    return path


@pytest.fixture(scope="session")
def course(course_index):
    """An open engine over the lessons."""
    with Engine.open(course_index) as engine:
        yield engine
