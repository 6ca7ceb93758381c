"""One frozen settings value: defaults, then ``graphrag.toml``, then the environment, then flags."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from graphrag.errors import SettingsError
from graphrag.shortened import shortened_name

OLLAMA_MODEL = "ollama:"  # before the name of a model of Ollama, where others may be named too
_OLLAMA_PORT = 11434
# Variables of the package that are no settings: the index, and what the benchmarks read.
_NO_SETTINGS = ("GRAPHRAG_INDEX", "GRAPHRAG_BENCH_")
_LEAST = {
    "embedding.dimensions": 0,
    "retrieval.k": 1,
    "retrieval.depth": 1,
    "retrieval.rerank": 1,
    "retrieval.rerank_seconds": 0,
    "writer.window": 0,
    "writer.answer": 1,
    "concepts.witness": 0,
}
_CHOICES = {
    "writer.kind": ("auto", "ollama", "extractive"),
    "vectors.precision": ("exact", "int8", "binary", "ivf"),
    "retrieval.expansion": ("off", "answer", "phrasings"),
}
_TRUTHS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """``model``: ``bge-small-en`` (comes with the install), a sentence-transformers path or
    hub id, or ``ollama:NAME``. ``dimensions``: how many of its first coordinates are kept, 0 for
    all; only where the model says that it was trained for it (Matryoshka), unless
    ``force_dimensions``."""

    model: str = "bge-small-en"
    dimensions: int = 0
    force_dimensions: bool = False

    @property
    def name(self) -> str:
        """The model's name with its dimensions."""
        return shortened_name(self.model, self.dimensions)


@dataclass(frozen=True, slots=True)
class ChunkingSettings:
    """Sizes in the embedder's tokens; ``overlap`` is a share of the target."""

    target: int = 320
    limit: int = 512
    overlap: float = 0.2


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """``depth`` candidates a channel go into fusion; ``rerank`` of those to the ``reranker``:
    ``ms-marco-minilm-l-12`` (comes with the install, and refusals are calibrated on it), or a
    sentence-transformers cross-encoder's path or hub id. Within ``rerank_seconds`` (0: no limit)
    it reads what fits, but always as many as are shown. ``expansion``: what an Ollama model
    adds to each question before the search: ``answer``, ``phrasings``, or ``off``."""

    k: int = 5
    depth: int = 50
    rerank: int = 24
    rerank_seconds: float = 0.0
    reranker: str = "ms-marco-minilm-l-12"
    expansion: str = "off"


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """``precision``: from 10,000 vectors on ``int8`` finds what ``exact`` does in a third of the
    time, for a quarter more of disk and memory; ``binary`` finds nearly that, faster still; ``ivf``
    looks, from 50,000 on, into some of the lists that k-means makes, where a scan is too slow.
    All rescore what they find with the full vectors."""

    precision: str = "int8"


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """``kind``: ``auto``, ``ollama`` or ``extractive``; ``model``: an Ollama model's name, or
    empty to choose among those installed; ``window``: context length in tokens, 0 for the
    model's own; ``answer``: tokens reserved for the answer."""

    kind: str = "auto"
    model: str = ""
    window: int = 0
    answer: int = 800


@dataclass(frozen=True, slots=True)
class OllamaSettings:
    """Where Ollama listens, and how many seconds to wait to connect, for the first token,
    and in a silence between tokens."""

    host: str = "http://127.0.0.1:11434"
    connect_seconds: float = 2.0
    first_token_seconds: float = 120.0
    silence_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class ConceptSettings:
    """``extract`` false leaves the concept graph out: plain hybrid retrieval. ``extraction``: who
    says which concepts the prose names: ``spacy`` (its noun phrases), or ``ollama:NAME``, a model
    that is asked about each passage once. ``witness``: about how many doubtful prerequisites the
    Ollama model ``writer.model`` is asked, 0 for none."""

    extract: bool = True
    extraction: str = "spacy"
    witness: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices of one workspace."""

    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    chunking: ChunkingSettings = field(default_factory=ChunkingSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    vectors: VectorSettings = field(default_factory=VectorSettings)
    writer: WriterSettings = field(default_factory=WriterSettings)
    ollama: OllamaSettings = field(default_factory=OllamaSettings)
    concepts: ConceptSettings = field(default_factory=ConceptSettings)


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Settings from a TOML file, ``GRAPHRAG_SECTION_KEY`` variables, and ``section.key`` flags.

    Raises SettingsError for an unknown key or variable (naming the nearest), a value of the
    wrong type or out of range, or a file that is not TOML or cannot be read.
    """
    settings = Settings()
    if file is not None and file.is_file():
        for section, values in _read_toml(file).items():
            if not isinstance(values, dict):
                raise SettingsError(f"{file}: '{section}' must be a table [{section}]")
            for key, value in values.items():
                settings = _with(settings, f"{section}.{key}", value, str(file))
    variables = environment or {}
    _refuse_unknown(variables)
    for name, key in _environment_keys().items():
        text = variables.get(name)
        if text:
            settings = _with(settings, key, _parse(settings, key, text, name), name)
    for key, value in (flags or {}).items():
        if value is not None:
            settings = _with(settings, key, value, "flag")
    _check(settings)
    return settings


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        # The same file may describe documents beside it ([[documents]]); that part is reading's.
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not valid TOML: {error}") from error
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    settings.pop("documents", None)
    return settings


def _environment_keys() -> dict[str, str]:
    keys = {
        f"GRAPHRAG_{section.name}_{key.name}".upper(): f"{section.name}.{key.name}"
        for section in fields(Settings)
        for key in fields(cast(Any, section.default_factory))
    }
    return {"OLLAMA_HOST": "ollama.host", **keys}


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    known = _environment_keys()
    for name in environment:
        if name.startswith("GRAPHRAG_") and not name.startswith(_NO_SETTINGS) and name not in known:
            near = get_close_matches(name, list(known), 1)
            hint = f"did you mean {near[0]}?" if near else "unset it"
            raise SettingsError(f"no setting is read from the variable {name}; {hint}")


def ollama_address(text: str) -> str:
    """The URL of an Ollama server, always with its port.

    As Ollama reads ``OLLAMA_HOST``: an address without a scheme is http on port 11434, one
    with a scheme has that scheme's own port. Raises SettingsError for what is no address.
    """
    bare = "://" not in text
    parts = urlsplit(f"http://{text}" if bare else text)
    try:
        port = parts.port
    except ValueError as error:
        raise SettingsError(f"setting 'ollama.host': {text!r} is no address ({error})") from error
    if port is None:
        port = _OLLAMA_PORT if bare else {"https": 443}.get(parts.scheme, 80)
    host = parts.hostname or "127.0.0.1"
    place = f"[{host}]" if ":" in host else host
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"{parts.scheme}://{user}{place}:{port}{parts.path.rstrip('/')}"


def _with(settings: Settings, key: str, value: object, where: str) -> Settings:
    section_name, _, name = key.partition(".")
    section = getattr(settings, section_name, None)
    if not is_dataclass(section) or name not in {each.name for each in fields(section)}:
        known = list(_environment_keys().values())
        near = get_close_matches(key, known, 1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; known are {', '.join(sorted(known))}"
        raise SettingsError(f"unknown setting '{key}' ({where}){hint}")
    old = getattr(section, name)
    if isinstance(old, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(old):
        raise SettingsError(
            f"setting '{key}' ({where}) must be {type(old).__name__}, not {value!r}"
        )
    if key == "ollama.host":
        value = ollama_address(str(value))
    changed = replace(cast(Any, section), **{name: value})
    return replace(settings, **{section_name: changed})


def _parse(settings: Settings, key: str, text: str, where: str) -> object:
    section_name, _, name = key.partition(".")
    kind = type(getattr(getattr(settings, section_name), name))
    if kind is bool:
        truth = _TRUTHS.get(text.strip().lower())
        if truth is None:
            raise SettingsError(f"{where}={text!r}: '{key}' must be true or false")
        return truth
    try:
        return kind(text)
    except ValueError as error:
        raise SettingsError(f"{where}={text!r}: '{key}' must be {kind.__name__}") from error


def _check(settings: Settings) -> None:
    for key, choices in _CHOICES.items():
        section_name, _, name = key.partition(".")
        value = getattr(getattr(settings, section_name), name)
        if value not in choices:
            named = f"{', '.join(choices[:-1])} or {choices[-1]}"
            raise SettingsError(f"setting '{key}' must be {named}, not '{value}'")
    extraction = settings.concepts.extraction
    if extraction != "spacy" and not extraction.removeprefix(OLLAMA_MODEL).strip():
        raise SettingsError("setting 'concepts.extraction' names no model: write ollama:NAME")
    if extraction != "spacy" and not extraction.startswith(OLLAMA_MODEL):
        raise SettingsError(
            f"setting 'concepts.extraction' must be spacy or ollama:NAME, not '{extraction}'"
        )
    chunking = settings.chunking
    if not 32 <= chunking.target <= chunking.limit:
        raise SettingsError(
            f"'chunking.target' ({chunking.target}) must lie between 32 and "
            f"'chunking.limit' ({chunking.limit})"
        )
    if not 0 <= chunking.overlap <= 0.5:
        raise SettingsError(f"'chunking.overlap' must lie in 0..0.5, not {chunking.overlap}")
    for key, least in _LEAST.items():
        section_name, _, name = key.partition(".")
        value = getattr(getattr(settings, section_name), name)
        if not value >= least:  # written so that "not a number" fails too
            raise SettingsError(f"setting '{key}' must be at least {least}, not {value}")
    for name in ("connect_seconds", "first_token_seconds", "silence_seconds"):
        seconds = getattr(settings.ollama, name)
        # Written so that "not a number" fails too.
        if not 0 < seconds < inf:
            raise SettingsError(f"setting 'ollama.{name}' must be above 0 seconds, not {seconds}")
