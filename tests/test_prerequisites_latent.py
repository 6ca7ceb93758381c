"""Texts that mean the same in other words, and what texts usually call a concept."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from graphrag.concepts.mentions import find_mentions
from graphrag.concepts.texts import Texts
from graphrag.domain import Concept
from graphrag.prerequisites.corpus import Corpus
from graphrag.prerequisites.latent import latent_vectors
from graphrag.prerequisites.lexical import Words, count_words
from graphrag.prerequisites.structure import main_sections, section_weights
from tests.concept_values import document, one_chunk_each


def words(texts: list[list[float]], names: list[list[float]]) -> Words:
    rows = np.array(texts, dtype=np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    table = sparse.csr_matrix(rows)
    return Words(table, table, sparse.csr_matrix(np.array(names, dtype=np.float64)))


def test_with_as_many_directions_as_terms_the_cosines_stay_as_they_are() -> None:
    texts, _ = latent_vectors(words([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [[1, 0, 0]] * 3))
    # (1, 1, 0) . (0, 1, 1) / 2 = 0.5; (1, 1, 0) . (1, 0, 0) / sqrt 2
    assert np.allclose(
        texts @ texts.T, [[1, 0.5, 2**-0.5], [0.5, 1, 0], [2**-0.5, 0, 1]], atol=1e-6
    )


def test_a_name_is_near_the_texts_that_hold_its_words() -> None:
    texts, names = latent_vectors(words([[1, 1, 0, 0], [0, 0, 1, 1]], [[0, 0, 1, 0], [1, 0, 0, 0]]))
    assert np.allclose(texts @ names.T, [[0, 1], [1, 0]], atol=1e-6)


def test_equal_words_give_equal_vectors() -> None:
    rows = np.random.default_rng(3).random((150, 160)).tolist()
    first, second = (latent_vectors(words(rows, rows))[0] for _ in range(2))
    assert first.shape == (150, 100)
    assert np.array_equal(first, second)


def test_without_a_single_word_all_are_zero() -> None:
    empty = sparse.csr_matrix((2, 0))
    texts, names = latent_vectors(Words(empty, empty, empty))
    assert not texts.any()
    assert len(names) == 2


def corpus(text: str, *concepts: Concept) -> Corpus:
    documents = [document(text)]
    chunks = one_chunk_each(documents)
    return Corpus(documents, chunks, {}, concepts, find_mentions(documents, chunks, {}, concepts))


def test_a_concept_is_usually_called_what_the_texts_call_it_most_often() -> None:
    found = corpus(
        "# Motion\n\nA Euclidean vector is a vector. Vectors add up.",
        Concept("ev", "Euclidean vector", ("vector",)),
        Concept("f", "Field (physics)", ("force field",)),
    )
    assert found.usual_names == ["vector", "Field"]


def test_a_concept_without_text_is_known_by_its_name() -> None:
    found = corpus(
        "# Rank\n\nThe rank of a matrix.", Concept("r", "rank"), Concept("m", "full rank")
    )
    texts = Texts()
    words = count_words(found, main_sections(section_weights(found)), texts)
    assert words.texts[[1]].nnz == 1  # of "full rank" the corpus knows the word "rank"
