"""Mentions: longest match, nesting, homonyms, strict spellings, places."""

from __future__ import annotations

from graphrag.concepts.mentions import NameTrie, find_mentions
from graphrag.domain import Annotation, Concept, Definition, Span
from tests.concept_values import document, one_chunk_each


def concept(name: str, *aliases: str, identifier: str = "") -> Concept:
    return Concept(identifier or name, name, aliases)


def names_in(text: str, *concepts: Concept) -> list[tuple[str, bool]]:
    found = NameTrie(concepts).find(text)
    return [(text[f.start : f.stop], f.nested) for f in found]


def test_the_longest_name_wins_and_names_inside_it_are_nested() -> None:
    found = names_in(
        "Diagonal matrices are matrices.", concept("matrix"), concept("diagonal matrix")
    )
    assert found == [("Diagonal matrices", False), ("matrices", True), ("matrices", False)]


def test_names_do_not_reach_across_punctuation() -> None:
    assert names_in("a vector. Space is big", concept("vector space")) == []


def test_a_hyphen_is_as_good_as_a_blank() -> None:
    assert names_in("a feed-forward net", concept("feed forward net")) == [
        ("feed-forward net", False)
    ]


def test_acronyms_match_only_as_written() -> None:
    assert names_in("it is SET or set or SETs", concept("SET")) == [("SET", False), ("SETs", False)]


def test_one_letter_names_match_only_as_written() -> None:
    assert names_in("C and c and C++", concept("C")) == [("C", False)]


def test_programming_languages_stay_apart() -> None:
    found = NameTrie([concept("C"), concept("C++"), concept("C#")]).find("C++ beats C# and C.")
    assert [f.concept_ids for f in found] == [("C++",), ("C#",), ("C",)]


def test_a_chinese_name_is_found_inside_a_sentence() -> None:
    assert names_in("これは国際標準化です", concept("国際標準化")) == [("国際標準化", False)]


def test_formulas_hold_no_names() -> None:
    assert names_in("$\\det A$ is a det", concept("det")) == [("det", False)]


def test_a_homonym_goes_to_the_field_that_the_document_speaks_of() -> None:
    physics = document("# Forces\n\nIn physics a field pulls. Physics is hard.")
    concepts = [concept("Field (mathematics)"), concept("Field (physics)")]
    found = find_mentions([physics], one_chunk_each([physics]), {}, concepts)
    assert [m.concept_id for m in found] == ["Field (physics)"]


def test_the_plain_name_wins_over_a_bracketed_one() -> None:
    trie = NameTrie([concept("Motion"), concept("Motion (physics)")])
    assert trie.find("a motion")[0].concept_ids == ("Motion",)


def test_mentions_tell_their_kind_of_place() -> None:
    doc = document("# Basis\n\n## Basis and span\n\nA **basis** is short. The basis is long.")
    definition = Definition(Span(25, 30), Span(23, 40), "copula")
    assert doc.text[25:30] == "basis"
    found = find_mentions(
        [doc],
        one_chunk_each([doc]),
        {"a.md": Annotation(definitions=(definition,))},
        [concept("basis")],
    )
    assert [m.kind for m in found] == ["title", "heading", "definition", "text"]


def test_a_mention_that_no_chunk_holds_is_left_out() -> None:
    doc = document("# Title\n\nA basis.")
    assert find_mentions([doc], [], {}, [concept("basis")]) == []
