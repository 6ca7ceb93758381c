"""Defaults, file, environment, flags: in this order, and nothing unknown."""

from pathlib import Path
from unittest import mock

import pytest

from graphrag.errors import SettingsError
from graphrag.settings import Settings, load_settings


def test_nothing_given_is_the_defaults():
    assert load_settings() == Settings()


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path):
    file = tmp_path / "graphrag.toml"
    file.write_text("[retrieval]\nk = 2\ndepth = 20\nrerank = 10\n")
    settings = load_settings(
        file, {"GRAPHRAG_RETRIEVAL_DEPTH": "30", "GRAPHRAG_RETRIEVAL_K": "3"}, {"retrieval.k": 4}
    )
    assert (settings.retrieval.k, settings.retrieval.depth, settings.retrieval.rerank) == (
        4,
        30,
        10,
    )


@pytest.mark.parametrize(
    "text, address",
    [
        ("box:11435", "http://box:11435"),
        ("box", "http://box:11434"),
        ("[::1]", "http://[::1]:11434"),
        (":8080", "http://127.0.0.1:8080"),
        ("http://box", "http://box:80"),
        ("https://box/ollama/", "https://box:443/ollama"),
    ],
)
def test_the_ollama_address_always_has_the_port_that_ollama_would_take(tmp_path, text, address):
    file = tmp_path / "graphrag.toml"
    file.write_text(f"[ollama]\nhost = '{text}'\n")
    assert load_settings(None, {"OLLAMA_HOST": text}).ollama.host == address
    assert load_settings(file).ollama.host == address


@pytest.mark.parametrize(
    "text, message",
    [
        ("[retrieval]\nkk = 2\n", "unknown setting 'retrieval.kk'.*did you mean"),
        ("[retrieval]\nk = 'two'\n", "must be int"),
        ("[writer]\nkind = 'poet'\n", "auto, ollama or extractive"),
        ("[retrieval]\nexpansion = 'poem'\n", "must be off, answer or phrasings, not 'poem'"),
        ("[chunking]\ntarget = 900\n", "between 32 and"),
        ("k = 2\n", "must be a table"),
        ("[retrieval\n", "not valid TOML"),
        ("[retrieval]\nrerank = -1\n", "'retrieval.rerank' must be at least 1, not -1"),
        ("[retrieval]\nrerank_seconds = -1\n", "'retrieval.rerank_seconds' must be at least 0"),
        ("[retrieval]\nrerank_seconds = nan\n", "'retrieval.rerank_seconds' must be at least 0"),
        ("[writer]\nwindow = -1\n", "'writer.window' must be at least 0"),
        ("[writer]\nanswer = 0\n", "'writer.answer' must be at least 1"),
        ("[ollama]\nsilence_seconds = 0\n", "'ollama.silence_seconds' must be above 0"),
        ("[ollama]\nconnect_seconds = nan\n", "'ollama.connect_seconds' must be above 0"),
        ("[ollama]\nhost = 'box:high'\n", "no address"),
    ],
)
def test_a_wrong_file_is_an_error_that_says_what_to_do(tmp_path, text, message):
    file = tmp_path / "graphrag.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        load_settings(file)


def test_a_number_that_is_none_is_an_error_naming_the_variable():
    with pytest.raises(SettingsError, match="GRAPHRAG_RETRIEVAL_K='x'"):
        load_settings(None, {"GRAPHRAG_RETRIEVAL_K": "x"})


@pytest.mark.parametrize("text, meant", [("true", True), ("ON", True), ("0", False), ("no", False)])
def test_a_switch_is_read_from_the_environment(text, meant):
    assert load_settings(None, {"GRAPHRAG_CONCEPTS_EXTRACT": text}).concepts.extract is meant


def test_a_misspelt_truth_is_an_error():
    with pytest.raises(SettingsError, match=r"GRAPHRAG_CONCEPTS_EXTRACT='ture'.*true or false"):
        load_settings(None, {"GRAPHRAG_CONCEPTS_EXTRACT": "ture"})


def test_a_misspelt_variable_is_an_error_naming_the_nearest():
    with pytest.raises(SettingsError, match="RERANKS; did you mean GRAPHRAG_RETRIEVAL_RERANK"):
        load_settings(None, {"GRAPHRAG_RETRIEVAL_RERANKS": "3"})


def test_the_variable_of_the_index_is_no_setting():
    assert load_settings(None, {"GRAPHRAG_INDEX": "/an/index"}) == Settings()


def test_a_file_that_cannot_be_read_is_an_error_that_names_it(tmp_path):
    file = tmp_path / "graphrag.toml"
    file.write_text("")
    with (
        mock.patch.object(Path, "read_text", side_effect=PermissionError(13, "Permission denied")),
        pytest.raises(SettingsError, match=r"graphrag\.toml cannot be read: Permission denied"),
    ):
        load_settings(file)
