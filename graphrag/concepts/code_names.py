"""Names of code that running text speaks of: ``list.append()``, ``std::vector``, ``user.name``.

Only names of several parts can be told from words: ``print()`` is spelt like the verb, so it is
a concept where an author sets it off or gives it a heading, like any other word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphrag.concepts.names import word_set
from graphrag.domain import Document

_NAME = re.compile(
    r"(?<![\w./@:$\\~<-])[A-Za-z_]\w+(?:(?:\.|::)[A-Za-z_]\w+)+(?:\(\))?(?![\w/@>-]|[.:]\w)"
)
# In every name; most blocks have none, which is seen far sooner than that no name is there.
_JOINT = re.compile(r"[.:][A-Za-z_]")
_PROSE = frozenset({"heading", "paragraph", "list", "quote", "table"})
# What files and hosts end in.
_ENDINGS = word_set(
    "py js ts cc cpp hpp java rb go rs sh pl pm el txt md rst html htm xml json yaml yml toml ini "
    "cfg conf log csv tsv pdf ps png jpg jpeg gif svg zip tar gz bz2 xz deb rpm so dll exe bak "
    "orig com org net edu gov io de uk dev tex bib css sql db lock patch diff idx"
)
_OWN = frozenset({"self", "this", "cls", "www"})


def code_names(document: Document) -> Iterator[str]:
    """Each place where the prose has a name of two parts or more, brackets of a call left out;
    names of files and hosts, and what is said of ``self``, are none."""
    for block in document.blocks:
        if block.kind not in _PROSE or not _JOINT.search(document.text, block.start, block.stop):
            continue
        for match in _NAME.finditer(document.text, block.start, block.stop):
            name = match[0].removesuffix("()")
            parts = re.split(r"\.|::", name)
            if parts[-1].casefold() not in _ENDINGS and parts[0] not in _OWN:
                yield name
