"""Sentence borders by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.sentences import split_sentences


def sentences(text: str) -> list[str]:
    return [text[span.start : span.stop] for span in split_sentences(text)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("The rank is 3.5 here. So it is.", ["The rank is 3.5 here.", "So it is."]),
        ("See Fig. 3 for it. Then go.", ["See Fig. 3 for it.", "Then go."]),
        ("Norms, e.g. the sum, differ. Yes.", ["Norms, e.g. the sum, differ.", "Yes."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("行列式です。次に進む。", ["行列式です。", "次に進む。"]),
        ("A heading\n\nA text", ["A heading", "A text"]),
        ("   ", []),
    ],
)
def test_a_text_is_cut_at_its_sentence_borders(text, expected):
    assert sentences(text) == expected


@given(st.text(alphabet=st.sampled_from("ab .!?\n。A1"), max_size=80))
def test_no_character_is_lost(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
