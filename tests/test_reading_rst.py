"""reStructuredText: structure, and Sphinx's roles and directives without complaints."""

import pytest

from graphrag.errors import ReadingError
from tests.reading_samples import check_tiling, kinds, paths, read, terms, texts

PAGE = """
=====
Title
=====

:author: A. B.
:date: 2024-01-02

Intro with **bold**, ``code``, :ref:`the part <part>`, :class:`~a.B`, :math:`x^2` and
:rfc:`2119` [1]_. |undefined| here.

Part
----

.. note:: Mind this.

.. code-block:: python
   :linenos:
   :emphasize-lines: 1

   # not a heading
   x = 1

.. versionadded:: 3.1
   It is new.

.. py:function:: solve(a, b)

   Solves it.

Sub part
~~~~~~~~

* one

  1. inner

* two

.. math::
   :label: eq

   a + b

Term
   Its meaning.

=====  =====
A      B
=====  =====
1      2
=====  =====

.. unknown-thing:: argument
   :option: value

   Its content.

.. include:: /etc/passwd
.. raw:: html

   <b>no</b>

.. toctree::

   other

.. [1] The note.
"""


def test_structure_is_read() -> None:
    draft = read("a.rst", PAGE)
    check_tiling(draft)
    assert draft.title == "Title"
    assert paths(draft) == [("Part",), ("Part", "Sub part")]
    assert texts(draft, "code") == ["# not a heading\nx = 1"]
    assert texts(draft, "list") == ["- one\n  1. inner\n- two"]
    assert texts(draft, "formula") == ["$$a + b$$"]
    assert texts(draft, "table") == ["| A | B |\n| --- | --- |\n| 1 | 2 |"]


def test_roles_and_directives_of_sphinx_become_what_they_say() -> None:
    draft = read("a.rst", PAGE)
    assert texts(draft, "paragraph")[0] == (
        "Intro with bold, code, the part, a.B, $x^2$ and RFC 2119 [1]. |undefined| here."
    )
    assert "Note: Mind this." in texts(draft)
    assert "Added in version 3.1: It is new." in texts(draft)
    assert "solve(a, b): Solves it." in texts(draft)
    assert "Term: Its meaning." in texts(draft)
    assert {"bold", "Term"} <= set(terms(draft))
    assert "Its content." in texts(draft)
    assert "1: The note." in texts(draft)


def test_nothing_is_included_and_no_complaint_of_the_parser_is_text() -> None:
    text = read("a.rst", PAGE).text
    for absent in ("root:", "<b>", "System Message", "Unknown", "toctree", "emphasize"):
        assert absent not in text


def test_fields_at_the_top_are_metadata() -> None:
    assert read("a.rst", PAGE).metadata == {"author": "A. B.", "date": "2024-01-02"}


def test_a_note_without_text_does_not_open_what_comes_after_it() -> None:
    draft = read("a.rst", "T\n=\n\n.. versionadded:: 3.1\n\nNext\n----\n\ntext\n")
    assert texts(draft) == ["T", "Added in version 3.1", "Next", "text"]


def test_a_note_without_text_is_a_paragraph_of_its_own() -> None:
    draft = read("a.rst", "T\n=\n\n.. versionadded:: 3.1\n\nThe text goes on.\n")
    assert texts(draft) == ["T", "Added in version 3.1", "The text goes on."]


def test_a_class_is_described_and_a_style_is_not() -> None:
    source = ".. class:: Popen(args)\n\n   Starts it.\n\n.. class:: special\n\ntext\n"
    assert texts(read("a.rst", source)) == ["Popen(args): Starts it.", "text"]


def test_sphinx_sources_end_in_rst_txt() -> None:
    assert kinds(read("a.rst.txt", "Title\n=====\n\ntext\n")) == ["heading", "paragraph"]


@pytest.mark.parametrize(
    "content",
    ["x" * 100_000, "*" * 9_000, "`" * 9_000, "a_ " * 3_000,
     "\n".join(" " * i + "x" for i in range(500)),
     "- " * 4_000 + "x", "|x" * 4_000, "+-" * 4_000, "==\n" * 2_000, ".. x:: y\n" * 2_000]
)  # fmt: skip
def test_hostile_texts_are_read_in_short_time(content: str) -> None:
    try:
        check_tiling(read("a.rst", content))
    except ReadingError as error:
        # Lines of one sign alone are ornaments.
        pytest.fail(str(error)) if "x" in content else None


def test_a_long_paragraph_keeps_its_markup_and_the_structure_around_it() -> None:
    line = "word :ref:`part <part>` and *stress*, ``code`` and a_\n"
    draft = read("a.rst", f"T\n=\n\n{line * 400}\n\nPart\n----\n\nEnd.\n\n.. _a: http://b\n")
    assert paths(draft) == [("Part",)]
    assert kinds(draft) == ["heading", "paragraph", "heading", "paragraph"]
    assert texts(draft)[1] == " ".join(["word part and stress, code and a"] * 400)
    # Only marks that span two of the pieces in which it is read would be lost.
    assert terms(draft).count("stress") == 400
    assert sum(link.target == "http://b" for link in draft.links) == 400


def test_each_author_of_a_field_list_is_kept() -> None:
    draft = read("a.rst", ":author: Ada Li\n:author: Bo Ek\n\nText.\n")
    assert draft.metadata["author"] == "Ada Li; Bo Ek"
