"""How many prerequisites a person is shown of a concept, and which evidence is a person's list."""

from __future__ import annotations

from graphrag.domain import EvidenceKind

MOST_LISTED = 10
LISTED: tuple[EvidenceKind, ...] = ("stated", "section", "front_matter")
"""Kinds of evidence by which somebody lists what a concept needs."""
