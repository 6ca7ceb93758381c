"""LaTeX: a file's own macros, and arguments that are no text."""

from __future__ import annotations

import pytest

from graphrag.reading.latex import read_latex


def text_of(body: str, preamble: str = "") -> str:
    source = rf"{preamble}\begin{{document}}{body}\end{{document}}"
    return read_latex(source.encode(), "note").text


@pytest.mark.parametrize(
    "definition, use, shown",
    [
        (r"\newcommand{\R}{\mathbb{R}}", r"$\R^n$", r"$\mathbb{R}^n$"),
        (r"\newcommand{\inner}[2]{(#1, #2)}", r"$\inner{u}{v}$", "$(u, v)$"),
        (r"\newcommand{\inner}[2]{(#1, #2)}", r"$\inner u\beta$", r"$(u, \beta)$"),
        (r"\newcommand*{\norm}[2][2]{|#2|_{#1}}", r"$\norm{x}+\norm[1]{y}$", "$|x|_{2}+|y|_{1}$"),
        (r"\def\half#1{\frac{#1}{2}}", r"$\half{\half{a}}$", r"$\frac{\frac{a}{2}}{2}$"),
        (r"\DeclareMathOperator{\rank}{rank}", r"$\rank A$", r"$\operatorname{rank} A$"),
        (r"\newcommand{\eps}{\varepsilon}", r"$\eps x$", r"$\varepsilon x$"),
        (r"\newcommand{\bold}[1]{\mathbf#1}", r"$\bold x$", r"$\mathbf x$"),
        (r"\newcommand{\tool}{Loom\xspace}", r"\tool weaves", "Loom weaves"),
        (r"\newcommand{\T}{\ensuremath{T_0}}", r"the \T{} here", "the $T_0$ here"),
        (r"\newcommand{\hint}[1]{\emph{Hint: #1}}", r"\hint{Look.}", "Hint: Look."),
        (r"\newcommand{\hidden}[1]{}", r"a\hidden{b} c", "a c"),
    ],
)
def test_a_files_own_macros_are_expanded(definition, use, shown):
    assert text_of(use, definition) == shown


def test_a_macro_may_open_an_environment():
    preamble = r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}"
    assert text_of(r"See: \be a = b \ee done.", preamble) == "See:\n\n$$a = b$$\n\ndone."


def test_the_title_and_headings_have_macros_expanded():
    source = r"\newcommand{\tool}{Loom}\title{On \tool}\begin{document}\section{Why \tool?}"
    draft = read_latex(source.encode(), "note")
    assert (draft.title, draft.text) == ("On Loom", "Why Loom?")


def test_definitions_within_the_body_leave_no_traces():
    assert text_of(r"Before. \newcommand{\two}[2]{#1 and #2} \two{x}{y} after.") == (
        "Before. x and y after."
    )


def test_macros_in_code_stay_as_they_are():
    body = "\\begin{verbatim}\n\\R\n\\end{verbatim}\nUse \\verb|\\R| there."
    assert text_of(body, r"\newcommand{\R}{x}") == "\\R\n\nUse \\R there."


def test_what_the_reader_knows_is_not_defined_anew():
    assert text_of(r"\emph{word}", r"\renewcommand{\emph}[1]{\textbf{\underline{!}}}") == "word"


@pytest.mark.parametrize(
    "definition, use",
    [
        (r"\newcommand{\a}{\a\a}", r"\a " * 2000),
        (r"\newcommand{\a}[1]{#1#1}", r"\a{" * 40 + "x" * 100 + "}" * 40),
    ],
)
def test_macros_that_call_or_double_themselves_end(definition, use):
    # 1,000,000 characters may be written, and one expansion at most doubles what is there.
    assert len(text_of(f"Begin. {use} end.", definition)) < 4_000_000


@pytest.mark.parametrize(
    "body, shown",
    [
        ("\\hypertarget{some-id}{%\n\\section{Weaving}\\label{some-id}}", "Weaving"),
        (r"a \textcolor{red}{warning} sign", "a warning sign"),
        (r"a \parbox[t]{3cm}{boxed} word", "a boxed word"),
        (r"see \hyperlink{anchor}{the loom} there", "see the loom there"),
        (r"the \texorpdfstring{$\alpha$}{alpha} ray", r"the $\alpha$ ray"),
        (r"\begin{minipage}[b]{0.3\linewidth}Inside.\end{minipage}", "Inside."),
        (r"\begin{wrapfigure}{r}{5cm}Inside.\end{wrapfigure}", "Inside."),
    ],
)
def test_arguments_that_are_no_text_leave_no_traces(body, shown):
    assert text_of(body) == shown


def test_cells_in_boxes_and_over_rows_hold_their_text_alone():
    table = (
        "\\begin{tabular}{ll}\n\\begin{minipage}[b]{2cm}Warp\\end{minipage} & Weft \\\\\n"
        "\\multirow{2}{*}{wool} & silk\n\\end{tabular}"
    )
    assert text_of(table) == "| Warp | Weft |\n| --- | --- |\n| wool | silk |"
