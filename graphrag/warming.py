"""What a first ingest needs, loaded beside all that it imports.

For a third of a second a first ingest does nothing but import, and one of two processors
would be idle; in its last second it would import once more, when nothing else is to be done.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from graphrag.assembly import DEFAULT_EMBEDDER
from graphrag.desk import Desk


def load_ahead(desk: Desk) -> None:
    """Begin to load the models and the stores' libraries in a thread of its own, where the
    index is empty: else nothing may have changed, and nothing be needed.

    Who asks for a model waits for it then, and is told what is wrong with it.
    """
    if not desk.workspace.catalog.counts()["documents"]:
        pool = ThreadPoolExecutor(1, thread_name_prefix="load")
        pool.submit(_load, desk)
        pool.shutdown(wait=False)


def _load(desk: Desk) -> None:
    if desk.settings.concepts.extract:
        desk.models.spotter()
    if desk.settings.embedding.model == DEFAULT_EMBEDDER:
        desk.models.embedder()
    from graphrag.adapters import faiss_index, kuzu_connection  # noqa: F401  # the first loads

    kuzu_connection.load()
