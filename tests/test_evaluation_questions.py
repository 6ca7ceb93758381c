"""Question sets are read strictly and grow by one case at a time."""

from __future__ import annotations

import json

import pytest

from graphrag.domain import Question
from graphrag.errors import QueryError, StoreError
from graphrag.evaluation.questions import add_question, load_questions, next_id, set_digest
from graphrag.evaluation.relevance import Corpus

GOOD = {
    "id": "q-001",
    "question": "What is a basis?",
    "relevant": ["basis.md"],
    "answers": ["a set"],
}


def write(path, *lines):
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines) + "\n")
    return path


def test_a_set_is_read_in_its_order(tmp_path):
    refusal = {"id": "q-002", "question": "Who?", "relevant": [], "type": "off-topic", "version": 1}
    first, second = load_questions(write(tmp_path / "set.jsonl", GOOD, "", refusal))
    assert first == Question("q-001", "What is a basis?", ("basis.md",), ("a set",))
    assert (second.relevant, second.type) == ((), "off-topic")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "no JSON"),
        ("[]", "an object"),
        ({"question": "x", "relevant": []}, "'id'"),
        ({"id": "a", "question": " ", "relevant": []}, "'question'"),
        ({"id": "a", "question": "x"}, "'relevant' is missing"),
        ({"id": "a", "question": "x", "relevant": "basis.md"}, "list of texts"),
        ({"id": "a", "question": "x", "relevant": [1]}, "list of texts"),
        ({"id": "a", "question": "x", "relevant": [], "anwsers": []}, "unknown key 'anwsers'"),
        (GOOD, "stands in line 1 already"),
    ],
)
def test_what_is_no_question_is_named_with_its_line(tmp_path, line, message):
    path = write(tmp_path / "set.jsonl", GOOD, line)
    with pytest.raises(QueryError, match=message) as raised:
        load_questions(path)
    assert "set.jsonl:2" in str(raised.value)


def test_a_set_that_is_missing_empty_or_no_text_says_so(tmp_path):
    with pytest.raises(QueryError, match="cannot be read"):
        load_questions(tmp_path / "none.jsonl")
    with pytest.raises(QueryError, match="no question"):
        load_questions(write(tmp_path / "set.jsonl", ""))
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}')
    with pytest.raises(QueryError, match="UTF-8"):
        load_questions(tmp_path / "latin.jsonl")


def test_the_digest_changes_with_any_question(tmp_path):
    one = load_questions(write(tmp_path / "set.jsonl", GOOD))
    other = load_questions(write(tmp_path / "set.jsonl", {**GOOD, "answers": ["a list"]}))
    assert set_digest(one) == set_digest(one) != set_digest(other)


def test_a_case_is_added_once(tmp_path):
    path = write(tmp_path / "set.jsonl", GOOD)
    question = Question("q-002", "What is a span?", ("span.md",))
    add_question(path, question)
    assert load_questions(path)[-1] == question
    with pytest.raises(QueryError, match="asks that already, as 'q-002'"):
        add_question(path, Question("q-003", "what is a  span", ()))
    with pytest.raises(QueryError, match="'q-001' already"):
        add_question(path, Question("q-001", "Another?", ()))
    add_question(tmp_path / "new.jsonl", question)
    assert load_questions(tmp_path / "new.jsonl") == [question]


def test_the_next_id_is_free():
    assert next_id([Question("q-001", "a"), Question("q-003", "b")]) == "q-004"


def test_a_relevant_id_is_a_document_a_chunk_or_the_end_of_one_path():
    corpus = Corpus(["docs/a/readme.md", "docs/b/readme.md", "docs/basis.md"], ["docs/basis.md#2"])
    assert corpus.resolve("docs/basis.md") == "docs/basis.md"
    assert corpus.resolve("basis.md") == "docs/basis.md"
    assert corpus.resolve("basis.md#2") == "docs/basis.md#2"
    assert corpus.resolve("a/readme.md") == "docs/a/readme.md"
    with pytest.raises(QueryError, match="end of 2 documents"):
        corpus.resolve("readme.md")
    with pytest.raises(QueryError, match="no document"):
        corpus.resolve("asis.md")


def test_keys_that_others_need_are_left_alone(tmp_path):
    path = tmp_path / "set.jsonl"
    case = {"id": "a", "question": "x\u2028y", "relevant": [], "level": "hard", "evidence": [1]}
    path.write_text(json.dumps(case, ensure_ascii=False), encoding="utf-8")
    assert load_questions(path)[0].question == "x\u2028y"


def test_a_set_that_cannot_be_written_is_an_error_that_names_it(tmp_path):
    with pytest.raises(StoreError, match=r"nowhere/set\.jsonl cannot be written"):
        add_question(tmp_path / "nowhere" / "set.jsonl", Question("q-001", "What is it?", ()))
