"""Questions in many wordings, and the way that each is answered."""

from __future__ import annotations

import pytest

from graphrag.answering.route import route
from tests.answering_values import linked

PREREQUISITE = [
    ("What do I need before eigenvalue?", ["eigenvalue"]),
    ("What do I need for eigenvalue?", ["eigenvalue"]),
    ("What do I need to know before eigenvalue?", ["eigenvalue"]),
    ("What do I need to understand eigenvalue?", ["eigenvalue"]),
    ("prerequisites of determinant", ["determinant"]),
    ("What are the prerequisites for determinant?", ["determinant"]),
    ("Which prerequisites does determinant have?", ["determinant"]),
    ("determinant prereqs", ["determinant"]),
    ("How do I get to singular value?", ["singular value"]),
    ("How can I get to singular value?", ["singular value"]),
    ("What should I learn before basis?", ["basis"]),
    ("What should I study first to understand basis?", ["basis"]),
    ("What must I know before I can learn basis?", ["basis"]),
    ("Before I study basis, what should I read?", ["basis"]),
    ("Before learning basis, which ideas come first?", ["basis"]),
    ("What concepts does rank depend on?", ["rank"]),
    ("What does rank build on?", ["rank"]),
    ("Which topics are needed for rank?", ["rank"]),
    ("Which concepts are required for rank?", ["rank"]),
    ("What comes before rank?", ["rank"]),
    ("Give me a learning path to projection", ["projection"]),
    ("Show the road map to projection", ["projection"]),
    ("What background do I need for projection?", ["projection"]),
    ("What prior knowledge does projection assume?", ["projection"]),
    ("Am I ready for projection?", ["projection"]),
    ("What am I missing for projection?", ["projection"]),
    ("Where should I start if I want to understand projection?", ["projection"]),
    ("What leads up to projection?", ["projection"]),
    ("What does one need to learn to follow projection?", ["projection"]),
    ("I want to understand trace. Where do I begin?", ["trace"]),
    ("I would like to learn trace. How should I start?", ["trace"]),
    ("I don't understand trace. What might I be missing?", ["trace"]),
    ("I got the question on trace wrong. What should I review?", ["trace"]),
    ("What is the shortest way to trace?", ["trace"]),
]


@pytest.mark.parametrize(("question", "names"), PREREQUISITE)
def test_a_question_for_what_comes_first_is_routed_to_prerequisites(question, names):
    routed = route(question, linked(question, *names))
    assert (routed.route, routed.targets, routed.known) == ("prerequisite", tuple(names), ())


NEXT = [
    ("I know vector and matrix, what next?", ["vector", "matrix"]),
    ("I know vector and matrix. What can I learn next?", ["vector", "matrix"]),
    ("I already understand vector; what should I study next?", ["vector"]),
    ("I have mastered vector, where do I go from here?", ["vector"]),
    ("I've finished matrix. What now?", ["matrix"]),
    ("I am familiar with vector and matrix - what can I tackle next?", ["vector", "matrix"]),
    ("Having learned vector, what can I learn?", ["vector"]),
    ("Given that I know vector, which topics are next?", ["vector"]),
    ("What can I learn after vector?", ["vector"]),
    ("What comes after matrix?", ["matrix"]),
    ("What am I ready for if I know vector?", ["vector"]),
    ("What does matrix unlock?", ["matrix"]),
    ("What builds on matrix?", ["matrix"]),
    ("I just learnt matrix, suggest what to learn next", ["matrix"]),
    ("Once I understand matrix, what should I learn next?", ["matrix"]),
    ("I can compute matrix now, where do I go from here?", ["matrix"]),
    ("What becomes possible once I know the vector?", ["vector"]),
    ("With vector under my belt, what should I study next?", ["vector"]),
]


@pytest.mark.parametrize(("question", "names"), NEXT)
def test_a_question_for_what_follows_knows_what_is_known(question, names):
    routed = route(question, linked(question, *names))
    assert (routed.route, routed.targets, routed.known) == ("next", (), tuple(names))


@pytest.mark.parametrize(
    "question",
    [
        "What can I learn next?",
        "What should I study now?",
        "What's next?",
        "What next?",
        "Where should I start?",
        "Where do I begin?",
    ],
)
def test_a_bare_question_for_the_next_topic_leaves_what_is_known_to_the_learner(question):
    assert route(question, []) == route("What can I learn next?", [])
    assert route(question, []).route == "next"


RELATIONSHIP = [
    "How are rank and basis related?",
    "How is rank related to basis?",
    "What is the relationship between rank and basis?",
    "relation between rank and basis",
    "What is the difference between rank and basis?",
    "How does rank differ from basis?",
    "How do rank and basis compare?",
    "Compare rank and basis",
    "Contrast rank with basis.",
    "rank vs basis",
    "rank versus basis: what is what?",
    "How does rank relate to basis?",
    "What has rank to do with basis?",
    "What do rank and basis have in common?",
    "How is rank connected to basis?",
    "What connects rank and basis?",
    "Is rank the same as basis?",
    "What is the link between rank and basis?",
]


@pytest.mark.parametrize("question", RELATIONSHIP)
def test_a_question_about_two_concepts_together_is_a_relationship(question):
    routed = route(question, linked(question, "rank", "basis"))
    assert (routed.route, routed.targets) == ("relationship", ("rank", "basis"))


def test_the_word_that_asks_for_a_relation_is_none_of_its_ends() -> None:
    asked = "What is the relation between a row and a table?"
    routed = route(asked, linked(asked, "relation", "row", "table"))
    assert (routed.route, routed.targets) == ("relationship", ("row", "table"))
    asked = "relation between a row and a pebble"
    assert route(asked, linked(asked, "relation", "row")).route == "lookup"


@pytest.mark.parametrize(
    "question",
    [
        "What are the main themes?",
        "What are the key topics of this course?",
        "What is this course about?",
        "What do these documents cover?",
        "Give me an overview of the whole collection",
        "Summarise the documents",
        "What topics are covered?",
        "What topics are discussed in the handbook?",
        "What can I find in this handbook?",
        "What's in the corpus?",
        "Overview",
    ],
)
def test_a_question_about_the_whole_is_an_overview(question):
    assert route(question, []).route == "overview"


LOOKUP = [
    ("What is a pivot column?", ["pivot column"]),
    ("What does error E1042 mean?", []),
    ("What is the difference between E1042 and E1042-B?", []),
    ("Define eigenvalue", ["eigenvalue"]),
    ("How do I compute a determinant?", ["determinant"]),
    ("What must I check before the pump starts?", ["pump"]),
    ("Which valve must be closed before the filter is changed?", ["filter"]),
    ("How long must the motor cool before a restart?", ["motor"]),
    ("Who approved the lockout policy?", ["lockout policy"]),
    ("When is a matrix invertible?", ["matrix"]),
    ("How many pivots does the matrix have?", ["matrix"]),
    ("What are the main causes of cavitation?", ["cavitation"]),
    ("Give me an overview of cavitation", ["cavitation"]),
    ("Summarise the lockout policy", ["lockout policy"]),
    ("What happens after the emergency stop?", ["emergency stop"]),
    ("What is next to the pump?", ["pump"]),
    ("What is the next step after finding the pivots?", ["pivots"]),
    ("What do I need before quantum gravity?", []),
    ("What torque do the foundation bolts need?", ["bolts"]),
    ("Do I need a permit?", []),
    ("Should I read the gauge now?", ["gauge"]),
    ("Can I cover the belt?", ["belt"]),
    ("What is required to restart the conveyor?", ["conveyor"]),
    ("How do I reset the panel?", ["panel"]),
    ("Which seal kit do I need for a seal change on P-401?", ["seal change"]),
    ("Which tools are required for the seal change?", ["seal change"]),
    ("", []),
    ("?!", []),
]


@pytest.mark.parametrize(("question", "names"), LOOKUP)
def test_all_else_is_looked_up(question, names):
    assert route(question, linked(question, *names)).route == "lookup"


def test_known_and_goal_are_told_apart():
    question = "I know vector and matrix, what do I need before eigenvalue?"
    routed = route(question, linked(question, "vector", "matrix", "eigenvalue"))
    assert routed.route == "prerequisite"
    assert routed.targets == ("eigenvalue",)
    assert routed.known == ("vector", "matrix")


def test_a_path_from_one_concept_to_another_starts_at_what_is_known():
    question = "How do I get from vector to eigenvalue?"
    routed = route(question, linked(question, "vector", "eigenvalue"))
    assert (routed.route, routed.targets, routed.known) == (
        "prerequisite",
        ("eigenvalue",),
        ("vector",),
    )


def test_rivals_for_the_first_place_stay_in_the_order_of_the_question():
    question = "Should I learn rank or basis first?"
    routed = route(question, linked(question, "rank", "basis"))
    assert (routed.route, routed.targets) == ("prerequisite", ("rank", "basis"))


def test_the_goal_leads_when_one_concept_may_be_needed_for_another():
    question = "Do I need to know rank before basis?"
    routed = route(question, linked(question, "rank", "basis"))
    assert (routed.route, routed.targets) == ("prerequisite", ("basis", "rank"))


def test_what_the_asker_does_not_know_is_not_known():
    question = "I don't know matrix, what do I need to learn before matrix?"
    assert route(question, linked(question, "matrix")).known == ()


def test_the_longest_of_overlapping_concepts_is_meant():
    question = "What do I need before symmetric matrix?"
    found = [*linked(question, "symmetric matrix"), *linked(question, "matrix")]
    assert route(question, found).targets == ("symmetric matrix",)


def test_a_pasted_text_is_looked_up_without_being_taken_apart():
    assert route("what need learn " * 2000, []).route == "lookup"


@pytest.mark.parametrize(
    "question", ["Which topics depend on rank?", "Which lessons rely on rank?"]
)
def test_what_rests_on_a_concept_comes_after_it(question):
    assert route(question, linked(question, "rank")).route == "next"


ASKED = [
    ("Am I ready for rank?", ("rank",), "ready"),
    ("I know span. Can I already learn rank?", ("rank",), "ready"),
    ("Can I start learning about rank?", ("rank",), "ready"),
    ("Do I know enough for rank?", ("rank",), "ready"),
    ("Is it too early to study rank?", ("rank",), "ready"),
    ("Can I start rank now?", ("rank",), "start"),
    ("Can I start with rank?", ("rank",), "start"),
    ("Why do I need span for rank?", ("rank", "span"), "why"),
    ("Why is span needed for rank?", ("rank", "span"), "why"),
    ("Why does rank require span?", ("rank", "span"), "why"),
    ("Is span needed for rank?", ("rank", "span"), "compare"),
    ("Does span come before rank?", ("rank", "span"), "compare"),
    ("Does rank build on span?", ("rank", "span"), "compare"),
    ("Can I skip span and still learn rank?", ("rank", "span"), "without"),
    ("Could we leave out span for rank?", ("rank", "span"), "without"),
    ("Should I learn rank or span first?", ("rank", "span"), "order"),
    ("Which is more basic, rank or span?", ("rank", "span"), "order"),
    ("In what order should I study rank and span?", ("rank", "span"), "order"),
    ("Could I begin rank without span?", ("rank", "span"), "without"),
    ("Can rank be understood without span?", ("rank", "span"), "without"),
    ("Is it OK to learn rank before span?", ("rank", "span"), "without"),
    ("Do you have to know span to understand rank?", ("rank", "span"), "compare"),
    ("How come rank needs span?", ("rank", "span"), "why"),
    ("What is the point of learning span before rank?", ("rank", "span"), "why"),
    ("Should I tackle rank now or later?", ("rank",), "ready"),
    ("Can we move on to rank?", ("rank",), "ready"),
    ("Show me the way to rank.", ("rank",), ""),
    ("How far am I from rank?", ("rank",), ""),
    ("Is there anything I should revise before rank?", ("rank",), ""),
]


@pytest.mark.parametrize(("question", "targets", "manner"), ASKED)
def test_what_is_asked_of_a_prerequisite_is_told_apart(question, targets, manner):
    known = [name for name in ("rank", "span") if name in question]
    routed = route(question, linked(question, *known))
    assert (routed.route, routed.targets, routed.manner) == ("prerequisite", targets, manner)


@pytest.mark.parametrize(
    "question",
    [
        "What depends on rank?",
        "What uses rank?",
        "What is rank needed for?",
        "What can I do with rank later?",
        "Where is rank used later?",
        "For what is rank needed?",
        "What becomes possible once I know rank?",
        "What does rank lead to?",
        "Can I skip rank?",
    ],
)
def test_what_depends_on_a_concept_is_told_from_what_else_is_next(question):
    routed = route(question, linked(question, "rank"))
    assert (routed.route, routed.manner) == ("next", "dependents")


@pytest.mark.parametrize(
    "question",
    [
        "What depends on instrument air?",
        "What should I do next after E1046?",
        "What is the next step after the dump is restored?",
        "Can I start pump P-401?",
    ],
)
def test_what_comes_next_in_a_procedure_is_looked_up(question):
    assert route(question, []).route == "lookup"


def test_to_start_one_thing_before_another_is_no_question_of_learning():
    question = "Can I start the conveyor before the pump?"
    assert route(question, linked(question, "conveyor")).route == "lookup"


@pytest.mark.parametrize(
    "question",
    ["Test me on rank.", "Ask me a question about rank.", "Give me an exercise on rank."],
)
def test_a_question_to_check_a_concept_is_asked_for(question):
    routed = route(question, linked(question, "rank"))
    assert (routed.route, routed.targets, routed.manner) == ("lookup", ("rank",), "check")


def test_the_best_way_to_do_something_with_a_concept_is_looked_up():
    question = "What is the best way to compute the rank?"
    assert route(question, linked(question, "rank")).route == "lookup"


def test_when_one_knows_something_is_no_procedure():
    question = "How far am I from trace when I know rank?"
    routed = route(question, linked(question, "trace", "rank"))
    assert (routed.route, routed.targets, routed.known) == ("prerequisite", ("trace",), ("rank",))


@pytest.mark.parametrize(
    "question, route_of",
    [
        ("Can I learn basis without the chain rule?", "lookup"),
        ("Is the chain rule needed for basis?", "lookup"),
        ("Can I learn basis without knowing anything?", "prerequisite"),
        ("Is anything needed for basis?", "prerequisite"),
    ],
)
def test_what_is_no_concept_is_looked_up_and_not_left_out(question, route_of):
    assert route(question, linked(question, "basis")).route == route_of
