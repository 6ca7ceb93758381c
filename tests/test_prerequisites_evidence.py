"""The evidence that is kept with an edge."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from graphrag.domain import EvidenceKind
from graphrag.prerequisites.corpus import Witness
from graphrag.prerequisites.evidence import Witnesses
from graphrag.prerequisites.weighing import RELEVANCE


def evidence(*witnesses: tuple[EvidenceKind, float, str]) -> list[str]:
    """The sentences shown for a pair with those witnesses, which no signal speaks for."""
    silent = ("share", "introduced", "reference", "documents", "named_by", "topic_rank")
    names = (*silent, *RELEVANCE, "before", "need", "named_back")
    signals = SimpleNamespace(
        features=lambda a, b: {name: np.zeros(len(a)) for name in names},
        witnesses=[Witness(kind, 0, 1, score, said, "d") for kind, score, said in witnesses],
    )
    found = Witnesses(signals, [(0, 1)]).evidence(0, 1)  # type: ignore[arg-type]
    return [each.sentence for each in found]


def test_stronger_kinds_and_sentences_come_first_and_none_comes_twice() -> None:
    told = evidence(
        ("definition", 0.8, "A basis is a set of vectors."),
        ("definition", 0.8, "A basis is a set of vectors."),
        ("definition", 0.5, "Bases are sets."),
        ("cue", 0.5, "Bases require vectors."),
    )
    assert told == ["Bases require vectors.", "A basis is a set of vectors.", "Bases are sets."]


def test_a_sentence_about_something_longer_is_not_shown() -> None:
    assert evidence(("definition", 0.15, "A class browser is a program."), ("title", 0.1, "t")) == [
        "t"
    ]
