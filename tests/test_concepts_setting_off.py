"""Terms that are set off where they are introduced, told from words that are stressed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.select import find_concepts
from graphrag.concepts.setting_off import Terms, is_introduced, set_off_terms
from graphrag.domain import Annotation, Definition, Document, Span
from tests.concept_values import document

LESSON = """# Division

A **cell** divides. In **meiosis** it gives four. A **gene** is copied by **transcription**.
An **account** has two sides, and a **for loop** has one."""

MANUAL = """# The pump

Press **Start** and hold **Ctrl**. Do **not** open it. It must be **dry** at all times. Turn
the **valve** off, and then **never** press **Start** again."""


def marked(text: str, name: str = "0.md") -> tuple[Document, Annotation]:
    """The document of a text, and every ``**name**`` in it as a definition by its print."""
    found = document(text, name)
    spans = sorted({term for block in found.blocks for term in block.terms}, key=lambda s: s.start)
    whole = Span(0, len(found.text))
    return found, Annotation(definitions=tuple(Definition(s, whole, "bold") for s in spans))


def terms(*texts: str) -> dict[str, Terms]:
    """The terms of documents called 0.md, 1.md, ..."""
    both = [marked(text, f"{i}.md") for i, text in enumerate(texts)]
    return set_off_terms([d for d, _ in both], {d.id: a for d, a in both})


def names(found: Document, spans: Mapping[Span, bool]) -> list[str]:
    return [found.text[span.start : span.stop] for span in spans]


def test_where_terms_are_introduced_the_others_that_are_set_off_are_terms_too() -> None:
    # Four of six stand behind an article, and all are set off once.
    (found, _), spans = marked(LESSON), terms(LESSON)["0.md"]
    assert "meiosis" in names(found, spans)
    assert "transcription" in names(found, spans)


def test_what_a_manual_stresses_are_no_terms() -> None:
    # One of six names stands behind an article, and one is set off twice.
    assert terms(MANUAL) == {}


def test_names_set_off_again_and_again_are_no_terms() -> None:
    assert terms(LESSON, LESSON.replace("Division", "Division again")) == {}


def test_a_document_with_few_names_goes_by_the_corpus() -> None:
    assert set(terms(LESSON, "# Notes\n\nBodies grow by **mitosis** alone.")) == {"0.md", "1.md"}


def test_a_handful_of_names_show_no_custom() -> None:
    assert terms("# Lines\n\nA **crossing** is a point. A **ray** has one end.") == {}


@pytest.mark.parametrize(("text", "introduced"), [("A **ray** ends.", 1), ("By **rays** we", 0)])
def test_a_term_behind_an_article_is_introduced(text: str, introduced: bool) -> None:
    found, annotation = marked(f"# Lines\n\n{text}")
    assert is_introduced(found, annotation.definitions[0].term) == introduced


def test_introduced_terms_may_be_ordinary_words() -> None:
    found = document(LESSON)
    annotation = next(iter(SpacySpotter.load().annotate([found])))
    concepts = {c.name for c in find_concepts([found], {found.id: annotation})}
    assert {"account", "for loop", "meiosis", "transcription"} <= concepts
