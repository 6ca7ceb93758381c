"""Documents that contradict each other are found, and few that do not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.conflicts.compare import find_conflicts
from graphrag.conflicts.values import contradict, read_value
from graphrag.domain import Annotation, Document, Phrase, Span
from graphrag.reading.formats import format_of
from graphrag.reading.read import read_content

TODAY = date(2026, 1, 1)


def read(name: str, text: str) -> Document:
    kind = format_of(name)
    draft = read_content(text.encode(), kind, name)
    return Document(
        name, name, draft.title, draft.text, draft.blocks, kind.name, dict(draft.metadata)
    )


def found(files: dict[str, str], *, annotations=None, as_of: date = TODAY, **metadata):
    documents = [read(name, text) for name, text in files.items()]
    about = {
        each.id: {
            **each.metadata,
            "title": each.title,
            "source": each.source,
            **metadata.get(each.id.partition(".")[0], {}),
        }
        for each in documents
    }
    return find_conflicts(documents, annotations or {}, about, as_of)


def said(conflicts) -> list[tuple[str, ...]]:
    return [tuple(side.said for side in each.sides) for each in conflicts]


# --- what contradicts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "one, other",
    [
        ("Retention period: 30 days", "- Retention period: 14 days"),
        ("- **Retention period**: 30 days", "The retention-period: 2 weeks."),
        ("Retention period\n: 30 days", "Retention period: 31 days"),
        ("| Item | Value |\n|-|-|\n| Retention period | 30 days |", "Retention period: 31 days"),
        (
            "| What | Days |\n|-|-|\n| Log files | 30 |",
            "| What | Days |\n|-|-|\n| Log files | 31 |",
        ),
        ("```ini\n[log]\nkeep_days = 30\n```", "```yaml\nlog:\n  keep_days: 31\n```"),
        ("Remote access: allowed", "Remote access: forbidden"),
        ("Next audit: 2025-03-01", "Next audit: 2 March 2025"),
        ("# How long are logs kept?\n\nFor 30 days.", "# How long are logs kept?\n\nFor 31 days."),
        ("# Can I smoke here?\n\nYes.", "# Can I smoke here?\n\nNo, never."),
        ("Retention of backups: 30 days", "Backup retention: 31 days"),
        ("4.1 Term of office: 2 years", "- Term of office: 3 years"),
        ("## 4.1 Term of office: 2 years", "Term of office: 3 years"),
        (
            "| Limit | Team plan |\n|-|-|\n| Weekly uploads | 60 |",
            "| Plan | Weekly uploads |\n|-|-|\n| Team plan | 30 |",
        ),
        (
            "| | |\n|-|-|\n| Retention period | 30 days |\n| Seat | Oslo |",
            "Retention period: 31 days",
        ),
        (
            "# Data of the K12\n\n| Quantity | K12 |\n|-|-|\n| Highest temperature | 1280 °C |",
            "# Safety of the K12\n\nHighest temperature: 1320 °C",
        ),
        ("```yaml\ncache:\n  ttl: 300\n```", "| Key | Value |\n|-|-|\n| `cache.ttl` | 600 |"),
        (
            "# How long may a thesis be?\n\nIt must not exceed 80 pages.",
            "# How long may a thesis be?\n\n60 pages without the appendix.",
        ),
        ("Pool size: forty", "Pool size: 30"),
        ("Fire marshal: the site foreman", "Fire marshal: the head of the security team"),
        (
            "# How many days of leave does an employee get?\n\n28 days a year.",
            "# How many leave days do employees get?\n\nThirty days.",
        ),
    ],
)
def test_the_same_key_with_another_value_is_a_conflict(one, other):
    report = found({"a.md": f"# Alpha\n\n{one}\n", "b.md": f"# Beta\n\n{other}\n"})
    assert len(report.open) == 1
    assert [side.document_id for side in report.open[0].sides] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("Retention period: 14 days", "Retention period: 2 weeks"),
        ("Retention period: 30 days", "Retention period: 5 GB"),
        ("Retention period: 30 days", "Retention period: as the law of the land has it"),
        ("Retention period: 30 days", "Retention period: 30 days (was 14)"),
        ("Weight: 5 kg", "Weight: 7 kg"),
        (
            "# How long may it last?\n\nNo longer than 90 minutes.",
            "# How long may it last?\n\nYes, 1.5 hours are fine.",
        ),
        (
            "Changed in version 3.6: The readrc argument.",
            "Changed in version 3.6: Added `platform_version`.",
        ),
        ("See also: Chapter 3", "See also: Chapter 4\n\nSee also: Chapter 5"),
        ("Pump speed: The rate of its shaft.", "Pump speed: because it tells whether it runs."),
        ("Remote access: on request", "Remote access: off"),
        ("| Item | Pages |\n|-|-|\n| Log files | 3 |", "| Item | Days |\n|-|-|\n| Log files | 4 |"),
        ("# How long are logs kept?\n\nFor 30 days.", "# How long are logs kept?\n\nIn 2 places."),
        ("```python\nkeep_days = 30\nprint(keep_days)\n```", "```ini\nkeep_days = 31\n```"),
    ],
)
def test_what_can_hold_together_is_none(one, other):
    report = found({"a.md": f"# Alpha\n\n{one}\n", "b.md": f"# Beta\n\n{other}\n"})
    assert said(report.open) == []


def test_a_key_of_one_word_counts_under_the_same_heading():
    one, other = "# A\n\n## Pump\n\nWeight: 5 kg\n", "# B\n\n## Pump\n\nWeight: 7 kg\n"
    assert said(found({"a.md": one, "b.md": other}).open) == [("5 kg", "7 kg")]
    one, other = one.replace("5 kg", "Kim"), other.replace("7 kg", "Lee")
    assert found({"a.md": one, "b.md": other}).open == ()


def test_sections_about_different_codes_are_about_different_things():
    one = "# Pumps\n\n## VX-2207\n\nFlush pressure: 2 bar\n"
    other = "# More pumps\n\n## VX-2270\n\nFlush pressure: 3 bar\n"
    assert found({"a.md": one, "b.md": other}).open == ()


def test_sheets_of_one_form_about_different_things_do_not_conflict():
    sheet = "# {}\n\nFlush pressure: {} bar\n\nDry weight: {} kg\n"
    files = {"a.md": sheet.format("Mule", 2, 40), "b.md": sheet.format("Horse", 3, 90)}
    assert found(files).open == ()


def test_two_manuals_of_one_machine_do_conflict_in_most_of_what_they_share():
    one = "# Press HP-200: manual\n\n- Mass: 900 kg\n- Oil volume: 35 l\n- Filter mesh: 10 µm\n"
    other = "# Service of the HP-200\n\n- Oil volume: 30 l\n- Filter mesh: 20 µm\n"
    assert len(found({"a.md": one, "b.md": other}).open) == 2
    another = other.replace("HP-200", "HP-100")
    assert not found({"a.md": one, "b.md": another}).open


def test_values_that_two_manuals_word_otherwise_do_not_make_them_sheets_of_one_form():
    one = "# Manual\n\n- Oil volume: 35 l\n- Noise level: 72 dB\n- Pool size: forty\n"
    other = "# Sheet\n\n- Oil volume: 30 l\n- Noise level: 72 dB at 1 m\n- Pool size: 40\n"
    assert said(found({"a.md": one, "b.md": other}).open) == [("35 l", "30 l")]


def test_a_few_facts_stated_otherwise_do_not_make_two_sheets_of_one_form():
    things = ("gym subsidy", "meal voucher", "bus ticket", "laptop bag", "phone card")
    facts = "\n\n".join(f"The {thing} is {{0}} EUR." for thing in things)
    kinds = (
        "desk lamp",
        "bike rack",
        "coat hook",
        "tea mug",
        "foot rest",
        "wall clock",
        "door key",
    )
    others = "\n\n".join(
        f"The {{0}} {kind} costs 9 EUR." for kind in kinds + tuple(f"new {k}" for k in kinds)
    )
    one = f"# Rules\n\n{facts.format(20)}\n{others.format('red')}\n"
    other = f"# Questions\n\n{facts.format(30)}\n{others.format('blue')}\n"
    assert len(found({"a.md": one, "b.md": other}).open) == 5


def test_a_field_that_every_document_fills_in_is_none():
    files = {f"{n}.md": f"# Case {n}\n\nFound on: 2025-01-0{n}\n" for n in range(1, 6)}
    assert found(files).open == ()


def test_one_that_leaves_the_line_of_many_is_found():
    files = {f"{n}.md": f"# Team {n}x\n\nLogs are kept: 30 days\n" for n in "abcd"}
    files["e.md"] = "# Team e\n\nLogs are kept: 90 days\n"
    assert said(found(files).open)[0][-1] == "90 days"


def test_a_sentence_that_sets_a_value_meets_a_row():
    text = "# Tips\n\nSet the flush pressure to 3 bar. If the flush pressure is 1 bar, stop."
    document = read("b.md", text)
    starts = [at for at in range(len(document.text)) if document.text.startswith("the flush", at)]
    phrases = tuple(Phrase(at, at + len("the flush pressure"), "flush pressure") for at in starts)
    assert len(phrases) == 2
    border = document.text.index("If the")
    sentences = (Span(document.text.index("Set"), border - 1), Span(border, len(document.text)))
    report = found(
        {"a.md": "# Manual\n\n| Item | Value |\n|-|-|\n| Flush pressure | 2 bar |\n", "b.md": text},
        annotations={"b.md": Annotation(sentences, phrases)},
    )
    assert said(report.open) == [("2 bar", "3 bar")]


@pytest.mark.parametrize(
    "one, other",
    [
        (
            "Tighten the **coupling bolts** to 48 Nm in two rounds.",
            "The coupling bolts take 65 Nm.",
        ),
        (
            "Tighten the coupling bolts to 48 Nm.",
            "What torque do you put on the coupling bolts? I always do 65 Nm by feel.",
        ),
        (
            "| Point | Lubricant | Amount |\n|-|-|-|\n| Motor bearings | K3 | 8 g |",
            "The motor bearings of all pumps take 40 grams, as far as we know.",
        ),
        (
            "Who is ill calls the office before 7:30 of that day.",
            "Who is ill calls the office before 8:00 of that day.",
        ),
        ("The Modbus port is 1502.", "Modbus port is 502, everywhere in the world."),
        ("Old logs are kept for 30 days in the vault.", "In the vault old logs are kept 14 days."),
        (
            "Unused days expire on 31 March of the next year.",
            "Unused days expire on 30 June of the next year.",
        ),
        (
            "A note of the doctor is due from the third day of absence.",
            "A note of the doctor is due from the first day of absence.",
        ),
        ("The probation period lasts six months.", "The probation period is three months."),
        (
            "| Benefit | Amount |\n|-|-|\n| Gym subsidy | 25 EUR per month |",
            "The gym subsidy is 40 EUR per month.",
        ),
        (
            "Bills are payable within 30 days of receipt.",
            "2.1 Bills are payable within 14 days of receipt.",
        ),
        ("Bake the rye bread for 55 minutes.", "| Bread | Time |\n|-|-|\n| Rye bread | 45 min |"),
        (
            "The default value of `page_size` is 20.",
            "| Parameter | Default |\n|-|-|\n| `page_size` | 50 |",
        ),
        ("Support hours are 8:00 to 17:00.", "- Support hours: 9:00 to 17:00"),
        ("Visitors may park cars in the yard.", "Visitors must not park cars in the yard."),
        (
            "Private mail on site is allowed in breaks.",
            "In breaks, private mail on site is forbidden.",
        ),
    ],
)
def test_sentences_about_one_thing_with_another_value_conflict(one, other):
    report = found({"a.md": f"# Alpha\n\n{one}\n", "b.md": f"# Beta\n\n{other}\n"})
    assert len(report.open) == 1
    assert [side.document_id for side in report.open[0].sides] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("The coupling bolts take 48 Nm.", "The coupling bolts weigh 2 kg."),
        ("The coupling bolts take at most 48 Nm.", "The coupling bolts take 40 Nm."),
        (
            "The coupling bolts take 48 Nm.",
            "If the coupling bolts were at 65 Nm, they would break.",
        ),
        ("The coupling bolts take 48 Nm.", "The coupling bolts take 65 Nm, the others 48 Nm."),
        ("The coupling bolts take 48 Nm.", "Do the coupling bolts take 65 Nm?"),
        ("Wait an hour before the next start.", "Wait an hour before any other start."),
        (
            "For example take the points $(1, 2)$ of a plane.",
            "Take the points $(2, 2)$ of a plane.",
        ),
        ("[1] The pump house stands near the gate.", "[2] The pump house stands near the gate."),
        (
            "--quiet: show fewer lines of progress.",
            "--quiet, --no-quiet: show fewer lines of progress.",
        ),
        (
            "Added in version 3.2: the encoding parameter.",
            "Added in version 3.4: the encoding parameter.",
        ),
        ("This does not close the open file.", "This closes the open file."),
        ("The office opens at 08:00 on work days.", "The office opens on work days at 8:00."),
        (
            "The 'task' (optional) is an asyncio.Task instance.",
            "The task is an asyncio.Task instance.",
        ),
        ("The first argument names the pump.", "The second argument names the pump."),
        ("decompress(data, max_length=-1): Read.", "Reader.read(data, max_length=0): Read."),
        ("A matrix without an inverse is singular.", "A singular matrix has no inverse."),
        (
            "| Item | Delivery |\n|-|-|\n| Intake filter | 7 days |",
            "| Item | Lasts |\n|-|-|\n| Intake filter | 90 days |",
        ),
    ],
)
def test_sentences_that_can_hold_together_are_none(one, other):
    assert said(found({"a.md": f"# A\n\n{one}\n", "b.md": f"# B\n\n{other}\n"}).open) == []


def test_what_two_kinds_of_statements_say_is_reported_once():
    files = {
        "a.md": "# Alpha\n\nThe flush pressure is 2 bar.\n",
        "b.md": "# Beta\n\nThe flush pressure is 3 bar.\n",
    }
    assert said(found(files).open) == [("2 bar", "3 bar")]


def test_two_documents_may_contradict_each_other_in_several_things():
    one = "Visitors may park cars in the yard. Old lamps must be handed in at the gate."
    other = one.replace("may", "may not").replace("must", "must not")
    report = found({"a.md": f"# A\n\n{one}\n", "b.md": f"# B\n\n{other}\n"})
    assert said(report.open) == [("yes", "no"), ("yes", "no")]


def test_a_contradiction_of_a_version_that_another_document_replaced_is_not_reported():
    files = {"old.md": ONE, "new.md": OTHER, "c.md": "# C\n\nLogs are kept: 7 days\n"}
    report = found(files, new={"supersedes": "old.md"})
    assert said(report.open) == [("14 days", "7 days")]
    assert said(report.settled) == [("30 days", "14 days")]


# --- who wins -------------------------------------------------------------------------------

ONE, OTHER = "# A\n\nLogs are kept: 30 days\n", "# B\n\nLogs are kept: 14 days\n"


@pytest.mark.parametrize(
    "a, b, winner, reason",
    [
        ({"authority": "0.5"}, {"authority": "1.0", "date": "2020"}, "b.md", "authority"),
        ({"date": "2024-05-01"}, {"date": "2024-04-30"}, "a.md", "date"),
        ({"date": "2020", "valid_from": "2025-01-01"}, {"date": "2024"}, "a.md", "date"),
        ({}, {}, "", "nothing"),
    ],
)
def test_authority_decides_then_the_date(a, b, winner, reason):
    (conflict,) = found({"a.md": ONE, "b.md": OTHER}, a=a, b=b).open
    assert (conflict.winner, conflict.reason) == (winner, reason)


def test_two_of_the_same_authority_that_agree_win_together():
    files = {"a.md": ONE, "b.md": OTHER, "c.md": ONE.replace("# A", "# C")}
    about = {"a": {"authority": "1"}, "b": {"authority": "0.2"}, "c": {"authority": "1"}}
    (conflict,) = found(files, **about).open
    assert (conflict.winner, conflict.reason) == ("a.md", "authority")


def test_a_superseded_version_is_settled():
    report = found({"a.md": ONE, "b.md": OTHER}, b={"supersedes": "a.md"})
    assert report.open == ()
    assert [(each.winner, each.reason) for each in report.settled] == [("b.md", "supersedes")]


def test_validity_is_judged_on_the_day():
    about = {"a": {"valid_to": "2024-12-31"}, "b": {"valid_from": "2024-07-01"}}
    both = {"a.md": ONE, "b.md": OTHER}
    assert found(both, as_of=date(2025, 1, 1), **about).settled[0].reason == "validity"
    assert found(both, as_of=date(2024, 8, 1), **about).open[0].winner == "b.md"
    assert found(both, as_of=date(2024, 6, 1), **about).settled[0].winner == "a.md"


# --- laws -----------------------------------------------------------------------------------


@given(st.text(max_size=60), st.text(max_size=60))
def test_contradiction_is_mutual_and_nothing_contradicts_itself(one, other):
    mine, its = read_value(one), read_value(other)
    if mine and its:
        assert contradict(mine, its) == contradict(its, mine)
        assert not contradict(mine, mine)


def test_the_handbooks_own_contradictions_are_found_and_nothing_else():
    """The handbook's manual is contradicted by notes and a forum (see its SOURCE.md)."""
    folder = Path(__file__).parent.parent / "corpora" / "handbook" / "documents"
    names = (
        "manual/controller-config.md",
        "forum/line4-forum.html",
        "policies/lockout-policy-v3.md",
    )
    report = found({name: (folder / name).read_text() for name in names})
    assert [each.key for each in report.open] == ["poll.interval_ms", "Modbus port"]


@pytest.mark.parametrize(
    "one, other",
    [
        ("# Mortar\n\nRatio of sand to lime: 3", "# Plaster\n\nRatio of lime to sand: 0.4"),
        (
            "# Limits of version 1\n\nWeekly uploads: 60",
            "# Limits of version 2\n\nWeekly uploads: 9",
        ),
        (
            "# Alpha\n\nSee Section 3.2 for more details.",
            "# Beta\n\nSee Section 5 for more details.",
        ),
        (
            "# Alpha\n\n| Option | Default | Meaning |\n|-|-|-|\n| log_level | info | verbosity |",
            "# Beta\n\nlog_level: info",
        ),
    ],
)
def test_near_kinds_are_no_conflict(one, other):
    assert not found({"a.md": one, "b.md": other}).open


def test_an_edition_that_replaces_another_settles_what_they_say_otherwise():
    files = {
        "a.md": "# Fees 2023\n\nMooring fee: 14 EUR\n",
        "b.md": "# Fees 2025\n\nMooring fee: 19 EUR\n",
    }
    assert not found(files).settled
    assert [each.reason for each in found(files, b={"supersedes": "a.md"}).settled] == [
        "supersedes"
    ]


SHEET = "Oil volume: {} l\nBelt tension: {} N\nFilter width: {} mm\n"


def test_two_kinds_of_documents_about_one_thing_contradict_each_other_in_everything():
    report = found(
        {
            "manual.md": f"# Compressor manual\n\n{SHEET.format(4, 60, 8)}",
            "notes.md": f"# Workshop notes\n\nOf the compressor.\n\n{SHEET.format(3, 45, 7)}",
        }
    )
    assert len(report.open) == 3


def test_two_sheets_of_one_form_contradict_each_other_in_nothing_though_one_names_the_other():
    report = found(
        {
            "a.md": f"# Compressor manual\n\n{SHEET.format(4, 60, 8)}",
            "b.md": f"# Lathe manual\n\nKeep the compressor away.\n\n{SHEET.format(3, 45, 7)}",
        }
    )
    assert report.open == ()


def test_two_texts_that_say_the_same_of_different_things_contradict_each_other_in_nothing():
    said_of = (
        "The orbital period is {} days. The mean radius is {} km. The surface gravity is {} N."
    )
    report = found(
        {
            "a.md": f"# Mercury\n\n{said_of.format(88, 2440, 4)}",
            "b.md": f"# Venus\n\n{said_of.format(225, 6052, 9)}",
        }
    )
    assert report.open == ()


def test_a_measure_of_something_is_claimed_of_what_stands_behind_it():
    report = found(
        {
            "a.md": "# A\n\nEmployees get 28 days of annual leave.",
            "b.md": "# B\n\nThe wiki says: all have 30 days of annual leave according to the law.",
        }
    )
    assert said(report.open) == [("28 days", "30 days")]
