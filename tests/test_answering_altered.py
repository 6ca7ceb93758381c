"""A sentence that alters what a passage says is struck; one that only words it anew stays."""

from __future__ import annotations

import pytest

from graphrag.answering.grounding import check
from graphrag.answering.opposites import are_opposite
from tests.answering_values import passage

RANK = passage(
    "## Rank\n\nThe rank of an $m \\times n$ matrix is at most $m$ and at most $n$. "
    "For all matrices $\\operatorname{rank} A + \\operatorname{nullity} A = n$. "
    "Only square matrices can be invertible. The transpose satisfies $(AB)^T = B^T A^T$. "
    "The kernel of $T$ is the null space of $A$, and the image is the column space. "
    "Every basis has three vectors; some matrices have two pivots in the first column.",
    document="rank.md",
)
PUMP = passage(
    "Never run the pump dry. Wait at least 15 minutes before the cover is opened. "
    "The receiver falls from 7.0 to 6.0 bar on 2025-03-01 at 07:00. "
    "The upper seal must be changed before the lower seal. Call the fitter at night.",
    document="pump.md",
)
BELT = passage(
    "Tighten the bolts to 48 Nm. The belt may lose 15 % of its speed. "
    "The method relies on the take-up weight and on clean rollers. "
    "Too little tension makes the belt slip on a wet pulley. "
    "Interchanging two rollers changes the sound. "
    "The entry is the sum of the loads, and the exit is their product. "
    "Nobody talks to the press except the works manager. "
    "A splice is good if and only if no cord is seen. "
    "The seal alone is not enough, because the gasket can't be used twice. "
    "Set belt.start_grace to 8. The rule on slack is not necessary; other rules suffice.",
    document="belt.md",
)
CODES = passage(
    "| Code | Meaning | Stop |\n|---|---|---|\n"
    "| E1042 | Seal flush pressure low | delayed 30 s |\n"
    "| E1043 | Bearing temperature high | none |",
    document="codes.md",
    kind="table",
)
PASSAGES = [RANK, PUMP, CODES, BELT]


def struck(sentence):
    return check(sentence, PASSAGES).text == ""


@pytest.mark.parametrize(
    "sentence",
    [
        r"The rank of an $m \times n$ matrix is at least $m$ and at most $n$ [1].",
        r"For all matrices $\operatorname{rank} A - \operatorname{nullity} A = n$ [1].",
        r"For all matrices $\operatorname{rank} A + \operatorname{nullity} A = m$ [1].",
        r"For some matrices $\operatorname{rank} A + \operatorname{nullity} A = n$ [1].",
        r"The transpose satisfies $(AB)^T = A^T B^T$ [1].",
        r"The transpose satisfies $(AB)^2 = B^T A^T$ [1].",
        "Square matrices can be invertible [1].",
        "Only singular matrices can be invertible [1].",
        r"The null space of $T$ is the kernel of $A$, and the image is the column space [1].",
        r"The kernel of $T$ is the column space of $A$ [1].",
        "Every basis has four vectors [1].",
        "Some bases have three vectors; every matrix has two pivots in the first column [1].",
        "Some matrices have two pivots in the second column [1].",
    ],
)
def test_an_altered_statement_is_struck(sentence):
    assert struck(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Run the pump dry [2].",
        "Wait at most 15 minutes before the cover is opened [2].",
        "Wait at least 15 minutes after the cover is opened [2].",
        "Wait at least 15 hours before the cover is opened [2].",
        "The receiver falls from 7.0 to 5.0 bar [2].",
        "The receiver falls from 7.0 to 6.0 mbar [2].",
        "The receiver falls from 7.0 to 6.0 bar on 2025-03-02 at 07:00 [2].",
        "The receiver falls from 7.0 to 6.0 bar on 2025-03-01 at 08:00 [2].",
        "The lower seal must be changed before the upper seal [2].",
        "The upper seal may be changed before the lower seal [2].",
        "The upper valve must be changed before the lower seal [2].",
        "| E1043 | Seal flush pressure low | delayed 30 s [3] |",
        "| E1042 | Seal flush pressure high | delayed 30 s [3] |",
    ],
)
def test_an_altered_instruction_or_row_is_struck(sentence):
    assert struck(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        r"An $m \times n$ matrix has a rank of at most $m$ and at most $n$ [1].",
        r"The rank of an $m\times n$ matrix is not more than $m$ and at most $n$ [1].",
        "rank A + nullity A = n for all matrices [1].",
        "Only square matrices may be invertible [1].",
        "Every basis has 3 vectors [1].",
        r"The kernel of $T$ is the null space of $A$ [1].",
        "The pump must never be run dry [2].",
        "Before the cover is opened, wait at least 15 min [2].",
        "At night call the fitter [2].",
        "E1043: the bearing temperature is high [3].",
    ],
)
def test_the_same_in_other_words_stays(sentence):
    assert check(sentence, PASSAGES).text == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "Tighten the bolts to 48 N [4].",
        "The belt may lose 15 per mille of its speed [4].",
        "The method relies on the counterweight of the tower and on clean rollers [4].",
        "The method relies on the hydraulic take-up weight and on clean rollers [4].",
        "Too much tension makes the belt slip on a wet pulley [4].",
        "The exit is the sum of the loads, and the entry is their product [4].",
        "Set motor.start_grace to 8 [4].",
        "| E1043 | Coupling temperature high | none [3] |",
    ],
)
def test_a_foreign_name_or_unit_is_struck(sentence):
    assert struck(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Swapping two rollers changes the sound [4].",
        "The exit is the product of the loads, and the entry is their sum [4].",
        "Only the works manager talks to the press [4].",
        "A splice is good when no cord is seen, and only then [4].",
        "The seal is not enough, because the gasket can't be used twice [4].",
    ],
)
def test_honest_wordings_stay(sentence):
    assert check(sentence, PASSAGES).text == sentence


def test_what_stands_behind_a_not_is_no_quotation_without_it():
    assert struck("Run the pump dry [2].")
    assert not struck("Never run the pump dry [2].")


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("upper", "lower", True),
        ("Opened", "closed", True),
        ("dependent", "independent", True),
        ("left-handed", "right-handed", True),
        ("left-handed", "left-sided", False),
        ("side", "inside", False),
        ("pump", "valve", False),
    ],
)
def test_opposites_are_known_by_pair_or_prefix(one, other, opposite):
    assert are_opposite(one, other) is are_opposite(other, one) is opposite


COUNTED = passage(
    "1. Two people must sign the permit.\n"
    "2. Drain, rinse, fill and vent the left and right lines.\n"
    "3. Wait ten minutes; then open it.\n4. Seven; the fourth is new.",
    document="permit.md",
)
ROWS = passage(
    "| space | basis | dimension |\n|---|---|---|\n| plane | four matrices with a single 1 | 4 |",
    document="rows.md",
    kind="table",
)


@pytest.mark.parametrize(
    ("altered", "source"),
    [
        ("Three people must sign the permit [1].", COUNTED),
        ("Wait six minutes; then open it [1].", COUNTED),
        ("Five; the fourth is new [1].", COUNTED),
        ("Four; the fourth is new [1].", COUNTED),  # the number of the item, and none of its own
        ("| plane | four matrices with a single 4 [1] | 4 |", ROWS),
    ],
)
def test_a_number_written_as_a_word_is_held_to_its_source(altered, source):
    assert check(altered, [source]).text == ""


@pytest.mark.parametrize(
    "counting",
    [
        "Seven; the fourth is new [1].",
        "The two lines, left and right, are drained, rinsed, filled and vented [1].",
        "Drain, rinse, fill and vent the left and right lines: four steps [1].",
    ],
)
def test_a_word_may_count_what_the_source_lists(counting):
    assert check(counting, [COUNTED]).text == counting


def test_what_a_table_says_of_one_code_is_not_said_of_another():
    table = passage(
        "| Code | Name |\n|---|---|\n| XX000 | internal error |\n| XX001 | data corrupted |",
        document="codes.md",
        kind="table",
    )
    assert check("XX001 means data corrupted [1].", [table]).text
    assert not check("XX000 means data corrupted [1].", [table]).text


def test_a_sign_changed_in_code_is_seen_though_it_stands_on_a_line_of_prose():
    code = "print(x[0]*A[:, 0] + x[1]*A[:, 1] + x[2]*A[:, 2])"
    shown = passage(f"The sum is {code} here.")
    turned = code.replace(" + x[1]", " - x[1]")
    assert check(f"The sum is {code} here. [1]", [shown]).citations
    assert not check(f"The sum is {turned} here. [1]", [shown]).text
