"""The command line as people and scripts use it, on a real index with the real models."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import typer
from typer.testing import CliRunner

from graphrag.cli.app import app
from graphrag.conversing import Conversation
from graphrag.resources import schema
from tests.ollama_server import OllamaServer

BASIS = (
    "A basis of a subspace W is a list of vectors in W that is linearly independent and spans W."
)
OFFLINE = {"OLLAMA_HOST": "127.0.0.1:9", "GRAPHRAG_INDEX": ""}

COMMANDS = (
    *("ingest", "remove", "status", "verify", "search", "ask", "learn", "next", "diagnose"),
    *("concept", "learner", "relate", "cypher", "export", "review", "why", "migrate"),
)


def run(index: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["--index", str(index), *arguments], env=OFFLINE)
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def value(index: Path, name: str, *arguments: str):
    """The JSON that a command prints, checked against its schema."""
    found = json.loads(run(index, *arguments, "--json"))
    jsonschema.validate(found, json.loads(schema(f"{name}.schema.json")))
    return found


def command(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "graphrag.cli.main", *arguments],
        cwd=cwd,
        env=os.environ | OFFLINE | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_search_gives_passages_with_their_place_and_channels(course_index):
    found = value(course_index, "search", "search", "what is a pivot column?", "-k", "3")
    assert len(found["passages"]) == 3
    assert "13-row-echelon-form.md" in {each["document"] for each in found["passages"]}
    assert {"bm25", "vector"} & set(found["passages"][0]["channels"])


def test_how_many_passages_a_search_shows_is_a_setting(course_index, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_RETRIEVAL_K", "2")
    found = value(course_index, "search", "search", "what is a pivot column?")
    assert len(found["passages"]) == 2


def test_search_by_one_channel_asks_only_that(course_index):
    found = value(course_index, "search", "search", "basis", "--channel", "bm25", "--explain")
    assert set(found["stages"]) <= {"bm25", "fused", "reranked"}


def test_a_filter_holds_before_the_search(course_index):
    found = value(course_index, "search", "search", "basis", "--where", "order=19")
    assert {each["document"] for each in found["passages"]} == {"19-basis-and-dimension.md"}


def test_a_lookup_is_answered_with_supported_citations(course_index):
    found = value(course_index, "ask", "ask", "What is a pivot column?", "--writer", "extractive")
    assert (found["kind"], found["route"]) == ("answer", "lookup")
    assert "pivot position" in found["text"]
    assert all(each["supported"] for each in found["citations"])
    assert found["citations"]


def test_a_prerequisite_question_gives_foundations_before_what_rests_on_them(course_index):
    found = value(course_index, "ask", "ask", "What do I need to know before a basis?")
    assert (found["kind"], found["route"]) == ("answer", "prerequisite")
    text = found["text"]
    places = [text.index(f"**{name}**") for name in ("span", "basis")]
    assert places == sorted(places)


def test_a_mistyped_question_is_answered_as_it_was_meant(course_index):
    found = value(course_index, "ask", "ask", "what is an eigenvlaue and an eigenvetcor")
    assert found["kind"] == "answer"
    # Only what would be refused otherwise is read anew.
    assert not found["warnings"] or "eigenvalue" in found["warnings"][0]


def test_an_off_topic_question_is_refused_with_its_reason(course_index):
    found = value(course_index, "ask", "ask", "Which wine goes with grilled salmon?")
    assert (found["kind"], found["reason"]) == ("refusal", "below the floor")


def test_a_learning_path_ends_with_its_goal_and_says_why(course_index):
    found = value(course_index, "learn", "learn", "basis")
    names = [step["concept"] for step in found["steps"]]
    assert names[-1] == "basis"
    assert "linear independence" in names
    assert any(edge["evidence"] for edge in found["steps"][-1]["because"])


def test_what_is_known_is_left_out_of_the_path(course_index):
    names = [
        step["concept"]
        for step in value(course_index, "learn", "learn", "basis", "--known", "span")["steps"]
    ]
    assert "span" not in names


def test_next_gives_what_is_ready(course_index):
    found = value(course_index, "next", "next", "--known", "vector,matrix,linear combination")
    assert found["ready"]
    assert "vector" not in {each["concept"] for each in found["ready"]}


def test_two_concepts_are_related_by_sentences(course_index):
    found = value(course_index, "relate", "relate", "basis", "linear independence")
    assert found["paths"]
    assert any(step["sentence"] for path in found["paths"] for step in path["steps"])


def test_a_concept_is_shown_with_its_definition(course_index):
    found = value(course_index, "concept", "concept", "null space")
    assert found["name"] == "null space"
    assert "null space" in found["definition"]["text"].lower()


def test_an_unknown_concept_is_one_line_that_names_the_nearest(course_index, tmp_path):
    result = command("--index", str(course_index), "concept", "nul spce", cwd=tmp_path)
    assert result.returncode == 1
    assert re.fullmatch(r"graphrag: .*null space.*\n", result.stderr)


def test_a_right_answer_is_told_which_sentence_it_agrees_with(course_index):
    asked = ("diagnose", "What is a basis of a subspace?", "--answer", BASIS)
    found = value(course_index, *asked[:1], *asked)
    assert found["implicated"] == []
    assert "linearly independent" in found["agrees"]["sentence"]
    assert found["agrees"]["chunk"].startswith(found["agrees"]["document"])
    told = run(course_index, *asked)
    assert told.startswith("this agrees with the documents")
    assert found["agrees"]["document"] in told


def test_a_wrong_answer_points_upstream(course_index):
    found = value(
        course_index,
        "diagnose",
        "diagnose",
        "Is (1,0), (2,0) a basis of the plane?",
        "--answer",
        "Yes. Two vectors always span the plane, it does not matter that one is a multiple.",
        "--learner",
        "eve",
    )
    names = [each["concept"] for each in found["implicated"]]
    assert {"span", "linear independence", "linear dependence"} & set(names)
    (belief,) = value(course_index, "learner", "learner", "eve")["beliefs"]
    assert belief["concept"] == "basis"
    assert "answered wrong" in belief["because"][0]


def test_a_learner_is_remembered(course_index):
    value(course_index, "learner", "learner", "ada", "--knows", "span", "--shaky", "rank")
    found = value(course_index, "learner", "learner", "ada")
    beliefs = {each["concept"]: each["probability"] for each in found["beliefs"]}
    assert beliefs["span"] > 0.9 > 0.5 > beliefs["rank"]


def test_an_answered_question_moves_what_a_learner_is_believed_to_know(course_index):
    right = value(course_index, "learner", "learner", "lin", "--right", "span", "--wrong", "rank")
    beliefs = {each["concept"]: each for each in right["beliefs"]}
    assert beliefs["span"]["probability"] > beliefs["rank"]["probability"]
    assert beliefs["span"]["because"][0].startswith("answered right on ")
    assert beliefs["rank"]["because"][0].startswith("answered wrong on ")


def test_cypher_shows_rows(course_index):
    found = value(
        course_index,
        "cypher",
        "cypher",
        "MATCH (c:Concept)-[:REQUIRES]->(p:Concept) WHERE c.name = $name RETURN p.name",
        "-p",
        "name=basis",
    )
    assert ["linear independence"] in found["rows"]


def test_the_graph_s_labels_are_told_in_json_too(course_index):
    assert ":Concept" in value(course_index, "cypher_schema", "cypher", "--schema")["schema"]


def test_rows_as_csv_command_neither_a_terminal_nor_a_spreadsheet(course_index):
    statement = (
        "RETURN '=HYPERLINK(1)' AS a, '\x1b[31mred' AS b, -1.5 AS c, ['x', 'y'] AS d, NULL AS e"
    )
    found = run(course_index, "cypher", statement, "--format", "csv")
    assert found.splitlines() == ["a,b,c,d,e", '\'=HYPERLINK(1),red,-1.5,"[""x"", ""y""]",']


def test_cypher_cannot_write(course_index, tmp_path):
    result = command(
        "--index", str(course_index), "cypher", "MATCH (c:Concept) DELETE c", cwd=tmp_path
    )
    assert result.returncode == 1
    assert "DELETE" in result.stderr


def test_status_says_what_the_index_holds(course_index):
    found = value(course_index, "status", "status")
    assert found["documents"] == 15
    assert found["stale"] == []
    assert found["models"]["embedder"]["dimension"] == 384


def test_a_check_of_all_stores_finds_nothing_to_mend(course_index):
    assert value(course_index, "verify", "verify") == {"findings": []}


def test_what_wants_a_human_eye_is_listed(course_index):
    assert value(course_index, "review", "review")["items"]


def test_what_was_decided_is_counted(course_index, tmp_path):
    (tmp_path / "none.txt").write_text("# nothing yet\n")
    found = value(course_index, "review_apply", "review", "--apply", str(tmp_path / "none.txt"))
    assert found == {"decisions": 0}


def test_the_stage_of_a_lost_answer_is_named(course_index):
    found = value(
        course_index, "why", "why", "What is a pivot column?", "--expects", "cafeteria opens"
    )
    assert found["stage"] == "not in the corpus"


def test_every_format_of_the_graph_is_written(course_index, tmp_path):
    for ending in ("graphml", "json", "cypher", "dot", "svg", "html"):
        file = str(tmp_path / f"graph.{ending}")
        assert value(course_index, "export", "export", file) == {"file": file}
        assert "linear independence" in (tmp_path / f"graph.{ending}").read_text()


def test_a_question_set_is_judged_by_stage(course_index, tmp_path):
    cases = tmp_path / "cases.jsonl"
    case = {"id": "1", "question": "What is a pivot?", "relevant": ["13-row-echelon-form.md"]}
    cases.write_text(json.dumps(case))
    found = value(
        course_index, "evaluate_questions", "evaluate", "questions", str(cases), "--ablate"
    )
    assert found["questions"] == 1
    assert found["stages"]["reranked"]["hit@5"] == 1.0


def test_a_run_is_compared_with_a_kept_one_in_its_json(course_index, tmp_path):
    cases = tmp_path / "cases.jsonl"
    case = {"id": "1", "question": "What is a pivot?", "relevant": ["13-row-echelon-form.md"]}
    cases.write_text(json.dumps(case))
    arguments = ("evaluate", "questions", str(cases), "--ablate")
    first = value(course_index, "evaluate_questions", *arguments, "--name", "first")
    second = value(course_index, "evaluate_questions", *arguments, "--against", "first")
    assert Path(first["run"]).stem == "first"
    assert first["set"] == second["set"]
    assert (second["against"]["run"], second["against"]["shared"]) == ("first", 1)
    assert "refusal" not in second


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--name", "my run"], "my run"),
        (["--fail-under", "hit@7=1"], "hit@7=1"),
        (["--fail-under", "refusal.recall=0.9"], "not measured"),
        (["--against", "nothing"], "no run is kept as 'nothing'"),
    ],
)
def test_what_is_wrong_with_an_evaluation_is_said_before_the_work(
    course_index, tmp_path, arguments, message
):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"id": "1", "question": "What?", "relevant": ["no such.md"]}))
    result = command(
        "--index",
        str(course_index),
        "evaluate",
        "questions",
        str(cases),
        "--ablate",
        *arguments,
        cwd=tmp_path,
    )
    assert result.returncode == 1
    # The evaluation itself would have failed on the relevant id.
    assert message in result.stderr
    assert "no such" not in result.stderr


def test_a_missed_bar_fails_the_job(course_index, tmp_path):
    cases = tmp_path / "cases.jsonl"
    case = {"id": "1", "question": "What is a pivot?", "relevant": ["04-linear-combinations.md"]}
    cases.write_text(json.dumps(case))
    arguments = ["evaluate", "questions", str(cases), "--ablate", "--fail-under", "hit@1=1.0"]
    result = command("--index", str(course_index), *arguments, cwd=tmp_path)
    assert result.returncode == 1


def test_gold_prerequisites_are_judged(course_index, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    lines = [
        {"concept": "basis", "prerequisite": "linear independence", "label": 1},
        {"concept": "linear independence", "prerequisite": "basis", "label": 0},
    ]
    pairs.write_text("\n".join(map(json.dumps, lines)))
    found = value(course_index, "evaluate_prerequisites", "evaluate", "prerequisites", str(pairs))
    assert (found["pairs"], found["f1"]) == (2, 1.0)


def test_a_refused_file_is_listed_and_the_exit_code_says_so(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "good.md").write_text("# Span\n\nA span is a set.\n")
    (folder / "empty.md").write_text("")
    result = command("ingest", "notes", "--json", cwd=tmp_path)
    found = json.loads(result.stdout)
    jsonschema.validate(found, json.loads(schema("ingest.schema.json")))
    assert result.returncode == 3
    assert found["added"] == 1
    assert [Path(each["path"]).name for each in found["refused"]] == ["empty.md"]
    assert command("remove", "notes", "--json", cwd=tmp_path).returncode == 0
    assert json.loads(command("status", "--json", cwd=tmp_path).stdout)["documents"] == 0


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["status"], 1, "no index"),
        (["ingest", "nowhere"], 1, "nowhere"),
        (["--index", "nowhere", "status"], 1, "nowhere"),
        (["search"], 2, "question"),
        (["unknown"], 2, "unknown"),
    ],
)
def test_a_failure_is_one_line_and_wrong_usage_is_two(tmp_path, arguments, code, message):
    result = command(*arguments, cwd=tmp_path)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unknown_setting_is_an_error(tmp_path):
    (tmp_path / "graphrag.toml").write_text("[retrieval]\nkk = 2\n")
    (tmp_path / "a.md").write_text("# A\n\nText.\n")
    result = command("ingest", "a.md", cwd=tmp_path)
    assert result.returncode == 1
    assert "retrieval.kk" in result.stderr


def test_every_command_has_help_with_an_example():
    for name in COMMANDS:
        result = CliRunner().invoke(app, [name, "--help"])
        assert result.exit_code == 0
        assert "Example: graphrag" in result.stdout, name


def test_help_prints_examples_as_they_are_written():
    result = CliRunner().invoke(app, ["cypher", "--help"])
    shown = " ".join(result.stdout.split())
    assert '"MATCH (c:Concept)-[r:REQUIRES]->(p) RETURN c.name, p.name LIMIT 5"' in shown


def test_a_chat_completes_follow_ups_and_remembers_the_learner(course_index):
    lines = "What is a null space?\nHow is it related to nullity?\nI know span\n/open 1\n/open ²\n"
    lines += "/help\nWhere does it say so?\nI don't understand bases\nI know pizza\n"
    result = CliRunner().invoke(
        app, ["--index", str(course_index), "chat", "--learner", "bob"], input=lines, env=OFFLINE
    )
    assert result.exit_code == 0, result.output
    assert "(How is a null space related to nullity?)" in result.stdout
    assert "noted: bob knows span" in result.stdout
    assert result.stdout.count("Ask anything.") == 2
    assert "no concept of the documents is named in “pizza”" in result.stdout
    assert result.stdout.index("[1] ") < result.stdout.index("noted: bob is not sure of basis")
    found = value(course_index, "learner", "learner", "bob")
    assert {each["concept"] for each in found["beliefs"]} == {"span", "basis"}


def test_ctrl_c_stops_an_answer_and_not_the_chat(course_index, monkeypatch):
    answered = Conversation.ask

    def interrupted_once(thread, question, on_text=None):
        if "basis" in question:
            raise KeyboardInterrupt
        return answered(thread, question, on_text)

    monkeypatch.setattr(Conversation, "ask", interrupted_once)
    lines = "What is a basis?\nWhat is a null space?\n"
    result = CliRunner().invoke(
        app, ["--index", str(course_index), "chat"], input=lines, env=OFFLINE
    )
    assert result.exit_code == 0, result.output
    assert "(stopped)" in result.stdout
    assert "route: lookup" in result.stdout.partition("(stopped)")[2]


def test_a_draft_of_nothing_says_so(tmp_path):
    (tmp_path / "a.md").write_text("# Bread\n\nKnead it well. Then let it rest.\n")
    assert command("--index", "i", "ingest", "a.md", cwd=tmp_path).returncode == 0
    result = command("--index", "i", "evaluate", "draft", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert "nothing to draft from" in result.stderr


def test_a_chat_gives_each_answer_as_a_line_of_json(course_index):
    lines = "What is a null space?\nHow is it related to nullity?\n/open 1\n"
    result = CliRunner().invoke(
        app, ["--index", str(course_index), "chat", "--json"], input=lines, env=OFFLINE
    )
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == 2
    for each in found:
        jsonschema.validate(each, json.loads(schema("ask.schema.json")))


def test_every_command_speaks_json():
    def options(group):
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from options(command)
            else:
                yield name, {option for each in command.params for option in each.opts}

    missing = [
        name for name, found in options(typer.main.get_command(app)) if "--json" not in found
    ]
    assert missing == []


def test_a_trace_says_how_the_answer_came_about(course_index, tmp_path):
    trace = tmp_path / "trace.jsonl"
    run(course_index, "ask", "What is a pivot column?", "--trace", str(trace))
    (line,) = trace.read_text().splitlines()
    kept = json.loads(line)
    assert kept["route"] == "lookup"
    assert {"bm25", "vector", "reranked"} <= set(kept["stages"])


def test_the_whole_corpus_needs_a_model(course_index, tmp_path):
    result = command(
        "--index", str(course_index), "ask", "What is a pivot?", "--whole", cwd=tmp_path
    )
    assert result.returncode == 1
    assert "--whole needs a language model" in result.stderr


def test_a_failure_in_use_becomes_a_case(course_index, tmp_path):
    cases = tmp_path / "cases.jsonl"
    for question in ("What is a pivot?", "What is a span?"):
        run(course_index, "evaluate", "add", str(cases), question, "--relevant", "21-rank.md")
    found = value(course_index, "evaluate_add", "evaluate", "add", str(cases), "Why?")
    assert (found["id"], found["file"]) == ("q-003", str(cases))
    ids = [json.loads(line)["id"] for line in cases.read_text().splitlines()]
    assert ids == ["q-001", "q-002", "q-003"]


def test_a_case_whose_relevant_id_is_in_no_index_is_not_kept(course_index, tmp_path):
    cases = tmp_path / "cases.jsonl"
    add = ("evaluate", "add", str(cases), "Why?", "--relevant", "nowhere.md")
    result = command("--index", str(course_index), *add, cwd=tmp_path)
    assert result.returncode == 1
    assert "'nowhere.md' is no document or chunk of this index" in result.stderr
    assert not cases.exists()


def test_questions_are_drafted_from_the_documents(course_index):
    drafts = run(course_index, "evaluate", "draft", "--most", "5").splitlines()
    assert len(drafts) == 5
    assert all(json.loads(line)["relevant"] for line in drafts)
    found = value(course_index, "evaluate_draft", "evaluate", "draft", "--most", "5")
    assert found["questions"] == [json.loads(line) for line in drafts]


def test_ollama_writes_where_it_answers_and_what_it_adds_is_struck(course_index, tmp_path):
    reply = (
        "A pivot column is a column of the matrix that contains a pivot position [1]. "
        "It was invented in 1823 by nine monks [1]."
    )
    with OllamaServer(reply=reply) as server:
        arguments = ["ask", "What is a pivot column?", "--json"]
        result = command(
            "--index", str(course_index), *arguments, cwd=tmp_path, OLLAMA_HOST=server.host
        )
        status = command(
            "--index", str(course_index), "status", cwd=tmp_path, OLLAMA_HOST=server.host
        )
    found = json.loads(result.stdout)
    jsonschema.validate(found, json.loads(schema("ask.schema.json")))
    assert found["writer"].startswith("ollama:")
    assert "contains a pivot position" in found["text"]
    assert "monks" not in found["text"]
    assert found["warnings"]
    assert "ollama:" in status.stdout


def test_an_ollama_that_was_asked_for_and_is_not_there_is_an_error(course_index, tmp_path):
    result = command(
        "--index", str(course_index), "ask", "What is a pivot?", "--writer", "ollama", cwd=tmp_path
    )
    assert result.returncode == 1
    assert "127.0.0.1:9" in result.stderr


def test_a_statement_is_kept_and_run_again_with_another_value(course_index):
    statement = "MATCH (c:Concept) WHERE c.name = $name RETURN c.name"
    first = value(
        course_index, "cypher", "cypher", statement, "-p", "name=matrix", "--save", "named"
    )
    assert first["rows"] == [["matrix"]]
    assert value(course_index, "cypher_saved", "cypher", "--saved")["saved"] == {"named": statement}
    again = value(course_index, "cypher", "cypher", "--run", "named", "-p", "name=vector")
    assert again["rows"] == [["vector"]]


def test_a_folder_without_documents_says_what_is_missing(tmp_path):
    (tmp_path / "empty").mkdir()
    index = tmp_path / "index"
    assert "no document was read" in run(index, "ingest", str(tmp_path / "empty"))
    assert "the index holds no concepts yet" in run(index, "next")
    assert "nothing wants a human eye" in run(index, "review")
