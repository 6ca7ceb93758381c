"""What tools and people add to the formats: read as a person sees it."""

import pytest

from graphrag.reading.builder import Draft
from graphrag.reading.symbol_fonts import sign_of
from tests.reading_samples import check_tiling, paths, read, texts
from tests.test_reading_office import docx, paragraph


def shown(draft: Draft) -> str:
    check_tiling(draft)
    return draft.text


@pytest.mark.parametrize(
    "written, seen",
    [
        ("<aside>\n💡 A callout.\n\n</aside>\n\nText.", "💡 A callout.\n\nText."),  # Notion
        ("Text ==marked== here. ^b-1\n\n%%secret%%", "Text marked here."),  # Obsidian
        ("![[plan.png|300]]", "plan.png"),
        ("%%\nsecret\n%%\n\nText.", "Text."),
        ('{{< toc >}}\n\nSee {{% tip "x" %}}hot{{% /tip %}}.', "See hot."),  # Hugo
        ("{% highlight sh %}\nls %%a%%\n{% endhighlight %}", "ls %%a%%"),  # Jekyll
        ("[TOC]\n\nText.", "Text."),
        ("%%\nNever closed: no comment.", "%% Never closed: no comment."),
        ("import x from 'y'", "import x from 'y'"),
        ("```js\nimport x from 'y'\n```\n\n<X />", "import x from 'y'"),
        (r"So \\(a+b\\) and $`x^2`$.", "So $a+b$ and $x^2$."),
        ("```math\na = b\n```", "$$a = b$$"),
        (":::tip[Mind this]\nHot.\n:::", "Mind this: Hot."),  # Docusaurus
        ("import X from './x';\n\n{/* no */}\n\n<X>\n\nText.\n\n</X>", "Text."),  # MDX
        ('=== "Linux"\n\n    Run it.\n\n=== "Mac"\n\n    Open.', "Linux: Run it.\n\nMac: Open."),
        ("```\n==a== %%b%%\n[TOC]\n```", "==a== %%b%%\n[TOC]"),
    ],
)  # fmt: skip
def test_dialects_of_markdown_are_read_as_they_are_shown(written: str, seen: str) -> None:
    assert shown(read("a.md", written)) == seen


def test_front_matter_of_json_is_metadata() -> None:
    draft = read("a.md", '{\n"title": "Seal", "author": "Ann"\n}\n\nText.')
    assert (draft.title, draft.metadata, draft.text) == ("Seal", {"author": "Ann"}, "Text.")
    assert read("a.md", "{a} is text.").text == "{a} is text."


@pytest.mark.parametrize(
    "written, seen",
    [
        ('<div role="tabpanel" hidden><p>Second tab.</p></div>', "Second tab."),
        ('<p>So <mjx-container class="MathJax"><mjx-math aria-hidden="true">b</mjx-math>'
         "<mjx-assistive-mml><math><mi>b</mi></math></mjx-assistive-mml></mjx-container>.</p>",
         "So $b$."),
        ('<ol id="breadcrumbs"><li>Home</li></ol><p>Text.</p>', "Text."),
        ('<div class="confluence-information-macro"><p class="title">Danger</p>'
         "<div><p>Hot.</p></div></div>", "Danger: Hot."),
    ],
)  # fmt: skip
def test_pages_of_tools_are_read_as_they_are_shown(written: str, seen: str) -> None:
    assert shown(read("a.html", f"<html><body>{written}</body></html>")) == seen


def test_a_page_of_confluence_has_its_author_and_date() -> None:
    line = (
        '<div class="page-metadata">Created by <span class="author">Ann</span>,'
        " last modified on May 04, 2023</div><p>Text.</p>"
    )
    assert read("a.html", line).metadata == {"author": "Ann", "date": "2023-05-04"}


@pytest.mark.parametrize(
    "written, seen",
    [
        (r"\SI{5}{\bar} at \qty{3}{\metre\per\second}.", "5 bar at 3 m/s."),
        (r"\unit{\kilo\watt\hour}, \si{\cubic\metre}", "kW h, m³"),
        ("A\\ b \\iffalse hidden \\fi c", "A b c"),
        (r"\begin{block}{Rule}Wait.\end{block}", "Rule: Wait."),
        (r"\begin{tcolorbox}[title=Note]Hot.\end{tcolorbox}", "Note: Hot."),
        (r"\begin{itemize}\item[$\square$] open\end{itemize}", "- open"),
    ],
)
def test_commands_of_latex_are_read_as_they_are_printed(written: str, seen: str) -> None:
    assert shown(read("a.tex", written)) == seen


def test_slides_of_latex_are_sections() -> None:
    slides = r"\begin{frame}{One}A.\end{frame}\begin{frame}\frametitle{Two}B.\end{frame}"
    assert paths(read("a.tex", slides)) == [("One",), ("Two",)]


@pytest.mark.parametrize(
    "written, seen",
    [
        (". One\n+\n----\nrun\n----\n. Two", "1. One\n\nrun\n\n2. Two"),
        ("A.\n\n'''\n\n<<<\nB.", "A.\n\nB."),
        ('"`so`" ``it\'\' [line-through]*is*', "“so” “it” is"),
        ("[qanda]\nWhat?:: A pump.", "What?: A pump."),
        ("[%header,format=csv]\n|===\na,b\n1,2\n|===", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("[cols=2]\n|===\n.2+|a |b\n|c\n2+|d\n|===",
         "| a | b |\n| --- | --- |\n| a | c |\n| d |  |"),
    ],
)  # fmt: skip
def test_asciidoc_is_read_as_it_is_shown(written: str, seen: str) -> None:
    assert shown(read("a.adoc", written)) == seen


def test_terms_that_share_a_definition_in_a_glossary_are_one_entry() -> None:
    draft = read("a.rst", ".. glossary::\n\n   seal\n   ring\n      It seals.\n")
    assert texts(draft) == ["seal, ring: It seals."]


def test_lines_below_wider_gaps_are_the_headings_of_a_plain_text() -> None:
    body = "A sentence of the text.\n\nAnother one."
    draft = read("a.txt", f"The Pump\n\n\nScope\n\n{body}\n\n\nCosts\n\n{body}\n")
    assert paths(draft) == [("Scope",), ("Costs",)]


def test_contents_of_a_docx_are_left_out_and_signs_of_fonts_are_read() -> None:
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    contents = f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr><w:sdtContent>{paragraph('1 Scope 3')}</w:sdtContent></w:sdt>"  # noqa: E501
    sign = '<w:p><w:r><w:t>20 </w:t><w:sym w:font="Symbol" w:char="F0B0"/><w:t>C</w:t></w:r></w:p>'
    assert texts(read("a.docx", docx(contents + sign))) == ["20 °C"]


def test_a_sign_of_an_unknown_font_or_place_is_nothing() -> None:
    assert sign_of("Symbol", "F06D") == "μ"
    assert sign_of("Arial", "F06D") == sign_of("Symbol", "x") == ""


def test_the_head_of_a_forwarded_message_keeps_its_lines() -> None:
    lines = "From: Bo Ray\nSent: Monday\nSubject: Limit"
    draft = read("a.eml", f"Subject: x\n\nSee below.\n\n{'_' * 32}\n{lines}\n\nWhat?\n")
    assert texts(draft) == ["See below.", lines, "What?"]


def test_a_column_without_a_cell_hides_no_header() -> None:
    assert (
        "| --- |" in read("a.csv", "Name,Age,,City,Job\nAnn,3,,Rome,Cook\nBo,4,,Oslo,Smith\n").text
    )
