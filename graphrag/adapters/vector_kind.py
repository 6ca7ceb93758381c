"""How the manifest of a vector index names what it is, for those who only look."""

from __future__ import annotations


def vector_kind(precision: str) -> str:
    """The format and its version, and which stand-ins large segments have."""
    return f"faiss 2, {precision}"
