"""The graph gives tutoring and relationship questions their lines; retrieval gives the rest."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.answer import AnswerOptions
from graphrag.answering.learning_examples import EXAMPLES
from graphrag.asking import Asker, Sources
from graphrag.domain import (
    Answer,
    Concept,
    ConceptGraph,
    Evidence,
    Prerequisite,
    Refusal,
    Relation,
    Retrieval,
)
from graphrag.lessons import MOST_STEPS
from graphrag.tutor import Prose, Tutor
from tests.answering_values import passage

TEXTS = {
    "vector": "A vector is an ordered list of numbers.",
    "span": "A span is the set of all linear combinations.",
    "basis": "A basis is a list that spans and is independent.",
    "rank": "The rank is the dimension of the column space.",
}
PASSAGES = {f"notes.md#{n}": passage(text, ordinal=n) for n, text in enumerate(TEXTS.values())}


def edge(concept: str, prerequisite: str) -> Prerequisite:
    return Prerequisite(concept, prerequisite, 0.97, "certain")


GRAPH = ConceptGraph(
    concepts=tuple(Concept(name, name, definition=f"notes.md#{n}") for n, name in enumerate(TEXTS)),
    prerequisites=(edge("basis", "span"), edge("rank", "basis"), edge("span", "vector")),
    relations=(Relation("rank", "contrasts", "vector", 0.9, chunk_id="notes.md#3"),),
)


TOGETHER = passage("The rank counts the vectors that are independent.", ordinal=4)


def asker(graph: ConceptGraph = GRAPH, writer: object | None = None, found=()) -> Asker:
    def passages(ids):
        return [PASSAGES[key] for key in ids if key in PASSAGES]

    def retrieve(question: str) -> Retrieval:
        return Retrieval(question, (*PASSAGES.values(), *found), {})

    tutor = Tutor(graph, Prose(passages, lambda key: []))
    sources = Sources(
        tutor,
        retrieve,
        passages,
        writer or ExtractiveWriter(),  # type: ignore[arg-type]
        None,
        AnswerOptions(),
    )
    return Asker(sources, lambda known: tutor.knowledge(known, None, now=0.0), 0.0)


def test_foundations_come_before_what_rests_on_them():
    reply = asker().ask("What do I need to know before the rank?")
    assert isinstance(reply, Answer)
    assert reply.route == "prerequisite"
    places = [reply.text.index(f"**{name}**") for name in ("vector", "span", "basis", "rank")]
    assert places == sorted(places)
    assert [citation.supported for citation in reply.citations] == [True] * len(reply.citations)


def test_what_the_asker_knows_is_left_out():
    reply = asker().ask("I know span. What do I need to know before the rank?")
    assert "**vector**" not in reply.text
    assert "**basis**" in reply.text


@pytest.mark.parametrize(
    "question, line",
    [
        ("Do I need span before rank?", "Yes: **rank** builds on **span**."),
        ("Do I need rank before span?", "No, the other way round: **rank** builds on **span**."),
    ],
)
def test_whether_one_is_needed_for_the_other_is_said_first(question, line):
    assert asker().ask(question).text.startswith(line)


def test_a_concept_without_prerequisites_says_so():
    text = asker().ask("What do I need to know before vectors?").text
    assert "These documents name nothing that has to be known before **vector**." in text


def test_what_is_next_rests_on_what_is_known():
    reply = asker().ask("I know vectors. What can I learn next?")
    assert reply.route == "next"
    assert "**span**: builds on vector; unlocks basis." in reply.text


def test_what_builds_on_the_named_comes_first_with_what_else_it_needs():
    graph = ConceptGraph(
        concepts=tuple(Concept(name, name) for name in ("rank", "basis", "span", "norm", "set")),
        prerequisites=(edge("rank", "basis"), edge("rank", "span"), edge("norm", "set")),
    )
    text = asker(graph).ask("I know basis and set. What can I learn next?").text
    lines = [line for line in text.split("\n") if line[:1].isdigit()]
    assert lines == [
        "1. **norm**: builds on set.",
        "2. **rank**: builds on basis; also needs span.",
        "3. **span**: unlocks rank.",
    ]


def test_two_related_concepts_come_with_what_is_said_of_both_together():
    text = asker(found=[TOGETHER]).ask("How are rank and vector related?").text
    assert f"Of rank and vector together:\n{TOGETHER.chunk.text} [" in text


def test_nothing_is_said_of_two_together_where_no_sentence_names_both():
    assert "together" not in asker().ask("How are rank and vector related?").text


def test_a_path_that_no_sentence_shows_is_no_explanation():
    unlinked = replace(GRAPH, relations=())
    text = asker(unlinked, found=[TOGETHER]).ask("How are rank and vector related?").text
    assert "Of rank and vector together:" in text
    assert "requires" not in text


def test_a_theme_is_told_by_its_central_concept_and_links_by_sentences():
    names = ("rank", "basis", "span", "norm", "angle", "length")
    sentence = "The norm of a span is nothing."
    graph = ConceptGraph(
        concepts=tuple(Concept(name, name) for name in names),
        prerequisites=(
            edge("rank", "basis"),
            edge("rank", "span"),
            edge("basis", "span"),
            edge("norm", "angle"),
            edge("norm", "length"),
            edge("angle", "length"),
        ),
        relations=(
            Relation("norm", "uses", "span", 0.5, sentence, "notes.md", "notes.md#1"),
            Relation("rank", "co_occurs", "angle", 0.3),
        ),
    )
    lines = asker(graph).ask("What are the main themes, and how do they hang together?").text
    assert "1. **angle**, with length and norm." in lines
    assert "2. **basis**, with rank and span." in lines
    assert "How they hang together:" in lines
    assert "**norm** uses **span**" in lines
    assert "treated together" not in lines


def test_the_order_of_a_product_is_no_question_of_learning():
    asked = "Does it matter in which order a vector and a span are multiplied?"
    assert asker().ask(asked).route == "lookup"
    assert asker().ask("In which order should I learn span and rank?").route == "prerequisite"


def test_two_concepts_are_related_by_the_steps_of_a_path():
    reply = asker().ask("How are rank and vector related?")
    assert reply.route == "relationship"
    assert "**rank** contrasts with **vector**" in reply.text


def test_a_concept_qualified_by_a_word_that_no_document_has_is_not_related():
    words = ("linear", "algebra", "row")
    plain = asker()
    options = replace(plain.sources.options, occurs=lambda word: word in words)
    heard = replace(plain, sources=replace(plain.sources, options=options))
    assert heard.ask("How are row rank and vector related?").text.startswith("**rank**")
    assert not heard.ask("How are Krull rank and vector related?").text.startswith("**rank**")


def test_a_long_path_shows_what_is_needed_most_and_names_the_rest():
    names = [f"idea {letter}" for letter in "abcdefghijklmno"]
    chain = ConceptGraph(
        concepts=tuple(Concept(name, name) for name in names),
        prerequisites=tuple(edge(b, a) for a, b in pairwise(names)),
    )
    text = asker(chain).ask("What do I need before idea o?").text
    assert f"{MOST_STEPS}. **idea o**: the goal." in text
    assert f"{MOST_STEPS + 1}." not in text
    assert "from the foundations up: idea a, idea b" in text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        (
            "I know vectors. Am I ready for rank?",
            "Not yet: for **rank** you still need **basis**, and 1 that these rest on.",
        ),
        ("I know basis. Am I ready for rank?", "Yes: **rank** needs **basis**, all known."),
        (
            "Am I ready for rank?",
            "Not as far as is known here: **rank** needs **basis**, and 2 that these rest on; "
            "nothing is noted as known.",
        ),
        (
            "Am I ready for vectors?",
            "Yes: these documents name nothing that has to be known before **vector**.",
        ),
        ("Can I learn rank without span?", "No: **rank** builds on **span**."),
        ("Can I learn span without rank?", "Yes: it is **rank** that builds on **span**."),
        ("Is span needed for rank?", "Yes: **rank** builds on **span**."),
        ("Why do I need span for rank?", "**rank** builds on **span**."),
        ("Can I skip rank and still learn span?", "Yes: it is **rank** that builds on **span**."),
        (
            "Do I have to know rank to understand span?",
            "No, the other way round: **rank** builds on **span**.",
        ),
        (
            "Should I learn rank, basis or span first?",
            "First **span**, then **basis**, then **rank**.",
        ),
        ("Which is more basic, rank or span?", "First **span**, then **rank**."),
    ],
)
def test_a_learner_hears_yes_or_no_first(question, verdict):
    assert asker().ask(question).text.split("\n")[0] == verdict


def test_why_one_concept_needs_another_is_told_step_by_step():
    text = asker().ask("Why do I need span for rank?").text
    assert text.index("- **rank** needs **basis**") < text.index("- **basis** needs **span**")


def test_the_order_of_learning_is_told_with_what_each_needs():
    text = asker().ask("In which order should I learn rank, span and basis?").text
    assert text.index("- **basis** needs **span**") < text.index("- **rank** needs **basis**")
    apart = asker().ask("In which order should I learn rank and span?").text
    assert apart == "First **span**, then **rank**."


def test_a_learner_is_asked_a_question_of_the_documents():
    exercise = passage("1. Is the span of one vector a line?", ordinal=4, heading=("Exercises",))
    given = {**PASSAGES, exercise.chunk.id: exercise}
    tutor = Tutor(
        GRAPH,
        Prose(lambda ids: [given[key] for key in ids], lambda key: [exercise.chunk.id]),
    )
    found = asker()
    object.__setattr__(found.sources, "tutor", tutor)
    assert found.ask("Test me on the span.").text == (
        "On **span**: Is the span of one vector a line?"
    )


def test_what_depends_on_a_concept_names_nothing_else():
    reply = asker().ask("What depends on span?")
    assert [line for line in reply.text.split("\n") if line[:1].isdigit()] == [
        "1. **basis**: builds on span."
    ]
    assert asker().ask("What depends on rank?").passages  # nothing does: it is looked up


def test_starting_a_thing_of_which_no_document_states_a_need_is_looked_up():
    stated = Prerequisite("rank", "basis", 0.9, "certain", (Evidence("section", 1.0, "basis"),))
    graph = ConceptGraph(GRAPH.concepts, prerequisites=(stated,))
    assert asker(graph).ask("Can I start rank?").text.startswith("Not as far as is known here")
    assert not asker().ask("Can I start rank?").text.startswith("Not")


def test_what_surely_builds_on_the_known_precedes_what_hardly_does_but_lacks_nothing():
    graph = ConceptGraph(
        concepts=tuple(Concept(name, name) for name in ("rank", "basis", "span", "norm")),
        # 0.95 less 0.05 for the need of a span is still more than 0.6.
        prerequisites=(
            replace(edge("rank", "basis"), weight=0.95),
            replace(edge("rank", "span"), weight=0.95),
            replace(edge("norm", "basis"), weight=0.6),
        ),
    )
    text = asker(graph).ask("I know basis. What can I learn next?").text
    lines = [line for line in text.split("\n") if line[:1].isdigit()]
    assert lines[:2] == [
        "1. **rank**: builds on basis; also needs span.",
        "2. **norm**: builds on basis.",
    ]


def test_where_to_begin_is_answered_where_the_documents_teach_that_subject():
    begin = replace(asker().sources.options, occurs=lambda word: word == "algebra")
    teaching = replace(asker(), sources=replace(asker().sources, options=begin))
    assert isinstance(teaching.ask("Where should I begin to learn algebra?"), Answer)
    assert isinstance(teaching.ask("Where should I begin to learn Spanish?"), Refusal)


def test_of_a_comparison_with_what_no_document_knows_the_known_thing_is_told():
    plain = asker()
    known = frozenset({"rank", "vector", "basi"})
    options = replace(plain.sources.options, occurs=lambda word: word in known)
    reply = Asker(replace(plain.sources, options=options), plain.knowledge, 0.0).ask(
        "What is the difference between the rank and the torsion?"
    )
    assert isinstance(reply, Answer)
    assert reply.question == "What is the difference between the rank and the torsion?"
    assert reply.text.startswith("No document mentions “torsion”")
    assert "The rank is the dimension of the column space." in reply.text
    assert reply.warnings


def test_a_concept_without_an_exercise_is_to_be_told_in_own_words():
    reply = asker().ask("Test me on the basis.")
    assert isinstance(reply, Answer)
    assert reply.text.startswith("The documents have no exercise on **basis**.")
    assert TEXTS["basis"] in reply.text


def all_ask_for_a_path(texts):
    """Examples mean their kinds, and all else asks for the way to a concept."""
    kinds = {text: kind for kind, group in EXAMPLES.items() for text in group}
    axes = dict(zip(EXAMPLES, np.eye(len(EXAMPLES), dtype=np.float32), strict=True))
    return np.stack([axes[kinds.get(text, "path")] for text in texts])


def test_a_question_about_learning_in_free_words_is_known_by_its_meaning():
    question = "The rank leaves me cold, and I want it not to."
    plain = asker()
    assert plain.ask(question).route == "lookup"
    meant = replace(plain, sources=replace(plain.sources, embed=all_ask_for_a_path))
    reply = meant.ask(question)
    assert reply.route == "prerequisite"
    assert "**basis**" in reply.text


def test_what_no_document_knows_is_no_concept_by_its_last_word():
    plain = asker()
    options = replace(plain.sources.options, occurs=lambda word: word != "fourier")
    meant = replace(
        plain, sources=replace(plain.sources, embed=all_ask_for_a_path, options=options)
    )
    assert meant.ask("I never get the Fourier rank.").route == "lookup"
    assert meant.ask("I never get the column rank.").route == "prerequisite"
