"""What a learner knows: evidence, soft fading, and what follows for prerequisites.

A learner keeps only what was shown directly. What follows from it for the concepts below
is worked out when it is asked for, so it never outlives the graph it came from.

Source: Bayesian knowledge tracing, Corbett and Anderson, UMUAI 1995 (slip, guess and
learning); a prerequisite is a noisy necessary condition, so evidence on a concept is
evidence on what it rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from graphrag.domain import Belief, Learner
from graphrag.prerequisites.order import PrerequisiteOrder

LearnerEvidence = Literal["right", "wrong", "said", "shaky", "forget"]

KNOWN = 0.7
_DAY = 86_400.0
_CERTAIN = 0.99
_WORDS = {
    "right": "answered right",
    "wrong": "answered wrong",
    "said": "said to know it",
    "shaky": "said to be shaky",
}


@dataclass(frozen=True, slots=True)
class Tracing:
    """The model of a learner.

    ``prior``: that a concept nothing is known about is known. ``slip``: a wrong answer in
    spite of knowing; ``guess``: a right one without; ``learning``: that an attempt taught
    it. ``said`` and ``shaky``: what a person's own word is worth. ``half_life``: days
    after which half of the part that fades is gone; each further confirmation doubles it.
    ``lasting``: the share of a belief that never fades.
    """

    prior: float = 0.15
    slip: float = 0.1
    guess: float = 0.2
    learning: float = 0.1
    said: float = 0.95
    shaky: float = 0.4
    half_life: float = 180.0
    lasting: float = 0.6


DEFAULT_TRACING = Tracing()


def record(
    learner: Learner,
    concept_id: str,
    evidence: LearnerEvidence,
    *,
    now: float,
    detail: str = "",
    tracing: Tracing = DEFAULT_TRACING,
) -> Learner:
    """The learner after one more piece of evidence at ``now`` (seconds since the epoch).

    ``right`` and ``wrong`` update the faded belief by Bayes' rule, and every attempt
    teaches a little; ``said`` and ``shaky`` set it; ``forget`` takes it away. ``detail``
    (the question, say) goes into the belief's explanation.
    """
    beliefs = dict(learner.beliefs)
    before = beliefs.pop(concept_id, None)
    if evidence != "forget":
        faded = fade(before, now=now, tracing=tracing).probability if before else tracing.prior
        day = datetime.fromtimestamp(now, tz=UTC).date().isoformat()
        words = f"{_WORDS[evidence]} on {day}" + (f": {detail}" if detail else "")
        beliefs[concept_id] = Belief(
            concept_id,
            _after(faded, evidence, tracing),
            now,
            (*(before.because if before else ()), words),
        )
    return replace(learner, beliefs=dict(sorted(beliefs.items())))


def _after(known: float, evidence: LearnerEvidence, tracing: Tracing) -> float:
    if evidence == "said":
        return max(known, tracing.said)
    if evidence == "shaky":
        return min(known, tracing.shaky) if known > tracing.prior else tracing.shaky
    if evidence == "right":
        by_knowing, by_chance = known * (1 - tracing.slip), (1 - known) * tracing.guess
    else:
        by_knowing, by_chance = known * tracing.slip, (1 - known) * (1 - tracing.guess)
    posterior = by_knowing / (by_knowing + by_chance)
    return min(_CERTAIN, posterior + (1 - posterior) * tracing.learning)


def fade(belief: Belief, *, now: float, tracing: Tracing = DEFAULT_TRACING) -> Belief:
    """The belief as it stands at ``now``: what lasts, and what is left of the rest.

    ``p * (lasting + (1 - lasting) * 2^(-days / half-life))``, the half-life doubled by
    each confirmation after the first, at most sixteenfold. A clock that ran backwards
    fades nothing.
    """
    days = max(0.0, now - belief.updated) / _DAY
    confirmations = sum(
        words.startswith(("answered right", "said to know")) for words in belief.because
    )
    half_life = tracing.half_life * 2.0 ** min(4, max(0, confirmations - 1))
    kept = tracing.lasting + (1 - tracing.lasting) * 0.5 ** (days / half_life)
    return replace(belief, probability=belief.probability * kept)


def shown_at(
    learner: Learner, *, now: float, tracing: Tracing = DEFAULT_TRACING
) -> dict[str, Belief]:
    """What was shown directly, faded to ``now``, by concept id."""
    return {key: fade(belief, now=now, tracing=tracing) for key, belief in learner.beliefs.items()}


def beliefs_at(
    learner: Learner,
    order: PrerequisiteOrder,
    *,
    now: float,
    tracing: Tracing = DEFAULT_TRACING,
) -> dict[str, Belief]:
    """All that can be believed at ``now``, by concept id: what was shown, faded, and what
    that says about prerequisites, with the reasons in words. Concepts are given as ids in
    the words.

    An observed concept A with Bayes factor b says of a prerequisite U, on which it rests
    with strength w: P(A known | U known) = a, P(A known | U unknown) = (1 - w) a, so the
    odds of U are multiplied by (a b + 1 - a) / ((1 - w) a b + 1 - (1 - w) a).
    """
    shown = shown_at(learner, now=now, tracing=tracing)
    odds = {key: _odds(belief.probability) for key, belief in shown.items()}
    reasons = {key: list(belief.because) for key, belief in shown.items()}
    updated = {key: belief.updated for key, belief in shown.items()}
    for concept_id, belief in sorted(shown.items()):
        factor = _odds(belief.probability) / _odds(tracing.prior)
        for key, strength in sorted(order.strengths(concept_id).items()):
            ratio = _ratio(strength, factor, tracing.prior)
            odds[key] = odds.get(key, _odds(tracing.prior)) * ratio
            updated[key] = max(updated.get(key, 0.0), belief.updated)
            if abs(ratio - 1) > 0.2:
                direction = "knowing" if ratio > 1 else "lacking"
                reasons.setdefault(key, []).append(
                    f"{direction} {concept_id}, which rests on it (strength {strength:.2f})"
                )
    return {
        key: Belief(
            key, min(_CERTAIN, value / (1 + value)), updated[key], tuple(reasons.get(key, ()))
        )
        for key, value in sorted(odds.items())
    }


def _odds(probability: float) -> float:
    bounded = min(_CERTAIN, max(1 - _CERTAIN, probability))
    return bounded / (1 - bounded)


def _ratio(strength: float, factor: float, prior: float) -> float:
    strength = min(strength, _CERTAIN)
    with_it = prior / (prior + (1 - strength) * (1 - prior))
    without = (1 - strength) * with_it
    return (with_it * factor + 1 - with_it) / (without * factor + 1 - without)


def knows(
    learner: Learner,
    order: PrerequisiteOrder,
    *,
    now: float,
    threshold: float = KNOWN,
    tracing: Tracing = DEFAULT_TRACING,
) -> frozenset[str]:
    """The ids of the concepts that the learner is believed to know at ``now``."""
    beliefs = beliefs_at(learner, order, now=now, tracing=tracing)
    return frozenset(key for key, belief in beliefs.items() if belief.probability >= threshold)
