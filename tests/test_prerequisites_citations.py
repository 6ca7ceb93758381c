"""Citations in words: what they resolve to, and that previews are none."""

from __future__ import annotations

import pytest

from graphrag.concepts.mentions import find_mentions
from graphrag.domain import Concept, Document
from graphrag.prerequisites.citations import citation_witnesses
from graphrag.prerequisites.corpus import Corpus
from tests.concept_values import document, one_chunk_each

CONCEPTS = tuple(
    Concept(name.replace(" ", "-"), name) for name in ("basis", "dimension", "rank", "span")
)
BOOK = [
    document("# Span\n\nA span is a set of sums.\n\n## 1.2 Basis\n\nA basis is a small span.\n\n"
             "Theorem 1.3 (Dimension). All bases are of one size.", "01-span.md"),
    document("# Rank\n\nIt stops, by Theorem 1.3. The proof uses Section 1.2 twice.", "02-rank.md"),
]  # fmt: skip


def cited(*documents: Document) -> set[tuple[str, str, str]]:
    chunks = one_chunk_each(documents)
    mentions = find_mentions(documents, chunks, {}, CONCEPTS)
    corpus = Corpus(documents, chunks, {}, CONCEPTS, mentions)
    return {
        (CONCEPTS[w.concept].id, CONCEPTS[w.prerequisite].id, w.sentence)
        for w in citation_witnesses(corpus)
    }


def test_a_cited_theorem_and_section_give_what_they_are_about() -> None:
    assert cited(*BOOK) == {
        ("rank", "dimension", "It stops, by Theorem 1.3."),
        ("rank", "basis", "The proof uses Section 1.2 twice."),
    }


def test_a_numbered_file_is_the_lesson_of_that_number() -> None:
    second = document("# Rank\n\nRecall from Lesson 1 what a sum is.", "02-rank.md")
    assert cited(BOOK[0], second) == {("rank", "span", "Recall from Lesson 1 what a sum is.")}


def test_a_lesson_can_be_cited_by_what_it_is_on() -> None:
    second = document("# Rank\n\nThis was seen in the lesson on the span.", "02-rank.md")
    assert {(a, b) for a, b, _ in cited(BOOK[0], second)} == {("rank", "span")}


@pytest.mark.parametrize(
    "text",
    [
        "We return to this in Section 2.1.",
        "This is the topic of the lesson on rank.",
        "See Theorem 9.9 and Lesson 7.",
    ],
)
def test_previews_and_unknown_numbers_give_nothing(text: str) -> None:
    first = document(f"# Span\n\n{text}", "01-span.md")
    second = document("# Rank\n\nA rank is one.\n\n## 2.1 Dimension\n\nIt is a size.", "02-rank.md")
    assert cited(first, second) == set()


def test_the_label_of_a_statement_is_no_citation_of_it() -> None:
    again = document("# Rank\n\nTheorem 1.3. Another one.", "02-rank.md")
    assert cited(BOOK[0], again) == set()


def test_another_folder_has_numbers_of_its_own() -> None:
    other = document("# Rank\n\nIt stops, by Theorem 1.3.", "b/02-rank.md")
    assert cited(BOOK[0], other) == set()
