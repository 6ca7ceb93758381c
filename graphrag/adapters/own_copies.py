"""Arrays of mapped files that are copied into memory of the process's own, once that pays.

A search reads vectors all over a file. In a mapped file each lies in pages of 4 KB, whose
addresses the processor looks up one by one; a large array of numpy's own lies in pages of
2 MB where the system has them, and is read two to five times as fast. Copying takes as long
as reading everything once, so an array is copied when as much of it has been read as it has
and it is read once more: at most twice the time of the better choice, whatever comes. A
program that searches once copies nothing.

Source: Karlin, Manasse, Rudolph and Sleator, Competitive snoopy caching, 1988 (renting until
what was paid would have bought).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 512 << 20  # bytes of an array; a larger one stays where it is


class OwnCopy:
    """An array (n, ...) as it is best read. Safe in several threads: two may copy at once."""

    def __init__(self, mapped: NDArray[Any]) -> None:
        self._array = mapped
        self._left = len(mapped)  # rows that are still to be read before it is copied
        self._stays = mapped.nbytes > MOST

    def reading(self, rows: int) -> NDArray[Any]:
        """The array, of which so many rows are read now: the mapped one or its copy."""
        if self._left > 0:
            self._left -= rows
        elif not self._stays:
            self._array, self._stays = np.array(self._array), True
        return self._array
