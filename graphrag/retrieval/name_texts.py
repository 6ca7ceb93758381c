"""What a text alone says of names, kept beside the name graph by the text's hash.

Cutting a text into words and finding its capitalised spans is nearly all the work of
building the graph, and depends on no other text. The file is a cache: a line that is
torn or damaged is made again from its text.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from graphrag.errors import StoreError
from graphrag.retrieval.names import name_words, proper_names, tokens_of

# Raise it whenever the rules of ``names`` change.
_MAGIC = b"graphrag names of texts 1\n"
_LARGEST_WASTE = 0.5


@dataclass(frozen=True, slots=True)
class NamedText:
    """``words``: the folded words, joined by blanks; ``capital``: for each, ``1`` where it
    is written other than in lower case; ``proper``: keys of the capitalised spans."""

    words: str
    capital: str
    proper: tuple[str, ...]


ReadText = Callable[[str], NamedText]


def read_text(text: str) -> NamedText:
    """The words and proper names of a text."""
    tokens = tokens_of(text)
    words, capital = name_words(tokens)
    marks = "".join("1" if each else "0" for each in capital)
    return NamedText(" ".join(words), marks, tuple(sorted(proper_names(tokens))))


class KnownTexts:
    """A ``ReadText`` that remembers, in memory until ``save`` is called."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, NamedText] = {}
        self._stored = 0
        self._whole = False
        self._asked: dict[str, NamedText] = {}

    @classmethod
    def load(cls, path: Path) -> KnownTexts:
        """What the file holds; nothing where there is none that can be read."""
        texts = cls(path)
        try:
            with path.open("rb") as file:
                texts._whole = file.readline() == _MAGIC
                if texts._whole:
                    texts._take(file)
        except OSError:
            texts._whole = False
        return texts

    def __call__(self, text: str) -> NamedText:
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        named = self._known.get(key) or self._asked.get(key) or read_text(text)
        self._asked[key] = named
        return named

    def save(self) -> None:
        """Keep what was asked for: new texts behind the others, or all of them anew where
        many of the others are no longer asked for. Raises StoreError."""
        fresh = [key for key in self._asked if key not in self._known]
        anew = not self._whole or len(self._asked) < _LARGEST_WASTE * (self._stored + len(fresh))
        keys = list(self._asked) if anew else fresh
        if not keys and not anew:
            return
        try:
            with self._path.open("wb" if anew else "ab") as file:
                if anew:
                    file.write(_MAGIC)
                file.writelines(_line(key, self._asked[key]) for key in keys)
        except OSError as error:
            raise StoreError(
                f"{self._path}: the names cannot be written ({error.strerror})"
            ) from error

    def _take(self, lines: Iterable[bytes]) -> None:
        for key, named in _read_lines(lines):
            if named is None:
                self._whole = False
            else:
                self._known[key] = named
            self._stored += 1


def _line(key: str, named: NamedText) -> bytes:
    body = json.dumps([key, named.words, named.capital, named.proper]).encode()
    return b"%08x %b\n" % (zlib.crc32(body), body)


def _read_lines(lines: Iterable[bytes]) -> Iterator[tuple[str, NamedText | None]]:
    """Key and content of each line; no content where it is not what was written."""
    for line in lines:
        check, _, body = line.rstrip(b"\n").partition(b" ")
        if line[-1:] != b"\n" or check != b"%08x" % zlib.crc32(body):
            yield "", None
            continue
        key, words, capital, proper = json.loads(body)
        yield key, NamedText(words, capital, tuple(proper))
