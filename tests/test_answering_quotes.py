"""What the extractive writer quotes always holds to its passages."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphrag.adapters.extractive import ExtractiveWriter
from graphrag.answering.citations import without_marks
from graphrag.answering.grounding import check
from graphrag.ports import WriteRequest
from tests.answering_values import passage

PLAIN = ["pump", "bolt", "torque", "the", "is", "not", "45", "Nm", "E1042", "4,000", "87 %", "e.g."]
MARKED = ["[1]", "[2, 3]", "rank[1]", "x = [1, 2]", "(see 3)", "$a_1$", "**bold**", "`code`"]
WORDS = st.sampled_from([*PLAIN, *MARKED, "“quote me now”", "Anna Weber", "“"])


def some(least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(WORDS, min_size=least, max_size=most)


SENTENCE = some(1, 10).map(lambda words: " ".join(words) + ".")
ITEM = some(1, 6).map(lambda words: "- " + " ".join(words))
ROW = some(2, 2).map(lambda words: "| " + " | ".join(words) + " |")
BLOCK = st.one_of(
    st.lists(SENTENCE, min_size=1, max_size=3).map(" ".join),
    st.lists(ITEM, min_size=1, max_size=3).map("\n".join),
    st.lists(ROW, min_size=1, max_size=3).map(lambda rows: "\n".join(["| A |", "|---|", *rows])),
    some(1, 6).map(lambda words: "```\n" + "\n".join(words) + "\n```"),
    some(1, 4).map(lambda words: "$$\n" + " ".join(words).replace("$", "") + "\n$$"),
)
TEXT = st.lists(BLOCK, min_size=1, max_size=4).map("\n\n".join)


@given(st.lists(TEXT, min_size=1, max_size=3))
@example(["- not\n\npump [1] x = [1, 2]."])  # the item's "not" is not the sentence's
@settings(max_examples=150, deadline=None)
def test_no_quotation_is_struck_or_changed(texts):
    passages = tuple(passage(text, document=f"{n}.md") for n, text in enumerate(texts))
    request = WriteRequest("What is the torque of the pump bolt?", "", passages)
    written = "".join(ExtractiveWriter().write(request))
    if written == "NO ANSWER":
        return
    grounded = check(written, passages)
    assert grounded.warnings == ()
    assert without_marks(grounded.text).split() == without_marks(written.strip()).split()
