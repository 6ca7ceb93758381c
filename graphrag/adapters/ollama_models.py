"""Which of the installed Ollama models writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
# What a laptop writes with at a bearable speed.
_COMFORTABLE = 9.0
_USUAL = 7.0


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model as the server lists it; ``billions`` of parameters, 0 where it is not said."""

    name: str
    family: str = ""
    billions: float = 0.0
    digest: str = ""


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
    return not embeds and not _CLOUD.search(model.name)


def choose(models: Sequence[InstalledModel]) -> InstalledModel | None:
    """The model to write with, or None if none can.

    General models come before those for code, pictures or guarding; those of a size that
    a common machine bears, from 3 to 9 billion parameters, before tiny and huge ones; then
    the family decides, then the larger model, then the name.
    """
    writers = [model for model in models if is_local_writer(model)]
    return min(writers, key=_preference, default=None)


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
