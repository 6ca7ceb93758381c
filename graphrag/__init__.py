"""Graph-augmented retrieval on one's own machine.

>>> from graphrag import Engine
>>> with Engine.open("course.graphrag") as engine:  # doctest: +SKIP
...     engine.ingest(["notes/"])
...     print(engine.ask("What do I need before eigenvalues?").text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphrag.engine import Engine
    from graphrag.errors import GraphragError
    from graphrag.settings import Settings, load_settings

__all__ = ["Engine", "GraphragError", "Settings", "load_settings"]

_HOMES = {
    "Engine": "graphrag.engine",
    "GraphragError": "graphrag.errors",
    "Settings": "graphrag.settings",
    "load_settings": "graphrag.settings",
}


def __getattr__(name: str) -> object:
    # The engine pulls in most of the package; a submodule alone must stay quick to import.
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'graphrag' has no attribute '{name}'")
