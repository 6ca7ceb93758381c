"""The child process of ``spacy_process``: the language pipeline, asked through pipes.

It answers until its standard input ends, which is also what happens when its parent dies.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import BinaryIO

from graphrag.adapters.spacy_frames import (
    pack_annotations,
    read_frame,
    unpack_documents,
    write_frame,
)
from graphrag.adapters.spacy_spotter import SpacySpotter
from graphrag.errors import ModelError

# Thinc imports whatever array library is installed. The small pipeline computes with numpy
# alone, and torch takes 1.7 s and 180 MB of the 2.7 s and 310 MB that ``import spacy`` needs.
_UNUSED = ("torch", "tensorflow", "mxnet", "cupy", "jax")


def main() -> None:
    """Read requests and write replies. The first reply says whether the pipeline is loaded."""
    requests, replies = _pipes()
    _leave_out_what_is_unused()
    try:
        spotter = SpacySpotter.load()
    except ModelError as error:
        write_frame(replies, {"error": str(error)})
        return
    write_frame(replies, {"fingerprint": spotter.fingerprint})
    while True:
        try:
            documents = unpack_documents(read_frame(requests))
        except EOFError:
            return
        annotations = list(spotter.annotate(documents))
        try:
            write_frame(replies, {"annotations": pack_annotations(annotations)})
        except BrokenPipeError:
            return


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for frames alone: what a library prints goes to the errors."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, replies


def _leave_out_what_is_unused() -> None:
    """Keep other array libraries, and spaCy's own command line (another .35 s), out."""
    for name in _UNUSED:
        sys.modules[name] = None  # type: ignore[assignment]
    commands, one = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    commands.__path__ = []
    one.info = None  # type: ignore[attr-defined]
    sys.modules |= {commands.__name__: commands, one.__name__: one}
