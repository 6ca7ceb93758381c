"""Short forms that a text spells out in brackets."""

from __future__ import annotations

import pytest

from graphrag.concepts.short_forms import short_forms
from graphrag.domain import Document


def spelt_out(*texts: str) -> dict[str, str]:
    return short_forms(
        [Document(str(n), f"{n}.md", "", text, (), "markdown") for n, text in enumerate(texts)]
    )


@pytest.mark.parametrize(
    ("text", "short", "name"),
    [
        ("We use principal component analysis (PCA) here.", "PCA", "principal component analysis"),
        ("They deny it by denial of service (DoS) here.", "DoS", "denial of service"),
        ("A role-based access control (RBAC) is set.", "RBAC", "role-based access control"),
        ("- and the line feed (LF) follows.", "LF", "line feed"),
        ("| TTL | time to live |\n", "TTL", "time to live"),
    ],
)
def test_initials_in_brackets_stand_for_the_words_before(text: str, short: str, name: str) -> None:
    assert spelt_out(text) == {short: name}


def test_letters_in_order_stand_for_a_name_that_is_written_so_twice() -> None:
    once = "Ask the identity provider (IdP) first."
    assert spelt_out(once) == {}
    assert spelt_out(once, once) == {"IdP": "identity provider"}
    many = "They check the authentication (AuthN) of all."
    assert spelt_out(many, many) == {"AuthN": "authentication"}


def test_every_word_lends_its_first_letter() -> None:
    text = "He sells the garden very near (GNR) to us."
    assert spelt_out(text, text, text) == {}


def test_all_initials_but_one_stand_for_a_name_that_is_written_so_three_times() -> None:
    text = "Cross-Site Scripting (XSS) is old."
    assert spelt_out(text, text) == {}
    assert spelt_out(text, text, text.lower().replace("xss", "XSS")) == {
        "XSS": "Cross-Site Scripting"
    }


def test_two_letters_are_too_few_to_differ_in_one() -> None:
    text = "He stayed in New Jersey (NY) again."
    assert spelt_out(text, text, text) == {}


def test_what_is_spelt_out_by_its_initials_stands_for_nothing_else() -> None:
    wrong = "The Carpathian Mountain Road (CSR) is closed."
    right = "A certificate signing request (CSR) is sent."
    assert spelt_out(wrong, wrong, wrong, right) == {"CSR": "certificate signing request"}


def test_of_two_names_the_more_frequent_one_counts() -> None:
    one, other = "Static analysis testing (SAT). ", "Single assignment test (SAT). "
    assert spelt_out(one + other + one) == {"SAT": "Static analysis testing"}
