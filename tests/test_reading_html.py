"""HTML: the main content with its structure, without what people do not see."""

import pytest

from tests.reading_samples import check_tiling, kinds, paths, read, terms, texts

PAGE = """<!DOCTYPE html><html lang="de"><head><title>Druck - Handbuch</title>
<meta name="author" content="A. B."><meta property="article:published_time" content="2024-05-06">
<style>p { color: red }</style><script>var x = "no";</script></head><body>
<header><a href="/">Startseite</a></header><nav><ul><li>Menu</li></ul></nav>
<main><h1>Druck<a class="headerlink" href="#d">¶</a></h1>
<!-- a comment --><p>Der <b>Druck</b> ist <a href="kraft.html">Kraft</a> je Fl&auml;che.</p>
<p style="display: none">versteckt</p><p hidden>versteckt</p><p aria-hidden="true">versteckt</p>
<h2>Einheiten</h2><pre><code class="language-python">p = f / a
</code></pre></main><footer>Impressum</footer></body></html>"""


def test_only_the_main_content_is_read() -> None:
    draft = read("druck.html", PAGE)
    assert texts(draft) == ["Druck", "Der Druck ist Kraft je Fläche.", "Einheiten", "p = f / a"]
    assert kinds(draft) == ["heading", "paragraph", "heading", "code"]
    assert terms(draft) == ["Druck"]


def test_title_metadata_language_and_links_are_read() -> None:
    draft = read("druck.html", PAGE)
    assert draft.title == "Druck"
    assert paths(draft) == [("Einheiten",)]
    assert draft.metadata == {"author": "A. B.", "date": "2024-05-06"}
    assert draft.language == "de"
    assert [x.target for x in draft.links] == ["kraft.html"]
    assert draft.blocks[-1].language == "python"


def test_a_page_without_headings_takes_its_title() -> None:
    assert read("a.html", "<title>The page</title><p>x").title == "The page"


def test_definition_lists_give_terms_and_nested_lists_their_depth() -> None:
    draft = read("a.html", "<dl><dt>Basis<dd>A set.</dl><ol><li>a<ul><li>b</ul><li value=7>c</ol>")
    assert texts(draft) == ["Basis: A set.", "1. a\n  - b\n7. c"]
    assert terms(draft) == ["Basis"]


def test_cells_over_rows_and_columns_keep_the_columns_apart() -> None:
    draft = read(
        "a.html",
        "<table><caption>Sizes</caption><tr><th>a<th>b<th>c</tr><tr><td rowspan=2>1<td>2<td>3"
        "</tr><tr><td colspan=2>4 | 5</tr></table>",
    )
    assert texts(draft, "paragraph") == ["Sizes"]
    assert texts(draft, "table") == [
        "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 \\| 5 |  |"
    ]


def test_a_table_that_only_arranges_the_page_is_opened_up() -> None:
    draft = read("a.html", "<table><tr><td><p>One.</p><p>Two.</p></td></tr></table>")
    assert texts(draft, "paragraph") == ["One.", "Two."]


def test_mathematics_becomes_tex() -> None:
    draft = read(
        "a.html",
        "<p>Let <math><mfrac><mn>1</mn><msup><mi>x</mi><mn>2</mn></msup></mfrac></math> be and"
        ' 10<sup>5</sup>.</p><script type="math/tex; mode=display">a+b</script>',
    )
    assert texts(draft) == [r"Let $\frac{1}{x^{2}}$ be and 10^5.", "$$a+b$$"]


def test_the_declared_charset_is_used() -> None:
    page = "<meta charset='windows-1251'><p>Матрица и вектор</p>".encode("cp1251")
    assert read("a.html", page).text == "Матрица и вектор"


def test_text_nested_deeper_than_the_parser_goes_is_kept() -> None:
    draft = read("a.html", "<h1>T</h1>" + "<div>" * 5000 + "inner" + "</div>" * 5000 + "<p>after")
    check_tiling(draft)
    assert "inner" in draft.text
    assert "after" in draft.text


def test_footnotes_stay_and_what_stands_beside_the_text_goes() -> None:
    page = (
        '<main><h1>T</h1><h2><a class="toc-backref" href="#x">Part</a></h2><p>text</p>'
        '<div class="toc"><dl><dt>1. Part</dt></dl></div><aside>advert</aside>'
        '<aside class="footnote brackets"><p>The note.</p></aside></main>'
    )
    assert texts(read("a.html", page)) == ["T", "Part", "text", "The note."]


def test_lists_that_lead_elsewhere_go() -> None:
    page = (
        "<main><header><h1>T</h1><ul><li><a href=de>Deutsch</a></ul></header><p>text</p>"
        '<ul class="page-nav"><li><a href=x>Next</a></ul><ul><li><a href=y>kept</a></ul></main>'
    )
    assert texts(read("a.html", page)) == ["T", "text", "- kept"]


def test_a_list_of_terms_before_a_heading_does_not_open_it() -> None:
    draft = read("a.html", "<h1>T</h1><dl><dt>one</dt></dl><h2>Part</h2><p>text</p>")
    assert texts(draft) == ["T", "one", "Part", "text"]


def test_notes_open_with_their_name() -> None:
    draft = read(
        "a.html", '<div class="note"><p class="admonition-title">Note</p><p>Mind.</p></div>'
    )
    assert draft.text == "Note: Mind."


def test_marks_of_notes_several_authors_and_displayed_formulas_are_read() -> None:
    page = (
        '<meta name="author" content="Ada"><meta name="author" content="Bo">'
        '<p>Tides<a href="#fn1" class="footnote-ref" role="doc-noteref"><sup>1</sup></a> rise.</p>'
        '<p><span class="math display">$$ a = b $$</span></p>'
        '<section id="footnotes"><ol><li id="fn1"><p>A note.'
        '<a href="#r" class="footnote-back" role="doc-backlink">\u21a9</a></p></li></ol></section>'
    )
    draft = read("a.html", page)
    assert draft.metadata["author"] == ("Ada", "Bo")
    assert texts(draft) == ["Tides [1] rise.", "$$a = b$$", "1. A note."]


def test_a_note_ends_where_its_box_does() -> None:
    draft = read(
        "a.html",
        "<h2>Options</h2><div class='note'><h3 class='title'>Note</h3><p>Mind this.</p></div>"
        "<p>After it.</p>",
    )
    assert texts(draft) == ["Options", "Note: Mind this.", "After it."]
    assert {block.heading_path for block in draft.blocks} <= {(), ("Options",)}


def test_a_footnotes_number_is_no_section() -> None:
    draft = read(
        "a.html",
        "<h1>T</h1><h2>Last</h2><p>x</p><div class='footnote'><h4>Footnotes</h4>"
        "<h5><a href='#b'>(7)</a></h5><p>Usually Alt.</p></div>",
    )
    assert paths(draft) == [("Last",), ("Last", "Footnotes")]
    assert texts(draft)[-1] == "(7): Usually Alt."


def test_a_title_that_stands_twice_is_no_section() -> None:
    draft = read("a.html", "<title>T</title><h1>T</h1><h1>T</h1><p>x</p><h1>U</h1><p>y</p>")
    assert paths(draft) == [("U",)]


def test_bars_of_links_to_the_neighbouring_pages_are_no_text() -> None:
    bars = (
        "<table><tr><th colspan=3>1.2. Pumps</th></tr><tr><td><a accesskey=p href=a>Prev</a></td>"
        "<th>Chapter 1</th><td><a accesskey=n href=b>Next</a></td></tr></table>",
        "<div><p>Next: <a href=b rel=next>Valves</a>, Up: <a href=c rel=up>Plant</a> &nbsp;"
        "[<a href=i>Index</a>]</p></div>",
        "<div><b>Next:</b> <a href=b>Valves</a> <b>Up:</b> <a href=c>Plant</a></div>",
        "<ul><li><a href=a accesskey=p>Front</a><li><a href=b accesskey=n>Valves</a></ul>",
        "<p><!-- x --><a href=a>1</a> <a href=a>Prev</a> <a href=b>Next</a></p>",
        "<div class='menu main'><ul><li><a href=h>Home</a><li><a href=a>About us</a></ul></div>",
    )
    for bar in bars:
        draft = read("a.html", f"{bar}<h2>Pumps</h2><p>A pump lifts water.</p>{bar}")
        assert texts(draft) == ["Pumps", "A pump lifts water."], bar


def test_a_sentence_that_links_to_the_next_page_stays() -> None:
    draft = read(
        "a.html",
        "<p>Read <a href=b>Valves</a> next, or go <a href=c>up</a> the hill.</p>"
        "<div><p>Short.</p><a href=a>Prev</a> <a href=b>Next</a></div>",
    )
    assert texts(draft) == ["Read Valves next, or go up the hill.", "Short.", "Prev Next"]


def test_a_small_picture_that_is_a_link_is_left_out() -> None:
    draft = read(
        "a.html", "<p><a href=h><img alt='Product site'></a></p><p>x <img alt='a cat'></p>"
    )
    assert texts(draft) == ["x [image: a cat]"]


def test_an_index_and_a_list_of_sections_are_no_text():
    draft = read(
        "a.html",
        "<h1>T</h1><ul class='section-toc'><li><a href='#a'>Pumps</a><li><a href='#b'>Valves</a>"
        "</ul><p>x</p><table class='index-fn'><tr><td><a href='#a'>lm</a>:<td><a href='#b'>Fits</a>"
        "</table><table class='index'><tr><td>E1<td>Belt slip</table>",
    )
    assert texts(draft) == ["T", "x", "| E1 | Belt slip |"]


def test_headings_that_lead_back_to_the_contents_are_headings() -> None:
    draft = read(
        "a.html",
        '<body><h1>A</h1><h2><a class="toc-backref" role="doc-backlink" href="#i">B</a></h2>'
        '<p>Text.</p><p><a role="doc-backlink" href="#r">^</a> A note.</p></body>',
    )
    assert paths(draft) == [("B",)]
    assert texts(draft)[-1] == "A note."


@pytest.mark.parametrize(
    "mark", ["id='cookie-banner'", "class='x gdpr-notice'", "id=CookieConsent"]
)
def test_what_asks_for_consent_is_no_text(mark: str) -> None:
    draft = read(
        "a.html", f"<div {mark}><p>We use cookies.</p></div><h1>Otter</h1><p>It swims.</p>"
    )
    assert texts(draft) == ["Otter", "It swims."]
