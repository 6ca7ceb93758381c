"""From texts to concepts: what is one, what it is called, and what people decided."""

from __future__ import annotations

import pytest

from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.concepts.candidates import shared_tail
from graphrag.concepts.generic import is_generic, is_noun_like
from graphrag.concepts.glossary import glossary_definitions
from graphrag.concepts.prerequisite_sections import stated_needs
from graphrag.concepts.select import find_concepts
from graphrag.domain import Annotation, Concept, Decision, Document, GivenConcept
from tests.concept_values import document

COURSE = """# Eigenvalues and eigenvectors

An **eigenvector** of a matrix is a vector that keeps its direction. An **eigenvalue** is the
factor. Every eigenvalue has an eigenvector. The eigenvectors of one eigenvalue span a space.

## Example

This example computes eigenvalues. The matrix has two eigenvalues. The problem is easy.

## Glossary

- linear transformation: a map that keeps sums. It is also called a linear map.
- principal component analysis (PCA): a change of basis. PCA is used often.
- matrices: tables of numbers"""


@pytest.fixture(scope="module")
def spotter() -> SpacySpotter:
    return SpacySpotter.load()


def annotations(spotter: SpacySpotter, *documents: Document) -> dict[str, Annotation]:
    return {d.id: a for d, a in zip(documents, spotter.annotate(documents), strict=True)}


def course(spotter: SpacySpotter, *decisions: Decision) -> dict[str, Concept]:
    doc = document(COURSE)
    found = find_concepts([doc], annotations(spotter, doc), decisions=decisions)
    return {concept.name: concept for concept in found}


def test_terms_glossaries_and_joint_titles_become_concepts(spotter: SpacySpotter) -> None:
    names = set(course(spotter))
    assert {"eigenvector", "eigenvalue", "linear transformation", "matrix"} <= names


def test_generic_words_stay_out(spotter: SpacySpotter) -> None:
    assert not {"example", "problem", "glossary", "factor"} & set(course(spotter))


def test_a_name_is_shown_in_the_singular_and_in_small_letters(spotter: SpacySpotter) -> None:
    assert course(spotter)["matrix"].id == "matrix"


def test_further_names_become_aliases(spotter: SpacySpotter) -> None:
    assert "linear map" in course(spotter)["linear transformation"].aliases


def test_an_acronym_is_one_concept_with_its_name(spotter: SpacySpotter) -> None:
    found = [c for name, c in course(spotter).items() if "principal" in name or name == "PCA"]
    assert len(found) == 1
    assert "PCA" in (found[0].name, *found[0].aliases) or "(PCA)" in found[0].name


def test_a_persons_decisions_hold(spotter: SpacySpotter) -> None:
    found = course(
        spotter,
        Decision("merge", "eigenvalue", "eigenvector"),
        Decision("ignore", "linear transformation"),
        Decision("alias", "matrix", "Zahlentafel"),
    )
    assert "eigenvector" in found["eigenvalue"].aliases
    assert "eigenvector" not in found
    assert "linear transformation" not in found
    assert "Zahlentafel" in found["matrix"].aliases


def test_a_split_keeps_an_acronym_apart(spotter: SpacySpotter) -> None:
    doc = document("# Notes\n\n## Glossary\n\n- feed-forward net: a net one way\n"
                   "- feedforward net: another thing with arrows")  # fmt: skip
    both = annotations(spotter, doc)
    assert len(find_concepts([doc], both)) == 1
    split = [Decision("split", "feed-forward net", "feedforward net")]
    assert len(find_concepts([doc], both, decisions=split)) == 2


def test_a_syllabus_is_used_as_it_stands(spotter: SpacySpotter) -> None:
    doc = document(COURSE)
    given = [GivenConcept("EV", "Eigenvalue"), GivenConcept("$$", "$$"), GivenConcept("cpp", "C++")]
    found = find_concepts([doc], annotations(spotter, doc), given)
    assert [(c.id, c.name, c.given, c.weight) for c in found] == [
        ("$$", "$$", True, 1.0),
        ("EV", "Eigenvalue", True, 1.0),
        ("cpp", "C++", True, 1.0),
    ]


@pytest.mark.parametrize(
    "title",
    [
        "C++",
        "TCP/IP",
        "国際標準化",
        "λ-calculus",
        "team's kernel",
        "`print`",
        "x') DETACH DELETE n //",
    ],
)
def test_odd_titles_are_concepts(title: str) -> None:
    found = find_concepts([document(f"# {title}\n\nSome text.")], {})
    assert len(found) == 1
    assert found[0].id
    assert found[0].name.casefold().strip("`") == title.casefold().strip("`")


def test_languages_of_like_name_stay_apart() -> None:
    text = "# Languages\n\n## Glossary\n\n- C: the old one there\n- C++: the big one there"
    doc = document(text)
    found = find_concepts([doc], {"a.md": Annotation(definitions=tuple(glossary_definitions(doc)))})
    assert {c.name for c in found} >= {"C", "C++"}


def test_nothing_comes_of_nothing() -> None:
    assert find_concepts([], {}) == []


@pytest.mark.parametrize("name", ["example", "Key Terms", "the following case", "Step 3", "of the"])
def test_generic_names(name: str) -> None:
    assert is_generic(name)


@pytest.mark.parametrize("name", ["eigenvalue", "null space", "vector space", "unit vector", "C++"])
def test_names_that_are_not_generic(name: str) -> None:
    assert not is_generic(name)


def test_prerequisite_lists_are_read_with_their_reasons() -> None:
    doc = document(
        "# Topic\n\n## Prerequisites\n\n- linear maps: they are used\n- bases\n\n"
        "## Change of variables\n\nPrerequisites: limits, the chain rule and series\n\n"
        "## Requirements\n\nNone."
    )
    needs = [(need.topic, need.name, need.names[0]) for need in stated_needs(doc)]
    assert needs == [
        (None, "linear maps", "linear maps: they are used"),
        (None, "bases", "bases"),
        ("Change of variables", "limits", "limits"),
        ("Change of variables", "the chain rule", "the chain rule"),
        ("Change of variables", "series", "series"),
    ]


def test_front_matter_lists_prerequisites() -> None:
    doc = document(
        "# T", metadata={"prerequisites": ("limits", "series"), "requires": "sums, none"}
    )
    assert [need.name for need in stated_needs(doc)] == ["limits", "series", "sums"]


def test_the_plain_form_of_a_given_homonym_is_no_second_concept(spotter: SpacySpotter) -> None:
    doc = document("# Field\n\nA **field** is a region. The field is wide. A field pulls.")
    given = [GivenConcept("f", "Field (physics)"), GivenConcept("kn", "Kernel and null space")]
    assert [c.id for c in find_concepts([doc], annotations(spotter, doc), given)] == ["f", "kn"]


@pytest.mark.parametrize("name", ["4 hours", "first day", "two rows"])
def test_counted_things_are_no_concepts(name: str) -> None:
    assert is_generic(name)


@pytest.mark.parametrize("heading", ["Taking the lock away", "Runbook: server not reached"])
def test_instructions_and_labelled_headings_are_no_names(heading: str) -> None:
    assert not is_noun_like(heading)


def test_a_gerund_with_its_object_can_be_a_name() -> None:
    assert is_noun_like("Learning rate")


LINES = """# Lines

Two lines are **parallel** if they never meet. A **crossing** is a point of two lines. Each
crossing has a name. Every crossing has an angle. Lines that are parallel have no crossing.

## Operations

A row operation changes a row. Every row operation can be undone. The third row operation adds
rows. An operation is easy. The inverse of a row operation is a row operation."""


def test_a_word_set_in_bold_must_be_used_as_a_noun(spotter: SpacySpotter) -> None:
    doc = document(LINES)
    names = {c.name for c in find_concepts([doc], annotations(spotter, doc))}
    assert "crossing" in names
    assert "parallel" not in names


def test_a_heading_that_is_mostly_the_head_of_longer_names_is_no_concept(
    spotter: SpacySpotter,
) -> None:
    doc = document(LINES)
    assert "operation" not in {c.name for c in find_concepts([doc], annotations(spotter, doc))}


def test_inverse_of_a_matrix_is_the_matrix_inverse(spotter: SpacySpotter) -> None:
    docs = [
        document("# Inverse of a matrix\n\nThe inverse of a matrix undoes it.", "01-a.md"),
        document("# Matrix inverse\n\nThe **matrix inverse** is a matrix.", "02-b.md"),
    ]
    found = find_concepts(docs, annotations(spotter, *docs))
    assert [c.name for c in found if "inverse" in c.name] == ["matrix inverse"]


def test_what_all_titles_end_in_belongs_to_no_name(spotter: SpacySpotter) -> None:
    subjects = ("Clickjacking", "Authorization", "Password storage", "Logging", "Session")
    docs = [document(f"# {s} Cheat Sheet\n\nAbout {s}.", f"{s}.md") for s in subjects]
    names = {c.name.casefold() for c in find_concepts(docs, annotations(spotter, *docs))}
    assert names == {s.casefold() for s in subjects}


def test_a_few_titles_may_end_alike() -> None:
    assert shared_tail(["Row rank", "Column rank", "Full rank"]) == ""


def names_of(spotter: SpacySpotter, text: str) -> set[str]:
    doc = document(text)
    return {c.name for c in find_concepts([doc], annotations(spotter, doc))}


def test_the_forms_of_a_name_are_one_concept(spotter: SpacySpotter) -> None:
    doc = document(
        "# Lists\n\nA list is **linearly independent** when no vector is redundant. We say that "
        "**linear independence** holds. A linearly independent list has no zero. Linear "
        "independence is easy to test."
    )
    concepts = find_concepts([doc], annotations(spotter, doc))
    (found,) = [c for c in concepts if c.name.startswith("linear")]
    assert (found.name, found.aliases) == ("linear independence", ("linearly independent",))


def test_it_is_also_called_speaks_of_what_the_section_defines(spotter: SpacySpotter) -> None:
    text = """# Minors

**Cofactor expansion** is a sum over the entries of one row. Every term has a sign.

Along a row it is short. It is also known as Laplace expansion. Cofactor expansion is slow."""
    doc = document(text)
    (found,) = [c for c in find_concepts([doc], annotations(spotter, doc)) if "expansion" in c.name]
    assert found.aliases == ("Laplace expansion",)


def test_an_entry_of_a_glossary_may_have_two_names_and_be_said_once(
    spotter: SpacySpotter,
) -> None:
    text = """# Glossary

## Terms

**Flush, seal flush**: Clean water that is led into the chamber of a seal.

**Wear pin**: A contact that closes when a blade is worn."""
    doc = document(text)
    found = find_concepts([doc], annotations(spotter, doc))
    assert [(c.name.casefold(), c.aliases) for c in found] == [
        ("seal flush", ("Flush",)),
        ("wear pin", ()),
    ]


def test_a_list_of_advice_is_no_glossary(spotter: SpacySpotter) -> None:
    text = """# Review

- **Coverage gaps**: Look for code that no test runs.
- **Stale keys**: Rotate all of them every month."""
    assert names_of(spotter, text) == set()


def test_a_term_set_off_behind_an_article_need_be_said_only_once(spotter: SpacySpotter) -> None:
    text = """# Norms

The **triangle inequality** says that a detour is never shorter. **Look out**: signs matter."""
    assert names_of(spotter, text) == {"Norms", "triangle inequality"}


def test_what_a_chapter_tells_is_no_name(spotter: SpacySpotter) -> None:
    text = "# Greasing\n\nGreasing takes time.\n\n## Rules for greasing\n\nUse little."
    assert "rule for greasing" not in {n.casefold() for n in names_of(spotter, text)}


def test_a_table_of_acronyms_spells_them_out(spotter: SpacySpotter) -> None:
    text = """# Glossary

| Acronym | Stands for |
|---|---|
| NPSH | net positive suction head |
| LOTO | lockout and tagout |"""
    doc = document(text)
    found = {c.name: c.aliases for c in find_concepts([doc], annotations(spotter, doc))}
    assert found["net positive suction head"] == ("NPSH",)
    assert found["LOTO"] == ()  # other letters


def test_two_forms_that_a_syllabus_lists_stay_two_concepts() -> None:
    given = [GivenConcept("a", "linear independence"), GivenConcept("b", "linearly independent")]
    found = find_concepts([document("# Lists\n\nNothing.")], {}, given)
    assert [(c.id, c.aliases) for c in found] == [("a", ()), ("b", ())]


def test_the_calls_of_one_function_are_one_concept_and_options_are_none() -> None:
    doc = document(
        "# Glossary\n\n- plot(x, y): draws a scatter plot.\n- plot(object): draws any object.\n"
        "- -U username: the user to connect as.\n- margin: the space around a plot.\n"
    )
    definitions = tuple(glossary_definitions(doc))
    found = find_concepts([doc], {doc.id: Annotation(definitions=definitions)})
    assert [concept.name for concept in found] == ["margin", "plot"]


NOTES = """# Notes

Osmosis is the diffusion of water across a membrane. A genotype is the set of alleles of
an organism. The market equilibrium is the price at which supply equals demand. Marginal
revenue (MR) is the revenue from one more unit. The vault is a room in the main building.
The treaty was a surprise of the year. The Treaty of Versailles was the peace treaty with
Germany. A useful special case is the product of two vectors. Frontend - A frontend is a
part of a system that people see.
"""


def test_one_sentence_that_says_what_it_is_makes_a_concept(spotter: SpacySpotter) -> None:
    doc = document(NOTES)
    found = {concept.name.casefold() for concept in find_concepts([doc], annotations(spotter, doc))}
    told = {"osmosis", "genotype", "market equilibrium", "marginal revenue"}
    assert {*told, "treaty of versailles"} <= found
    wrong = {"vault", "treaty", "useful special case", "frontend - a frontend", "none"}
    assert not wrong & found


def test_names_that_examples_give_are_no_concepts(spotter: SpacySpotter) -> None:
    doc = document(
        "# Joins\n\nA **join** ties two tables. Every join has a **table_name**. Write the "
        "table_name first. The table_name is a word. A join of a table_name is short."
    )
    names = {c.name for c in find_concepts([doc], annotations(spotter, doc))}
    assert "join" in names
    assert "table_name" not in names


def test_what_is_spelt_with_an_underscore_is_a_concept_under_a_heading(
    spotter: SpacySpotter,
) -> None:
    doc = document("# Flask\n\n## url_for\n\nThe url_for helper builds links. Use url_for often.")
    assert "url_for" in {c.name for c in find_concepts([doc], annotations(spotter, doc))}


@pytest.mark.parametrize("title", ["Table basics", "WAL Internals", "Advanced Features"])
def test_what_kind_of_chapter_it_is_names_no_concept(title: str) -> None:
    assert find_concepts([document(f"# {title}\n\nSome text.")], {}) == []
