"""Embedders cut to their first coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from graphrag.assembly import Models
from graphrag.errors import ModelError, SettingsError
from graphrag.ports import ModelIdentity, Vectors
from graphrag.settings import load_settings
from graphrag.shortened import ShortenedEmbedder, check_trained_for_cuts, parted_name


class Three:
    """Every text is (0.6, 0, 0.8)."""

    identity = ModelIdentity("three", "1", 3, 512, "abc")
    trained_for_cuts = True

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        if progress is not None:
            progress(len(texts))
        return np.array([[0.6, 0.0, 0.8]] * len(texts), dtype=np.float32).reshape(-1, 3)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


def test_a_cut_embedder_gives_unit_vectors_and_is_a_model_of_its_own() -> None:
    embedder = ShortenedEmbedder(Three(), 2)
    done: list[int] = []
    # (0.6, 0) at length 1 is (1, 0).
    assert embedder.embed_passages(["a", "b"], progress=done.append).tolist() == [[1, 0], [1, 0]]
    assert embedder.embed_questions(["a"]).tolist() == [[1, 0]]
    assert embedder.embed_questions([]).shape == (0, 2)
    assert embedder.count_tokens(["abc"]) == [3]
    assert done == [2]
    assert embedder.identity == ModelIdentity("three@2", "1", 2, 512, "abc@2")


@pytest.mark.parametrize("dimensions", [0, 3, 4])
def test_no_more_is_kept_than_there_is_to_cut(dimensions: int) -> None:
    with pytest.raises(ModelError, match="must be below the 3 dimensions of three"):
        ShortenedEmbedder(Three(), dimensions)


def test_a_vector_of_which_nothing_is_left_is_refused() -> None:
    class Late(Three):
        def embed_passages(
            self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
        ) -> Vectors:
            return np.array([[0.0, 0.0, 1.0]] * len(texts), dtype=np.float32)

    with pytest.raises(ModelError, match="are all 0"):
        ShortenedEmbedder(Late(), 2).embed_passages(["a"])


def test_names_are_parted_at_their_dimensions_alone() -> None:
    assert parted_name("org/model@256") == ("org/model", 256)
    assert parted_name("bge-small-en") == ("bge-small-en", 0)
    assert parted_name("/home/me@work/model") == ("/home/me@work/model", 0)
    assert parted_name("@12") == ("@12", 0)


def test_only_a_model_that_was_trained_for_it_is_cut() -> None:
    class Plain(Three):
        trained_for_cuts = False

    check_trained_for_cuts(Three(), "three")
    with pytest.raises(ModelError, match="plain does not say that it was trained to be cut"):
        check_trained_for_cuts(Plain(), "plain")


def test_the_default_model_is_cut_by_force_alone() -> None:
    with pytest.raises(ModelError, match="force_dimensions"):
        Models(load_settings(flags={"embedding.dimensions": 128})).embedder()
    flags = {"embedding.dimensions": 128, "embedding.force_dimensions": True}
    forced = Models(load_settings(flags=flags)).embedder()
    assert forced.embed_questions(["What is a pivot?"]).shape == (1, 128)
    with pytest.raises(SettingsError):
        load_settings(flags={"embedding.dimensions": -1})
