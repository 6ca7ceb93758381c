"""What one question collects on its way through retrieval."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from graphrag.domain import Hit


@dataclass(slots=True)
class Trace:
    """The hits of each stage that ran, the seconds each took, and what a model added."""

    stages: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    expansions: tuple[str, ...] = ()

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Take the time of what happens inside for that of the stage."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = time.perf_counter() - began
