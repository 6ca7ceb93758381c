"""What one question collects on its way through retrieval."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from graphrag.domain import Hit
from graphrag.retrieval.channels import Ids


@dataclass(slots=True)
class Trace:
    """The hits of each stage that ran, the seconds each took, what a model added, and the
    ``numbers`` of the chunks that were looked up, by id."""

    stages: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    expansions: tuple[str, ...] = ()
    numbers: dict[str, int] = field(default_factory=dict)

    def noting(self, ids: Ids) -> Ids:
        """The same look-up, which notes the numbers that it finds."""

        def noted(numbers: Iterable[int]) -> Mapping[int, str]:
            found = ids(numbers)
            self.numbers.update((chunk_id, number) for number, chunk_id in found.items())
            return found

        return noted

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Take the time of what happens inside for that of the stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = time.perf_counter() - began
