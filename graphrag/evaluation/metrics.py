"""Measures of a ranking, of refusals and of answers; all from 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from graphrag.tokens import fold
from graphrag.wording.terms import words

Measure = Callable[[Sequence[int], int], float]
"""From the gains by rank (0 or 1) and the number of relevant ids to a value."""


def hit(k: int) -> Measure:
    """1 if a relevant id is among the first k, else 0."""
    return lambda gains, relevant: float(any(gains[:k]))


def recall(k: int) -> Measure:
    """The share of the relevant ids that are among the first k."""
    return lambda gains, relevant: sum(gains[:k]) / relevant if relevant else 0.0


def reciprocal_rank(gains: Sequence[int], relevant: int) -> float:
    """1 / rank of the first relevant id, 0 without one; its mean is MRR."""
    return next((1 / rank for rank, gain in enumerate(gains, start=1) if gain), 0.0)


def ndcg(k: int) -> Measure:
    """Normalised discounted cumulative gain with gains of 0 and 1.

    Source: Järvelin and Kekäläinen, TOIS 2002, with the discount log2(rank + 1).
    """

    def measure(gains: Sequence[int], relevant: int) -> float:
        ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(relevant, k) + 1))
        gained = sum(
            gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1) if gain
        )
        return gained / ideal if ideal else 0.0

    return measure


RETRIEVAL: Mapping[str, Measure] = {
    **{f"hit@{k}": hit(k) for k in (1, 3, 5, 10, 20)},
    **{f"recall@{k}": recall(k) for k in (1, 2, 3, 5, 10, 20)},
    "mrr": reciprocal_rank,
    "ndcg@10": ndcg(10),
}


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def normalised(text: str) -> list[str]:
    """The words of an answer, folded, without articles, numbers without separators."""
    plain = fold(text).replace("\\", " ").replace("$", " ").replace("%", " percent ")
    return [word for word in words(plain.replace(",", "")) if word not in ("a", "an", "the")]


def contains_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether the text holds one of the answers as a run of whole words; one that has no word,
    such as the operator ``<-``, to the letter."""
    said = f" {' '.join(normalised(text))} "
    return any(
        f" {wanted} " in said if (wanted := " ".join(normalised(answer))) else answer in text
        for answer in answers
    )


def token_f1(text: str, answers: Sequence[str]) -> float:
    """Harmonic mean of the precision and recall of shared words, for the best answer.

    Source: Rajpurkar et al., SQuAD, EMNLP 2016.
    """
    return max((_f1(normalised(text), normalised(answer)) for answer in answers), default=0.0)


def _f1(said: Sequence[str], wanted: Sequence[str]) -> float:
    shared = sum((Counter(said) & Counter(wanted)).values())
    return 2 * shared / (len(said) + len(wanted)) if shared else 0.0


def token_recall(text: str, answers: Sequence[str]) -> float:
    """The share of an answer's words that the text holds, for the best answer: unlike F1 it
    does not punish a text for saying more."""
    said = Counter(normalised(text))
    shares = []
    for answer in answers:
        wanted = Counter(normalised(answer))
        total = sum(wanted.values())
        shares.append(sum((said & wanted).values()) / total if total else 0.0)
    return max(shares, default=0.0)


def precision_recall(
    predicted: Sequence[bool], truth: Sequence[bool]
) -> tuple[float, float, float]:
    """Precision, recall and F1 of a yes-no prediction; 0 where there is nothing to divide."""
    right = sum(p and t for p, t in zip(predicted, truth, strict=True))
    precision = right / sum(predicted) if any(predicted) else 0.0
    found = right / sum(truth) if any(truth) else 0.0
    f1 = 2 * precision * found / (precision + found) if precision + found else 0.0
    return precision, found, f1


def auc(scores: Sequence[float], truth: Sequence[bool]) -> float:
    """The chance that a true item scores above a false one, ties counting half; 0.5 where
    one of the kinds is missing.

    Source: Mann and Whitney 1947, by ranks.
    """
    positives = sum(truth)
    negatives = len(truth) - positives
    if not positives or not negatives:
        return 0.5
    order = sorted(range(len(scores)), key=lambda n: scores[n])
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        stop = start
        while stop < len(order) and scores[order[stop]] == scores[order[start]]:
            stop += 1
        for position in range(start, stop):
            ranks[order[position]] = (start + stop + 1) / 2
        start = stop
    total = sum(rank for rank, true in zip(ranks, truth, strict=True) if true)
    return (total - positives * (positives + 1) / 2) / (positives * negatives)
