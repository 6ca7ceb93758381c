"""What an Ollama server says of its models, and which of the installed ones writes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Families that follow instructions well, best first, as their makers name them.
_FAMILIES = (
    "qwen3.5", "qwen3", "gemma4", "gemma3", "llama4", "llama3.3", "mistral-small", "gpt-oss",
    "qwen2.5", "llama3.1", "llama3.2", "phi4", "granite4", "granite3", "mistral", "command-r",
    "gemma2", "deepseek-r1", "llama3", "phi3", "olmo", "smollm",
)  # fmt: skip
_EMBEDDING = re.compile(r"embed|minilm|\bbge|\be5|gte-|paraphrase|rerank|arctic", re.IGNORECASE)
_SPECIAL = re.compile(
    r"coder|code|math|guard|shield|vision|llava|bakllava|-vl|moondream|sql|base|text-v|ocr",
    re.IGNORECASE,
)
_CLOUD = re.compile(r"[-:]cloud$", re.IGNORECASE)
# Models that think, in whose names nothing need say so to the server.
_THINKERS = re.compile(r"r1|qwq|think|reason|magistral|gpt-oss", re.IGNORECASE)
# Those of them that cannot be told not to.
_ALWAYS_THINKING = re.compile(r"qwq|thinking|magistral", re.IGNORECASE)
# What a laptop writes with at a bearable speed.
_COMFORTABLE = 9.0
_USUAL = 7.0


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model as the server lists it; ``billions`` of parameters, 0 where it is not said;
    ``remote`` if the server only passes questions on to another one."""

    name: str
    family: str = ""
    billions: float = 0.0
    digest: str = ""
    remote: bool = False


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the server knows of one model: the ``context`` it was trained for in tokens (0: not
    said), what it can do (None: not said), how its thinking can be set (None: not said),
    whether its template has a place for instructions, and whether it runs elsewhere."""

    context: int = 0
    capabilities: frozenset[str] | None = None
    thinking: tuple[bool | str, ...] | None = None
    takes_system: bool = True
    remote: bool = False


def listed(reply: Mapping[str, Any]) -> list[InstalledModel]:
    """The models of a reply of ``/api/tags``, in its order. Raises TypeError for another reply."""
    models = reply.get("models")
    if not isinstance(models, list):
        raise TypeError("it lists no models")
    found = []
    for model in models:
        details = model.get("details") or {}
        found.append(
            InstalledModel(
                name=model.get("model") or model.get("name") or "",
                family=details.get("family") or "",
                billions=billions(details.get("parameter_size")),
                digest=model.get("digest") or "",
                remote=bool(model.get("remote_host") or model.get("remote_model")),
            )
        )
    return [model for model in found if model.name]


def card(reply: Mapping[str, Any]) -> ModelCard:
    """What a reply of ``/api/show`` says of a model."""
    known = reply.get("model_info") or {}
    context = (
        value
        for key, value in known.items()
        if key.endswith(".context_length") and isinstance(value, int) and value > 0
    )
    capabilities = reply.get("capabilities")
    thinking = reply.get("thinking")
    template = reply.get("template") or ""
    # A model with a renderer of its own has a bare template, and needs none.
    rendered = re.search(r"^RENDERER\s", reply.get("modelfile") or "", re.MULTILINE) is not None
    return ModelCard(
        context=next(context, 0),
        capabilities=None if capabilities is None else frozenset(capabilities),
        thinking=tuple(thinking.get("values") or ()) if isinstance(thinking, Mapping) else None,
        takes_system=rendered or not template or "System" in template or "Messages" in template,
        remote=bool(reply.get("remote_host") or reply.get("remote_model")),
    )


def thinking(name: str, said: ModelCard) -> tuple[bool | str | None, bool]:
    """How a model is asked to think as little as it can, and whether it may think all the
    same. None where it must not be asked, since it does not think.

    Where the server lists what can be set, that is taken: off, or the first named level, which
    is the least; else it goes by the name.
    """
    if said.thinking is not None:
        off = False in said.thinking
        levels = [value for value in said.thinking if isinstance(value, str)]
        if off:
            return (False if len(said.thinking) > 1 else None), False
        return (levels[0] if levels else True if said.thinking else None), bool(said.thinking)
    bare = name.rsplit("/", 1)[-1]
    may_think = _THINKERS.search(bare) is not None
    if said.capabilities is None or "thinking" not in said.capabilities:
        return None, may_think
    if bare.startswith("gpt-oss"):
        return "low", True
    # Told not to think it would think aloud, in the answer.
    return _ALWAYS_THINKING.search(bare) is not None, may_think


def billions(parameter_size: str | None) -> float:
    """``8.0B`` is 8, ``670M`` is 0.67; what is not understood is 0."""
    match = re.fullmatch(r"\s*([\d.]+)\s*([KMBT])\s*", parameter_size or "", re.IGNORECASE)
    if match is None:
        return 0.0
    scale = {"K": 1e-6, "M": 1e-3, "B": 1.0, "T": 1e3}[match.group(2).upper()]
    return float(match.group(1)) * scale


def is_local_writer(model: InstalledModel) -> bool:
    """Whether it writes text on this machine: no embedder, and nothing that runs elsewhere."""
    embeds = _EMBEDDING.search(model.name) or model.family.lower() in ("bert", "nomic-bert")
    return not embeds and not model.remote and not _CLOUD.search(model.name)


def ranked(models: Sequence[InstalledModel]) -> list[InstalledModel]:
    """The models that can write, the one to write with first.

    General models come before those for code, pictures or guarding; those of a size that
    a common machine bears, from 3 to 9 billion parameters, before tiny and huge ones; then
    the family decides, then the larger model, then the name.
    """
    return sorted((model for model in models if is_local_writer(model)), key=_preference)


def _preference(model: InstalledModel) -> tuple[bool, int, int, float, str]:
    size = model.billions or _size_in_name(model.name)
    if size > _COMFORTABLE:
        band = 1 if size <= 2 * _COMFORTABLE else 3
    else:
        band = 0 if size >= 2.9 else 2 if size >= 1.4 else 4
    bare = model.name.lower().rsplit("/", 1)[-1]
    family = next((n for n, name in enumerate(_FAMILIES) if bare.startswith(name)), len(_FAMILIES))
    return (bool(_SPECIAL.search(bare)), band, family, -size, model.name)


def _size_in_name(name: str) -> float:
    match = re.search(r"[:-](\d+(?:\.\d+)?)b\b", name.lower())
    return float(match.group(1)) if match else _USUAL


def same_model(installed: str, wanted: str) -> bool:
    """Whether a listed name is the wanted one; a name without a tag means ``latest``."""
    return installed == wanted or (":" not in wanted and installed == f"{wanted}:latest")
