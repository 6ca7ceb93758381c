"""The schemas of the tutor's JSON values hold what they promise, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from graphrag.resources import schema

EDGE = {
    "concept": "matrix",
    "weight": 0.9,
    "status": "certain",
    "evidence": [{"kind": "cue", "sentence": "It requires a matrix.", "document": "a.md"}],
}
PASSAGE = {
    "document": "a.md",
    "chunk": "a.md#0",
    "source": "notes/a.md",
    "title": "A",
    "heading_path": ["Matrices"],
    "text": "A matrix is a table.",
    "score": 1.0,
    "channels": {"bm25": {"rank": 1, "score": 2.5}},
}
RELATION = {"from": "a", "kind": "part_of", "to": "b", "sentence": "", "document": ""}

EXAMPLES: dict[str, Any] = {
    "learn": {
        "goal": "eigenvalue",
        "steps": [
            {"concept": "matrix", "because": [], "passage": PASSAGE, "check": "What is it?"},
            {"concept": "eigenvalue", "because": [EDGE]},
        ],
    },
    "next": {
        "ready": [{"concept": "matrix", "unlocks": ["eigenvalue"]}],
        "review": [{"concept": "vector", "because": "learnt last", "probability": 0.8}],
    },
    "diagnose": {
        "judge": "qwen3:8b",
        "agrees": {"sentence": "The span ...", "document": "a.md", "chunk": "a.md#0"},
        "implicated": [{"concept": "span", "score": 0.6, "quotes": ["The span ..."]}],
    },
    "relate": {"paths": [{"steps": [RELATION]}]},
    "concept": {
        "id": "matrix",
        "name": "matrix",
        "aliases": [],
        "weight": 1.0,
        "definition": PASSAGE,
        "prerequisites": [EDGE],
        "dependents": [{"concept": "rank", "weight": 0.5, "status": "possible"}],
        "mentioned_in": ["a.md"],
    },
    "learner": {
        "name": "ana",
        "beliefs": [{"concept": "matrix", "probability": 0.95, "because": ["said to know it"]}],
    },
    "review": {
        "items": [
            {
                "kind": "same name",
                "question": "are they the same?",
                "importance": 1.5,
                "choices": [{"kind": "merge", "concept": "PCA", "other": "principal components"}],
                "evidence": [],
            }
        ]
    },
    "status": {
        "index": ".graphrag",
        "revision": 3,
        "documents": 1,
        "chunks": 2,
        "concepts": 3,
        "prerequisites": 4,
        "models": {"embedder": None},
        "stale": [],
        "ollama": {
            "host": "http://localhost:11434",
            "answers": False,
            "models": [],
            "would_write": "",
        },
        "writer": "extractive",
    },
    "remove": {"removed": ["a.md"]},
    "ingest": {
        "added": 1,
        "changed": 0,
        "unchanged": 0,
        "removed": 0,
        "refused": [{"path": "b.pdf", "reason": "encrypted"}],
        "chunks": 2,
        "concepts": 3,
        "prerequisites": 4,
        "seconds": {"total": 1.0, "reading": 0.2, "embedding": 0.5, "concepts": 0.2, "stores": 0.1},
    },
    "cypher": {"columns": ["c.name"], "rows": [["matrix"], [None]], "truncated": False},
}


def validator(name: str) -> jsonschema.Draft202012Validator:
    value = json.loads(schema(f"{name}.schema.json"))
    jsonschema.Draft202012Validator.check_schema(value)
    return jsonschema.Draft202012Validator(value)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_what_the_interface_promises_is_valid(name: str) -> None:
    validator(name).validate(EXAMPLES[name])


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_promised_key_is_required(name: str) -> None:
    checks = validator(name)
    for key in EXAMPLES[name]:
        lacking = {other: value for other, value in EXAMPLES[name].items() if other != key}
        optional = (name, key) in {
            ("concept", "weight"),
            ("cypher", "truncated"),
            ("status", "index"),
            ("diagnose", "judge"),
            ("diagnose", "agrees"),
        }
        optional = optional or (name, key) in {("status", "ollama"), ("status", "writer")}
        assert checks.is_valid(lacking) == optional, key


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_unknown_keys_and_other_values_are_refused(name: str) -> None:
    checks = validator(name)
    assert not checks.is_valid({**EXAMPLES[name], "surprise": 1})
    assert not checks.is_valid([])
    assert not checks.is_valid({})


def test_an_edge_of_unknown_status_is_refused() -> None:
    edge = {**EDGE, "status": "sure"}
    value = {"goal": "g", "steps": [{"concept": "g", "because": [edge]}]}
    assert not validator("learn").is_valid(value)
