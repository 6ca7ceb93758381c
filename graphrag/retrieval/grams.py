"""Three-letter pieces of spellings, to find a name that was written a little differently."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BITS = 21  # a Unicode code point fits


def grams_of(keys: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Codes of the distinct pieces of each key (padded by two blanks in front and one
    behind), and the position of the key that each belongs to, ascending."""
    padded = "\0".join(f"  {key} " for key in keys)
    letters = np.frombuffer(padded.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    if len(letters) < 3:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    first, second, third = letters[:-2], letters[1:-1], letters[2:]
    owner = np.cumsum(letters == 0)[:-2]
    whole = (first != 0) & (second != 0) & (third != 0)
    codes = (first << np.uint64(2 * _BITS)) | (second << np.uint64(_BITS)) | third
    codes, owner = codes[whole], owner[whole]
    order = np.lexsort((codes, owner))
    codes, owner = codes[order], owner[order]
    new = np.ones(len(codes), dtype=bool)
    new[1:] = (codes[1:] != codes[:-1]) | (owner[1:] != owner[:-1])
    return codes[new], owner[new].astype(np.int64)
