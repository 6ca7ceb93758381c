"""What an open engine keeps at hand: models, stores, and the tutor and retriever over them.

What depends on the catalog's state is made anew when its revision has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from graphrag.adapters.memory_projections import MemoryVectorIndex
from graphrag.assembly import Models
from graphrag.chunking import ChunkingOptions
from graphrag.concepts.restriction import restricted
from graphrag.concepts.texts import Texts
from graphrag.domain import Learner, Passage
from graphrag.ports import Embedder, Keys, VectorIndex, Vectors, Writer
from graphrag.retrieval.filters import allowed_documents, day_of, known_successors
from graphrag.retrieval.rerank import RerankSettings
from graphrag.serving import name_model, serving_model
from graphrag.settings import EmbeddingSettings, Settings
from graphrag.tutor import Prose, Shown, Tutor
from graphrag.tutoring.explaining import explaining_chunks
from graphrag.tutoring.homes import at_home, stored_after
from graphrag.tutoring.overview import defining_sentence
from graphrag.workspace import Workspace
from graphrag.writers import Writers

if TYPE_CHECKING:
    from graphrag.adapters.ollama import OllamaWriter
    from graphrag.answering.answer import AnswerOptions
    from graphrag.answering.closeness import Meaning
    from graphrag.prerequisites.testimony import ModelWitness
    from graphrag.retrieval.retrieve import Retriever
    from graphrag.tutoring.review import ReviewItem

_Made = TypeVar("_Made")
_FILTERS = 16  # sets of conditions whose chunks are kept
_SENTENCES = 20_000


class Desk:
    """Lazily made parts, shared between threads."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self.workspace = workspace
        self.settings = settings
        self.models = Models(settings)
        self.texts = Texts()
        self._made: dict[str, tuple[tuple[object, ...], object]] = {}
        self._sentences: dict[str, Vectors] = {}
        self.writers = Writers(settings)
        self._lock = RLock()

    def _current(self, name: str, make: Callable[[], _Made], *also: object) -> _Made:
        """The part of that name for the catalog's present revision and for ``also``."""
        state = (self.workspace.catalog.revision, *also)
        with self._lock:
            found = self._made.get(name)
            if found is None or found[0] != state:
                found = (state, make())
                self._made[name] = found
            return found[1]  # type: ignore[return-value]

    def forget(self) -> None:
        """Make everything anew when it is next asked for: the stores were replaced."""
        with self._lock:
            self._made.clear()

    def tutor(self, where: Sequence[str] = (), as_of: str | None = None) -> Tutor:
        """The tutor over the concept graph, as far as the documents show it that a search
        with these conditions may see. Raises QueryError for a malformed condition or day."""

        def make() -> Tutor:
            graph = self.workspace.catalog.concept_graph()
            documents = self._visible(where, as_of)
            if documents is not None:
                graph = restricted(graph, documents)
            ranked = explaining_chunks(graph.mentions)
            return Tutor(graph, Prose(self.passages, lambda key: ranked.get(key, [])))

        if where or as_of:
            return make()
        # What is valid changes at midnight, without a revision.
        return self._current("tutor", make, date.today())

    def retriever(self, *, rerank: bool = True) -> Retriever:
        """The search over the catalog's present revision. Models load beside the opening of
        the stores, outside of Python's lock; the cross-encoder too, with ``rerank``."""
        from graphrag.retrieval.retrieve import Retriever, RetrieverSettings

        names, chosen = self.workspace.names(), self.settings.retrieval
        limits = RerankSettings(chosen.rerank, chosen.rerank_seconds)

        def make() -> Retriever:
            with ThreadPoolExecutor(2) as beside:
                loading = beside.submit(self.embedder)
                if rerank:
                    beside.submit(self.models.reranker)  # who needs it is told what is wrong
                vectors = self._vectors()
                embedder = loading.result()
            if embedder.identity.fingerprint != vectors.fingerprint:
                # Another model took over between the two.
                embedder, vectors = self.embedder(), self._vectors()
            return Retriever(
                embedder=embedder,
                reranker=self.models.reranker,
                keyword=self.workspace.keywords(),
                vectors=vectors,
                names=names,
                chunks=self.workspace.catalog,
                settings=RetrieverSettings(rerank=limits),
                expander=self.writers.expander(),
            )

        # While someone else writes they lag, and come up to the catalog without a revision.
        return self._current("retriever", make, names.revision)

    def _vectors(self) -> VectorIndex:
        """The vector index; an empty one before the first ingest."""
        if self.workspace.embedder_identity() is not None:
            return self.workspace.vectors()
        identity = self.embedder().identity
        return MemoryVectorIndex(dimension=identity.dimension, fingerprint=identity.fingerprint)

    def passages(self, chunk_ids: Sequence[str]) -> list[Passage]:
        """The chunks of those ids as passages, without a search."""
        chunks = self.workspace.catalog.chunks([key for key in chunk_ids if key])
        metadata = self.workspace.catalog.metadata({chunk.document_id for chunk in chunks})
        return [
            Passage(
                chunk,
                source=str(metadata[chunk.document_id]["source"]),
                title=str(metadata[chunk.document_id]["title"]),
                score=1.0,
            )
            for chunk in chunks
            if chunk.document_id in metadata
        ]

    def definitions(self) -> dict[str, str]:
        """Concept id to the sentence that says what it is, where there is one."""
        tutor = self.tutor()
        passages = {
            passage.chunk.id: passage.chunk.text
            for passage in self.passages([each.definition or "" for each in tutor.graph.concepts])
        }
        return {
            concept.id: defining_sentence(concept, passages[concept.definition])
            for concept in tutor.graph.concepts
            if concept.definition in passages
        }

    def to_decide(self) -> list[ReviewItem]:
        """What matters most to decide: of the graph, and beside a syllabus what it lacks."""
        from graphrag.concepts.suggestions import missing_concepts
        from graphrag.tutoring.review import review

        graph, catalog = self.tutor().graph, self.workspace.catalog
        given = any(concept.given for concept in graph.concepts)
        documents, annotations = (catalog.documents(), catalog.annotations()) if given else ([], {})
        missing = missing_concepts(documents, annotations, graph.concepts)
        return review(graph, catalog.decisions(), missing)

    def exported(self, ending: str, learner: str) -> str:
        """The concept graph in the format of a file's ending."""
        from graphrag.export import export

        tutor = self.tutor()
        return export(
            tutor.graph,
            ending,
            learner=tutor.believed(self.learner(learner), now=time.time()),
            definitions=self.definitions() if ending == ".html" else None,
        )

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question, as the cross-encoder's logits."""
        return self.models.reranker().score(question, texts)

    def likeness(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text's vector with the question's."""
        asked = self.embedder().embed_questions([question])[0]
        return [float(value) for value in self.sentence_vectors(texts) @ asked] if texts else []

    def writer(self) -> Writer:
        """Who writes, by ``writer.kind``: ``auto`` takes Ollama where it answers with a
        model, and quotes otherwise. Raises GenerationError where Ollama was asked for by
        name and cannot be had."""
        from graphrag.adapters.extractive import ExtractiveWriter

        wanted = self.settings.writer
        either = wanted.kind == "auto" and not wanted.model
        if wanted.kind == "extractive" or (either and not self.ollama_models()):
            return ExtractiveWriter(self.score, likeness=self.likeness)
        return self.ollama_writer(wanted.model)

    def ollama_writer(self, model: str) -> OllamaWriter:
        """The Ollama model of that name. Raises GenerationError where it cannot be had."""
        return self.writers.ollama(model)

    def ollama_models(self) -> list[str] | None:
        """The models that Ollama has, or None where it does not answer."""
        return self.writers.installed()

    def witness(self) -> ModelWitness | None:
        """Who is asked about doubtful prerequisites, where the settings want that."""
        return self.writers.witness(self.workspace.catalog)

    def close(self) -> None:
        """Give back the connections to Ollama."""
        self.writers.close()
        self.models.close()

    def answer_options(self, writer: Writer) -> AnswerOptions:
        """The writer's window, and the tokens reserved in it."""
        from graphrag.answering.answer import AnswerOptions

        window = getattr(writer, "window", None)
        return AnswerOptions(
            window=window,
            reserve_answer=self.settings.writer.answer,
            occurs=self.workspace.keywords().occurs,
            meaning=self.meaning(),
        )

    def meaning(self) -> Meaning | None:
        """How alike texts are; None where another embedder than the one that refusals are
        calibrated on would tell it on a scale of its own."""
        from graphrag.answering.closeness import Meaning

        calibrated = self.settings.embedding.model == EmbeddingSettings().model
        return Meaning(self.likeness, self._alike) if calibrated else None

    def _alike(self, words: Sequence[str], others: Sequence[str]) -> list[float]:
        cosines = self.sentence_vectors(words) @ self.sentence_vectors(others).T
        return [float(value) for value in cosines.max(axis=1)]

    def everything(self, where: Sequence[str] = (), as_of: str | None = None) -> list[Passage]:
        """All passages of the index that a search may see, in reading order."""
        documents = self._visible(where, as_of)
        chunks = self.workspace.catalog.chunks()
        seen = [each.id for each in chunks if documents is None or each.document_id in documents]
        return self.passages(seen)

    def allowed(self, where: Sequence[str], as_of: str | None) -> Keys | None:
        """The sorted numbers of the chunks that a search may see; None where that is all.

        Raises QueryError for a malformed condition or day.
        """
        asked = (tuple(where), day_of(as_of) or date.today())
        with self._lock:
            known: dict[tuple[object, ...], Keys | None] = self._current("allowed", dict)
            if asked not in known:
                if len(known) >= _FILTERS:
                    known.clear()
                known[asked] = self._numbers_of(self._visible(where, as_of))
            return known[asked]

    def _numbers_of(self, documents: set[str] | None) -> Keys | None:
        if documents is None:
            return None
        return np.array(self.workspace.catalog.numbers_of(documents), dtype=np.int64)

    def _visible(self, where: Sequence[str], as_of: str | None) -> set[str] | None:
        """The documents that fulfil the conditions; None where all do."""
        return allowed_documents(self.workspace.catalog, where, as_of=day_of(as_of))

    def superseded_by(self, document_id: str) -> str:
        """The document that replaces this one, or nothing."""
        catalog = self.workspace.catalog
        found = self._current("successors", lambda: known_successors(catalog))
        return next(iter(found.get(document_id, ())), "")

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        """Passage vectors of sentences, which recur from one question to the next."""
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._sentences]
            if len(self._sentences) + len(missing) > _SENTENCES:
                self._sentences.clear()
                missing = list(dict.fromkeys(texts))
            if missing:
                fresh = self.embedder().embed_passages(missing)
                self._sentences.update(zip(missing, fresh, strict=True))
            rows = [self._sentences[text] for text in texts]
            return np.stack(rows) if rows else np.zeros((0, 1), np.float32)

    def embedder(self) -> Embedder:
        """The embedding model, once it is known to be the one that made the index: the
        configured one, but for a migration (see ``serving``). The first that writes into
        an index is taken for it; to ask an empty one decides nothing."""
        catalog, configured = self.workspace.catalog, self.settings.embedding.name
        name = serving_model(catalog, configured)
        model = self.models.embedder() if name == configured else self.models.named(name)
        if self.workspace.embedder_identity() is None:
            if not self.workspace.held:
                return model
            name_model(catalog, name)
        self.workspace.agree_on(model.identity)
        return model

    @property
    def chunking(self) -> ChunkingOptions:
        """The sizes of chunks that the settings ask for."""
        chosen = self.settings.chunking
        return ChunkingOptions(chosen.target, chosen.limit, chosen.overlap)

    def learner(self, name: str) -> Learner | None:
        """The learner of that name; None for the empty name."""
        known = self.workspace.catalog.learner(name) if name else None
        return None if known is None else at_home(known, self.tutor().concepts.values())

    def learnt(self, name: str, shown: Shown) -> Learner:
        """The learner of that name once what was ``shown`` is kept. Raises QueryError and
        StoreError."""
        with self.workspace.writing():
            state = self.learner(name) or Learner(name)
            changed = self.tutor().learnt(state, shown, now=time.time())
            self.keep(changed)
        return changed

    def keep(self, learner: Learner) -> None:
        """Store what has changed of a learner, see ``stored_after``."""
        stored = self.workspace.catalog.learner(learner.name) or Learner(learner.name)
        concepts = self.tutor().concepts.values()
        self.workspace.catalog.put_learner(stored_after(stored, learner, concepts))
