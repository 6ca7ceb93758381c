"""Defaults, file, environment, flags: in this order, and nothing unknown."""

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


def test_the_usual_variable_for_the_ollama_address_counts():
    assert load_settings(None, {"OLLAMA_HOST": "box:11434"}).ollama.host == "http://box:11434"


@pytest.mark.parametrize(
    "text, message",
    [
        ("[retrieval]\nkk = 2\n", "unknown setting 'retrieval.kk'.*did you mean"),
        ("[retrieval]\nk = 'two'\n", "must be int"),
        ("[writer]\nkind = 'poet'\n", "auto, ollama or extractive"),
        ("[chunking]\ntarget = 900\n", "between 32 and"),
        ("k = 2\n", "must be a table"),
        ("[retrieval\n", "not valid TOML"),
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
