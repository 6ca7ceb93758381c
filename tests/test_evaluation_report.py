"""A set is judged stage by stage, kept, compared and held to a bar."""

from __future__ import annotations

import json

import jsonschema
import pytest

from graphrag.domain import Answer, Citation, Hit, Question, Refusal, Retrieval
from graphrag.errors import GenerationError, QueryError, StoreError
from graphrag.evaluation.bars import Bar, missed_bars, parse_bars
from graphrag.evaluation.pattern import pattern
from graphrag.evaluation.report import evaluate_questions
from graphrag.evaluation.runs import (
    as_json,
    compare,
    comparison_json,
    free_name,
    keep_run,
    load_run,
)
from graphrag.resources import schema
from tests.answering_values import passage

DOCUMENTS = ["a.md", "b.md", "c.md", "d.md"]
QUESTIONS = [
    Question("1", "first?", ("a.md",), ("alpha",)),
    Question("2", "second?", ("b.md",), ("beta",)),
    Question("3", "third?", ("c.md", "d.md"), ("gamma",)),
    Question("4", "moon?", ()),
]


def hits(*documents: str) -> tuple[Hit, ...]:
    return tuple(Hit(f"{d}#0", rank, 1 / rank) for rank, d in enumerate(documents, start=1))


STAGES = {
    "first?": {"bm25": hits("b.md", "a.md"), "fused": hits("a.md", "b.md")},
    "second?": {"bm25": hits("b.md"), "fused": hits("a.md", "c.md", "b.md")},
    "third?": {"bm25": (), "fused": hits("c.md")},
    "moon?": {"bm25": (), "fused": hits("a.md")},
}


def retrieve(question: str) -> Retrieval:
    shown = tuple(passage("text", document=h.chunk_id[:-2]) for h in STAGES[question]["fused"][:1])
    return Retrieval(question, shown, STAGES[question])


def ask(question: str) -> Answer | Refusal:
    if question == "first?":
        found = (Citation(1, "a.md", "a.md#0", "alpha", True),)
        return Answer(question, "lookup", "It is alpha [1].", found, (), "test")
    if question == "second?":
        return Refusal(question, "lookup", "No.", "below the floor")
    if question == "third?":
        raise GenerationError("the server is gone")
    return Refusal(question, "lookup", "No.", "no passages")


@pytest.fixture
def report():
    return evaluate_questions(QUESTIONS, retrieve, ask, document_ids=DOCUMENTS)


def test_each_stage_has_its_numbers_over_all_answerable_questions(report):
    numbers = as_json(report)
    assert numbers["questions"] == 3
    # The relevant id has rank 2, 1 and none by keywords, and 1, 3 and 1 after fusion.
    assert numbers["stages"]["bm25"]["mrr"] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert numbers["stages"]["fused"]["hit@1"] == pytest.approx(2 / 3)
    assert numbers["stages"]["fused"]["hit@3"] == 1.0
    # The third question finds one of its two.
    assert numbers["stages"]["fused"]["recall@5"] == pytest.approx((1 + 1 + 0.5) / 3)
    assert numbers["stages"]["prompt"]["hit@1"] == pytest.approx(2 / 3)


def test_refusals_are_judged_apart(report):
    # Of three answerable ones the second is refused wrongly, the fourth rightly.
    assert as_json(report)["refusal"] == {
        "precision": 0.5,
        "recall": 1.0,
        "false_refusals": pytest.approx(1 / 3),
    }


def test_the_precision_of_refusing_is_undefined_where_nothing_was_refused():
    def reply(question: str) -> Answer | Refusal:
        return Answer(question, "lookup", "So [1].", (), (), "test")

    numbers = as_json(evaluate_questions(QUESTIONS, retrieve, reply, document_ids=DOCUMENTS))
    assert numbers["refusal"]["precision"] is None
    assert missed_bars(numbers, [Bar("refusal.precision", 0.9)]) == [
        "refusal.precision was not measured, the bar is 0.9"
    ]


def test_answers_are_compared_with_what_was_expected(report):
    answers = as_json(report)["answers"]["retrieved"]
    assert answers["questions"] == 3
    assert answers["exact"] == pytest.approx(1 / 3)
    assert answers["failed"] == pytest.approx(1 / 3)
    assert (answers["citation_precision"], answers["citation_relevance"]) == (1.0, 1.0)


def test_citation_recall_is_the_share_of_statements_that_are_cited():
    answered = {
        "first?": "In short:\n\nAlpha comes first [1]. Beta follows it.",
        "third?": "Gamma closes the row [1].",
    }

    def reply(question: str) -> Answer | Refusal:
        if question in answered:
            return Answer(question, "lookup", answered[question], (), (), "test")
        return Refusal(question, "lookup", "No.", "no passages")

    report = evaluate_questions(QUESTIONS, retrieve, reply, document_ids=DOCUMENTS)
    # Two of three statements; "In short:" states nothing.
    numbers = as_json(report)["answers"]["retrieved"]
    assert numbers["citation_recall"] == pytest.approx(2 / 3)


def test_a_judge_says_what_is_right_and_what_it_leaves_open():
    def judge(question, answers, text):
        if question == "first?":
            raise GenerationError("no verdict")
        return True

    answered = {"first?": "It is alpha.", "third?": "The third letter."}

    def reply(question: str) -> Answer | Refusal:
        if question in answered:
            return Answer(question, "lookup", answered[question], (), (), "test")
        return Refusal(question, "lookup", "No.", "no passages")

    report = evaluate_questions(QUESTIONS, retrieve, reply, document_ids=DOCUMENTS, judge=judge)
    numbers = json.loads(json.dumps(as_json(report)))
    jsonschema.validate(numbers, json.loads(schema("evaluate_questions.schema.json")))
    # The first is left open; of the other two one was refused and one is right.
    assert numbers["answers"]["retrieved"]["judged"] == 0.5
    assert numbers["answers"]["retrieved"]["unjudged"] == 1


def test_injected_passages_show_what_the_writer_alone_could_do():
    def inject(question, passages):
        assert passages
        return Answer(question, "lookup", "alpha beta gamma", (), tuple(passages), "test")

    report = evaluate_questions(
        QUESTIONS,
        retrieve,
        ask,
        document_ids=DOCUMENTS,
        inject=inject,
        passages_of=lambda document: [passage("text", document=document)],
    )
    numbers = as_json(report)
    assert numbers["answers"]["injected"]["exact"] == 1.0
    assert any("lost in retrieval" in line for line in numbers["pattern"])


def test_the_report_holds_to_its_schema(report):
    value = json.loads(json.dumps(as_json(report)))
    jsonschema.validate(value, json.loads(schema("evaluate_questions.schema.json")))


def test_an_id_that_the_corpus_does_not_hold_is_an_error():
    with pytest.raises(QueryError, match=r"z\.md"):
        evaluate_questions([Question("1", "x?", ("z.md",))], retrieve, document_ids=DOCUMENTS)


def test_ranking_is_told_from_retrieval_in_words():
    base = {"hit@10": 0.8, "recall@5": 0.8, "recall@20": 0.8}
    stages = {"reranked": {"hit@1": 0.4, "hit@3": 0.8, "hit@5": 0.8, "hit@20": 0.8, **base}}
    said = pattern(stages)
    assert said[0].startswith("Hit rate@1 is 40 % against 80 % at 3")
    assert said[0].endswith("ranking, not retrieval.")
    assert "Hit rate@20 is only 80 %" in said[1]


def test_runs_are_kept_and_compared_question_by_question(tmp_path, report):
    keep_run(tmp_path, "before", report, {"k": 5})

    def better(question: str) -> Answer | Refusal:
        if question == "second?":
            return Answer(question, "lookup", "It is beta.", (), (), "test")
        if question == "first?":
            return Answer(question, "lookup", "Who knows.", (), (), "test")
        return ask(question)

    later = evaluate_questions(QUESTIONS, retrieve, better, document_ids=DOCUMENTS)
    keep_run(tmp_path, "after", later, {"k": 5})
    change = compare(load_run(tmp_path / "before.json"), load_run(tmp_path / "after.json"))
    assert (change.shared, change.won, change.lost) == (4, ("2",), ("1",))
    assert all(not c.certain and c.before == c.after for c in change.changes)


def test_a_run_is_never_overwritten(tmp_path, report):
    keep_run(tmp_path, "run", report, {})
    with pytest.raises(QueryError, match="exists already"):
        keep_run(tmp_path, "run", report, {})
    with pytest.raises(QueryError, match="run name"):
        keep_run(tmp_path, "../run", report, {})


def test_what_is_no_run_is_an_error(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(QueryError, match="format"):
        load_run(tmp_path / "x.json")
    with pytest.raises(QueryError, match="no run"):
        load_run(tmp_path / "none.json")


def test_a_run_without_a_name_never_meets_another_of_the_same_second(tmp_path):
    assert free_name(tmp_path, "", "20260102-030405") == "20260102-030405"
    (tmp_path / "20260102-030405.json").write_text("{}")
    assert free_name(tmp_path, "", "20260102-030405") == "20260102-030405-2"


def test_a_run_that_cannot_be_kept_is_an_error_that_names_the_file(tmp_path, report):
    (tmp_path / "runs").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"runs/one\.json"):
        keep_run(tmp_path / "runs", "one", report, {})


def test_a_comparison_holds_to_the_schema_of_the_run(tmp_path, report):
    kept = load_run(keep_run(tmp_path, "before", report, {}))
    value = {**as_json(report), "against": comparison_json("before", compare(kept, kept))}
    value = json.loads(json.dumps(value))
    jsonschema.validate(value, json.loads(schema("evaluate_questions.schema.json")))
    assert value["against"]["won"] == []


def test_without_answers_nothing_is_said_of_refusals():
    value = json.loads(
        json.dumps(as_json(evaluate_questions(QUESTIONS, retrieve, document_ids=DOCUMENTS)))
    )
    jsonschema.validate(value, json.loads(schema("evaluate_questions.schema.json")))
    assert "refusal" not in value


def test_bars_are_held_against_the_last_stage_or_a_named_one(report):
    numbers = as_json(report)
    met = parse_bars(["hit@1=0.6", "refusal.recall=0.98", "retrieved.exact=0.3"])
    assert missed_bars(numbers, met) == []
    assert missed_bars(numbers, [Bar("bm25.mrr", 0.9)]) == ["bm25.mrr is 0.500, the bar is 0.9"]
    assert missed_bars(numbers, [Bar("refusal.false_refusals", 0.02)]) == [
        "refusal.false_refusals is 0.333, the bar is 0.02"
    ]


def test_a_stage_that_did_not_run_misses_its_bar(report):
    assert missed_bars(as_json(report), [Bar("graph.mrr", 0.1)]) == [
        "graph.mrr was not measured, the bar is 0.1"
    ]


@pytest.mark.parametrize(
    "text, named",
    [("hit@7=1", "near are hit@5"), ("nowhere.mrr=1", "mrr"), ("bleu=1", "there are")],
)
def test_a_bar_of_no_measure_names_those_that_there_are(text, named):
    with pytest.raises(QueryError, match=named):
        parse_bars([text])


@pytest.mark.parametrize("text", ["hit@5", "hit@5=high", "hit@5=nan"])
def test_a_bar_without_a_value_is_an_error(text):
    with pytest.raises(QueryError, match="measure=value"):
        parse_bars([text])


def test_a_bar_on_refusals_needs_answers():
    assert parse_bars(["mrr=0.5", "seconds.retrieval_p95=1"], answers=False)
    with pytest.raises(QueryError, match="not measured without answers"):
        parse_bars(["refusal.recall=0.9"], answers=False)


def test_a_set_without_unanswerable_questions_blames_no_floor():
    answerable = [question for question in QUESTIONS if question.relevant]
    report = evaluate_questions(answerable, retrieve, ask, document_ids=DOCUMENTS)
    numbers = as_json(report)
    assert numbers["refusal"]["recall"] == 1.0
    assert not any("floor is too low" in line for line in numbers["pattern"])


def test_questions_in_other_words_are_told_and_not_compared(tmp_path, report):
    kept = load_run(keep_run(tmp_path, "before", report, {}))
    later = json.loads(json.dumps(kept))
    later["results"][0]["question"] = "quite another one?"
    found = compare(kept, later)
    assert (found.shared, found.reworded) == (3, (kept["results"][0]["id"],))


def test_a_question_without_a_known_answer_is_lost_with_its_passage(tmp_path, report):
    kept = load_run(keep_run(tmp_path, "before", report, {}))
    result = {"id": "x", "question": "x?", "answers": 0, "relevant": 1, "injected": None}
    said = {"kind": "answer", "contains": False}
    was = {**kept, "results": [{**result, "gains": {"fused": [1]}, "retrieved": said}]}
    now = {**kept, "results": [{**result, "gains": {"fused": [0]}, "retrieved": said}]}
    assert compare(was, now).lost == ("x",)
    without = {**kept, "results": [{**result, "gains": {"fused": [0]}, "retrieved": None}]}
    assert compare(was, without).lost == ("x",)


def test_an_unknown_run_names_those_that_are_kept(tmp_path, report):
    keep_run(tmp_path, "monday", report, {})
    with pytest.raises(QueryError, match="no run is kept as 'sunday'; kept are: monday"):
        load_run(tmp_path / "sunday.json")


def test_a_percentage_is_no_bar():
    with pytest.raises(QueryError, match="rates go from 0 to 1"):
        parse_bars(["hit@5=95"])


def test_a_set_that_fails_nowhere_is_told():
    assert pattern({"fused": _ALL_RIGHT})[0].startswith("The first passage is right for every")


_ALL_RIGHT = dict.fromkeys(("hit@1", "hit@3", "hit@5", "hit@20", "recall@5"), 1.0)


def test_a_question_about_an_unknown_document_is_named_with_the_mend():
    asked = [Question("q-7", "first?", ("nowhere.md",))]
    with pytest.raises(QueryError, match=r"question q-7: .*nowhere.md.*; correct the set"):
        evaluate_questions(asked, retrieve, document_ids=DOCUMENTS)
