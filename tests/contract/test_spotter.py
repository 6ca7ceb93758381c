"""The spotter's contract, on the real pipeline in this process and in one of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from graphrag.adapters.spacy_process import ProcessSpotter
from graphrag.adapters.spacy_spotter import SpacySpotter, cue_order
from graphrag.domain import Annotation, Cue, Document, Span
from graphrag.ports import Spotter
from tests.concept_values import document


@pytest.fixture(scope="module", params=["here", "beside"])
def spotter(request: pytest.FixtureRequest) -> Iterator[Spotter]:
    if request.param == "here":
        yield SpacySpotter.load()
    else:
        beside = ProcessSpotter()
        yield beside
        beside.close()


def annotate(spotter: Spotter, text: str) -> tuple[Document, Annotation]:
    doc = document(text)
    (annotation,) = spotter.annotate([doc])
    return doc, annotation


def cues(spotter: Spotter, sentence: str) -> set[tuple[str, str, str, bool]]:
    doc, annotation = annotate(spotter, f"# Lesson topic\n\n{sentence}")

    def text(span: Span) -> str:
        return doc.text[span.start : span.stop]

    return {(c.kind, text(c.subject), text(c.object), c.negated) for c in annotation.cues}


def definitions(spotter: Spotter, text: str) -> set[tuple[str, str]]:
    doc, annotation = annotate(spotter, text)
    return {(d.form, doc.text[d.term.start : d.term.stop]) for d in annotation.definitions}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Gaussian elimination requires row operations.",
         ("requires", "Gaussian elimination", "row operations", False)),
        ("Row operations are required for Gaussian elimination.",
         ("requires", "Gaussian elimination", "Row operations", False)),
        ("Linear regression does not require calculus.",
         ("requires", "Linear regression", "calculus", True)),
        ("The chain rule requires no topology.", ("requires", "chain rule", "topology", True)),
        ("Before reading about determinants, you should know matrices.",
         ("requires", "Lesson topic", "matrices", False)),
        ("The determinant depends on the matrix.", ("requires", "determinant", "matrix", False)),
        ("Calculus is a prerequisite for mechanics.", ("requires", "mechanics", "Calculus", False)),
        ("Algebra is necessary for calculus.", ("requires", "calculus", "Algebra", False)),
        ("Understanding eigenvalues requires a good knowledge of determinants.",
         ("requires", "eigenvalues", "determinants", False)),
        ("To understand eigenvalues, you need determinants.",
         ("requires", "eigenvalues", "determinants", False)),
        ("Recall that a vector space is closed under addition.",
         ("requires", "Lesson topic", "vector space", False)),
        ("This chapter assumes familiarity with matrices.",
         ("requires", "Lesson topic", "matrices", False)),
        ("The power method uses matrix multiplication.",
         ("uses", "power method", "matrix multiplication", False)),
        ("Row reduction is used for computing inverses.",
         ("used_for", "Row reduction", "inverses", False)),
        ("A pivot column is part of the matrix.", ("part_of", "pivot column", "matrix", False)),
        ("A square is a special case of a rectangle.", ("kind_of", "square", "rectangle", False)),
        ("Speed differs from velocity.", ("contrasts", "Speed", "velocity", False)),
        ("In contrast to velocity, speed has no direction.",
         ("contrasts", "speed", "velocity", False)),
        ("Newton's method starts with a guess and depends on differentiation.",
         ("requires", "Newton's method", "differentiation", False)),
        ("The quadratic formula is derived from completing squares.",
         ("derived_from", "quadratic formula", "squares", False)),
    ],
)  # fmt: skip
def test_cues_have_a_direction_and_a_sign(
    spotter: Spotter, sentence: str, expected: tuple[str, str, str, bool]
) -> None:
    assert expected in cues(spotter, sentence)


def test_a_purpose_is_no_advice(spotter: Spotter) -> None:
    found = cues(spotter, "To understand translation you need to understand transcription.")
    assert "translation" not in {c[2] for c in found}


def test_examples_of_a_thing_make_it_no_kind_of_them(spotter: Spotter) -> None:
    found = cues(spotter, "Examples of namespaces are the sets of built-in names.")
    assert "kind_of" not in {c[0] for c in found}


def test_what_is_needed_is_every_part_of_an_enumeration(spotter: Spotter) -> None:
    found = cues(spotter, "Integration requires limits and continuity.")
    assert {c[2] for c in found if c[0] == "requires"} == {"limits", "continuity"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n\nA basis is a set of independent vectors.", ("copula", "basis")),
        ("# T\n\nEntropy refers to the disorder of a system.", ("copula", "Entropy")),
        ("# T\n\nThe League of Nations was a union of states.", ("copula", "League of Nations")),
        ("# T\n\nSuch a number is called an eigenvalue.", ("called", "eigenvalue")),
        ("# T\n\nWe speak of a **pivot** in this row here.", ("bold", "pivot")),
        ("# T\n\n## Glossary\n\n- basis: a set of independent vectors", ("glossary", "basis")),
        ("# T\n\n- **rank**: the number of pivot columns", ("glossary", "rank")),
        ("# T\n\n| Term | Meaning |\n|---|---|\n| span | all linear combinations |",
         ("glossary", "span")),
        ("# T\n\n## Span\n\nThe span holds all linear combinations.", ("heading", "Span")),
    ],
)  # fmt: skip
def test_definitions_are_found_in_every_form(
    spotter: Spotter, text: str, expected: tuple[str, str]
) -> None:
    assert expected in definitions(spotter, text)


@pytest.mark.parametrize(
    "sentence", ["It is a set of vectors.", "This is called progress by some.", "He is a man."]
)
def test_pronouns_are_not_defined(spotter: Spotter, sentence: str) -> None:
    assert not {term for _, term in definitions(spotter, f"# T\n\n{sentence}")} & {
        "It",
        "This",
        "He",
    }


def test_code_and_formulas_are_not_prose(spotter: Spotter) -> None:
    doc, annotation = annotate(spotter, "# T\n\n    x requires y\n\nThe sum $a_{b}$ requires care.")
    texts = [doc.text[s.start : s.stop] for s in annotation.sentences]
    assert texts == ["The sum $a_{b}$ requires care."]


def test_spans_lie_on_the_words_behind_a_formula(spotter: Spotter) -> None:
    doc, annotation = annotate(
        spotter, "# T\n\nFor $\\lambda_{max}$, power iteration requires matrix products."
    )
    (cue,) = [c for c in annotation.cues if c.kind == "requires"]
    assert doc.text[cue.object.start : cue.object.stop] == "matrix products"


def test_every_document_has_its_annotation_in_order(spotter: Spotter) -> None:
    documents = [
        document("# One\n\nA dog is an animal.", "1"),
        document("# Empty", "2"),
        document("# Two\n\nA cat is an animal.", "3"),
    ]
    found = list(spotter.annotate(documents))
    assert [len(a.sentences) for a in found] == [1, 0, 1]


def test_annotating_is_deterministic_and_independent_of_company(spotter: Spotter) -> None:
    one = document("# One\n\nA basis requires vectors. Entropy is a measure of disorder.", "1")
    other = document("# Two\n\nHeat is a form of energy.", "2")
    (alone,) = spotter.annotate([one])
    together = list(spotter.annotate([other, one]))
    assert together[1] == alone


@pytest.mark.parametrize(
    "text",
    ["# 国際\n\n国際標準化は重要です。", "# X\n\n\ud800 is a thing.", "# Y\n\n" + "a" * 5000],
)
def test_odd_texts_do_no_harm(spotter: Spotter, text: str) -> None:
    _, annotation = annotate(spotter, text)
    assert len(annotation.sentences) == 1


def test_the_fingerprint_is_stable(spotter: Spotter) -> None:
    assert spotter.fingerprint == SpacySpotter.load().fingerprint


def test_places_that_tie_come_in_one_order() -> None:
    cues = [
        Cue("requires", Span(0, 3), Span(9, stop), Span(0, 20), negated)
        for stop in (12, 14, 17)
        for negated in (False, True)
    ]
    expected = [(12, False), (12, True), (14, False), (14, True), (17, False), (17, True)]
    for seed in range(5):
        mixed = random.Random(seed).sample(cues, len(cues))
        found = sorted(mixed, key=cue_order)
        assert [(cue.object.stop, cue.negated) for cue in found] == expected
