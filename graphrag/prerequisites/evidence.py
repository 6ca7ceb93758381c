"""The evidence that is kept with an edge: its sentences, then the signals with their scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from graphrag.domain import Evidence, EvidenceKind
from graphrag.prerequisites.corpus import Witness
from graphrag.prerequisites.signals import Signals
from graphrag.prerequisites.weighing import relevance

_MOST_SENTENCES = 5
# A sentence of which the concepts take but a small part explains less than none.
_LEAST_TELLING: Mapping[EvidenceKind, float] = {"definition": 0.25, "cue": 0.2}
# Counted signals, by the features that they are the mean of; shown when above 0.
_COUNTED: Mapping[EvidenceKind, tuple[str, ...]] = {
    "order": ("introduced",),
    "reference": ("reference",),
    "generality": ("documents", "named_by", "topic_rank"),
    "similarity": ("relevance",),
}
_LONGEST = 500
_LARGEST_RELEVANCE = 3.0  # about the sum of its weights
_LARGEST_SHARE = 6.9  # the feature ``share`` of a text that names nothing else


class Witnesses:
    """The witnesses of one corpus by pair of concepts, ready for the given pairs."""

    def __init__(self, signals: Signals, pairs: Sequence[tuple[int, int]]) -> None:
        numbers = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        features = signals.features(numbers[:, 0], numbers[:, 1])
        features["relevance"] = relevance(features) / _LARGEST_RELEVANCE
        self._shares: list[float] = (features["share"] / _LARGEST_SHARE).tolist()
        self._counted: dict[EvidenceKind, list[float]] = {
            kind: np.mean([features[name] for name in names], axis=0).tolist()
            for kind, names in _COUNTED.items()
        }
        self._directions: list[float] = features["before"].tolist()
        self._named_back: list[float] = features["named_back"].tolist()
        self._row = {pair: i for i, pair in enumerate(pairs)}
        self._by_pair: dict[tuple[int, int], list[Witness]] = defaultdict(list)
        for witness in signals.witnesses:
            self._by_pair[witness.concept, witness.prerequisite].append(witness)

    def stated(self, note: str) -> Evidence:
        """The evidence of a person's decision."""
        return Evidence("stated", 1.0, note)

    def direction(self, concept: int, prerequisite: int) -> float:
        """The logit that the prerequisite is the more basic of the two."""
        return self._directions[self._row[concept, prerequisite]]

    def named_back(self, concept: int, prerequisite: int) -> float:
        """How far the text about the prerequisite names the concept, 0 to 1."""
        return self._named_back[self._row[concept, prerequisite]]

    def evidence(self, concept: int, prerequisite: int) -> tuple[Evidence, ...]:
        """At most five telling sentences, the strongest first and none twice, then the signals."""
        witnesses = sorted(
            self._by_pair.get((concept, prerequisite), ()),
            key=lambda w: (_RANK[w.kind], -w.score, w.document_id, w.chunk_id, w.sentence),
        )
        seen: set[tuple[EvidenceKind, str]] = set()
        found: list[Evidence] = []
        for w in witnesses:
            if w.score < _LEAST_TELLING.get(w.kind, 0.0):
                continue
            if (w.kind, w.sentence) not in seen and len(found) < _MOST_SENTENCES:
                seen.add((w.kind, w.sentence))
                sentence = (
                    w.sentence if len(w.sentence) <= _LONGEST else w.sentence[:_LONGEST] + "…"
                )
                found.append(
                    Evidence(w.kind, round(w.score, 4), sentence, w.document_id, w.chunk_id)
                )
        row = self._row[concept, prerequisite]
        if self._shares[row] > 0.3:
            found.append(Evidence("structure", round(min(1.0, self._shares[row]), 4)))
        for kind, scores in self._counted.items():
            if scores[row] > 0.05:
                found.append(Evidence(kind, round(min(1.0, scores[row]), 4)))
        return tuple(found)


_RANK: Mapping[EvidenceKind, int] = {
    "front_matter": 0,
    "section": 1,
    "cue": 2,
    "definition": 3,
    "title": 4,
    "link": 5,
}
