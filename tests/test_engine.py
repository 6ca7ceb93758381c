"""The library as a program uses it: what it refuses, keeps open, and gives back."""

import json
from dataclasses import replace

import pytest

from graphrag import Engine
from graphrag.domain import Answer
from graphrag.errors import ModelError, QueryError, StoreError
from graphrag.settings import (
    EmbeddingSettings,
    OllamaSettings,
    RetrievalSettings,
    Settings,
    WriterSettings,
)
from tests.ollama_server import OllamaServer

QUESTION = "What is a pivot column?"
BASIS = (
    "A basis of a subspace W is a list of vectors in W that is linearly independent and spans W."
)
REPLY = "A pivot column is a column of the matrix that contains a pivot position [1]."


def speaking_to(server: OllamaServer) -> Settings:
    return Settings(ollama=OllamaSettings(host=server.host), writer=WriterSettings(kind="ollama"))


def test_no_passages_at_all_cannot_be_asked_for(course):
    with pytest.raises(QueryError, match="k 0"):
        course.search(QUESTION, k=0)


def test_many_questions_are_answered_as_each_of_them(course):
    questions = [QUESTION, "What is the null space?"]
    found = course.search_many(questions, k=3)
    assert found == [course.search(question, k=3) for question in questions]
    assert course.search_many([]) == []


def test_a_review_that_cannot_be_written_is_an_error_that_names_the_file(course, tmp_path):
    with pytest.raises(StoreError, match=r"nowhere/decisions\.txt"):
        course.export_review(tmp_path / "nowhere" / "decisions.txt", course.review())


def test_a_search_in_an_empty_index_finds_nothing_and_settles_no_model(tmp_path):
    with Engine.open(tmp_path / "e.graphrag") as engine:
        assert engine.search(QUESTION) == []
        assert engine.status().model is None


def test_one_connection_to_the_writer_serves_all_questions(course_index):
    with OllamaServer(reply=REPLY) as server:
        with Engine.open(course_index, settings=speaking_to(server)) as engine:
            assert all(isinstance(engine.ask(QUESTION), Answer) for _ in range(3))
            writer = engine.desk.writer()
            assert engine.desk.writer() is writer
        assert len(server.bodies("/api/show")) == 1
        with pytest.raises(RuntimeError, match="closed"):
            writer.ask_json("rules", "text", {})


def test_a_question_is_widened_by_the_model_where_that_is_set(course_index):
    texts = ["Each pivot position lies in a pivot column."]
    with OllamaServer(reply=json.dumps({"texts": texts})) as server:
        settings = replace(speaking_to(server), retrieval=RetrievalSettings(expansion="phrasings"))
        with Engine.open(course_index, settings=settings) as engine:
            found = engine.retrieve(QUESTION, rerank=False)
    assert found.expansions == tuple(texts)
    assert len(server.bodies("/api/chat")) == 1


class Counting:
    """Finds every text equally good, and counts them."""

    name = "counting"

    def __init__(self):
        self.read = 0

    def score(self, question, texts):
        self.read += len(texts)
        return [0.0 for _ in texts]


def test_reranking_ends_with_its_time_but_reads_what_is_shown(course_index, monkeypatch):
    read = {}
    for seconds in (0.0, 1e-9):
        settings = Settings(retrieval=RetrievalSettings(rerank_seconds=seconds))
        with Engine.open(course_index, settings=settings) as engine:
            reader = Counting()
            monkeypatch.setattr(engine.desk.models, "reranker", lambda reader=reader: reader)
            engine.retrieve(QUESTION, k=5)
        read[seconds] = reader.read
    assert read[1e-9] == 5  # a slice of four, and of the next what is shown
    assert read[0.0] > 8


def test_a_trace_holds_the_prompt_that_the_model_was_sent(course_index, tmp_path):
    trace = tmp_path / "trace.jsonl"
    with OllamaServer(reply=REPLY) as server:
        with Engine.open(course_index, settings=speaking_to(server)) as engine:
            engine.ask(QUESTION, trace=trace)
        (sent,) = server.bodies("/api/chat")
    kept = json.loads(trace.read_text())
    instructions, asked = (message["content"] for message in sent["messages"])
    assert kept["prompt"] == f"{instructions}\n\n{asked}"
    assert kept["prompt_tokens"] > 100


@pytest.fixture
def sharp(tmp_path):
    """An index over a document with # in its name, and a question that it answers."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "c#.md").write_text("# C sharp\n\nA delegate is a typed reference.\n")
    case = {"id": "1", "question": "What is a delegate?", "relevant": ["c#.md"]}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({**case, "answers": ["typed reference"]}))
    with Engine.open(tmp_path / "i.graphrag") as engine:
        engine.ingest([tmp_path / "notes"])
    return tmp_path / "i.graphrag", cases


def test_the_passages_of_a_document_are_injected_whatever_its_name(sharp):
    index, cases = sharp
    quoting = Settings(writer=WriterSettings(kind="extractive"))
    with Engine.open(index, settings=quoting) as engine:
        (result,) = engine.evaluate_questions(cases).results
    assert result.injected is not None
    assert (result.injected.kind, result.injected.contains) == ("answer", True)


def test_a_model_judges_answers_where_one_is_named(sharp):
    def reply(body):
        verdict = '{"correct": true, "reason": "it says so"}'
        return verdict if body.get("format") else "A delegate is a typed reference [1]."

    index, cases = sharp
    with (
        OllamaServer(reply=reply) as server,
        Engine.open(index, settings=speaking_to(server)) as engine,
    ):
        (plain,) = engine.evaluate_questions(cases).results
        (judged,) = engine.evaluate_questions(cases, judge="qwen3:8b").results
    assert plain.retrieved is not None
    assert judged.retrieved is not None
    assert (plain.retrieved.verdict, judged.retrieved.verdict) == ("", "right")


def test_an_embedding_model_of_ollama_is_waited_for_as_the_settings_say(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\nA delegate is a typed reference.\n")
    with OllamaServer(fault="hang", everywhere=True) as server:
        settings = Settings(
            embedding=EmbeddingSettings("ollama:nomic-embed-text"),
            ollama=OllamaSettings(host=server.host, first_token_seconds=0.2),
        )
        with (
            Engine.open(tmp_path / "i.graphrag", settings=settings) as engine,
            pytest.raises(ModelError, match=r"within 0\.2 s"),
        ):
            engine.ingest([tmp_path / "a.md"])


def test_a_reranker_is_a_setting(course_index, tmp_path):
    settings = Settings(retrieval=RetrievalSettings(reranker=str(tmp_path / "no-model")))
    with (
        Engine.open(course_index, settings=settings) as engine,
        pytest.raises(ModelError, match="no-model"),
    ):
        engine.search(QUESTION)


def test_a_wrong_answer_is_remembered_of_the_concept_asked_about(course):
    course.diagnose("What is a basis?", "Any list of vectors that spans.", learner="grace")
    assert list(course.desk.learner("grace").beliefs) == [course.concept("basis").concept.id]
    course.learner("grace", forget=["basis"])


@pytest.mark.parametrize("answer", ["", "I don't know.", "?"])
def test_an_unanswered_question_is_no_wrong_answer_of_a_learner(course, answer):
    assert course.diagnose("What is a basis?", answer, learner="ida") == []
    assert not course.desk.learner("ida").beliefs


def test_an_answer_in_the_documents_words_agrees_and_is_remembered_as_right(course):
    question = "What is a basis of a subspace?"
    found = course.diagnosis(question, BASIS, learner="olga")
    assert found.implicated == ()
    assert found.agrees.sentence in found.agrees.passage.chunk.text
    (belief,) = course.desk.learner("olga").beliefs.values()
    assert belief.concept == course.resolve("basis").id
    assert belief.because[0].startswith("answered right on ")
    assert course.diagnose(question, BASIS) == []


def test_one_word_changed_and_the_answer_is_diagnosed(course):
    wrong = BASIS.replace("independent", "dependent")
    found = course.diagnosis("What is a basis of a subspace?", wrong)
    assert found.implicated
    assert found.agrees is None


def test_right_and_wrong_answers_move_what_is_believed_of_a_learner(course):
    prior = 0.15
    right = course.learner("mary", right=["basis"]).beliefs[course.resolve("basis").id]
    assert right.probability > prior
    assert right.because[0].startswith("answered right on ")
    wrong = course.learner("mary", wrong=["basis"]).beliefs[right.concept]
    assert wrong.probability < right.probability
    assert len(wrong.because) == 2
    course.learner("mary", forget=["basis"])
    assert not course.learner("mary").beliefs
