"""By which signs a name is taken for a concept, and which signs say nothing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.candidates import Candidate, Sign
from graphrag.concepts.merging import merge_spellings
from graphrag.concepts.select import Fewest, _genus_weight, _weight, find_concepts
from graphrag.domain import Annotation, Document, Link
from tests.concept_values import document


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def annotations(spotter: SpacySpotter, *documents: Document) -> dict[str, Annotation]:
    return {d.id: a for d, a in zip(documents, spotter.annotate(documents), strict=True)}


def test_a_link_that_repeats_a_heading_says_nothing_with_its_name() -> None:
    text = "# Disks\n\n## Disk quotas\n\nSee Disk quotas and Disk quotas."
    doc = document(text)
    places = [m.span() for m in re.finditer("Disk quotas", doc.text)][1:]
    linked = replace(doc, links=tuple(Link(*place, "#x") for place in places))
    assert "disk quotas" in {c.name.casefold() for c in find_concepts([doc], {})}
    assert "disk quotas" not in {c.name.casefold() for c in find_concepts([linked], {})}


def test_a_heading_of_the_genre_names_no_concept() -> None:
    text = "# Tool {}\n\n## Side effects\n\nSide effects are rare. The side effects are few."
    few = [document(text.format(n), f"{n}.md") for n in "abcd"]
    five = [*few, document(text.format("e"), "e.md")]
    assert "side effects" in {c.name.casefold() for c in find_concepts(few, {})}
    assert "side effects" not in {c.name.casefold() for c in find_concepts(five, {})}


def test_a_choice_that_is_never_used_as_a_noun_is_no_concept(spotter: SpacySpotter) -> None:
    doc = document("# Modes\n\n- **quietly** goes on.\n\n" + "It runs quietly and well. " * 20)
    signs = Counter({"bold": 2, "heading": 1})
    assert "quietly" not in {c.name for c in find_concepts([doc], annotations(spotter, doc))}
    assert _weight([Candidate("quietly", signs, said=20)]) == 0.0
    assert _weight([Candidate("quietly", signs, said=20, alone=1)]) > 0.5


def test_a_name_of_code_that_recurs_is_a_concept() -> None:
    said = "Call list.append() here. " * 3 + "Then list.append again, and list.append. "
    names = {c.name for c in find_concepts([document(f"# Lists\n\n{said} See setup.py. " * 2)], {})}
    assert "list.append" in names
    assert "setup.py" not in names


def test_a_letter_between_tex_marks_is_a_word_of_a_name(spotter: SpacySpotter) -> None:
    doc = document(r"# Tests" + "\n\n" + r"A **$t$-test** compares means. The $t$-test is old.")
    assert "t-test" in {c.name for c in find_concepts([doc], annotations(spotter, doc))}


def test_a_law_goes_by_its_formula_as_well(spotter: SpacySpotter) -> None:
    doc = document(
        "# Laws\n\nThe **force law**, $F = ma$, tells of force. The relation $E = mc^2$ is called "
        "the **mass rule**. The **house cat**, $x = 1$, sleeps. A house cat is a cat."
    )
    aliases = {c.name: c.aliases for c in find_concepts([doc], annotations(spotter, doc))}
    assert aliases["force law"] == ("F = ma",)
    assert aliases["mass rule"] == ("E = mc^2",)
    assert aliases["house cat"] == ()


def test_a_class_and_its_method_are_two() -> None:
    written = {"base class": ["base class"], "base class method": ["base class method"]}
    assert len(merge_spellings(written, {}).members()) == 2


def test_what_a_long_corpus_but_sets_off_must_be_said_more_often() -> None:
    signs: Counter[Sign] = Counter({"bold": 2})
    candidate = Candidate("kompare", signs, Counter({"kompare": 3}), said=3, alone=2)
    assert _weight([candidate], Fewest(set_off=2)) > 0.3
    assert _weight([candidate], Fewest(set_off=4)) == 0.0
    introduced = replace(candidate, introduced=1)
    assert _weight([introduced], Fewest(set_off=4)) > 0.3


def test_what_is_told_in_general_need_be_said_but_once_in_notes_and_more_often_in_a_book() -> None:
    signs: Counter[Sign] = Counter({"subject": 1})
    told = Candidate("plagal cadence", signs, Counter({"plagal cadence": 1}), said=1)
    assert _weight([told], Fewest(told=0.4)) >= 0.5
    assert _weight([told], Fewest(told=2.0)) == 0.0


def test_three_words_told_in_general_must_be_said_again() -> None:
    signs: Counter[Sign] = Counter({"subject": 1})
    once = Candidate("human body cell", signs, Counter({"human body cell": 1}), said=1)
    assert _weight([once], Fewest(told=0.4)) == 0.0
    assert _weight([replace(once, said=2)], Fewest(told=0.4)) >= 0.5


def test_what_recurs_in_notes_need_not_recur_as_often_as_in_a_book() -> None:
    signs: Counter[Sign] = Counter({"recurring": 1})
    twice = Candidate("proton gradient", signs, Counter({"proton gradient": 2}), said=2)
    assert _weight([twice], Fewest(recurring=2)) >= 0.5
    assert _weight([twice]) == 0.0


def test_a_term_that_is_called_so_need_not_be_said_again() -> None:
    called = Candidate("kinase", Counter({"called": 1}), Counter({"kinase": 1}), said=1)
    assert _weight([called]) < 0.5
    assert _weight([replace(called, introduced=1)]) >= 0.5


def test_a_noun_of_which_two_concepts_are_kinds_is_one_too() -> None:
    word = Candidate("inhibitor", written=Counter({"inhibitor": 2}), said=2, alone=1)
    assert _genus_weight([word], 2) >= 0.5
    assert _genus_weight([word], 1) == 0.0
    assert _genus_weight([replace(word, said=90)], 2) == 0.0  # hardly ever a noun by itself
