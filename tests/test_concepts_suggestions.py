"""What a syllabus lacks, by the documents."""

from __future__ import annotations

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.select import find_concepts
from graphrag.concepts.suggestions import Suggestion, missing_concepts
from graphrag.domain import Annotation, Concept, ConceptGraph, Decision, GivenConcept
from graphrag.tutoring.decisions import read_decisions, write_decision
from graphrag.tutoring.review import review
from tests.concept_values import document

LESSON = document(
    "# Systems\n\nA pivot is the first entry of a row. Each row has a pivot. A row without a "
    "pivot is zero.\n\n## Glossary\n\n- free variable: a variable without a pivot in its column\n"
    "- pivot: the first entry that is not zero"
)
SYLLABUS = [GivenConcept("free", "free variable")]


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def annotated(spotter: SpacySpotter) -> dict[str, Annotation]:
    return dict(zip(["a.md"], spotter.annotate([LESSON]), strict=True))


def suggested(spotter: SpacySpotter, *present: Concept) -> list[Suggestion]:
    return missing_concepts([LESSON], annotated(spotter), present)


def test_a_concept_that_the_syllabus_lacks_is_suggested_with_its_sentence(
    spotter: SpacySpotter,
) -> None:
    (pivot,) = suggested(spotter, Concept("free", "free variable", given=True))
    assert pivot.concept.name == "pivot"
    assert pivot.mentions == 5  # three in the paragraph, two in the glossary
    assert pivot.evidence[0].document_id == "a.md"
    assert "pivot" in pivot.evidence[0].sentence


def test_other_spellings_of_what_is_there_are_not_suggested(spotter: SpacySpotter) -> None:
    free = Concept("free", "free variable", given=True)
    assert suggested(spotter, free, Concept("lead", "leading entry", ("Pivots",))) == []


def test_without_a_syllabus_nothing_is_suggested(spotter: SpacySpotter) -> None:
    assert suggested(spotter, Concept("vector", "vector")) == []


def test_review_asks_for_it_and_the_answer_holds(spotter: SpacySpotter) -> None:
    free = Concept("free", "free variable", given=True)
    missing = suggested(spotter, free)
    (item,) = review(ConceptGraph(concepts=(free,)), (), missing)
    assert item.kind == "missing concept"
    assert [write_decision(choice) for choice in item.choices] == ["include pivot", "ignore pivot"]
    taken = ConceptGraph(concepts=(free, Concept("pivot", "pivot")))
    assert review(taken, read_decisions("include pivot"), missing) == []
    left = ConceptGraph(concepts=(free,))
    kinds = {item.kind for item in review(left, read_decisions("ignore pivot"), missing)}
    assert "missing concept" not in kinds


def test_what_a_person_includes_is_a_concept_beside_the_syllabus(spotter: SpacySpotter) -> None:
    annotations = annotated(spotter)
    before = find_concepts([LESSON], annotations, SYLLABUS)
    after = find_concepts([LESSON], annotations, SYLLABUS, [Decision("include", "pivot")])
    assert [c.name for c in before] == ["free variable"]
    assert sorted(c.name for c in after) == ["free variable", "pivot"]
