"""In which order the chosen excerpts are told."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag.adapters.extractive_candidates import Candidate
from graphrag.wording.expects import expects_steps

# Chunks of one section that are told together, in the order of the text.
_NEAR = 3


def in_order(chosen: Sequence[Candidate], first: Candidate, question: str) -> list[Candidate]:
    """The chosen, section by section: that of ``first`` before the others, and of it the paragraph
    or list that ``first`` stands in, then the sections by their best passage.

    Within a section the order is that of the text, whatever the passages' ranks. How something is
    done is told from the first of what stands together with ``first`` on; where that is a step or
    a command, in the order of the text throughout, since steps run over several passages.
    """
    groups: list[list[Candidate]] = []
    for candidate in sorted(chosen, key=lambda c: c.order):
        group = next((g for g in groups if any(_near(candidate, each) for each in g)), None)
        if group is None:
            groups.append([candidate])
        else:
            group.append(candidate)
    groups.sort(key=lambda group: first not in group)
    told = [sorted(group, key=lambda c: (c.place.ordinal, c.order)) for group in groups]
    if not told or first not in told[0]:
        return [c for group in told for c in group]
    steps = expects_steps(question)
    if not steps or first.unit.kind == "sentence":
        told[0] = _from(first, told[0], run=steps)
    return [c for group in told for c in group]


def _near(one: Candidate, other: Candidate) -> bool:
    """Whether two excerpts are of one passage, or of one section with little between them."""
    if one.number == other.number:
        return True
    here, there = one.place, other.place
    return (
        bool(here.document_id)
        and (here.document_id, here.section) == (there.document_id, there.section)
        and abs(here.ordinal - there.ordinal) <= _NEAR
    )


def _from(first: Candidate, group: Sequence[Candidate], *, run: bool) -> list[Candidate]:
    """The group from the paragraph or list of ``first`` on, what stands before it last; with
    ``run`` from the beginning of what was chosen without a gap, code without its words aside."""
    start = next(
        index
        for index, c in enumerate(group)
        if c.number == first.number and _in_one_block(c, first)
    )
    block = start
    while run and start and group[start - 1].order == group[start].order - 1:
        start -= 1
    while start < block and group[start].unit.kind in ("code", "formula"):
        start += 1
    return [*group[start:], *group[:start]]


def _in_one_block(one: Candidate, other: Candidate) -> bool:
    if one.unit.block == other.unit.block or (other.term and one.term == other.term):
        return True
    opens = other.unit.lead and other.unit.lead in (one.unit.lead, one.unit.text)
    return bool(opens) and one.order <= other.order
