"""What conditions leave out is shown by no kind of answer."""

from __future__ import annotations

import pytest

from graphrag import Engine


@pytest.mark.parametrize(
    "question",
    [
        "What do I need to know before basis?",
        "How are basis and span related?",
        "What is a basis?",
        "What are the main themes?",
    ],
)
def test_no_route_shows_what_the_conditions_leave_out(tmp_path, question):
    folder = tmp_path / "d"
    folder.mkdir()
    secret = "---\naccess: secret\n---\n# Span\n\nThe **span** is the launch code. See the basis.\n"
    (folder / "01-span.md").write_text(secret)
    public = "---\naccess: public\n---\n# Basis\n\nA **basis** is a set. It requires the span.\n"
    (folder / "02-basis.md").write_text(public)
    with Engine.open(tmp_path / "i") as engine:
        engine.ingest([folder])
        everything = repr(engine.ask(question, learner="ada"))
        answer = repr(engine.ask(question, learner="ada", where=["access=public"]))
    assert "launch code" not in answer
    assert "01-span.md" not in answer
    assert everything
