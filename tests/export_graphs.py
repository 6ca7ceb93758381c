"""Graphs that the export tests share."""

from __future__ import annotations

from graphrag.domain import (
    Belief,
    Concept,
    ConceptGraph,
    Evidence,
    Learner,
    Mention,
    Prerequisite,
    Relation,
)

HOSTILE_NAMES = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]> & <b>",
    "x') DETACH DELETE n //",
    'quote " and \\" and \\',
    "team's\nnext\rline\t\u2028end",
    "bell \x07 and nul \x00",
    "lone \ud800 surrogate",
    "線形代数 λ é",
    "%GRAPH% %TITLE% ${x} {{y}}",
    "a" * 300,
)

GRAPH = ConceptGraph(
    (
        Concept("eigenvalue", "Eigenvalue", ("characteristic value",), 0.9, "d.md#2"),
        Concept("matrix", "Matrix", given=True),
        Concept("vector", "Vector"),
    ),
    (Mention("matrix", "d.md", "d.md#0", 3, 9),),
    (
        Prerequisite(
            "eigenvalue",
            "matrix",
            0.95,
            "certain",
            (
                Evidence("order", 0.99),
                Evidence("cue", 0.7, "An eigenvalue requires a matrix.", "d.md", "d.md#2"),
            ),
        ),
        Prerequisite("eigenvalue", "vector", 0.7, "likely", direct=False),
        Prerequisite("matrix", "vector", 0.4, "possible"),
        Prerequisite("vector", "eigenvalue", 0.3, "suppressed", reason="weaker than the rest"),
    ),
    (Relation("matrix", "uses", "vector", 0.8, "A matrix uses vectors.", "d.md", "d.md#1"),),
)

LEARNER = Learner("ana", {"vector": Belief("vector", 0.9, 0.0, ("said to know it",))})

HOSTILE = ConceptGraph(
    tuple(Concept(name, name, (name,)) for name in HOSTILE_NAMES),
    (),
    tuple(
        Prerequisite(one, other, 0.5, "likely", (Evidence("cue", 0.5, one, other, other),))
        for one, other in zip(HOSTILE_NAMES[1:], HOSTILE_NAMES, strict=False)
    ),
    tuple(
        Relation(one, "uses", other, 0.5, one, other, other)
        for one, other in zip(HOSTILE_NAMES, HOSTILE_NAMES[2:], strict=False)
    ),
)
