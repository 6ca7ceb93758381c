"""What the weight of an edge means: calibration on courses that were not used to set it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BINS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.01)
_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Weighed:
    """The weights of a course's labelled edges and whether each is right, shape (edges,)."""

    weights: NDArray[np.float64]
    labels: NDArray[np.bool_]


def rows(courses: Mapping[str, Weighed]) -> list[tuple[str, str, str]]:
    """What, value and aim: the share of right edges by weight; then how far the two are apart as
    built, and read as the other courses alone would have them read, each course by itself and
    all together, counting alike."""
    found = []
    for name, weighed in courses.items():
        for low, high, share, count in shares(weighed):
            what = f"right of labelled edges with weights {low:.2f} to {min(high, 1.0):.2f}"
            found.append((f"{name}: {what}", f"{share:.2f} ({count})", ""))
    if len(courses) < 2:
        return found
    unseen = left_out(courses)
    what = "error of weights as built / read by the other courses"
    for name, weighed in courses.items():
        found.append(
            (f"{name}: {what}", f"{error([weighed]):.3f} / {error([unseen[name]]):.3f}", "")
        )
    everything, otherwise = error(list(courses.values())), error(list(unseen.values()))
    found.append((f"all courses: {what}", f"{everything:.3f} / {otherwise:.3f}", "0.06"))
    slope, offset = platt(list(courses.values()))
    found.append(
        ("all courses: slope and offset of the best fit", f"{slope:.2f} {offset:+.2f}", "")
    )
    return found


def shares(weighed: Weighed) -> list[tuple[float, float, float, int]]:
    """For each bin with edges its bounds, the share of right ones, and their number."""
    rows = []
    for low, high in pairwise(BINS):
        inside = (weighed.weights >= low) & (weighed.weights < high)
        if inside.any():
            rows.append((low, high, float(weighed.labels[inside].mean()), int(inside.sum())))
    return rows


def error(courses: Sequence[Weighed]) -> float:
    """The expected calibration error over the bins, each course counting alike."""
    weights, labels, counts = _joined(courses)
    total = 0.0
    for low, high in pairwise(BINS):
        inside = (weights >= low) & (weights < high)
        total += abs(float(np.sum(counts[inside] * (weights[inside] - labels[inside]))))
    return total


def platt(courses: Sequence[Weighed]) -> tuple[float, float]:
    """Slope and offset on the logit that fit the labels best, each course counting alike;
    1 and 0 where weights are probabilities.

    Source: Platt, Advances in Large Margin Classifiers, 1999, equation 1, by Newton's method.
    """
    weights, labels, counts = _joined(courses)
    columns = np.stack([_logit(weights), np.ones(len(weights))], axis=1)
    found = np.array([1.0, 0.0])
    for _ in range(_ROUNDS):
        likely = 1.0 / (1.0 + np.exp(-columns @ found))
        slope = columns.T @ (counts * (labels - likely))
        curve = (columns * (counts * likely * (1 - likely))[:, None]).T @ columns
        found = found + np.linalg.solve(curve + 1e-9 * np.eye(2), slope)
    return float(found[0]), float(found[1])


def mapped(weighed: Weighed, fit: tuple[float, float]) -> Weighed:
    """The weights as the fit reads them."""
    logits = fit[0] * _logit(weighed.weights) + fit[1]
    return Weighed(1.0 / (1.0 + np.exp(-logits)), weighed.labels)


def left_out(courses: Mapping[str, Weighed]) -> dict[str, Weighed]:
    """Each course with its weights as the fit to all others reads them."""
    return {
        name: mapped(weighed, platt([each for other, each in courses.items() if other != name]))
        for name, weighed in courses.items()
    }


def _logit(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(weights, 1e-4, 1 - 1e-4)
    logits: NDArray[np.float64] = np.log(inside / (1 - inside))
    return logits


def _joined(
    courses: Sequence[Weighed],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Weights, labels and what each edge counts, summing to 1."""
    counts = [np.full(len(c.weights), 1 / (len(courses) * len(c.weights))) for c in courses]
    return (
        np.concatenate([c.weights for c in courses]),
        np.concatenate([c.labels for c in courses]).astype(np.float64),
        np.concatenate(counts),
    )
