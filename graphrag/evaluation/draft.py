"""Questions proposed from the documents, for a person to accept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graphrag.domain import Chunk, Concept, Question
from graphrag.wording.terms import any_name, content_words, identifiers
from graphrag.wording.units import Unit, units

_HOW_TO = re.compile(
    r"^(?:how to |to )?((?:chang|replac|install|remov|reset|start|stop|clean|check|comput|find"
    r"|solv|calculat|prov|creat|set|open|clos|adjust|restor|back)\w*) (.+)$",
    re.IGNORECASE,
)
# "The pump is primed by hand" tells something of a pump, and not what it is.
_NO_KIND = r"(?!(?:not|only|also|by|in|on|at|for|with|\w{2,}(?:ed|ing)|given|made|known)\b)"
_LONGEST_ANSWER = 160


def draft_questions(
    chunks: Sequence[Chunk], concepts: Iterable[Concept] = (), *, most: int = 50
) -> list[Question]:
    """Questions that the chunks answer, each with its chunk and its answer.

    From definitions ("What is X?"), coded rows of tables ("What does E1042 mean?") and
    headings of procedures ("How do I change the seal?"), turn by turn, at most ``most``;
    none twice. They are drafts: wording and answer want a human eye before they are frozen.
    """
    kinds = [
        list(_definitions(chunks, concepts)),
        list(_rows(chunks)),
        list(_procedures(chunks)),
    ]
    drafts: list[Question] = []
    seen: set[str] = set()
    for turn in range(max(map(len, kinds), default=0)):
        for kind in kinds:
            if turn < len(kind) and kind[turn].question not in seen and len(drafts) < most:
                seen.add(kind[turn].question)
                drafts.append(kind[turn])
    return [
        Question(f"draft-{n:03d}", d.question, d.relevant, d.answers, d.type)
        for n, d in enumerate(drafts, start=1)
    ]


def _definitions(chunks: Sequence[Chunk], concepts: Iterable[Concept]) -> Iterator[Question]:
    by_id = {chunk.id: chunk for chunk in chunks}
    for concept in sorted(concepts, key=lambda c: (-c.weight, c.id)):
        chunk = by_id.get(concept.definition or "")
        if chunk is None:
            continue
        says = rf"({any_name([concept.name])})\W*(is|are|means|refers to)\s+{_NO_KIND}(.+)"
        for unit in units(chunk.text, kind=chunk.kind):
            match = re.search(says, unit.text, re.IGNORECASE | re.DOTALL)
            if match is not None and unit.kind in ("sentence", "item"):
                article = "an" if concept.name[:1].lower() in "aeiou" else "a"
                plural = match.group(2).lower() == "are"
                name = match.group(1)
                if concept.name[:1].islower():  # a capital only where a sentence begins
                    name = name[:1].lower() + name[1:]
                asked = f"are {name}" if plural else f"is {article} {concept.name}"
                yield _draft(f"What {asked}?", chunk, match.group(3), "lookup")
                break


def _rows(chunks: Sequence[Chunk]) -> Iterator[Question]:
    for chunk in chunks:
        for unit in units(chunk.text, kind=chunk.kind):
            cells = _cells(unit) if unit.kind == "row" else []
            codes = identifiers(cells[0]) if len(cells) > 1 else []
            if codes and cells[0] == codes[0] and content_words(cells[1]):
                yield _draft(f"What does {codes[0]} mean?", chunk, cells[1], "lookup")


def _cells(row: Unit) -> list[str]:
    return [cell.strip().replace("**", "") for cell in row.text.strip().strip("|").split("|")]


def _procedures(chunks: Sequence[Chunk]) -> Iterator[Question]:
    for chunk in chunks:
        heading = chunk.heading_path[-1] if chunk.heading_path else ""
        match = _HOW_TO.match(heading)
        steps = [u for u in units(chunk.text, kind=chunk.kind) if u.kind == "item"]
        if match is None or not steps:
            continue
        verb = _bare(match.group(1).lower())
        first = re.sub(r"^\s*(?:[-*•]|\d+[.)])\s+", "", steps[0].text)
        yield _draft(f"How do I {verb} {match.group(2)}?", chunk, first, "procedure")


def _bare(verb: str) -> str:
    """``changing`` is ``change``, ``resetting`` is ``reset``, ``cleaning`` is ``clean``."""
    if not verb.endswith("ing"):
        return verb
    root = verb[:-3]
    if len(root) > 2 and root[-1] == root[-2] and root[-1] not in "ls":
        return root[:-1]
    silent = ("chang", "remov", "clos", "creat", "solv", "comput", "calculat", "replac", "prov")
    return f"{root}e" if root.endswith((*silent, "restor")) else root


def _draft(question: str, chunk: Chunk, answer: str, kind: str) -> Question:
    text = " ".join(answer.split()).strip(" .|")
    short = (
        text if len(text) <= _LONGEST_ANSWER else re.split(r"(?<=[.;:,])\s", text)[0].strip(" .,;:")
    )
    return Question("", " ".join(question.split()), (chunk.id,), (short,), kind)
