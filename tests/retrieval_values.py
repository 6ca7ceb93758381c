"""A small library and models that the tests of retrieval share."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from graphrag.adapters.memory_projections import MemoryKeywordIndex, MemoryVectorIndex
from graphrag.domain import Chunk, ConceptGraph
from graphrag.ports import ModelIdentity, NumberedChunk, Reranker, Vectors
from graphrag.retrieval.expanding import Expander
from graphrag.retrieval.name_building import name_graph_of
from graphrag.retrieval.retrieve import Retriever, RetrieverSettings
from graphrag.tokens import question_terms

DIMENSION = 256

LIBRARY = {
    "lothair": (
        "Lothair II",
        "Lothair II was king of Lotharingia. He was a son of Ermengarde of Tours.",
    ),
    "ermengarde": (
        "Ermengarde of Tours",
        "Ermengarde of Tours was the wife of an emperor. Her death was in March 851.",
    ),
    "pump": ("Slurry pump", "The slurry pump is primed before its valve is opened."),
    "belt": ("Belt conveyor", "The belt is tensioned with the pump off. Error E1042 stops it."),
    "death": ("Mourning", "A mother sings at a death, and so do the others of her house."),
}


class WordEmbedder:
    """Counts of hashed words, as unit vectors: texts that share words are near."""

    identity = ModelIdentity("words", "1", DIMENSION, 512, "f00d")

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in question_terms(text):
                row[zlib.crc32(term.encode()) % DIMENSION] += 1
            row[0] += 1e-3
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self.embed_passages(texts)


class WordReranker:
    """The number of the question's terms in a text, less one; remembers what it read."""

    name = "words"

    def __init__(self) -> None:
        self.read: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read.extend(texts)
        wanted = set(question_terms(question))
        return [float(len(wanted & set(question_terms(text)))) - 1 for text in texts]


class Shelf:
    """A source of chunks over a mapping of document id to title and text."""

    def __init__(
        self,
        library: Mapping[str, tuple[str, str]],
        first: int = 1,
        about: Mapping[str, Mapping[str, object]] | None = None,
    ) -> None:
        self._about = about or {}
        self.titles = {id_: title for id_, (title, _) in library.items()}
        self.numbered = [
            NumberedChunk(first + 10 * place, _chunk(id_, title, text), id_)
            for place, (id_, (title, text)) in enumerate(library.items())
        ]

    def chunk_numbers(self) -> dict[int, str]:
        return {numbered.number: numbered.chunk.id for numbered in self.numbered}

    def chunk_ids(self, numbers: Iterable[int]) -> dict[int, str]:
        known = self.chunk_numbers()
        return {number: known[number] for number in numbers if number in known}

    def numbers_of(self, document_ids: Collection[str]) -> list[int]:
        return [each.number for each in self.numbered if each.chunk.document_id in document_ids]

    def spread_of_chunks(self) -> tuple[int, int]:
        return len(self.numbered), len({each.chunk.document_id for each in self.numbered})

    def chunks(self, ids: Sequence[str] | None = None) -> list[Chunk]:
        known = {numbered.chunk.id: numbered.chunk for numbered in self.numbered}
        return list(known.values()) if ids is None else [known[id_] for id_ in ids if id_ in known]

    def metadata(self, ids: Collection[str] | None = None) -> dict[str, Mapping[str, object]]:
        return {
            id_: {
                "title": title,
                "source": f"/notes/{id_}.md",
                "format": "markdown",
                **self._about.get(id_, {}),
            }
            for id_, title in self.titles.items()
            if ids is None or id_ in ids
        }


def _chunk(id_: str, title: str, text: str) -> Chunk:
    return Chunk(f"{id_}#0", id_, 0, 0, len(text), text, (), title, "prose", len(text.split()))


def retriever_over(
    library: Mapping[str, tuple[str, str]],
    *,
    graph: bool = True,
    first: int = 1,
    reranker: Reranker | None = None,
    settings: RetrieverSettings | None = None,
    metadata: Mapping[str, Mapping[str, object]] | None = None,
    embedder: WordEmbedder | None = None,
    expander: Expander | None = None,
) -> Retriever:
    shelf, embedder = Shelf(library, first, metadata), embedder or WordEmbedder()
    keyword = MemoryKeywordIndex()
    vectors = MemoryVectorIndex(dimension=DIMENSION, fingerprint="f00d")
    texts = {each.number: each.chunk.embedded_text for each in shelf.numbered}
    keyword.update(texts, [], 1)
    vectors.update(list(texts), embedder.embed_passages(list(texts.values())), [], 1)
    names = name_graph_of(shelf.numbered, shelf.titles, ConceptGraph(), 1) if graph else None
    read = reranker or WordReranker()
    return Retriever(
        embedder=embedder,
        reranker=lambda: read,
        keyword=keyword,
        vectors=vectors,
        names=names,
        chunks=shelf,
        settings=settings,
        expander=expander,
    )
