"""What changes an index: ingest, removal, and people's decisions, each under the lock."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from graphrag.adapters.durable_files import write_whole
from graphrag.collecting import fewer_collections
from graphrag.concepts.extraction import ModelSpotter
from graphrag.desk import Desk
from graphrag.domain import Decision
from graphrag.errors import QueryError, ReadingError, why_unread
from graphrag.ingest.derive import derive_concepts
from graphrag.ingest.plan import file_of
from graphrag.ingest.report import IngestReport, Progress, Silent
from graphrag.ingest.run import Tools, ingest
from graphrag.ingest.syllabus import read_syllabus
from graphrag.tutoring.decisions import read_decisions, write_decisions
from graphrag.workspace import Workspace

REFUSED = "refused files"
DECISIONS_FILE = "decisions.txt"
_HEADING = "What people decided about this graph. Edit it; the next ingest takes it in."


def feed(
    desk: Desk,
    paths: Sequence[Path],
    *,
    concepts: Path | None,
    prune: bool,
    progress: Progress,
) -> IngestReport:
    """Ingest into the catalog, then bring every projection up to it."""
    workspace = desk.workspace
    given = None if concepts is None else read_syllabus(concepts)
    paths = [_place(path) for path in paths]
    _refuse_unknown(desk, paths, prune=prune)
    with workspace.writing(), fewer_collections():
        begin = time.perf_counter()
        if given is not None:
            # A model that this index was not made with is refused before anything is changed.
            desk.embedder()
            workspace.catalog.put_given_concepts(given)
        _take_edited_decisions(desk)
        model = _extractor(desk)
        report = ingest(paths, _tools(desk, model), progress, prune=prune)
        if model is not None:
            report = replace(report, extraction=model.extraction)
        refused = [(each.path, each.reason) for each in report.refused]
        workspace.catalog.put_value(REFUSED, json.dumps(refused))
        progress.stage("stores")
        healing = time.perf_counter()
        workspace.heal()
        stores = report.seconds.get("stores", 0.0) + time.perf_counter() - healing
        seconds = {**report.seconds, "stores": stores, "total": time.perf_counter() - begin}
        return replace(report, seconds=seconds)


def _place(path: Path) -> Path:
    """The absolute path without ``..``; links are kept, since people know files by them."""
    return Path(os.path.abspath(path))


def _refuse_unknown(desk: Desk, paths: Sequence[Path], *, prune: bool) -> None:
    """A path that is neither there nor was ever ingested is a slip of the pen; a folder that is
    gone as a whole may be a disk that is not there for a while."""
    missing = [path for path in paths if not path.exists()]
    if missing:
        stamps = desk.workspace.catalog.stamps()
        known = [file_of(document_id, stamp) for document_id, stamp in stamps.items()]
        for path in missing:
            below = sum(file.startswith(f"{path}/") for file in known)
            if below and not prune:
                raise ReadingError(
                    f"the folder {path} is gone, the index holds {below} documents of it: bring "
                    f"it back, or take them out with 'graphrag remove {path}'"
                )
            if not below and str(path) not in known:
                raise ReadingError(f"no such file or folder: {path}")


def _extractor(desk: Desk) -> ModelSpotter | None:
    return desk.writers.extractor(desk.workspace.catalog, desk.models.spotter)


def _tools(desk: Desk, model: ModelSpotter | None) -> Tools:
    extract = desk.settings.concepts.extract
    fingerprint = desk.models.spotter_fingerprint() if extract else ""
    return Tools(
        desk.workspace.catalog,
        desk.embedder,
        (desk.models.spotter if model is None else model.ready) if extract else None,
        desk.chunking,
        rules=fingerprint if model is None else f"{fingerprint} {model.rules}",
        witness=desk.witness() if extract else None,
        texts=desk.texts,
        stop=None if model is None else model.stop,
        stored=partial(_show_texts, desk.workspace),
    )


def _show_texts(workspace: Workspace) -> None:
    """Bring up to the catalog what rests on no concepts."""
    workspace.keywords()
    if workspace.embedder_identity() is not None:
        workspace.vectors()


def remove(desk: Desk, paths: Sequence[str]) -> list[str]:
    """Take documents out of every store; gives their ids."""
    workspace = desk.workspace
    with workspace.writing():
        stamps = workspace.catalog.stamps()
        gone: set[str] = set()
        for path in paths:
            place = str(_place(Path(path)))
            named = {
                document_id
                for document_id, stamp in stamps.items()
                if document_id == path
                or (file := file_of(document_id, stamp)) == place
                or file.startswith(place.rstrip("/") + "/")
            }
            if not named:
                raise QueryError(f"no document is '{path}' or comes from there")
            gone |= named
        # A model that this index was not made with is refused before anything is changed.
        if desk.settings.concepts.extract:
            desk.embedder()
        workspace.catalog.write_documents([], sorted(gone))
        # Where two files shared a name, the one that is left takes it for its id.
        ingest([], _tools(desk, _extractor(desk)), Silent())
        workspace.heal()
    return sorted(gone)


def _derive(desk: Desk) -> None:
    tools = _tools(desk, None)
    if tools.spotter is not None:
        derive_concepts(tools.catalog, tools.embedder, tools.witness, tools.texts)


# --- decisions ------------------------------------------------------------------------------


def apply_decisions(desk: Desk, file: Path) -> int:
    """Join the decisions of a file to those in force (the file's win); gives their number.

    They live in the catalog and, for people, in ``decisions.txt`` inside the index.
    """
    workspace = desk.workspace
    fresh = _decisions_in(file)
    with workspace.writing():
        if desk.settings.concepts.extract:
            desk.embedder()
        # What was edited by hand and not taken in yet would be written over.
        _take_edited_decisions(desk)
        subjects = {each.subject for each in fresh}
        kept = [each for each in workspace.catalog.decisions() if each.subject not in subjects]
        # The file first: what it holds is taken in by the next ingest, should this run be
        # stopped right here.
        text = write_decisions([*kept, *fresh], heading=_HEADING)
        write_whole(workspace.path / DECISIONS_FILE, text.encode("utf-8", "replace"))
        workspace.catalog.put_decisions([*kept, *fresh])
        _derive(desk)
        workspace.heal()
    return len(kept) + len(fresh)


def _decisions_in(file: Path) -> list[Decision]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReadingError(f"cannot read the decisions {file}: {why_unread(error)}") from error
    try:
        return read_decisions(text)
    except QueryError as error:
        raise QueryError(f"{file}: {error}") from error


def _take_edited_decisions(desk: Desk) -> None:
    file = desk.workspace.path / DECISIONS_FILE
    if not file.is_file():
        return
    decisions = _decisions_in(file)
    if decisions != desk.workspace.catalog.decisions():
        desk.workspace.catalog.put_decisions(decisions)
