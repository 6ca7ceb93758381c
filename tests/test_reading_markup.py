"""AsciiDoc, LaTeX, notebooks, values, source code and XML of books."""

# ruff: noqa: E501  (lines of files are kept as they are)

import contextlib
import json

import pytest

from graphrag.errors import ReadingError
from tests.reading_samples import check_tiling, kinds, paths, read, terms, texts

ADOC = """= The Guide
Ann Author <a@b.c>
v1.0, 2024-05-06
:keywords: pumps

Preamble with *bold* and _italic_ and `code`.

== Install

NOTE: Mind it.

[source,bash]
----
# no heading
make
----

* one
** two
. first
. second

=== Details

Valve:: Lets flow.

|===
|A |B

|1 |2
|===

[stem]
++++
x^2
++++

See <<install,the part>> and https://a.b/c[the page].
// a comment
"""


def test_asciidoc_is_read_with_its_structure() -> None:
    draft = read("a.adoc", ADOC)
    check_tiling(draft)
    assert draft.title == "The Guide"
    assert draft.metadata == {"author": "Ann Author", "date": "2024-05-06", "keywords": "pumps"}
    assert paths(draft) == [("Install",), ("Install", "Details")]
    assert texts(draft, "code") == ["# no heading\nmake"]
    assert texts(draft, "list") == ["- one\n  - two\n    1. first\n    2. second"]
    assert texts(draft, "table") == ["| A | B |\n| --- | --- |\n| 1 | 2 |"]
    assert texts(draft, "formula") == ["$$x^2$$"]
    assert "Note: Mind it." in texts(draft)
    assert "Valve: Lets flow." in texts(draft)
    assert [link.target for link in draft.links] == ["install", "https://a.b/c"]
    assert {"bold", "italic", "Valve"} <= set(terms(draft))
    assert "comment" not in draft.text


LATEX = r"""
\documentclass{article}
\title{On \emph{Bases}}\author{A. B\"uhler \and C. D\'or}\date{2024-01-02}
% a comment
\begin{document}\maketitle
\section{Intro}\label{s}
Some \textbf{bold} text~with $a_1$, 50\% and \href{http://x.y}{a link}\footnote{Aside.}.
``Quoted'' --- dash. \unknown{kept}

\begin{itemize}
\item one
\item[Term] two
  \begin{enumerate}\item x \item y\end{enumerate}
\end{itemize}
\begin{equation}\label{e} E = mc^2 \end{equation}
\begin{tabular}{l|c}\hline A & B \\ \hline 1 & 2 \\ \end{tabular}
\begin{lstlisting}[language=Python]
x = 1 % 2
\end{lstlisting}
\begin{theorem}[Pythagoras] We have it. \end{theorem}
\subsection*{Sub}
End.
\end{document}
"""


def test_latex_is_read_with_its_structure() -> None:
    draft = read("a.tex", LATEX)
    check_tiling(draft)
    assert draft.title == "On Bases"
    assert draft.metadata == {"author": "A. Bühler; C. Dór", "date": "2024-01-02"}
    assert paths(draft) == [("Intro",), ("Intro", "Sub")]
    assert texts(draft, "paragraph")[0] == (
        "Some bold text with $a_1$, 50% and a link (Aside.). “Quoted” — dash. kept"
    )
    assert texts(draft, "list") == ["- one\n- Term: two\n  1. x\n  2. y"]
    assert texts(draft, "formula") == ["$$E = mc^2$$"]
    assert texts(draft, "table") == ["| A | B |\n| --- | --- |\n| 1 | 2 |"]
    assert texts(draft, "code") == ["x = 1 % 2"]
    assert "Theorem (Pythagoras): We have it." in texts(draft)
    assert "comment" not in draft.text


def test_arguments_of_unknown_commands_stay_apart() -> None:
    assert read(
        "a.tex", r"\author{A}\funcline{solve}{a, b} \begin{desc}{Http}{cache} It is."
    ).text == ("solve a, b\n\nHttp cache It is.")


def test_a_notebook_gives_text_code_and_what_was_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Text with $x$."]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"text": ["1\n"]}]},
        {"cell_type": "code", "source": "f()", "outputs": [{"data": {"image/png": "QUJD"}}]},
    ]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}
    draft = read("a.ipynb", json.dumps(notebook))
    assert draft.title == "Title"
    assert texts(draft) == ["Title", "Text with $x$.", "print(1)", "1", "f()"]
    assert draft.blocks[2].language == "python"


@pytest.mark.parametrize("content", ["{", "[]", '{"cells": 3}', '{"cells": []}'])
def test_a_damaged_notebook_is_refused(content: str) -> None:
    with pytest.raises(ReadingError, match=r"notebook|empty"):
        read("a.ipynb", content)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_values_become_a_table_whatever_parts_them(delimiter: str) -> None:
    rows = [["name", "size"], ["pump", "1.5"], ["valve, big; red", "2"]]
    text = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert read("a.csv", text).text == (
        "| name | size |\n| --- | --- |\n| pump | 1.5 |\n| valve, big; red | 2 |"
    )


def test_a_long_table_is_cut_and_each_part_has_the_header() -> None:
    text = "key,value\n" + "".join(f"k{i},{i}\n" for i in range(900))
    tables = texts(read("a.csv", text), "table")
    assert len(tables) == 3  # 900 rows in parts of 400
    assert all(table.startswith("| key | value |\n| --- | --- |\n") for table in tables)


def test_source_code_is_cut_at_its_definitions() -> None:
    code = '"""Doc."""\nimport x\n\n\n# why\n@wrap\ndef one(a):\n    return a\n\n\nclass Two:\n    pass\n'
    draft = read("part.py", code)
    assert draft.title == "part.py"
    assert paths(draft) == [("def one",), ("class Two",)]
    assert texts(draft, "code") == [
        '"""Doc."""\nimport x',
        "# why\n@wrap\ndef one(a):\n    return a",
        "class Two:\n    pass",
    ]
    assert {block.language for block in draft.blocks if block.kind == "code"} == {"python"}


JATS = """<?xml version="1.0"?><article xml:lang="en"><front><article-meta><title-group>
<article-title>On Ducks</article-title></title-group><contrib-group><contrib contrib-type="author">
<name><surname>Doe</surname><given-names>Jo</given-names></name></contrib></contrib-group>
<pub-date><day>3</day><month>2</month><year>2020</year></pub-date>
<abstract><title>Abstract</title><p>Ducks swim.</p></abstract></article-meta></front><body>
<sec><label>1</label><title>Methods</title><p>We saw <italic>ducks</italic><xref rid="r1">[1]</xref>
and <inline-formula><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup>
</math></inline-formula>.</p><sec><title>Place</title><p>A lake.</p>
<table-wrap><label>Table 1</label><caption><p>Sizes</p></caption><table><thead><tr><th>a</th>
<th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></table-wrap></sec></sec>
</body></article>"""


def test_articles_in_jats_are_read_with_their_structure() -> None:
    draft = read("a.nxml", JATS)
    check_tiling(draft)
    assert draft.title == "On Ducks"
    assert draft.metadata == {"author": "Jo Doe", "date": "2020-02-03"}
    assert paths(draft) == [("Abstract",), ("1 Methods",), ("1 Methods", "Place")]
    assert "We saw ducks[1] and $x^{2}$." in texts(draft)
    assert texts(draft, "table") == ["| a | b |\n| --- | --- |\n| 1 | 2 |"]
    assert "Table 1: Sizes" in texts(draft)


CNXML = """<document xmlns="http://cnx.rice.edu/cnxml" xmlns:m="http://www.w3.org/1998/Math/MathML">
<title>Vectors</title><metadata><x>no</x></metadata><content><section><title>Length</title>
<para>The <term>norm</term> is<m:math><m:mi>n</m:mi></m:math>.</para>
<list list-type="enumerated"><item>one</item><item>two</item></list>
<equation><m:math><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:math></equation>
<note><title>Tip</title><para>Draw it.</para></note></section></content>
<glossary><definition><term>basis</term><meaning>A set.</meaning></definition></glossary></document>"""


def test_modules_in_cnxml_are_read_with_their_structure() -> None:
    draft = read("a.cnxml", CNXML)
    assert draft.title == "Vectors"
    assert paths(draft) == [("Length",), ("Glossary",)]
    assert "The norm is$n$." in texts(draft)
    assert "1. one\n2. two" in texts(draft, "list")
    assert texts(draft, "formula") == [r"$$\frac{1}{2}$$"]
    assert "Tip: Draw it." in texts(draft)
    assert "basis: A set." in texts(draft)
    assert terms(draft) == ["norm", "basis"]


def test_books_in_docbook_are_read_with_their_structure() -> None:
    draft = read(
        "a.xml",
        "<book><info><title>B</title></info><chapter><title>C</title><section><title>S</title>"
        "<para>P <emphasis>e</emphasis>.</para><programlisting language='c'>int x;</programlisting>"
        "<variablelist><varlistentry><term>t</term><listitem><para>d</para></listitem>"
        "</varlistentry></variablelist></section></chapter></book>",
    )
    assert draft.title == "B"
    assert paths(draft) == [("C",), ("C", "S")]
    assert texts(draft)[2:] == ["P e.", "int x;", "t: d"]


def test_a_feed_gives_its_entries() -> None:
    draft = read(
        "a.rss",
        "<rss><channel><title>News</title><item><title>One</title><pubDate>Mon</pubDate>"
        "<description>&lt;p&gt;Some &lt;b&gt;text&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>",
    )
    assert draft.title == "News"
    assert texts(draft) == ["One", "Mon", "Some text."]


def test_entities_in_xml_neither_grow_nor_read_files() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(97 + i)} "{f"&{chr(96 + i)};" * 10}">' for i in range(1, 20)
    )
    read_in = '<!ENTITY xxe SYSTEM "file:///etc/passwd">]><a><p>text &xxe; &t; &eacute;</p></a>'
    draft = read("a.xml", bomb + read_in)
    assert len(draft.text) < 200
    assert "root:" not in draft.text
    assert "text" in draft.text
    assert "é" in draft.text


def test_unknown_xml_gives_its_values_with_their_names() -> None:
    draft = read(
        "a.xml", "<order><id>7</id><item>Pump</item><note>A <b>big</b> one.</note></order>"
    )
    assert texts(draft) == ["id: 7\nitem: Pump", "A big one."]


@pytest.mark.parametrize("name", ["a.adoc", "a.tex", "a.csv", "a.py", "a.xml", "a.html", "a.rss"])
@pytest.mark.parametrize(
    "content",
    ["x" * 300_000, "{" * 20_000, "\\a{" * 20_000, "[" * 20_000, "*a* _b_ " * 5_000, "<a>" * 20_000,
     "$" * 20_001, '"' * 20_001, "|===\n" * 5_000, "def f(\n" * 5_000, " " * 100_000 + "x",
     "\\begin{itemize}\\item " * 2_000, "a,b\n" * 20_000, "&x;" * 20_000, "<![CDATA[" * 9_000]
)  # fmt: skip
def test_hostile_texts_are_read_or_refused_in_short_time(name: str, content: str) -> None:
    with contextlib.suppress(ReadingError):
        check_tiling(read(name, content))


def test_kinds_of_a_csv_without_header() -> None:
    assert kinds(read("a.csv", "1,2\n3,4\n")) == ["table"]
    assert read("a.csv", "1,2\n3,4\n").text == "| 1 | 2 |\n| 3 | 4 |"


def test_the_marks_of_asciidoc_for_characters_and_line_ends_are_read() -> None:
    draft = read("a.adoc", "= T\n\nOne +\ntwo {vbar} {cpp} + three {unknown}\n\n* item +\nmore\n")
    assert texts(draft) == ["T", "One\ntwo | C++ + three {unknown}", "- item\n  more"]


def test_a_long_table_of_latex_has_its_head_once_and_its_caption_before_it() -> None:
    table = (
        "\\begin{longtable}[]{@{}ll@{}}\n\\caption{Heights}\\tabularnewline\n\\toprule\\noalign{}\n"
        "Harbour & Height \\\\\n\\midrule\\noalign{}\n\\endfirsthead\n\\toprule\\noalign{}\n"
        "Harbour & Height \\\\\n\\midrule\\noalign{}\n\\endhead\n\\bottomrule\\noalign{}\n\\endlastfoot\n"
        "Brest & 6.1 \\\\\n\\end{longtable}\n"
    )
    assert texts(read("a.tex", table)) == [
        "Heights", "| Harbour | Height |\n| --- | --- |\n| Brest | 6.1 |",
    ]  # fmt: skip


def test_definitions_of_macros_go_and_coloured_code_is_code() -> None:
    code = "\\begin{Highlighting}[]\n\\KeywordTok{def}\\NormalTok{ f(x):}\n    \\CommentTok{\\# no}\n\\end{Highlighting}"
    text = f"x\\textsuperscript{{2}}\n\\def\\labelenumi{{\\arabic{{enumi}}.}}\n\n{code}\n"
    text += "\n\\includegraphics[alt={A gauge}]{g.png}\n"
    assert texts(read("a.tex", text)) == ["x^2", "def f(x):\n    # no", "[image: A gauge]"]


def test_code_on_lines_of_its_own_in_an_article_is_a_block() -> None:
    body = (
        "<sec><title>S</title><p>Use <code>f</code>.</p><code language='python'>a\n  b</code></sec>"
    )
    draft = read("a.nxml", f"<article><body>{body}</body></article>")
    assert texts(draft)[1:] == ["Use f.", "a\n  b"]
    assert kinds(draft)[-1] == "code"


def test_headings_of_two_lines_in_asciidoc_are_headings_and_blocks_stay_blocks() -> None:
    text = (
        "The Guide\n=========\nAnn Writer\n\nName\n----\nIt is so.\n\n----\nnot one\n-------\n----\n\n"
        "[[more]]\nMore of it\n~~~~~~~~~~\n\nDeep\n^^^^\nEnd of\n---------\nx\n---------\n"
    )
    draft = read("a.adoc", text)
    assert draft.title == "The Guide"
    assert draft.metadata == {"author": "Ann Writer"}
    assert paths(draft) == [("Name",), ("Name", "More of it"), ("Name", "More of it", "Deep")]
    assert texts(draft, "code") == ["not one\n-------", "x"]


def test_a_module_tells_its_authors_and_what_it_teaches_and_names_what_it_refers_to() -> None:
    draft = read(
        "a.cnxml",
        """<document xmlns="http://cnx.rice.edu/cnxml" xmlns:md="http://cnx.rice.edu/mdml">
<title>Heat</title><metadata><md:created>2020/01/02</md:created><md:actors><md:person userid="ab">
<md:fullname>Ann Berg</md:fullname></md:person></md:actors><md:roles><md:role type="author">ab</md:role>
</md:roles><md:abstract>You will define heat.</md:abstract></metadata><content>
<para>See <link target-id="s"/>.</para><section id="s"><title>Flow</title><para>It flows.</para>
</section></content></document>""",
    )
    assert draft.metadata == {"author": "Ann Berg", "date": "2020/01/02"}
    assert texts(draft) == ["You will define heat.", "See Flow.", "Flow", "It flows."]


def test_an_article_has_months_by_name_and_references_of_separate_words() -> None:
    draft = read(
        "a.nxml",
        """<article><front><article-meta><title-group><article-title>Ducks</article-title></title-group>
<pub-date><day>4</day><month>March</month><year>2021</year></pub-date></article-meta></front><body><sec>
<title>Lakes</title><p>Wet.</p></sec></body><back><ref-list><ref><element-citation><name><surname>Old</surname>
<given-names>A</given-names></name><article-title>Swans</article-title><year>1999</year></element-citation>
</ref></ref-list></back></article>""",
    )
    assert draft.metadata["date"] == "2021-03-04"
    assert paths(draft) == [("Lakes",), ("References",)]
    assert texts(draft)[0] == "Ducks"
    assert texts(draft)[-1] == "Old A Swans 1999"


def test_a_notebook_shows_its_tables_and_errors_and_reads_the_front_matter_of_its_first_cell() -> (
    None
):
    frame = "<table><tr><th></th><th>a</th></tr><tr><th>0</th><td>1</td></tr></table>"
    outputs = [
        {"output_type": "execute_result", "data": {"text/html": frame, "text/plain": "  a"}},
        {"output_type": "display_data", "data": {"image/png": "x", "text/plain": "<Figure>"}},
        {"output_type": "error", "ename": "KeyError", "evalue": "'b'", "traceback": []},
    ]
    cells = [
        {"cell_type": "raw", "source": "---\ntitle: Frames\nauthor: Ann\n---\n"},
        {"cell_type": "code", "source": "f['b']", "outputs": outputs},
    ]
    draft = read("a.ipynb", json.dumps({"cells": cells, "metadata": {}}))
    assert (draft.title, draft.metadata) == ("Frames", {"author": "Ann"})
    assert texts(draft) == ["f['b']", "|  | a |\n| --- | --- |\n| 0 | 1 |", "KeyError: 'b'"]


@pytest.mark.parametrize(
    ("name", "source", "headings"),
    [
        ("a.go", "func (p *Pump) Start(n int) {\n}\n", ["func (p *Pump) Start"]),
        ("a.js", "export const add = (a, b) => a;\nmodule.exports = {};\n", ["export const add = (a, b)"]),
        ("a.sh", "backup() {\n cp a b\n}\n", ["backup()"]),
        ("a.rs", "mod other;\nmod parts {\n}\npub fn go() {\n}\n", ["mod parts", "pub fn go"]),
        ("a.cpp", "template <typename T>\nT total(T one) {\n}\n", ["T total(T one)"]),
        ("a.sql", "CREATE VIEW big AS SELECT * FROM lot;\n", ["CREATE VIEW big"]),
        ("a.R", "total <- function(x) {\n  x\n}\n", ["total <- function"]),
        ("a.lua", "local function add(a)\nend\n", ["local function add"]),
        ("a.c", "/* Starts.\n * It must. */\nstatic int\nstart(int n)\n{\n}\n", ["start"]),
    ],
)  # fmt: skip
def test_definitions_are_found_in_each_languages_own_form(
    name: str, source: str, headings: list[str]
) -> None:
    assert texts(read(name, source), "heading") == headings


def test_the_methods_of_a_long_class_have_headings_of_their_own() -> None:
    body = "".join(
        f"    # why {n}\n    def get_{n}(self):\n        return {n}\n\n" for n in (1, 2, 3)
    )
    draft = read("a.py", f"@dataclass\nclass Plan:\n    day: str\n\n{body}")
    check_tiling(draft)
    assert paths(draft) == [
        ("class Plan",),
        *(("class Plan", f"def get_{number}") for number in (1, 2, 3)),
    ]
    assert texts(draft, "code")[:2] == [
        "@dataclass\nclass Plan:\n    day: str",
        "    # why 1\n    def get_1(self):\n        return 1",
    ]


def test_methods_without_a_word_that_says_so_are_found_and_branches_are_none() -> None:
    method = "    /** Gets\n     * it. */\n    public int get{n}(int a) {{\n        if (a) {{\n        }}\n    }}\n"
    body = "".join(method.format(n=number) for number in (1, 2))
    draft = read("A.java", f"/**\n * A plan.\n */\npublic class A {{\n{body}}}\n")
    assert texts(draft, "heading") == ["public class A", "get1", "get2"]


def test_the_first_line_of_excel_tells_what_parts_the_values() -> None:
    assert texts(read("a.csv", "sep=;\na;b\n1;2\n")) == ["| a | b |\n| --- | --- |\n| 1 | 2 |"]


def test_theorems_are_called_what_the_preamble_calls_them() -> None:
    text = (
        r"\documentclass{a}\newtheorem{thm}{Theorem}\newtheorem{fct}[thm]{Known fact}"
        "\\begin{document}\\begin{thm}[Euclid] There are many.\\end{thm}\n\n"
        "\\begin{fct}So it is.\\end{fct}\\end{document}"
    )
    assert texts(read("a.tex", text)) == [
        "Theorem (Euclid): There are many.", "Known fact: So it is."
    ]  # fmt: skip


def article(body: str, *, abstract: str = "", back: str = "") -> str:
    title = "<title-group><article-title>On Mills</article-title></title-group>"
    front = f"<front><article-meta>{title}<abstract>{abstract}</abstract></article-meta></front>"
    return f"<article>{front}<body>{body}</body><back>{back}</back></article>"


def test_an_abstract_without_a_title_has_one_before_sections_and_none_before_paragraphs() -> None:
    parts = "<sec><title>Results</title><p>Flour.</p></sec>"
    draft = read("a.xml", article("<sec><title>Aims</title><p>Bread.</p></sec>", abstract=parts))
    assert paths(draft) == [("Abstract",), ("Abstract", "Results"), ("Aims",)]
    assert paths(read("a.xml", article("<p>Bread.</p>", abstract="<p>Flour.</p>"))) == []


def test_what_follows_a_box_does_not_stand_under_its_title() -> None:
    box = "<boxed-text><sec><title>Box 1</title><p>A box.</p></sec></boxed-text><p>After.</p>"
    draft = read("a.xml", article(f"<sec><title>Aims</title>{box}</sec>"))
    assert paths(draft) == [("Aims",)]
    assert texts(draft, "paragraph")[-2:] == ["Box 1: A box.", "After."]


def test_a_reference_keeps_its_volume_and_pages_and_a_formula_its_number() -> None:
    cited = "<mixed-citation>Bread <volume>3</volume>:<fpage>1</fpage>-<lpage>9</lpage></mixed-citation>"
    formula = "<disp-formula><label>(4)</label><tex-math>a=b</tex-math></disp-formula>"
    draft = read(
        "a.xml", article(f"<p>x</p>{formula}", back=f"<ref-list><ref>{cited}</ref></ref-list>")
    )
    assert texts(draft, "formula") == ["$$a=b \\tag{4}$$"]
    assert texts(draft)[-1] == "Bread 3:1-9"


def test_the_title_of_a_list_is_no_item_and_a_solution_is_called_one() -> None:
    cnxml = (
        '<document xmlns="http://cnx.rice.edu/cnxml"><title>T</title><content>'
        "<list><title>Steps</title><item>Draw</item></list><quote>Stand.</quote>"
        "<exercise><problem><para>Why?</para></problem><solution><para>So.</para></solution>"
        "</exercise></content></document>"
    )
    draft = read("a.cnxml", cnxml)
    assert kinds(draft) == ["paragraph", "list", "quote", "paragraph", "paragraph"]
    assert texts(draft) == ["Steps", "- Draw", "Stand.", "Why?", "Solution: So."]
