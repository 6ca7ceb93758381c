"""The Ollama writer and embedder against a server of the documented protocol."""

from __future__ import annotations

import socket
import time

import numpy as np
import pytest

from graphrag.adapters.ollama import (
    OllamaEmbedder,
    OllamaTimeouts,
    OllamaWriter,
    UnreachableError,
    probe,
)
from graphrag.adapters.ollama_models import InstalledModel, billions, ranked
from graphrag.errors import GenerationError, ModelError, SettingsError
from graphrag.ports import WriteRequest
from tests.answering_values import passage
from tests.ollama_server import EMBEDDER, WRITER, OllamaServer

QUICK = OllamaTimeouts(connect=2.0, first_token=0.4, silence=0.3)
PATIENT = OllamaTimeouts(connect=20.0, first_token=20.0, silence=20.0)
WAITED_OUT = {"hang", "silence"}
REQUEST = WriteRequest(
    "To what torque are the bolts tightened?",
    "Answer from the passages.",
    (passage("The pump's bolts are torqued to 45 Nm."),),
)


def patience(fault: str | None) -> OllamaTimeouts:
    """Short where a test waits until the time is over, long where a busy machine may dawdle."""
    return QUICK if fault in WAITED_OUT else PATIENT


def written(server: OllamaServer, **options) -> str:
    options.setdefault("timeouts", patience(server.fault))
    writer = OllamaWriter.connect(server.host, **options)
    return "".join(writer.write(REQUEST))


def test_the_reply_comes_in_pieces_and_the_writer_says_its_model():
    with OllamaServer() as server:
        writer = OllamaWriter.connect(server.host)
        parts = list(writer.write(REQUEST))
        assert "".join(parts) == "The bolts are torqued to 45 Nm [1]."
        assert len(parts) > 3
        assert writer.name == "ollama:qwen3:8b"


def test_every_request_sets_the_window_and_reserves_the_answer():
    with OllamaServer() as server:
        written(server, answer_tokens=500, keep_alive="3m")
        (body,) = server.bodies("/api/chat")
        assert body["options"]["num_ctx"] == 8192
        assert body["options"]["num_predict"] == 500
        assert body["keep_alive"] == "3m"
        assert body["think"] is False


def test_instructions_and_passages_are_sent_apart():
    with OllamaServer() as server:
        written(server)
        (body,) = server.bodies("/api/chat")
        assert [message["role"] for message in body["messages"]] == ["system", "user"]
        assert body["messages"][0]["content"] == "Answer from the passages."
        assert '<passage number="1"' in body["messages"][1]["content"]


def test_a_small_model_gives_the_window_that_it_has():
    with OllamaServer(models=[{**WRITER, "context_length": 2048}]) as server:
        assert OllamaWriter.connect(server.host).window == 2048 - 64
        with pytest.raises(GenerationError, match="exceeds the 2048"):
            OllamaWriter.connect(server.host, num_ctx=4096)


def test_a_model_that_does_not_say_its_context_gets_a_careful_window():
    with OllamaServer(models=[{**WRITER, "context_length": None}]) as server:
        assert OllamaWriter.connect(server.host).window == 4096 - 64


def test_a_prompt_beyond_the_window_is_never_sent():
    with OllamaServer() as server:
        writer = OllamaWriter.connect(server.host, num_ctx=1024)
        large = WriteRequest("why?", "Answer.", (passage("word " * 900),))
        with pytest.raises(GenerationError, match="exceed the window of 1024"):
            list(writer.write(large))
        assert server.bodies("/api/chat") == []


def test_thoughts_are_left_out_of_the_answer():
    with OllamaServer(thoughts="Let me see what the passage says.") as server:
        model = {**WRITER, "name": "gpt-oss:20b", "family": "gptoss"}
        server.models = [model]
        assert written(server) == "The bolts are torqued to 45 Nm [1]."
        (body,) = server.bodies("/api/chat")
        assert body["think"] == "low"
        # 800 for the answer and a quarter of 8192 for thoughts
        assert body["options"]["num_predict"] == 2848


def test_thoughts_between_tags_are_left_out_too():
    with OllamaServer(reply="<think>\nHm, 54?\n</think>\n\nIt is 45 Nm [1].") as server:
        assert written(server) == "It is 45 Nm [1]."


def test_a_reply_that_merely_begins_with_a_bracket_is_whole():
    with OllamaServer(reply="<thin walls> hold 45 Nm [1].") as server:
        assert written(server) == "<thin walls> hold 45 Nm [1]."


def test_a_model_that_is_not_known_to_think_is_not_asked_to_stop():
    with OllamaServer(models=[{**WRITER, "capabilities": ["completion"]}]) as server:
        written(server)
        assert "think" not in server.bodies("/api/chat")[0]


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ({"thinking": {"values": [True, False], "default": True}}, False),
        ({"thinking": {"values": ["low", "medium", "high"], "default": "medium"}}, "low"),
        ({"thinking": {"values": [True]}}, True),
        ({"thinking": {"values": [False]}}, None),
        ({"name": "qwen3:4b-thinking"}, True),
        ({}, False),
    ],
)
def test_a_model_is_asked_to_think_as_little_as_it_can(model, asked):
    with OllamaServer(models=[{**WRITER, **model}]) as server:
        assert written(server) == "The bolts are torqued to 45 Nm [1]."
        assert server.bodies("/api/chat")[0].get("think") == asked


def test_thoughts_get_room_only_where_they_cannot_be_switched_off():
    with OllamaServer(models=[{**WRITER, "thinking": {"values": ["low", "high"]}}]) as server:
        assert OllamaWriter.connect(server.host).model.reserve_thoughts == 2048
    with OllamaServer(models=[{**WRITER, "thinking": {"values": [True, False]}}]) as server:
        assert OllamaWriter.connect(server.host).model.reserve_thoughts == 0


def test_a_template_without_a_place_for_instructions_gets_them_before_the_question():
    with OllamaServer(models=[{**WRITER, "template": "{{ .Prompt }}"}]) as server:
        written(server)
        (message,) = server.bodies("/api/chat")[0]["messages"]
    assert message["role"] == "user"
    assert message["content"].startswith("Answer")


def test_a_model_with_a_renderer_of_its_own_needs_no_template():
    bare = {**WRITER, "template": "{{ .Prompt }}", "modelfile": "FROM x\nRENDERER qwen3-vl"}
    with OllamaServer(models=[bare]) as server:
        written(server)
        assert [m["role"] for m in server.bodies("/api/chat")[0]["messages"]] == ["system", "user"]


def test_a_model_that_the_server_only_passes_on_is_no_local_writer():
    passed_on = {**WRITER, "remote_host": "https://elsewhere.example:443", "remote_model": "big"}
    with OllamaServer(models=[passed_on]) as server:
        with pytest.raises(GenerationError, match="embedding or cloud"):
            OllamaWriter.connect(server.host)
        with pytest.raises(GenerationError, match="not write on this machine"):
            OllamaWriter.connect(server.host, model="qwen3:8b")


def test_an_embedder_by_another_name_is_passed_over():
    vectors = {**EMBEDDER, "name": "qwen3-vectors:4b", "family": "qwen3", "parameter_size": "4.0B"}
    with OllamaServer(models=[vectors, {**WRITER, "name": "tinyllama:1.1b"}]) as server:
        assert OllamaWriter.connect(server.host).model.name == "tinyllama:1.1b"


def test_a_prompt_that_the_server_had_in_its_cache_is_no_truncated_one():
    with OllamaServer(cached_prompt=True) as server:
        assert written(server)


def test_giving_up_frees_the_server():
    with OllamaServer(reply="word " * 2000, delay=0.01) as server:
        writer = OllamaWriter.connect(server.host)
        parts = writer.write(REQUEST)
        next(parts)
        parts.close()
        assert server.cancelled.wait(5)


CHAT_FAULTS = [
    ("hang", "first_token_seconds"),
    ("no model", "ollama pull qwen3:8b"),
    ("not ollama", "no Ollama server"),
    ("html", "no Ollama reply"),
    ("memory", "choose a smaller model"),
    ("crash", "restart Ollama"),
    ("busy", "in a moment"),
    ("too many", "in a moment"),
    ("unauthorized", "local model"),
    ("forbidden", "access rules"),
    ("no chat", "choose a model that writes"),
    ("no thinking", "thinking off"),
    ("damaged", "pull it again"),
    ("internal", "server's log"),
    ("error line", "server's log"),
    ("cut", "in the middle"),
    ("cut json", "in the middle"),
    ("unfinished", "ended before it was done"),
    ("silence", "silence_seconds"),
    ("nothing", "ended before it was done"),
    ("empty", "replied with nothing"),
    ("blank", "replied with nothing"),
    ("loaded", "replied with nothing"),
    ("length", "writer.answer"),
    ("only thoughts", "on thoughts"),
    ("inline thoughts only", "on thoughts"),
    ("truncated", "writer.window"),
    ("full", "writer.window"),
    ("not json", "no Ollama reply"),
    ("list", "no Ollama reply"),
    ("no message", "no Ollama reply"),
    ("redirect", "final address"),
    ("too long", "writer.window"),
]


@pytest.mark.parametrize(("fault", "mend"), CHAT_FAULTS)
def test_each_fault_of_the_server_is_one_line_with_its_mend(fault, mend):
    with OllamaServer(fault=fault) as server, pytest.raises(GenerationError) as raised:
        written(server)
    assert mend in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("fault", ["hang", "html", "not ollama", "internal", "redirect", "busy"])
def test_a_server_at_fault_from_the_start_is_no_server_for_auto(fault):
    with OllamaServer(fault=fault, everywhere=True) as server:
        assert probe(server.host, 0.3) is None
        with pytest.raises(GenerationError):
            OllamaWriter.connect(server.host, timeouts=patience(fault))


def test_without_a_server_the_mend_is_named_at_once():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert probe(host) is None
    with pytest.raises(UnreachableError, match="ollama serve"):
        OllamaWriter.connect(host)


def test_a_server_that_goes_away_before_the_question_is_named():
    with OllamaServer() as server:
        writer = OllamaWriter.connect(server.host)
    with pytest.raises(GenerationError, match="ollama serve"):
        list(writer.write(REQUEST))


def test_the_probe_lists_what_is_installed():
    with OllamaServer() as server:
        assert probe(server.host, 20) == ["qwen3:8b", "nomic-embed-text:latest"]


@pytest.mark.parametrize("host", ["http://[", "http://a b", "http://127.0.0.1:99999999"])
def test_an_address_that_is_none_is_a_setting_to_mend(host):
    with pytest.raises(SettingsError, match="no address"):
        OllamaWriter.connect(host)


def test_a_time_out_of_zero_is_refused():
    with pytest.raises(SettingsError, match="above 0"):
        OllamaWriter.connect("http://127.0.0.1:1", timeouts=OllamaTimeouts(silence=0))


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([], "no model is installed"),
        ([EMBEDDER], "only embedding or cloud models"),
        ([{**WRITER, "name": "gpt-oss:120b-cloud"}], "only embedding or cloud models"),
    ],
)
def test_a_server_without_a_model_that_writes_says_what_to_pull(models, message):
    with OllamaServer(models=models) as server:
        with pytest.raises(GenerationError, match=message) as raised:
            OllamaWriter.connect(server.host)
        assert "ollama pull" in str(raised.value)


def test_a_model_that_is_not_there_names_the_pull_command_and_what_is():
    with OllamaServer() as server:
        with pytest.raises(GenerationError, match=r"ollama pull llama3\.2") as raised:
            OllamaWriter.connect(server.host, model="llama3.2")
        assert "qwen3:8b" in str(raised.value)


def test_an_embedding_model_cannot_be_told_to_write():
    with OllamaServer() as server, pytest.raises(GenerationError, match="cannot write"):
        OllamaWriter.connect(server.host, model="nomic-embed-text")


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        (["llama3.2:1b", "llama3.1:8b"], "llama3.1:8b"),
        (["qwen3:8b", "qwen3:4b", "llama3.1:8b"], "qwen3:8b"),
        (["qwen3:32b", "mistral:7b"], "mistral:7b"),
        (["qwen2.5-coder:7b", "gemma3:4b"], "gemma3:4b"),
        (["llama3.3:70b", "qwen3:0.6b"], "llama3.3:70b"),
        (["nomic-embed-text:latest", "bge-m3:latest", "phi4-mini:3.8b"], "phi4-mini:3.8b"),
        (["gpt-oss:120b-cloud", "tinyllama:1.1b"], "tinyllama:1.1b"),
        (["hf.co/someone/Qwen3-8B-GGUF:Q4", "unknown:13b"], "hf.co/someone/Qwen3-8B-GGUF:Q4"),
    ],
)
def test_the_model_is_chosen_by_purpose_size_and_family(installed, chosen):
    models = [InstalledModel(name) for name in installed]
    assert ranked(models)[0].name == chosen
    assert ranked(list(reversed(models)))[0].name == chosen


def test_no_writer_is_chosen_among_embedders():
    assert ranked([InstalledModel("nomic-embed-text"), InstalledModel("x", "bert")]) == []


@pytest.mark.parametrize(
    ("text", "expected"), [("8.0B", 8.0), ("670M", 0.67), ("1.5T", 1500.0), ("", 0.0), ("big", 0.0)]
)
def test_sizes_are_read_in_billions(text, expected):
    assert billions(text) == pytest.approx(expected)


SCHEMA = {
    "type": "object",
    "properties": {"needs": {"type": "boolean"}},
    "required": ["needs"],
    "additionalProperties": False,
}


def test_a_structured_reply_is_held_to_its_schema():
    with OllamaServer(reply='{"needs": true}') as server:
        writer = OllamaWriter.connect(server.host)
        assert writer.ask_json("Judge.", "Does A need B?", SCHEMA) == {"needs": True}
        assert server.bodies("/api/chat")[0]["format"] == SCHEMA


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ('{"needs": "perhaps"}', "off the schema"),
        ('{"needs": true', "not reply in JSON"),
        ("It does.", "not reply in JSON"),
    ],
)
def test_a_structured_reply_off_its_schema_is_an_error(reply, message):
    with OllamaServer(reply=reply) as server:
        writer = OllamaWriter.connect(server.host)
        with pytest.raises(GenerationError, match=message):
            writer.ask_json("Judge.", "Does A need B?", SCHEMA)


def test_a_schema_that_the_server_refuses_is_named():
    with OllamaServer(fault="bad schema") as server:
        writer = OllamaWriter.connect(server.host)
        with pytest.raises(GenerationError, match="update Ollama"):
            writer.ask_json("Judge.", "Does A need B?", SCHEMA)


def embedder(server: OllamaServer, fault: str | None = None) -> OllamaEmbedder:
    timeouts = patience(fault)
    return OllamaEmbedder.connect(server.host, "nomic-embed-text", timeouts=timeouts)


def test_vectors_are_of_unit_length_and_nearest_to_what_they_share_words_with():
    with OllamaServer() as server:
        model = embedder(server)
        passages = model.embed_passages(["a matrix has rows", "the sea is blue"])
        question = model.embed_questions(["matrix rows"])
        assert passages.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-6)
        assert passages[0] @ question[0] > passages[1] @ question[0]


def test_questions_and_passages_take_the_prefixes_of_their_model():
    with OllamaServer() as server:
        model = embedder(server)
        model.embed_passages(["x"])
        model.embed_questions(["x"])
        inputs = [body["input"] for body in server.bodies("/api/embed")]
        assert ["search_document: x"] in inputs
        assert ["search_query: x"] in inputs
        assert all(body["truncate"] is False for body in server.bodies("/api/embed"))


def test_the_identity_holds_name_limit_dimension_and_digest():
    with OllamaServer() as server:
        identity = embedder(server).identity
        assert identity.name == "ollama:nomic-embed-text:latest"
        assert (identity.dimension, identity.max_tokens) == (32, 2048)
        assert embedder(server).identity == identity
        server.models = [{**EMBEDDER, "context_length": 1024}]
        assert embedder(server).identity.fingerprint != identity.fingerprint


def test_the_window_of_an_embedder_is_asked_for_and_never_larger_than_needed():
    with OllamaServer(models=[{**EMBEDDER, "context_length": 40960}]) as server:
        model = embedder(server)
        assert model.identity.max_tokens == 8192
        assert server.bodies("/api/embed")[-1]["options"] == {"num_ctx": 8192}
        assert server.bodies("/api/embed")[-1]["truncate"] is False


def test_no_texts_give_an_empty_matrix_and_progress_counts_all():
    with OllamaServer() as server:
        model = embedder(server)
        assert model.embed_passages([]).shape == (0, 32)
        seen: list[int] = []
        assert model.embed_passages(["x"] * 20, progress=seen.append).shape == (20, 32)
        assert sum(seen) == 20


@pytest.mark.parametrize(
    ("fault", "mend"),
    [
        ("no model", "ollama pull"),
        ("null vector", "empty or not a number"),
        ("short vectors", "vectors for"),
        ("ragged", "no Ollama reply"),
        ("word vectors", "no Ollama reply"),
        ("too long", "chunking.limit"),
        ("hang", "first_token_seconds"),
        ("html", "no Ollama reply"),
    ],
)
def test_each_fault_of_the_embedder_is_a_model_error_with_its_mend(fault, mend):
    with OllamaServer() as server:
        model = embedder(server, fault)
        model.identity  # noqa: B018 - asked for before the fault
        server.fault = fault
        with pytest.raises(ModelError, match=mend):
            model.embed_passages(["one text", "another text"])


def test_an_embedding_model_that_is_not_pulled_is_a_model_error():
    with OllamaServer() as server, pytest.raises(ModelError, match="ollama pull mxbai"):
        OllamaEmbedder.connect(server.host, "mxbai-embed-large")


def test_a_hanging_server_is_given_up_within_its_time_out():
    with OllamaServer(fault="hang") as server:
        writer = OllamaWriter.connect(server.host, timeouts=QUICK)
        started = time.monotonic()
        with pytest.raises(GenerationError):
            list(writer.write(REQUEST))
        assert time.monotonic() - started < 10
