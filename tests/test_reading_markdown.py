"""Markdown: what people write, with its structure."""

import pytest

from tests.reading_samples import check_tiling, kinds, paths, read, terms, texts


def test_front_matter_gives_metadata_and_title() -> None:
    draft = read(
        "a.md",
        "---\ntitle: Vectors\ndate: 2024-03-01\ntags: [a, b]\naccess: {level: 2}\n---\n"
        "# Other\n\nx\n",
    )
    assert draft.title == "Vectors"
    assert draft.metadata == {"date": "2024-03-01", "tags": ("a", "b"), "access.level": "2"}
    assert draft.blocks[-1].heading_path == ("Other",)


def test_front_matter_without_a_closing_line_is_text() -> None:
    draft = read("a.md", "---\ntitle: Vectors\n\nSome text.\n")
    assert draft.metadata == {}
    assert "title: Vectors" in draft.text


def test_broken_front_matter_is_read_line_by_line() -> None:
    draft = read("a.md", "---\ntitle: A: B: [\nauthor: Ann\n---\ntext\n")
    assert (draft.title, draft.metadata) == ("A: B: [", {"author": "Ann"})


def test_an_alias_bomb_in_front_matter_is_harmless() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9) + "]" for i in range(1, 30)]
    draft = read("a.md", "---\n" + "\n".join(lines) + "\n---\ntext\n")
    assert draft.text == "text"


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_hash_in_a_code_fence_is_no_heading(fence: str) -> None:
    draft = read("a.md", f"# T\n\n{fence}python\n# not a heading\n\nx = 1\n{fence}\n")
    assert kinds(draft) == ["heading", "code"]
    assert texts(draft, "code") == ["# not a heading\n\nx = 1"]
    assert draft.blocks[1].language == "python"


def test_setext_headings_and_two_headings_in_a_row() -> None:
    draft = read("a.md", "Title\n=====\n\nFirst\n-----\n\n## Second\n\ntext\n")
    assert paths(draft) == [("First",), ("Second",)]


def test_formulas_in_all_delimiters_stay_tex() -> None:
    draft = read(
        "a.md", "Let $a_1*b*c$ and \\(x^2\\) be.\n\n$$\n\\frac{1}{2}\n$$\n\n\\[ a + b \\]\n"
    )
    assert texts(draft, "paragraph") == ["Let $a_1*b*c$ and $x^2$ be."]
    assert texts(draft, "formula") == ["$$\\frac{1}{2}$$", "$$a + b$$"]


def test_prices_are_no_formulas() -> None:
    assert read("a.md", "It costs $5 and then $10 more.").text == "It costs $5 and then $10 more."


def test_nested_lists_keep_their_depth_and_code_in_them_is_code() -> None:
    draft = read("a.md", "- one\n  - two\n\n    more\n\n    ```\n    x\n    ```\n\n1. a\n2. b\n")
    assert texts(draft) == ["- one\n  - two\n    more", "x", "1. a\n2. b"]
    assert kinds(draft) == ["list", "code", "list"]


def test_a_table_with_empty_cells_keeps_its_columns() -> None:
    draft = read("a.md", "| a | b |\n|---|---|\n| 1 |  |\n|  | **two** |\n")
    assert draft.text == "| a | b |\n| --- | --- |\n| 1 |  |\n|  | two |"
    assert terms(draft) == ["two"]


def test_notes_of_all_dialects_open_with_their_name() -> None:
    draft = read("a.md", "!!! note\n    One.\n\n:::{warning}\nTwo.\n:::\n\n```{tip}\nThree.\n```\n")
    assert texts(draft) == ["Note: One.", "Warning: Two.", "Tip: Three."]


def test_definition_lists_give_terms() -> None:
    draft = read("a.md", "Basis\n: A spanning set.\n")
    assert draft.text == "Basis: A spanning set."
    assert terms(draft) == ["Basis"]


def test_links_and_wiki_links_keep_their_targets() -> None:
    draft = read("a.md", "See [[Basis of a space|basis]], [[Span]] and [norm](norm.md).")
    assert draft.text == "See basis, Span and norm."
    assert [(draft.text[x.start : x.stop], x.target) for x in draft.links] == [
        ("basis", "Basis of a space"),
        ("Span", "Span"),
        ("norm", "norm.md"),
    ]


def test_roles_of_myst_become_what_they_say() -> None:
    draft = read("a.md", "See {ref}`the part <part>` and {func}`solve`.\n\n(label)=\n## Next\n")
    assert texts(draft) == ["See the part and solve.", "Next"]
    assert [link.target for link in draft.links] == ["part"]


def test_embedded_restructured_text_is_read_as_such() -> None:
    draft = read("a.md", "# T\n\n```{eval-rst}\n.. note:: Mind :ref:`this <x>`.\n```\n\nEnd.\n")
    assert texts(draft) == ["T", "Note: Mind this.", "End."]


def test_html_in_markdown_is_read_and_comments_go() -> None:
    draft = read("a.md", "A<br>b <!-- no --> <b>c</b>\n\n<div hidden>no</div>\n\n<p>yes</p>\n")
    assert draft.text == "A\nb c\n\nyes"


def test_task_lists_lose_their_boxes() -> None:
    assert read("a.md", "- [x] done\n- [ ] open\n").text == "- done\n- open"


def test_footnotes_are_kept() -> None:
    assert read("a.md", "Text[^n].\n\n[^n]: The note.\n").text == "Text [1].\n\n1. The note."


@pytest.mark.parametrize(
    "content",
    [
        "a" * 5000,
        " " * 10_000 + "x",
        "x" * 1_000_000,
        "word " * 200_000,
        "[" * 20_000,
        "*a " * 20_000,
        "> " * 3_000 + "x",
        "- " * 3_000 + "x",
        "`" * 9_999 + "a" + "`" * 9_998,
        "<div>" * 5_000 + "x",
        "\n".join("  " * i + "- x" for i in range(400)),
        "QUJD" * 50_000,
        "$" * 20_001 + "x",
        "![](" * 10_000,
        "\\[" * 10_000,
        "|" * 20_000 + "\n" + "|-" * 10_000,
        "[[" * 10_000 + "x",
        "{" * 10_000 + "}" * 10_000,
    ],
)
def test_hostile_texts_are_read_in_short_time(content: str) -> None:
    draft = read("a.md", content)
    check_tiling(draft)
    assert ("x" in draft.text) == ("x" in content)


def test_alerts_of_block_quotes_open_with_their_name() -> None:
    draft = read(
        "a.md", "> [!NOTE]\n> One.\n\n> [!warning]- Hot thing\n>\n> Two.\n\n```\n> [!NOTE]\n```\n"
    )
    assert texts(draft) == ["Note: One.", "Warning Hot thing: Two.", "> [!NOTE]"]
