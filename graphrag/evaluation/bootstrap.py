"""How sure a mean over questions is."""

from __future__ import annotations

import random
from collections.abc import Sequence


def interval(
    values: Sequence[float], *, rounds: int = 1000, level: float = 0.95, seed: int = 7
) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean; the same values give the same one.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3.
    """
    if not values:
        return 0.0, 0.0
    chance = random.Random(seed)
    count = len(values)
    means = sorted(sum(chance.choices(values, k=count)) / count for _ in range(rounds))
    tail = (1 - level) / 2
    low = means[int(tail * rounds)]
    high = means[min(rounds - 1, int((1 - tail) * rounds))]
    return low, high


def paired_difference(
    before: Sequence[float], after: Sequence[float], *, rounds: int = 1000, seed: int = 7
) -> tuple[float, tuple[float, float]]:
    """The mean of ``after - before`` over the same questions, and its 95 % interval.

    An interval that holds 0 means that the difference may be chance.
    """
    differences = [b - a for a, b in zip(before, after, strict=True)]
    if not differences:
        return 0.0, (0.0, 0.0)
    return sum(differences) / len(differences), interval(differences, rounds=rounds, seed=seed)
