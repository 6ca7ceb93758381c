"""Conditions, access labels and validity decide which documents a search sees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.errors import QueryError
from graphrag.retrieval.filters import (
    Condition,
    allowed_documents,
    current_documents,
    known_successors,
    parse_condition,
    successors,
    unmatched,
)

LIBRARY: dict[str, dict[str, object]] = {
    "v1.md": {
        "title": "Lockout, version 1",
        "source": "/notes/v1.md",
        "type": "Policy",
        "date": "2018-02-12",
        "valid_from": "2018-03-01",
        "valid_to": "2021-01-31",
    },
    "v2.md": {
        "title": "Lockout, version 2",
        "source": "/notes/v2.md",
        "type": "Policy",
        "date": "2021-01-11",
        "valid_from": "2021-02-01",
        "supersedes": "v1.md",
    },
    "wiki.md": {
        "title": "Crew notes",
        "source": "/notes/wiki.md",
        "type": "wiki",
        "author": ("Kim", "Lee"),
        "authority": "0.5",
        "access": "crew",
    },
}
TODAY = date(2026, 5, 1)


class _Shelf:
    """Documents of those metadata; notes of which it was asked."""

    def __init__(self, library: Mapping[str, Mapping[str, object]]) -> None:
        self._library = dict(library)
        self.read: set[str] = set()

    def counts(self) -> dict[str, int]:
        return {"documents": len(self._library)}

    def document_ids(self) -> list[str]:
        return list(self._library)

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]:
        self.read |= set(self._library if ids is None else ids)
        return {key: values for key, values in self._library.items() if key in self.read}

    def limited_metadata(self) -> dict[str, Mapping[str, object]]:
        limits = {"valid_from", "valid_to", "supersedes"}
        return self.metadata([id_ for id_, each in self._library.items() if limits & each.keys()])

    def documents_where(self, key: str, holds: Callable[[str], bool]) -> set[str] | None:
        having = {id_: each[key] for id_, each in self._library.items() if key in each}
        lists = {id_: each if isinstance(each, tuple) else (each,) for id_, each in having.items()}
        met = {id_ for id_, values in lists.items() if any(holds(str(value)) for value in values)}
        return met if having else None


def allowed(*where: str, as_of: date = TODAY) -> set[str]:
    found = allowed_documents(_Shelf(LIBRARY), where, as_of=as_of)
    return set(LIBRARY) if found is None else found


def test_a_condition_is_a_key_an_operator_and_a_value() -> None:
    assert parse_condition("date>=2024-01") == Condition("date", ">=", "2024-01")
    assert parse_condition(" Type = policy ") == Condition("type", "=", "policy")
    assert parse_condition("note=a=b") == Condition("note", "=", "a=b")


@pytest.mark.parametrize("text", ["", "type", "=policy", "type=", "type policy"])
def test_a_malformed_condition_is_named(text: str) -> None:
    with pytest.raises(QueryError, match="is not KEY=VALUE"):
        parse_condition(text)


def test_values_compare_without_regard_to_case() -> None:
    assert allowed("type=POLICY") == {"v2.md"}


def test_all_conditions_must_hold() -> None:
    assert allowed("type=wiki", "author=kim") == {"wiki.md"}
    assert allowed("type=policy", "author=kim") == set()


def test_one_of_several_values_is_enough_for_equality() -> None:
    assert allowed("author=lee") == {"wiki.md"}
    assert "wiki.md" not in allowed("author!=lee")


def test_dates_compare_to_the_precision_that_was_asked_for() -> None:
    assert allowed("date>=2021") == {"v2.md"}
    assert allowed("date<=2021") == {"v2.md"}
    assert allowed("date>2021") == set()
    assert allowed("date=2021-01") == {"v2.md"}


def test_numbers_compare_as_numbers() -> None:
    # As texts, "0.5" would come before "0.45" is read: 0.5 >= 0.45 holds for numbers alone.
    assert allowed("authority>=0.45") == {"wiki.md"}
    assert Condition("n", ">", "9").holds("10")


def test_an_unknown_key_is_refused_with_the_nearest() -> None:
    with pytest.raises(QueryError, match="'autor'; did you mean 'author'"):
        allowed("autor=kim")


def test_a_value_that_no_document_has_is_refused_where_some_are_near() -> None:
    with pytest.raises(QueryError, match=r"no document has source=v2\.md; near it: '/notes/v2"):
        allowed("source=v2.md")
    with pytest.raises(QueryError, match="no document has type=polcy; near it: 'Policy'"):
        allowed("type=polcy")
    assert allowed("type=recipe") == set()
    assert allowed("type!=polcy") == {"v2.md", "wiki.md"}


def test_what_is_superseded_may_be_named_by_its_path_from_the_folder() -> None:
    library = {
        "rules/new.md": {"title": "New", "supersedes": "old.md"},
        "rules/old.md": {"title": "Old"},
        "newest.md": {"title": "Newest", "supersedes": ("rules/new.md", "gone.md")},
    }
    assert successors(library) == {"rules/old.md": ["rules/new.md"], "rules/new.md": ["newest.md"]}
    assert unmatched(library) == [("newest.md", "gone.md")]


def test_a_superseded_document_is_out_once_its_successor_has_begun() -> None:
    assert current_documents(LIBRARY, date(2020, 1, 1)) == {"v1.md", "wiki.md"}
    assert current_documents(LIBRARY, TODAY) == {"v2.md", "wiki.md"}


def test_both_ends_of_validity_belong_to_it() -> None:
    assert "v1.md" in current_documents(LIBRARY, date(2018, 3, 1))
    assert "v1.md" in current_documents(LIBRARY, date(2021, 1, 31))
    assert "v1.md" not in current_documents(LIBRARY, date(2018, 2, 28))


def test_a_validity_that_ends_with_a_year_lasts_through_it() -> None:
    assert current_documents({"a": {"valid_to": "2024"}}, date(2024, 12, 31)) == {"a"}
    assert current_documents({"a": {"valid_to": "2024"}}, date(2025, 1, 1)) == set()


def test_a_validity_that_begins_with_a_year_has_begun_in_it() -> None:
    assert current_documents({"a": {"valid_from": "2024"}}, date(2024, 1, 1)) == {"a"}
    assert current_documents({"a": {"valid_from": "2024"}}, date(2023, 12, 31)) == set()


def test_a_document_may_be_superseded_by_its_title() -> None:
    shelf = {"a": {"title": "Old"}, "b": {"title": "New", "supersedes": ("OLD", "other")}}
    assert current_documents(shelf, TODAY) == {"b"}


def test_a_new_version_of_the_same_title_does_not_supersede_itself() -> None:
    shelf = {
        "2023": {"title": "Pump manual", "date": "2023-05-01"},
        "2024": {"title": "Pump manual", "date": "2024-05-01", "supersedes": "Pump manual"},
        "2025": {"title": "Pump manual", "date": "2025-05-01", "supersedes": "pump manual"},
    }
    assert successors(shelf) == {"2023": ["2024", "2025"], "2024": ["2025"]}
    assert current_documents(shelf, TODAY) == {"2025"}


def test_an_id_is_meant_before_a_title() -> None:
    shelf = {"a": {"title": "b"}, "b": {"title": "Old"}, "c": {"supersedes": "b"}}
    assert current_documents(shelf, TODAY) == {"a", "c"}


def test_of_two_that_name_each_other_neither_is_out() -> None:
    shelf = {"a": {"title": "Rules", "supersedes": "b"}, "b": {"supersedes": "Rules"}}
    assert current_documents(shelf, TODAY) == {"a", "b"}


def test_an_access_label_is_a_condition_like_others() -> None:
    assert allowed("access=Crew") == {"wiki.md"}
    assert "wiki.md" not in allowed("access!=crew")


@given(st.dates(), st.sampled_from(["type=policy", "authority<=0.5", "title!=x"]))
def test_a_filter_never_adds_a_document(day: date, where: str) -> None:
    assert allowed(where, as_of=day) <= current_documents(LIBRARY, day)


def test_without_conditions_only_documents_of_limited_validity_are_read() -> None:
    shelf = _Shelf({"old": {"valid_to": "2020"}, "new": {"valid_from": "2020"}, "note": {}})
    assert allowed_documents(shelf, as_of=TODAY) == {"new", "note"}
    assert shelf.read == {"old", "new"}


def test_with_conditions_no_metadata_are_read_but_those_of_limited_validity() -> None:
    shelf = _Shelf({"old": {"valid_to": "2020"}, "a": {"type": "wiki"}, "b": {"type": "law"}})
    assert allowed_documents(shelf, ["type=law"], as_of=TODAY) == {"b"}
    assert shelf.read == {"old"}


def test_all_documents_are_allowed_where_none_is_out_of_force() -> None:
    shelf = _Shelf({"new": {"valid_from": "2020"}, "note": {"type": "wiki"}})
    assert allowed_documents(shelf, as_of=TODAY) is None
    assert allowed_documents(shelf, ["type!=policy"], as_of=TODAY) is None


def test_a_document_that_ends_another_names_it_by_title_among_all() -> None:
    shelf = _Shelf({"a": {"title": "Rules"}, "b": {"title": "New rules", "supersedes": "rules"}})
    assert allowed_documents(shelf, as_of=TODAY) == {"b"}
    assert known_successors(shelf) == {"a": ["b"]}
