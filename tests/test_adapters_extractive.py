"""The extractive writer quotes what answers, whole and in order."""

from __future__ import annotations

from dataclasses import replace

from graphrag.adapters.extractive import ExtractiveWriter, Picking
from graphrag.ports import WriteRequest
from tests.answering_values import passage


def written(question: str, *passages, score=None, picking=None) -> str:
    writer = ExtractiveWriter(score, picking=picking)
    return "".join(writer.write(WriteRequest(question, "", passages)))


def by_words(**logits: float):
    """A cross-encoder for tests: the highest logit of the words that a text holds."""

    def score(question, texts):
        found = [[v for word, v in logits.items() if word in text] for text in texts]
        return [max(values, default=-9.0) for values in found]

    return score


SEAL = passage(
    "Changing the seal\n\nThis chapter describes how the seal is changed.\n\n"
    "Do the following:\n\n1. Close the valve.\n2. Pull the unit out.\n\n"
    "```\npump stop\n```\n\n3. Fit the new seal.\n\nHave a spare at hand.",
    document="seal.md",
)


def test_the_steps_of_a_procedure_come_whole_with_their_commands():
    text = written("How do I change the seal?", SEAL, score=by_words(Pull=6.0, spare=-3.0))
    assert text == (
        "Do the following:\n1. Close the valve. [1]\n2. Pull the unit out. [1]\n\n"
        "```\npump stop\n```\n[1]\n\n3. Fit the new seal. [1]"
    )


def test_an_announcement_or_a_question_is_no_answer():
    exercise = passage("What is a seal? A seal keeps water in.", document="x.md")
    score = by_words(keeps=5.0, chapter=5.0, What=5.0)
    text = written("What is a seal?", SEAL, exercise, score=score, picking=Picking(most=1))
    assert text == "A seal keeps water in. [2]"


def test_a_row_comes_with_its_header():
    table = passage(
        "| Code | Stop |\n|---|---|\n| E1042 | 30 s |\n| E1043 | 90 s |", document="codes.md"
    )
    text = written("What does E1042 do?", table, score=by_words(E1042=4.0))
    assert text == "| Code | Stop |\n|---|---|\n| E1042 | 30 s [1] |"


def test_a_row_of_a_table_that_began_before_its_passage_has_the_header_of_its_context():
    part = passage("| E1042 | 30 s |\n| E1043 | 90 s |", document="codes.md")
    context = f"{part.chunk.context}\n| Code | Stop |\n| --- | --- |"
    part = replace(part, chunk=replace(part.chunk, context=context))
    text = written("What does E1042 do?", part, score=by_words(E1042=4.0))
    assert text == "| Code | Stop |\n|---|---|\n| E1042 | 30 s [1] |"


def test_a_sentence_that_leans_on_the_one_before_brings_it_along():
    cause = passage("Cavitation shakes the faces open. Then flush water is lost.")
    text = written("Why is water lost?", cause, score=by_words(Then=5.0))
    assert text == "Cavitation shakes the faces open. [1] Then flush water is lost. [1]"


def test_the_kind_of_answer_asked_for_decides_between_equals():
    two = passage("The pump is blue. The pump weighs 214 kg.")
    text = written("How heavy is the pump?", two, score=by_words(pump=3.0), picking=Picking(most=1))
    assert text == "The pump weighs 214 kg. [1]"


def test_nothing_that_answers_declines():
    assert written("Who won the cup?", SEAL, score=by_words(none=1.0)) == "NO ANSWER"
    assert written("Who won the cup?") == "NO ANSWER"


def test_reference_marks_of_the_source_are_left_out():
    wiki = passage("The seal was invented in 1850.[12] It spread quickly.[13][14]")
    text = written("When was the seal invented?", wiki, score=by_words(seal=4.0))
    assert text == "The seal was invented in 1850. It spread quickly. [1]"


def test_formulas_keep_their_brackets():
    vector = passage("The vector $x = [1, 2]$ has two entries.")
    assert "$x = [1, 2]$" in written("What is the vector?", vector)


def test_an_outline_gets_its_explanations():
    request = WriteRequest(
        "What before matrix?",
        "",
        (passage("A vector is a list of numbers. Vectors are added. The sea is blue."),),
        (("1. **vector**: needed for matrix.", (1,)),),
    )
    text = "".join(ExtractiveWriter(by_words(list=5.0, added=1.0)).write(request))
    assert text == (
        "1. **vector**: needed for matrix.\n   A vector is a list of numbers. [1]\n"
        "   Vectors are added. [1]\n\n"
    )


def outlined(lines, *texts, score=None) -> str:
    """An outline whose lines may all be told from all of the texts."""
    passages = tuple(passage(text, ordinal=n) for n, text in enumerate(texts))
    numbers = tuple(range(1, len(texts) + 1))
    outline = tuple((line, numbers) for line in lines)
    return "".join(ExtractiveWriter(score).write(WriteRequest("?", "", passages, outline)))


def test_a_sentence_that_opens_with_another_topic_of_the_outline_is_told_there():
    text = outlined(
        ["1. **limit theorem**.", "2. **central limit theorem**."],
        "The central limit theorem is a limit theorem of averages.",
    )
    assert text == (
        "1. **limit theorem**.\n\n"
        "2. **central limit theorem**.\n"
        "   The central limit theorem is a limit theorem of averages. [1]\n\n"
    )


def test_a_sentence_of_an_outline_brings_the_formula_that_it_opens():
    text = outlined(["1. **mean**."], "Their mean is\n\n$$m = s / n$$\n\nThe sea is blue.")
    assert text == "1. **mean**.\n   Their mean is [1]\n   $$m = s / n$$ [1]\n\n"


def test_what_is_said_of_two_together_names_both_or_stands_beside_such_a_sentence():
    text = outlined(
        ["**lasso**:", "**ridge**:", "Of lasso and ridge together:"],
        "The lasso is sparse. The ridge is dense.",
        "Unlike the lasso, ridge keeps all weights. So ridge is dense. Trees are green.",
        "Forests are dense.",
    )
    assert text.split("together:\n")[1] == (
        "Unlike the lasso, ridge keeps all weights. [2]\nSo ridge is dense. [2]\n\n"
    )


def test_where_no_sentence_names_both_what_names_one_in_a_passage_on_the_other_is_told():
    text = outlined(
        ["**least squares**:", "**orthogonal projection**:", "Of both together:"],
        "Least squares is old.",
        "The orthogonal projection is near.",
        "Take squares that are small. The answer is an orthogonal projection.",
        "Draw an orthogonal projection of a house.",
    )
    assert text.endswith("together:\nThe answer is an orthogonal projection. [3]\n\n")


def test_a_relation_is_shown_by_its_sentence_though_it_explained_a_topic_before():
    sentence = "The variance builds on the mean."
    text = outlined(["1. **variance**.", "- **variance** requires **mean**."], sentence)
    assert text.count(f"{sentence} [1]") == 2


def test_numbers_in_brackets_are_told_from_citations_and_code_stays():
    text = "The point [2, 3] of the matrix is blue.\n\n```\nmatrix = [[1, 2], [3, 4]]\n```"
    quoted = written("Which point of the matrix is blue, and what is the matrix?", passage(text))
    assert "The point (2, 3) of the matrix is blue. [1]" in quoted
    assert "matrix = [[1, 2], [3, 4]]" in quoted


def test_a_formula_comes_with_the_sentence_that_introduces_it():
    text = (
        "A vector is made a unit vector by dividing it by its norm:\n\n$$u = v / n$$\n\nIt is old."
    )
    found = written("What is u v n?", passage(text), score=by_words(**{"/": 9.0}))
    assert "by dividing it by its norm" in found
    assert "$$u = v / n$$" in found


def test_a_sentence_that_does_not_close_brings_the_formula_behind_it():
    text = "So the matrix of the rotation is\n\n$$R = T$$\n\nThe sea is blue."
    assert "$$R = T$$" in written("What is the matrix of the rotation?", passage(text))


def test_a_sentence_that_opens_a_list_is_quoted_once():
    text = "The following may cut the seal:\n\n- the owner,\n- the master."
    found = written("Who may cut the seal?", passage(text))
    assert found.count("The following may cut the seal:") == 1
    assert "- the owner, [1]\n- the master. [1]" in found


def test_of_two_sentences_alike_to_the_cross_encoder_the_nearer_vector_wins():
    facts = passage("Oil cools the bearing.\n\nGrease seals the bearing.", document="facts.md")

    def likeness(question, texts):
        return [0.9 if "Grease" in text else 0.5 for text in texts]

    writer = ExtractiveWriter(by_words(bearing=4.0), likeness=likeness, picking=Picking(most=1))
    request = WriteRequest("What keeps water out of the bearing?", "", (facts,))
    assert "".join(writer.write(request)) == "Grease seals the bearing. [1]"


def test_the_bare_name_of_a_mistake_is_not_quoted():
    mistakes = passage(
        "- Using the rule for four rows.\n- Forgetting the sign. It must be kept.",
        document="m.md",
        heading=("Rules", "Common mistakes"),
    )
    rule = passage("The rule holds for three rows only.", document="r.md")
    score = by_words(Using=9.0, holds=3.0, Forgetting=2.0)
    text = written("Does the rule work for four rows?", mistakes, rule, score=score)
    assert "Using" not in text
    assert "Forgetting the sign. It must be kept." in text


def test_a_list_that_is_asked_for_comes_whole():
    kinds = passage(
        "Kinds of valves:\n\n- gate valve\n- ball valve\n- check valve", document="k.md"
    )
    score = by_words(gate=5.0, check=4.0, ball=-9.0)
    text = written("What are the kinds of valves?", kinds, score=score, picking=Picking(drop=3.0))
    assert text == "Kinds of valves:\n- gate valve [1]\n- ball valve [1]\n- check valve [1]"
    text = written("Is a gate valve in store?", kinds, score=score, picking=Picking(drop=3.0))
    assert "ball" not in text


OPTIONS = passage(
    "max_links (integer) : Determines how many links there are. The default is 100.\n\n"
    "spare_links (integer) : Determines how many links are kept.\n\n"
    "The default is three.\n\nlog_links (boolean) : Has max_links logged.",
    document="links.md",
)
MENTION = passage("Raise max_links in small steps. The default suits most.", document="tips.md")


def test_the_entry_of_a_parameter_comes_first_and_other_entries_stay_out():
    score = by_words(default=5.0, Determines=-3.0, Raise=6.0)
    text = written("What is the default of max_links?", MENTION, OPTIONS, score=score)
    assert text.startswith("max_links (integer) : Determines how many links there are. [2]")
    assert "The default is 100. [2]" in text
    assert "three" not in text
    assert "Raise max_links in small steps. [1]" in text


def test_of_a_table_of_codes_only_the_rows_of_the_codes_that_are_asked_for_are_quoted():
    table = passage(
        "| Code | Name |\n| --- | --- |\n| 23502 | null |\n| 23503 | key |\n| 23505 | unique |"
    )
    score = by_words(null=3.0, key=4.0, unique=3.5)
    text = written("What does code 23503 mean?", table, score=score)
    assert "key" in text
    assert "null" not in text
    assert "unique" not in text
    both = written("What do 23503 and 23505 mean?", table, score=score)
    assert "unique" in both
    assert "null" not in both


def test_what_something_is_leads_before_what_answers_better():
    remark = passage("A dominant eigenvalue is larger than the others.", ordinal=1)
    saying = passage("It is of use. An eigenvalue is a scalar.", ordinal=2)
    score = by_words(dominant=9.0, scalar=3.0)
    text = written("What is an eigenvalue?", remark, saying, score=score)
    assert text.startswith("An eigenvalue is a scalar. [2]")
    assert written("Which is larger?", remark, saying, score=score).startswith("A dominant")


def test_the_row_of_a_code_leads_before_a_remark_that_names_it():
    remark = passage("Duplicate key (state 23505).", ordinal=1)
    table = passage("| Code | Name |\n| --- | --- |\n| 23505 | unique |", ordinal=2)
    text = written("What is 23505?", remark, table, score=by_words(Duplicate=9.0, unique=3.0))
    assert text.index("unique") < text.index("Duplicate")


def test_what_is_said_of_two_together_comes_from_no_exercise():
    lesson = passage("The rank and the nullity add up to the number of columns.", ordinal=1)
    answers = passage("Rank 2, nullity 2.", heading=("Rank", "Answers"))
    lines = ("1. **rank**.", "2. **nullity**.", "Of rank and nullity together:")

    def told(*passages):
        numbers = tuple(range(1, len(passages) + 1))
        outline = tuple((line, numbers if "Of" in line else ()) for line in lines)
        request = WriteRequest("How are rank and nullity related?", "", passages, outline)
        return "".join(ExtractiveWriter(None).write(request))

    assert "add up" in told(answers, lesson)
    assert "nullity 2" not in told(answers, lesson)
    assert "nullity 2" in told(answers)


def test_a_relation_is_shown_by_a_sentence_that_names_both_apart():
    text = outlined(
        ["- **state vector** requires **vector**."],
        "A state vector is old. Every state vector is a vector.",
    )
    assert "Every state vector is a vector. [1]" in text
    assert "is old" not in text


def test_an_announced_list_comes_whole_behind_the_sentence_that_announces_it():
    text = "A ring is told by the following three rules.\n\n1. It adds.\n2. It multiplies.\n\nGold."
    found = written("What is a ring?", passage(text), score=by_words(told=5.0))
    assert (
        found == "A ring is told by the following three rules. [1]\n\n1. It adds. [1]\n"
        "2. It multiplies. [1]"
    )


def test_a_table_that_a_sentence_opens_comes_behind_it():
    text = "The modes are these:\n\n| Mode | Use |\n|---|---|\n| r | read |\n| w | write |"
    found = written("How is a file opened?", passage(text), score=by_words(modes=5.0))
    assert found.endswith("| r | read [1] |\n| w | write [1] |")


def test_what_opens_something_that_its_passage_does_not_hold_is_not_quoted():
    cut = passage("Valves stick. For example, turn this valve:", document="cut.md")
    score = by_words(example=6.0, stick=3.0)
    assert written("Why do valves stick?", cut, score=score) == "Valves stick. [1]"


def test_the_rest_of_a_sentence_that_code_cut_off_does_not_lead():
    cut = passage("and will be turned by hand. Valves are turned by hand.", document="cut.md")
    score = by_words(will=6.0, Valves=3.0)
    assert written("How is it turned?", cut, score=score) == "Valves are turned by hand. [1]"


def test_the_paragraph_that_answers_best_comes_before_those_above_it():
    text = "Salt melts ice.\n\nIce floats on water, being lighter."
    found = written("Why is ice afloat?", passage(text), score=by_words(Salt=2.0, floats=5.0))
    assert found == "Ice floats on water, being lighter. [1]\n\nSalt melts ice. [1]"


def test_passages_of_one_section_are_told_in_the_order_of_the_text():
    later = passage("4. Fit the seal.\n5. Open the valve.", ordinal=2, heading=("Seal",))
    other = passage("Seals are dear.", document="other.md")
    first = passage("1. Close the valve.\n2. Pull it out.", ordinal=1, heading=("Seal",))
    score = by_words(Fit=6.0, dear=5.0, Close=4.0)
    text = written("How do I change the seal?", later, other, first, score=score)
    steps = "1. Close the valve. [3]\n2. Pull it out. [3]\n4. Fit the seal. [1]\n5. Open the valve."
    assert text.startswith(steps)


def test_the_steps_of_another_procedure_stay_out():
    wanted = passage("1. Close the valve.\n2. Pull it out.", heading=("Seal",))
    other = passage("1. Close the gate.\n2. Lift the roof.", heading=("Roof",), ordinal=9)
    score = by_words(Close=6.0, Lift=5.0)
    assert "roof" not in written("How do I change the seal?", wanted, other, score=score)


def test_of_a_table_only_the_row_that_is_named_is_quoted():
    table = passage(
        "| Type | Size |\n|---|---|\n| smallint | 2 bytes |\n| bigint | 8 bytes |",
        document="types.md",
    )
    score = by_words(int=4.0)
    text = written("How many bytes does a bigint take?", table, score=score)
    assert text == "| Type | Size |\n|---|---|\n| bigint | 8 bytes [1] |"
    assert "smallint" in written("Which types are there?", table, score=score)


def test_the_item_that_opens_with_a_quoted_literal_leads():
    text = (
        "- '+'. At least one is taken.\n- '?'. One is taken if possible.\n\nnargs tells how many."
    )
    found = written("What does nargs='?' mean?", passage(text), score=by_words(nargs=6.0, At=5.0))
    assert found.splitlines()[0] == "- '?'. One is taken if possible. [1]"


def test_the_same_sentence_with_other_quotation_marks_is_quoted_once():
    one = passage("The “base” bears all.", document="a.md")
    same = passage('The "base" bears all.', document="b.md")
    text = written("What bears all?", one, same, score=by_words(bears=5.0))
    assert text == "The “base” bears all. [1]"


def test_to_what_something_is_other_passages_add_only_what_names_it():
    told = passage("A heap is a tree of keys.", document="a.md")
    beside = passage("A queue is a line of keys.", document="b.md")
    more = passage("A heap is built in linear time.", document="c.md")
    text = written("What is a heap?", told, beside, more, score=by_words(keys=5.0, built=3.0))
    assert text == "A heap is a tree of keys. [1]\n\nA heap is built in linear time. [3]"


def test_code_brings_the_words_that_lead_to_it():
    text = "The pump must stand. To stop it, type\n\n```\npump stop\n```\n\nWait a minute."
    found = written("How is it stopped?", passage(text), score=by_words(**{"pump stop": 5.0}))
    assert found == "To stop it, type [1]\n\n```\npump stop\n```\n[1]"


def test_no_more_is_quoted_once_enough_words_are_told_but_the_command_that_is_asked_for():
    told = passage("Open it by hand, slowly.\n\nHands are strong, mostly.\n\n```\nopen all\n```")
    score = by_words(slowly=6.0, strong=5.0, all=4.0)
    few = Picking(words=5)
    text = written("How do I open it?", told, score=score, picking=few)
    assert text == "Open it by hand, slowly. [1]\n\n```\nopen all\n```\n[1]"
    assert "all" not in written("Which hand is it?", told, score=score, picking=few)


def test_how_something_is_done_begins_with_what_stands_together_with_the_best():
    text = "To drop it, type:\n\n```\ndrop\n```\n\nWhat was in it goes."
    score = by_words(goes=60.0, drop=9.0)
    found = written("How do I drop it?", passage(text), score=score, picking=Picking(drop=90.0))
    assert found.startswith("To drop it, type: [1]\n\n```\ndrop\n```\n[1]\n\nWhat was in it goes.")


def test_each_of_the_things_compared_is_told():
    text = (
        "--soft : Keeps all files.\n\n--hard : Resets them.\n\nBoth --soft and --hard move a head."
    )
    score = by_words(Both=9.0, Keeps=8.0, Resets=-5.0)
    asked = "What is the difference between reset --soft and --hard?"
    found = written(asked, passage(text), score=score, picking=Picking(drop=4.0))
    assert "--hard : Resets them. [1]" in found


def test_entries_of_code_that_a_sentence_opens_come_behind_it():
    text = (
        "These are all methods:\n\nput(x): Adds it. Equal to a slice.\n\npop(): Takes one.\n\nSo."
    )
    found = written("Which methods are there?", passage(text), score=by_words(methods=5.0))
    assert "put(x): Adds it. [1]" in found
    assert "pop(): Takes one. [1]" in found
    assert "So." not in found


def test_how_something_is_done_does_not_begin_with_code_that_no_sentence_leads_to():
    text = "```\nread all\n```\n\nLoop over the file to read it."
    found = written("How do I read it?", passage(text), score=by_words(Loop=9.0, all=4.0))
    assert found.startswith("Loop over the file to read it. [1]")
