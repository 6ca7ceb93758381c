"""What an index shows, and random histories of a folder: shared by tests and benchmarks."""

from __future__ import annotations

import random
from pathlib import Path

import kuzu

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.retrieval.name_graph import NameGraph
from graphrag.settings import Settings
from graphrag.workspace import Workspace

_CONCEPTS = ("vector", "matrix", "span", "basis", "rank", "kernel", "determinant", "eigenvalue")
_QUESTIONS = ("what is a basis?", "rank and kernel", "vector 7", "determinant of a matrix")


def page(generator: random.Random) -> str:
    """A small lesson; some have prerequisites, tables, front matter, or nothing to read."""
    concept = generator.choice(_CONCEPTS)
    others = generator.sample(_CONCEPTS, 2)
    number = generator.randrange(100)
    if generator.random() < 0.05:
        return "\n \n"
    parts = [f"# {concept.title()}", f"A **{concept}** is a thing made of {others[0]} {number}."]
    if generator.random() < 0.4:
        parts.insert(0, f"---\norder: {number}\nprerequisites: [{others[1]}]\n---\n")
    if generator.random() < 0.4:
        parts += ["## Prerequisites", f"- {others[0]}: because it is used."]
    if generator.random() < 0.3:
        parts += ["## Values", f"| name | value |\n| --- | --- |\n| {others[1]} | {number} |"]
    parts += ["## Use", f"The {others[1]} requires the {concept}. See {number} cases of {concept}."]
    return "\n\n".join(parts) + "\n"


def change(folder: Path, generator: random.Random) -> str:
    """One random change to the files of a folder; says which."""
    files = sorted(path for path in folder.rglob("*.md") if path.is_file())
    kind = generator.choice(["add", "add", "edit", "rename", "delete", "copy", "nothing"])
    name = f"{generator.choice(['', 'a/', 'b/'])}{generator.randrange(6)}-page.md"
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    if kind == "add" or not files:
        target.write_text(page(generator))
        return f"add {name}"
    chosen = generator.choice(files)
    if kind == "edit":
        text = chosen.read_text()
        digits = [at for at, letter in enumerate(text) if letter.isdigit()]
        if digits and generator.random() < 0.5:
            at = generator.choice(digits)
            chosen.write_text(text[:at] + str(generator.randrange(10)) + text[at + 1 :])
        else:
            chosen.write_text(page(generator))
    elif kind == "rename":
        chosen.rename(target)
    elif kind == "copy":
        target.write_text(chosen.read_text())
    elif kind == "delete":
        chosen.unlink()
    return f"{kind} {chosen.relative_to(folder)} {name}"


def shown(engine: Engine) -> dict[str, object]:
    """Everything that an index shows, but for its internal numbers."""
    workspace: Workspace = engine._workspace
    catalog = workspace.catalog
    names = catalog.chunk_numbers()
    keywords, graph = workspace.keywords(), workspace.graph()
    embedded = catalog.changes_since(0).added
    return {
        "documents": catalog.documents(),
        "metadata": catalog.metadata(),
        "annotations": catalog.annotations(),
        "chunks": catalog.chunks(),
        "embedding keys": sorted((each.chunk.id, each.embedding_key) for each in embedded),
        "concept graph": catalog.concept_graph(),
        "graph store": graph.concept_graph(),
        "graph rows": graph_rows(workspace.path / "graph.kuzu"),
        "names": _named(workspace.names(), names),
        "keywords": [
            sorted((names[number], round(score, 9)) for number, score in keywords.search(q, 50))
            for q in _QUESTIONS
        ]
        if names
        else [],
        "search": [_search(engine, question) for question in _QUESTIONS] if names else [],
        "status": {**catalog.counts()},
    }


_STATEMENTS = (
    "MATCH (n:Document) RETURN n.*",
    "MATCH (n:Chunk) RETURN n.*",
    "MATCH (n:Concept) RETURN n.*",
    "MATCH (a:Chunk)-[:PART_OF]->(b:Document) RETURN a.id, b.id",
    "MATCH (a:Chunk)-[:NEXT]->(b:Chunk) RETURN a.id, b.id",
    "MATCH (a:Chunk)-[r:MENTIONS]->(b:Concept) RETURN a.id, b.id, r.kind, r.count",
    "MATCH (a:Chunk)-[:DEFINES]->(b:Concept) RETURN a.id, b.id",
    "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept) RETURN a.id, b.id, r.weight, r.status, "
    "r.evidence, r.direct, r.sentence, r.document, r.reason",
    "MATCH (a:Concept)-[r:RELATED]->(b:Concept) RETURN a.id, b.id, r.kind, r.weight, "
    "r.sentence, r.document, r.chunk",
)


def graph_rows(path: Path) -> dict[str, list[str]]:
    """Every node and edge of the graph file. Opened here: the console starts a process for
    each statement, which took a third of the time of a history."""
    database = kuzu.Database(str(path), read_only=True, max_db_size=1 << 34)
    connection = kuzu.Connection(database)
    try:
        rows = {each: connection.execute(each).get_all() for each in _STATEMENTS}
    finally:
        connection.close()
        database.close()
    return {statement: sorted(map(repr, found)) for statement, found in rows.items()}


def _named(graph: NameGraph, chunk_ids: dict[int, str]) -> list[tuple[str, list[str], list[str]]]:
    """By chunk: the names that it mentions and those that it bears, in their order."""
    return sorted(
        (
            chunk_ids[number],
            [graph.key(name) for name in graph.mentions[row].tolist()],
            [graph.key(name) for name in graph.titles[row].tolist()],
        )
        for row, number in enumerate(graph.numbers.tolist())
    )


def _search(engine: Engine, question: str) -> list[tuple[str, float]]:
    passages = engine.search(question, k=5, rerank=False)
    return [(passage.chunk.id, round(passage.score, 5)) for passage in passages]


def differences(
    engine: Engine, folder: Path, scratch: Path, settings: Settings | None = None
) -> list[str]:
    """Parts in which the index differs from a fresh build over the same folder."""
    with Engine.open(scratch, settings=settings) as fresh:
        fresh.desk.models = engine.desk.models  # they have no state but are slow to load
        fresh.ingest([folder])
        expected = shown(fresh)
    found = shown(engine)
    return [
        f"{part}: {_first_difference(found[part], expected[part])}"
        for part in expected
        if expected[part] != found[part]
    ]


def _first_difference(found: object, expected: object) -> str:
    """The innermost pair of values that differ."""
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        return next(
            f"{key}: {_first_difference(found[key], expected[key])}"
            for key in expected
            if found[key] != expected[key]
        )
    if isinstance(found, list | tuple) and isinstance(expected, list | tuple):
        pairs = [pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]]
        if len(found) == len(expected) and pairs:
            return _first_difference(*pairs[0])
    return f"{found!r:.600} in place of {expected!r:.600}"


def run_history(
    folder: Path,
    index: Path,
    scratch: Path,
    seed: int,
    *,
    steps: int = 6,
    models: Models | None = None,
    settings: Settings | None = None,
) -> None:
    """A random history: after its last change the index must equal a fresh build.

    Raises AssertionError with the history.
    """
    generator = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    history = []
    with Engine.open(index, settings=settings) as engine:
        engine.desk.models = models or engine.desk.models
        for _ in range(steps):
            history.append(change(folder, generator))
            engine.ingest([folder])
        differing = differences(engine, folder, scratch, settings)
    if differing:
        raise AssertionError(f"seed {seed}: {', '.join(differing)} differ after {history}")
