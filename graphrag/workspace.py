"""The index directory: the catalog, its projections, the writer's lock, and healing.

The catalog is the truth; the keyword, vector, name and graph stores are made from it and
carry the catalog revision that they show. Whoever opens one that lags brings it up to
date first, unless another process, or another thread of this one, is writing just now and
will do so itself: then it is read as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from graphrag.adapters import segments
from graphrag.adapters.bm25_index import Bm25Index
from graphrag.adapters.durable_files import delete, make_folder, sweep
from graphrag.adapters.file_lock import WriterLock
from graphrag.adapters.kuzu_graph import KuzuGraph
from graphrag.adapters.sqlite_catalog import SqliteCatalog
from graphrag.adapters.vector_kind import vector_kind
from graphrag.checking import (
    Revised,
    embed_lost,
    graph_agrees,
    is_whole,
    keywords_agree,
    lost_texts,
    made_within,
    names_agree,
    names_whole,
    readable,
    shown_by,
    vectors_agree,
)
from graphrag.errors import DamagedError, ModelError, StoreError
from graphrag.healing import heal_graph, heal_keywords, heal_vectors
from graphrag.ports import Embedder, ModelIdentity
from graphrag.retrieval.name_files import load_name_graph
from graphrag.retrieval.name_graph import NameGraph
from graphrag.retrieval.name_keeping import current_name_graph
from graphrag.serving import EMBEDDER, identity_of, identity_value

if TYPE_CHECKING:
    from graphrag.adapters.faiss_coarse import Precision
    from graphrag.adapters.faiss_index import FaissIndex

_CATALOG = "catalog.sqlite"
_GRAPH = "graph.kuzu"
_KEYWORDS = "keywords"
_VECTORS = "vectors.faiss"
_NAMES = "names"
_PROJECTIONS = (_KEYWORDS, _VECTORS, _GRAPH, _NAMES)
_LOCK = "lock"
_PATIENCE = 20.0  # seconds that an unreadable store may take to be made anew by others

_Store = TypeVar("_Store", bound=Revised)


class Workspace:
    """One open index directory. Safe to share between threads; one process may write."""

    def __init__(
        self, path: Path, catalog: SqliteCatalog, *, precision: Precision = "exact"
    ) -> None:
        self.path = path
        self.catalog = catalog
        self._precision = precision
        self._stores: dict[str, object] = {}
        self._shown: dict[str, int] = {}
        self._lock = WriterLock(path / _LOCK)  # held for as long as it takes to write
        self._mutex = RLock()  # held while a store is opened or exchanged, never for long

    @classmethod
    def open(cls, path: Path, *, create: bool, precision: Precision = "exact") -> Workspace:
        """Open the directory, or make it. Raises StoreError where that cannot be done."""
        if create:
            try:
                make_folder(path)
            except StoreError as error:
                raise StoreError(f"cannot make the index {error}") from error
        elif not (path / _CATALOG).is_file():
            raise StoreError(f"no index at {path}; 'graphrag --index {path} ingest DIR' makes one")
        return cls(path, SqliteCatalog.open(path / _CATALOG), precision=precision)

    def close(self) -> None:
        """Close every store."""
        with self._mutex:
            self._forget_stores()
            self.catalog.close()

    def writing(self, *, wait: float = 0.0, turn: float = -1.0) -> AbstractContextManager[None]:
        """Hold the writer's lock; readers are not held up. Raises StoreError naming who has
        it: another process after ``wait`` seconds, another thread of this one after ``turn``
        (-1: it is waited for)."""
        return self._lock.held(wait=wait, turn=turn)

    @property
    def held(self) -> bool:
        """Whether this thread is writing now."""
        return self._lock.is_ours

    # --- the embedding model ------------------------------------------------------------

    def embedder_identity(self) -> ModelIdentity | None:
        """Which model made the stored vectors; nothing before the first ingest."""
        return identity_of(self.catalog)

    def agree_on(self, identity: ModelIdentity) -> None:
        """Take the model for this index, or check that it is the one that made it.

        Raises ModelError with what to do where it is another.
        """
        known = self.embedder_identity()
        if known is None:
            self.catalog.put_value(EMBEDDER, identity_value(identity))
        elif known.fingerprint != identity.fingerprint:
            raise ModelError(
                f"the index was made with {known.name} {known.version} "
                f"(fingerprint {known.fingerprint}), the model at hand is {identity.name} "
                f"{identity.version} ({identity.fingerprint}): choose the first in "
                "'embedding.model', or take this one with 'graphrag migrate'"
            )

    # --- projections --------------------------------------------------------------------

    def keywords(self) -> Bm25Index:
        """The keyword index, up to date."""
        return self._projection(
            _KEYWORDS, Bm25Index.open, lambda store: heal_keywords(self.catalog, store)
        )

    def vectors(self) -> FaissIndex:
        """The vector index, up to date."""
        with self._mutex:
            held, identity = self._stores.get(_VECTORS), self.embedder_identity()
            made_by = getattr(held, "fingerprint", "")
            # Another model may have taken over since the store was opened.
            if held is not None and identity is not None and made_by != identity.fingerprint:
                del self._stores[_VECTORS]
                self._shown.pop(_VECTORS, None)
        return self._projection(
            _VECTORS, self._open_vectors, lambda store: heal_vectors(self.catalog, store)
        )

    def _open_vectors(self, path: Path) -> FaissIndex:
        # faiss takes a third of a second to import; only searches need it.
        from graphrag.adapters.faiss_index import FaissIndex

        identity = self.embedder_identity()
        if identity is None:
            raise StoreError(f"the index {self.path} is empty: run 'graphrag ingest FOLDER'")
        return FaissIndex.open(
            path,
            dimension=identity.dimension,
            fingerprint=identity.fingerprint,
            precision=self._precision,
        )

    def graph(self) -> KuzuGraph:
        """The graph store, up to date."""
        return self._projection(_GRAPH, KuzuGraph, lambda store: heal_graph(self.catalog, store))

    def names(self) -> NameGraph:
        """Who names whom, up to date: the arrays that the graph channel walks over."""
        held = self._stores.get(_NAMES)
        if isinstance(held, NameGraph) and held.revision == self.catalog.revision:
            return held
        with self._lock.if_free() as ours:
            names = None if ours else self._lagging_names(held)
            if names is None:
                names = current_name_graph(self.path / _NAMES, self.catalog, keep=ours)
            self._stores[_NAMES] = names
        return names

    def _lagging_names(self, held: object) -> NameGraph | None:
        """The names as they are while someone else writes and will make them anew."""
        if isinstance(held, NameGraph):
            return held
        try:
            return load_name_graph(self.path / _NAMES)
        except StoreError:
            return None

    def heal(self) -> None:
        """Bring every projection up to the catalog, and take away what killed writers left;
        the names beside the others, which work outside of Python's lock for the most part."""
        with self._lock.if_free() as ours, ThreadPoolExecutor(1) as beside:
            if ours:
                for name in _PROJECTIONS:
                    sweep(self.path / name)
            names = beside.submit(current_name_graph, self.path / _NAMES, self.catalog, keep=ours)
            self.keywords()
            if self.embedder_identity() is not None:
                self.vectors()
            self.graph()
            self._stores[_NAMES] = names.result()

    def stale(self) -> list[str]:
        """Names of projections that lag behind the catalog, or cannot be read."""
        revision = self.catalog.revision
        loads: dict[str, Callable[[Path], Revised | None]] = {**self._openers()}
        loads[_NAMES] = load_name_graph
        if _VECTORS in loads:
            # Without faiss, which takes a tenth of the time of ``status``.
            loads[_VECTORS] = partial(segments.shown, kind=vector_kind(self._precision))
        shown = {name: shown_by(load, self.path / name) for name, load in loads.items()}
        return sorted(name for name, its_own in shown.items() if its_own != revision)

    def _openers(self) -> dict[str, Callable[[Path], Bm25Index | KuzuGraph | FaissIndex]]:
        openers: dict[str, Callable[[Path], Bm25Index | KuzuGraph | FaissIndex]]
        openers = {_KEYWORDS: Bm25Index.open, _GRAPH: KuzuGraph, _VECTORS: self._open_vectors}
        if self.embedder_identity() is None:
            del openers[_VECTORS]
        return openers

    def rebuild(self) -> None:
        """Throw every projection away and make it anew from the catalog."""
        with self.writing():
            self._forget_stores()
            for name in _PROJECTIONS:
                delete(self.path / name)
            self.heal()

    def verify(self, embedder: Callable[[], Embedder]) -> list[str]:
        """Check every projection against the catalog; one that differs is made anew. Gives
        what was found, in sentences; empty when all was well."""
        findings = self._embedded_again(embedder)
        damaged = [n for n, load in self._openers().items() if not is_whole(load, self.path / n)]
        if not names_whole(self.path / _NAMES):
            damaged.append(_NAMES)
        findings.extend(f"{name} is damaged: made anew" for name in damaged)
        if damaged:
            self.rebuild()
            return findings
        self.heal()
        differing = self._differing()
        findings.extend(f"{name} differed from the catalog: made anew" for name in differing)
        if differing:
            self.rebuild()
        return findings

    def _embedded_again(self, embedder: Callable[[], Embedder]) -> list[str]:
        """Make the vectors that are lost. The model is loaded only where there are any."""
        identity = self.embedder_identity()
        if identity is None or not lost_texts(self.catalog, identity.fingerprint):
            return []
        with self.writing():
            count = embed_lost(self.catalog, embedder())
        return [f"{count} chunks had lost their vectors: embedded again"]

    def _differing(self) -> list[str]:
        """Projections that do not hold what the catalog says."""
        agree = {
            _KEYWORDS: keywords_agree(self.catalog, self.keywords()),
            _GRAPH: graph_agrees(self.catalog, self.graph()),
            _NAMES: names_agree(self.catalog, self.names()),
        }
        if self.embedder_identity() is not None:
            agree[_VECTORS] = vectors_agree(self.catalog, self.vectors())
        return [name for name, agrees in agree.items() if not agrees]

    def _forget_stores(self) -> None:
        self._shown.clear()
        graph = self._stores.pop(_GRAPH, None)
        if isinstance(graph, KuzuGraph):
            graph.close()
        self._stores.clear()

    def _projection(
        self, name: str, load: Callable[[Path], _Store], heal: Callable[[_Store], None]
    ) -> _Store:
        store = self._opened(name, load)
        revision = self.catalog.revision
        if self._shown.get(name) == revision:
            return store
        if not self._shows(name, store, revision):
            with self._lock.if_free() as ours:
                if ours:
                    store = self._healed(name, load, heal)
            if not ours:
                return store if store.revision else self._awaited(name, load, heal)
        self._shown[name] = revision
        return store

    def _shows(self, name: str, store: Revised, revision: int) -> bool:
        """Whether the store is there and of that revision: an empty catalog has its stores
        too."""
        return store.revision == revision and (self.path / name).exists()

    def _awaited(
        self, name: str, load: Callable[[Path], _Store], heal: Callable[[_Store], None]
    ) -> _Store:
        """A store that another process or thread makes first. Raises StoreError naming it
        where that takes too long: nothing found is no answer."""
        if not made_within(load, self.path / name, _PATIENCE):
            with self.writing(turn=0.0):
                return self._healed(name, load, heal)
        store = self._stores[name] = load(self.path / name)
        return store

    def _healed(
        self, name: str, load: Callable[[Path], _Store], heal: Callable[[_Store], None]
    ) -> _Store:
        """The store after healing; one that cannot take it is made anew."""
        store = self._stores[name]
        try:
            heal(store)  # type: ignore[arg-type]
        except DamagedError:
            delete(self.path / name)
            store = self._stores[name] = load(self.path / name)
            heal(store)
        return store  # type: ignore[return-value]

    def _opened(self, name: str, load: Callable[[Path], _Store]) -> _Store:
        """The store, or an empty one for one that is damaged: it can be made anew."""
        path = self.path / name
        with self._mutex:
            store: _Store | None = self._stores.get(name)  # type: ignore[assignment]
            if store is not None:
                return store
            with suppress(DamagedError, ModelError):
                store = self._stores[name] = readable(load, path)
                return store
        with self._lock.if_free() as ours:
            if ours:
                return self._anew(name, load)
        # Who migrates to another model makes the vectors first, and goes on writing. Waited for
        # without the mutex, which the one who writes needs.
        if not made_within(load, path, _PATIENCE):
            with self.writing(turn=0.0):
                return self._anew(name, load)
        with self._mutex:
            store = self._stores[name] = readable(load, path)
        return store

    def _anew(self, name: str, load: Callable[[Path], _Store]) -> _Store:
        """An empty store in the place of one that still cannot be used."""
        path = self.path / name
        with self._mutex:
            try:
                store = self._stores[name] = readable(load, path)
            except (DamagedError, ModelError):
                delete(path)
                store = self._stores[name] = load(path)
        return store
