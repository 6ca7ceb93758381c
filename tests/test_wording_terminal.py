"""Nothing that a document or a model says commands the terminal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.wording.terminal import escaped_json, printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hcleared", "cleared"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;cm0gLXJm\x07text", "text"),
        ("\x1bPq#0;2;0\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("bell\x07 back\x08space", "bell backspace"),
        ("safe\roverwritten", "safe\noverwritten"),
        ("line\r\nline", "line\nline"),
        ("admin\u202etxt.exe", "admintxt.exe"),
        ("hid\u200bden \u2066x\u2069", "hidden x"),
        ("tab\tand\nline stay", "tab\tand\nline stay"),
        ("é 国 👩‍🔬 stay", "é 国 👩‍🔬 stay"),
        ("lone \ud800 half", "lone ? half"),
        ("\x1b", ""),
    ],
)
def test_escapes_go_and_text_stays(text, shown):
    assert printable(text) == shown


@given(st.text(max_size=80))
def test_no_control_code_is_left(text):
    shown = printable(text)
    assert not any(ord(c) < 32 and c not in "\n\t" for c in shown)
    assert not any(0x7F <= ord(c) < 0xA0 for c in shown)
    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("8-bit \x9b31m", '"8-bit \\u009b31m"'),
        ("delete \x7f", '"delete \\u007f"'),
        ("admin\u202etxt", '"admin\\u202etxt"'),
        ("tag \U000e0041", '"tag \\udb40\\udc41"'),
        ("é 国 stay", '"é 国 stay"'),
    ],
)
def test_json_keeps_its_value_and_loses_its_commands(text, shown):
    found = escaped_json(json.dumps(text, ensure_ascii=False))
    assert found == shown
    assert json.loads(found) == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80))
def test_escaped_json_means_the_same(text):
    assert json.loads(escaped_json(json.dumps(text, ensure_ascii=False))) == text
