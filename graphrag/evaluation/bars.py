"""Bars that a run must reach, for a job that is to fail below them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from graphrag.errors import QueryError
from graphrag.evaluation.metrics import RETRIEVAL
from graphrag.evaluation.report import STAGES, answer_numbers, refusal_numbers

_ANSWERS = ("retrieved", "injected")
_SECONDS = ("retrieval_p50", "retrieval_p95")
_LOWER_IS_BETTER = ("false_refusals", "failed", "seconds")


@dataclass(frozen=True, slots=True)
class Bar:
    """A measure's name, as ``hit@5`` or ``reranked.mrr``, and the value to reach."""

    key: str
    limit: float


def parse_bars(texts: Sequence[str], *, answers: bool = True) -> list[Bar]:
    """The bars that are written ``measure=value`` or ``stage.measure=value`` (``hit@5=0.95``,
    ``reranked.mrr=0.8``, ``refusal.recall=0.98``).

    Raises QueryError for one that names nothing, or, without ``answers``, what only answers
    can show.
    """
    bars = []
    for text in texts:
        key, mark, wanted = text.partition("=")
        key = key.strip()
        try:
            limit = float(wanted)
        except ValueError:
            limit = float("nan")
        if not mark or math.isnan(limit):
            raise QueryError(f"bar {text!r}: write measure=value, such as hit@5=0.95")
        known = _retrieval_keys() | _answer_keys()
        if key not in known:
            raise QueryError(f"bar {text!r}: {_unknown(key, known)}")
        if not answers and key not in _retrieval_keys():
            raise QueryError(f"bar {text!r}: {key} is not measured without answers (--ablate)")
        if not 0 <= limit <= 1 and "seconds" not in key and not key.endswith("questions"):
            raise QueryError(f"bar {text!r}: rates go from 0 to 1, such as {key}=0.95")
        bars.append(Bar(key, limit))
    return bars


def _unknown(key: str, known: set[str]) -> str:
    near = get_close_matches(key, sorted(known), n=3)
    plain = ", ".join(near or sorted(name for name in known if "." not in name))
    return f"no measure is called {key!r}; {'near are' if near else 'there are'} {plain}"


def _retrieval_keys() -> set[str]:
    staged = {f"{stage}.{measure}" for stage in STAGES for measure in RETRIEVAL}
    return {*RETRIEVAL, *staged, *(f"seconds.{name}" for name in _SECONDS)}


def _answer_keys() -> set[str]:
    refusals, answered = set(refusal_numbers([])), {*answer_numbers([]), "judged"}
    kinds = {f"{kind}.{measure}" for kind in _ANSWERS for measure in answered}
    return {*refusals, *answered, *(f"refusal.{name}" for name in refusals), *kinds}


def missed_bars(numbers: Mapping[str, Any], bars: Sequence[Bar]) -> list[str]:
    """The bars that a run (as ``runs.as_json`` gives it) misses, in words.

    A measure without a stage is that of the last one. False refusals, failures and seconds
    must not exceed their bar, all others must reach it; what was not measured is missed.
    """
    missed = []
    for bar in bars:
        value = _named(numbers, bar.key)
        if value is None:
            missed.append(f"{bar.key} was not measured, the bar is {bar.limit:g}")
            continue
        lower = bar.key.startswith("seconds.") or bar.key.endswith(_LOWER_IS_BETTER)
        if (value > bar.limit) if lower else (value < bar.limit):
            missed.append(f"{bar.key} is {value:.3f}, the bar is {bar.limit:g}")
    return missed


def _named(numbers: Mapping[str, Any], key: str) -> float | None:
    stages = numbers.get("stages", {})
    last = next((s for s in ("reranked", "fused", "prompt") if s in stages), "")
    places: list[Mapping[str, Any]] = [stages.get(last, {}), numbers.get("refusal", {})]
    places.append(numbers.get("answers", {}).get("retrieved", {}))
    head, _, tail = key.partition(".")
    if tail:
        places = [stages.get(head, {}), numbers.get("answers", {}).get(head, {})]
        places.append(numbers.get(head, {}) if head in ("refusal", "seconds") else {})
        key = tail
    for place in places:
        if isinstance(place.get(key), int | float):
            return float(place[key])
    return None
