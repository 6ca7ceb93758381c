"""What the names of concepts say by their form: weak signs that hold across subjects.

They help to order pairs, but no edge is shown as certain for them alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphrag.concepts.names import key_tokens, name_key, split_bracket
from graphrag.domain import Concept
from graphrag.prerequisites.generality import Scores, ranks

_FIELD = re.compile(
    r"(?:\w+(?:ics|metry|logy|graphy|nomy)|arithmetic|algebra|calculus|(?:\w+ )?science)",
    re.IGNORECASE,
)

_SET_IN = 2


def name_ranks(
    concepts: Sequence[Concept], usual: Sequence[str], titles: NDArray[np.float32]
) -> dict[str, Scores]:
    """Columns of shape (n,): ``words`` counts the words of a name, bracket left out;
    ``short`` ranks names from the longest to the shortest; ``field`` is 1 for a name that has
    the form of a whole field of study, to which its concepts belong, and 1 more where brackets
    set two names or more in it (``point (geometry)``); ``central`` ranks names by their mean
    similarity to all others."""
    bases = [split_bracket(concept.name)[0] for concept in concepts]
    set_in = Counter(name_key(split_bracket(concept.name)[1]) for concept in concepts)
    mean = titles.mean(axis=0) if len(titles) else np.zeros(titles.shape[1], np.float32)
    return {
        "words": np.array([len(key_tokens(base)) for base in bases], dtype=np.float64),
        "short": ranks(np.array([-len(name) for name in usual], dtype=np.float64)),
        "field": np.array([_fieldness(base, set_in[name_key(base)]) for base in bases]),
        "central": ranks(np.round(titles @ mean, 6).astype(np.float64)),
    }


def _fieldness(name: str, others: int) -> float:
    """How far a name is that of a field, ``others`` names being set in it."""
    return float(bool(_FIELD.fullmatch(name))) + float(others >= _SET_IN)
