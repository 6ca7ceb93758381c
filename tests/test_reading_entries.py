"""Blocks know the term of the definition list that they tell of, whatever the format."""

from __future__ import annotations

import pytest

from graphrag.domain.plain import blocks_of, plain_blocks
from tests.reading_samples import check_tiling, read, texts

HTML = (
    "<h1>T</h1><dl><dt>open</dt><dt>unlock</dt><dd><p>Opens.</p><p>May fail.</p><pre>open()</pre>"
    "</dd><dt>shut</dt><dd>Shuts.</dd></dl><p>After.</p>"
)
SAMPLES = {
    "a.html": HTML,
    "a.md": (
        "# T\n\nopen\n: Opens.\n\n    May fail.\n\n    ```\n    open()\n    ```\n\n"
        "shut\n: Shuts.\n\nAfter.\n"
    ),
    "a.rst": (
        "T\n=\n\nopen\n   Opens.\n\n   May fail.\n\n   ::\n\n      open()\n\n"
        "shut\n   Shuts.\n\nAfter.\n"
    ),
    "a.adoc": (
        "= T\n\nopen::\nunlock::\n  Opens.\n+\nMay fail.\n+\n----\nopen()\n----\n\n"
        "shut:: Shuts.\n\nAfter.\n"
    ),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_told_of_a_term_has_it_and_what_comes_after_has_none(name) -> None:
    draft = read(name, SAMPLES[name])
    check_tiling(draft)
    found = {
        draft.text[block.start : block.stop].rpartition(": ")[2]: block.entry
        for block in draft.blocks
    }
    term = found["Opens."]
    assert term in ("open", "unlock", "open, unlock")
    assert [found[text] for text in ("May fail.", "open()", "Shuts.", "After.")] == [
        term, term, "shut", ""
    ]  # fmt: skip


def test_an_entry_inside_of_another_gives_way_to_it_again() -> None:
    inner = "<dl><dt>mode</dt><dd><p>How.</p><p>Or not.</p></dd></dl>"
    draft = read("a.html", f"<dl><dt>open</dt><dd><p>Opens.</p>{inner}<p>Back.</p></dd></dl>")
    assert [block.entry for block in draft.blocks] == ["open", "mode", "mode", "open"]


def test_a_block_in_an_open_asciidoc_block_stays_with_its_term() -> None:
    draft = read("a.adoc", "= T\n\nopen::\n+\n--\nOpens.\n\nMay fail.\n--\n\nAfter.\n")
    assert [block.entry for block in draft.blocks[1:]] == ["open", "open", "open", ""]


def test_entries_are_kept_as_plain_values_and_old_values_have_none() -> None:
    blocks = read("a.html", HTML).blocks
    assert blocks_of(plain_blocks(blocks)) == blocks
    old = [value[:8] for value in plain_blocks(blocks)]
    assert {block.entry for block in blocks_of(old)} == {""}


def test_an_attribute_may_be_the_address_of_a_link() -> None:
    draft = read("a.adoc", "= T\n:home: https://h.example/\n\nSee {home}[the page], man:ls[1].\n")
    assert texts(draft, "paragraph") == ["See the page, ls(1)."]
    assert [link.target for link in draft.links] == ["https://h.example/"]


def test_a_text_in_asciidoc_is_read_as_that_whatever_its_name() -> None:
    text = (
        "tool-add(1)\n===========\n\nOPTIONS\n-------\n-a::\n--all::\n\tAdd all.\n+\nSee\n"
        "linkgit:tool-rm[1].\n\n[verse]\ntool add\n\ninclude::more.txt[]\n"
    )
    draft = read("a.txt", text)
    assert texts(draft, "paragraph") == ["-a, --all: Add all.", "See tool-rm(1)."]
    assert read("b.txt", "Use a::b and x + y.\n\n+\n\nDone.\n").text.startswith("Use a::b")


def test_a_second_definition_tells_of_the_same_term() -> None:
    draft = read("a.html", "<dl><dt>fan</dt><dd>Blows.</dd><dd>Cools.</dd></dl><p>After.</p>")
    assert [block.entry for block in draft.blocks] == ["fan", "fan", ""]
