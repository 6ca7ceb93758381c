"""Terms that are known by how a corpus uses them."""

from graphrag.concepts.recurring import Usage


def usage(**counts: int) -> Usage:
    """Counts by phrase, blanks written as underscores."""
    found = Usage()
    for phrase, count in counts.items():
        for _ in range(count):
            found.count(phrase.replace("_", " "))
    return found


def test_a_phrase_that_recurs_with_a_noun_in_front_is_a_term() -> None:
    assert usage(function_call=3, function=1).recurring() == ["function call"]


def test_a_phrase_that_is_said_twice_is_a_term_of_short_notes_and_none_of_a_course() -> None:
    # A course has some 3,500 phrases, and asks for three.
    assert usage(function_call=2, function=1).recurring() == ["function call"]
    assert usage(function_call=2, function=3_500).recurring() == []


def test_an_adjective_that_mostly_goes_on_with_one_noun_makes_a_term() -> None:
    # "derived" stands before "class" in 3 of 3 phrases, "new" before "list" in 3 of 18.
    said = usage(derived_class=3, new_list=3, **{f"new_x{i}": 1 for i in range(15)})
    assert said.recurring() == ["derived class"]


def test_a_long_phrase_is_no_term() -> None:
    assert usage(a_b_c_d=9, a=1, b=1, c=1).recurring() == []


BUILT = {"function": 5, "call": 1, "object": 1, "name": 1, "generator": 1, "lambda": 1}
KINDS = {"generator_function": 1, "lambda_function": 1}
BEFORE = {"function_call": 1, "function_object": 1, "function_name": 1}


def test_a_noun_that_says_kinds_and_comes_in_kinds_is_built_upon() -> None:
    assert usage(**BUILT, **KINDS, **BEFORE).built_upon(["defining function"]) == ["function"]


def test_a_noun_of_no_heading_is_not_built_upon() -> None:
    assert usage(**BUILT, **KINDS, **BEFORE).built_upon(["introduction"]) == []


def test_a_noun_before_two_others_only_is_not_built_upon() -> None:
    few = {"function_call": 1, "function_object": 1}
    assert usage(**BUILT, **KINDS, **few).built_upon(["function"]) == []


def test_a_word_that_only_qualifies_is_not_built_upon() -> None:
    assert usage(**BUILT, **BEFORE).built_upon(["function"]) == []


def test_a_noun_that_mostly_stands_alone_is_not_built_upon() -> None:
    # It says a kind 3 times and stands alone 45 times: in 3 of 48 uses.
    assert usage(**{**BUILT, "function": 45}, **KINDS, **BEFORE).built_upon(["function"]) == []


def test_more_is_asked_of_a_long_corpus() -> None:
    # 4 times 3,500 phrases: twice as often.
    long = usage(function_call=5, function_name=6, function=1, other=4 * 3_500 - 12)
    assert long.recurring() == ["function name"]
