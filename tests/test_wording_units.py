"""A passage falls into pieces that can be quoted whole."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from graphrag.wording.units import units

TEXT = """Changing the seal

The seal is changed in three steps. Each takes an hour.

Do the following:

1. Close the valve.
2. Unscrew the impeller,
   with the long key.
3. Pull the unit out.

| Code | Stop |
|------|------|
| E1 | trip |
| E2 | none |

$$Ax = b$$

```
x = 1

y = 2
```"""


def kinds(text: str) -> list[tuple[str, str]]:
    return [(unit.kind, unit.text) for unit in units(text)]


def test_each_kind_of_piece_is_told_from_the_others():
    assert kinds(TEXT) == [
        ("heading", "Changing the seal"),
        ("sentence", "The seal is changed in three steps."),
        ("sentence", "Each takes an hour."),
        ("sentence", "Do the following:"),
        ("item", "1. Close the valve."),
        ("item", "2. Unscrew the impeller,\n   with the long key."),
        ("item", "3. Pull the unit out."),
        ("row", "| E1 | trip |"),
        ("row", "| E2 | none |"),
        ("formula", "$$Ax = b$$"),
        ("code", "```\nx = 1\n\ny = 2\n```"),
    ]


def test_items_know_their_opening_and_rows_their_header():
    leads = {unit.text: unit.lead for unit in units(TEXT)}
    assert leads["1. Close the valve."] == "Do the following:"
    assert leads["| E2 | none |"] == "| Code | Stop |"


def test_a_list_that_follows_its_opening_line_at_once_knows_it_too():
    found = units("Wear:\n- gloves\n- goggles")
    assert [(u.kind, u.lead) for u in found] == [
        ("sentence", ""),
        ("item", "Wear:"),
        ("item", "Wear:"),
    ]


def test_a_table_without_a_rule_has_no_header():
    assert [u.lead for u in units("| E1 | trip |\n| E2 | none |")] == ["", ""]


def test_a_chunk_of_code_is_one_piece():
    assert [u.kind for u in units("a = 1\n\nb = 2", kind="code")] == ["code"]


def test_nothing_gives_nothing():
    assert units("") == units(" \n\n ") == []


@given(st.text(alphabet="ab.|-:\n1 `$", max_size=120))
def test_pieces_are_slices_in_order_that_do_not_overlap(text):
    found = units(text)
    assert all(text[u.start : u.stop] == u.text and u.text.strip() == u.text for u in found)
    assert all(a.stop <= b.start for a, b in itertools.pairwise(found))


def test_a_line_behind_a_colon_is_what_is_to_be_typed_and_no_heading():
    text = "1. Take a snapshot:\n\npdctl snapshot create\n\n2. Edit the file."
    assert [(u.kind, u.text) for u in units(text)] == [
        ("item", "1. Take a snapshot:"),
        ("code", "pdctl snapshot create"),
        ("item", "2. Edit the file."),
    ]


def test_items_with_formulas_and_semicolons_are_no_code():
    text = "- $a = b$;\n- $c = d$;\n- the rest;"
    assert [u.kind for u in units(text)] == ["item", "item", "item"]


def test_a_sentence_between_two_items_opens_no_list():
    text = "1. Check it.\n\n  It prints 0 problems.\n2. Restart it."
    found = units(text)
    assert [(u.kind, u.lead) for u in found][-1] == ("item", "")


def test_lines_behind_a_prompt_are_code():
    for code in ("> x <- 1  # set\n> y <- 2", "# apt update", "sqlite> .tables", "$ ls -l"):
        assert [kind for kind, _ in kinds(code)] == ["code"], code
    for prose in ("A > B holds here.", "50% of it is gone.", "#1 is the best."):
        assert [kind for kind, _ in kinds(prose)] == ["sentence"], prose


def test_no_quotation_is_cut_at_a_mark_within_it():
    text = 'A message that begins with "squash! …" or "fixup! …" is marked. Others stay.'
    assert [unit.text for unit in units(text)] == [
        'A message that begins with "squash! …" or "fixup! …" is marked.',
        "Others stay.",
    ]


def test_a_mark_of_inches_joins_no_sentences():
    text = 'It is 3" wide. It is red. It is new. It is old. It is here.'
    assert len(units(text)) == 5


def test_lines_that_assign_and_call_are_code_and_one_equation_is_none():
    code = "A = np.array([1, 2])\nr = rank(A)\nprint(r)     # 1: rank and nullity"
    assert [kind for kind, _ in kinds(code)] == ["code"]
    for prose in ("The force is\nF = m a.", "The rank is 2 (see above).\nThe nullity is 1."):
        assert "code" not in [kind for kind, _ in kinds(prose)], prose


def test_a_session_at_a_prompt_is_code_with_what_it_printed():
    session = ">>> raise KeyError(1)\nTraceback (most recent call last):\nKeyError: 1"
    shell = "$ git reset --hard\nHEAD is now at 1f2e3d\nDone with it all."
    assert kinds(session) == [("code", session)]
    assert kinds(shell) == [("code", shell)]
    assert kinds("$ a $ is a formula of one sign.")[0][0] == "sentence"
