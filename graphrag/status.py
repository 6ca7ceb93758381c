"""What an index holds and how well its parts agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from graphrag.desk import Desk
from graphrag.domain import IN_FORCE
from graphrag.errors import GenerationError, StoreError
from graphrag.ports import ModelIdentity
from graphrag.retrieval.filters import day_of, unmatched_names
from graphrag.serving import target_model

if TYPE_CHECKING:
    from graphrag.conflicts.compare import ConflictReport


@dataclass(frozen=True, slots=True)
class OllamaStatus:
    """Whether the server at ``host`` answers, which models it has, and which would write."""

    host: str
    answers: bool
    models: tuple[str, ...] = ()
    would_write: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """Counts (of prerequisites ``by_status`` too), the catalog's revision, the embedding model,
    projections that lag, and ``problems`` of the documents' metadata, in sentences."""

    path: str
    revision: int
    documents: int
    chunks: int
    concepts: int
    prerequisites: int
    by_status: Mapping[str, int]
    problems: tuple[str, ...]
    model: ModelIdentity | None
    migrating_to: str
    stale: tuple[str, ...]
    ollama_status: OllamaStatus

    @property
    def embedder(self) -> str:
        """The model in words."""
        if self.model is None:
            return "none yet"
        model = self.model
        about = f"{model.name} {model.version}, {model.dimension} dimensions, {model.fingerprint}"
        unfinished = f"; unfinished: 'graphrag migrate {self.migrating_to}'"
        return about + unfinished if self.migrating_to else about

    @property
    def ollama(self) -> str:
        """The server in words."""
        found = self.ollama_status
        if not found.answers:
            return f"does not answer at {found.host}"
        return f"answers at {found.host} with {', '.join(found.models) or 'no model'}"

    @property
    def writer(self) -> str:
        """Who would write an answer."""
        return self.ollama_status.would_write or "extractive (quotes from the passages)"

    def as_json(self) -> dict[str, Any]:
        """The ``status`` value."""
        model = self.model
        return {
            "index": self.path,
            "revision": self.revision,
            "documents": self.documents,
            "chunks": self.chunks,
            "concepts": self.concepts,
            "prerequisites": self.prerequisites,
            "by_status": dict(self.by_status),
            "problems": list(self.problems),
            "models": {
                "embedder": None
                if model is None
                else {
                    "name": model.name,
                    "version": model.version,
                    "dimension": model.dimension,
                    "max_tokens": model.max_tokens,
                    "fingerprint": model.fingerprint,
                }
            },
            "migrating_to": self.migrating_to or None,
            "stale": list(self.stale),
            "ollama": {
                "host": self.ollama_status.host,
                "answers": self.ollama_status.answers,
                "models": list(self.ollama_status.models),
                "would_write": self.ollama_status.would_write,
            },
            "writer": self.writer,
        }


def conflicts_of(desk: Desk, as_of: str | None) -> ConflictReport:
    """Documents that contradict each other on that day, YYYY-MM-DD (default: today).

    Raises QueryError for a malformed day.
    """
    from graphrag.conflicts.compare import find_conflicts

    catalog = desk.workspace.catalog
    return find_conflicts(
        catalog.documents(),
        catalog.annotations(),
        catalog.metadata(),
        day_of(as_of) or date.today(),
    )


def status_of(desk: Desk) -> Status:
    """The status of an open index; asks Ollama, waiting ``ollama.connect_seconds`` for a
    connection and as long again for its list of models.

    Raises StoreError where a look at the catalog finds it damaged.
    """
    workspace = desk.workspace
    for line in workspace.catalog.glance():
        raise StoreError(
            f"the catalog of {workspace.path} is damaged ({line}): `graphrag verify` tells more; "
            "put back a copy, or delete the index and ingest again"
        )
    counts = workspace.catalog.counts()
    return Status(
        path=str(workspace.path),
        revision=workspace.catalog.revision,
        documents=counts["documents"],
        chunks=counts["chunks"],
        concepts=counts["concepts"],
        prerequisites=counts["prerequisites"],
        by_status={status: counts[status] for status in IN_FORCE},
        problems=tuple(
            f"{id_} supersedes '{name}', which is no other document: give its id, path or title"
            for id_, name in unmatched_names(workspace.catalog)
        ),
        model=workspace.embedder_identity(),
        migrating_to=target_model(workspace.catalog),
        stale=tuple(workspace.stale()),
        ollama_status=_ollama(desk),
    )


def _ollama(desk: Desk) -> OllamaStatus:
    host = desk.settings.ollama.host
    models = desk.ollama_models()
    if models is None:
        return OllamaStatus(host, answers=False)
    would_write = ""
    if models and desk.settings.writer.kind != "extractive":
        try:
            would_write = desk.writer().name
        except GenerationError as error:
            would_write = f"none: {error}"
    return OllamaStatus(host, True, tuple(models), would_write)
