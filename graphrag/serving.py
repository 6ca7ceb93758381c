"""Which embedding model serves an index: its own, until a migration to another is complete.

The catalog names the model that made the index, the one before the last migration, and the
one that a migration is under way to. Who is configured for any of these is served by the
index's own; every other model is refused where it is used.
"""

from __future__ import annotations

import json

from graphrag.ports import Catalog, ModelIdentity

EMBEDDER = "embedder"
_MODEL = "embedding model"
_FORMER = "former embedding model"
_TARGET = "migrating to"
# Indexes made before the model was named hold its identity alone.
_NAMES = {"bge-small-en-int8": "bge-small-en"}


def identity_of(catalog: Catalog) -> ModelIdentity | None:
    """Which model made the stored vectors; nothing before the first ingest."""
    text = catalog.value(EMBEDDER)
    return None if text is None else ModelIdentity(**json.loads(text))


def identity_value(identity: ModelIdentity) -> str:
    """The identity as the catalog keeps it."""
    return json.dumps({name: getattr(identity, name) for name in identity.__slots__})


def serving_model(catalog: Catalog, configured: str) -> str:
    """The name, as in ``embedding.model``, of the model to load for a process that is
    configured for ``configured``."""
    others = {catalog.value(_FORMER), catalog.value(_TARGET)} - {None, ""}
    return own_model(catalog) if configured in others else configured


def own_model(catalog: Catalog) -> str:
    """The name of the model that made the index; empty before the first ingest."""
    identity = identity_of(catalog)
    known = catalog.value(_MODEL)
    if known or identity is None:
        return known or ""
    return _NAMES.get(identity.name, identity.name)


def target_model(catalog: Catalog) -> str:
    """The model that a migration is under way to; empty where there is none."""
    return catalog.value(_TARGET) or ""


def name_model(catalog: Catalog, model: str) -> None:
    """Keep the name of the model that the index is made with."""
    catalog.put_value(_MODEL, model)


def announce(catalog: Catalog, model: str) -> None:
    """Say that a migration to the model is under way (empty: that there is none)."""
    if target_model(catalog) != model:
        catalog.put_value(_TARGET, model)


def taken_over(catalog: Catalog, model: str, identity: ModelIdentity) -> dict[str, str]:
    """The values that make ``model`` the index's own."""
    return {
        EMBEDDER: identity_value(identity),
        _MODEL: model,
        _FORMER: own_model(catalog),
        _TARGET: "",
    }
