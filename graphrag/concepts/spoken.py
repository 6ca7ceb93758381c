"""How often, and in which spelling, the texts speak of the candidates for concepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from graphrag.concepts.candidates import Candidate, heading_name
from graphrag.concepts.mentions import Found, NameTrie
from graphrag.concepts.names import name_key
from graphrag.concepts.texts import Texts, Words
from graphrag.domain import Concept, Document


def count_in_texts(
    documents: Sequence[Document], candidates: dict[str, Candidate], texts: Texts
) -> None:
    """Add to each candidate how the texts write it, and where.

    A name that stands on a line of its own is a heading or an entry of a table of contents;
    the text of a link that repeats a heading (``see Overwriting files``) points at a place.
    Neither is said.
    """
    trie = NameTrie(Concept(key, by_count(candidate)[0]) for key, candidate in candidates.items())

    def counted(text: str, words: Words) -> Counter[tuple[str, str, bool]]:
        return _spellings_in(text, trie.find(text, words))

    headings = {
        name_key(heading_name(document.text[block.start : block.stop]))
        for document in documents
        for block in document.blocks
        if block.kind == "heading"
    }
    counted_in = texts.by_names("candidates", trie.names, counted)
    for document in documents:
        for (key, spelling, said), count in counted_in(document).items():
            candidate = candidates[key]
            candidate.written[spelling] += count
            candidate.documents.add(document.id)
            candidate.said += count * said
        for start, stop in _titles(document, headings):
            for found in trie.find(document.text[start:stop]):
                for key in found.concept_ids:
                    whole = _is_a_line(document.text, start + found.start, start + found.stop)
                    candidates[key].said -= not whole


def _titles(document: Document, headings: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where a heading stands, or a link whose text is one and begins as headings do."""
    for block in document.blocks:
        if block.kind == "heading":
            yield block.start, block.stop
    for link in document.links:
        name = heading_name(document.text[link.start : link.stop])
        if name[:1].isupper() and name_key(name) in headings:
            yield link.start, link.stop


def _spellings_in(text: str, names: Sequence[Found]) -> Counter[tuple[str, str, bool]]:
    """How often each key is found in which spelling, and whether said or a line of its own."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for found in names:
        spelling = text[found.start : found.stop]
        if "\n" in spelling or "  " in spelling:
            spelling = " ".join(spelling.split())
        spelling = spelling.replace("$-", "-")
        said = not _is_a_line(text, found.start, found.stop)
        for key in found.concept_ids:
            counts[key, spelling, said] += 1
    return counts


def _is_a_line(text: str, start: int, stop: int) -> bool:
    """Whether nothing but numbers and marks stands beside text[start:stop] on its line, or in
    its cell of a table."""
    begin, end = text.rfind("\n", 0, start) + 1, text.find("\n", stop)
    before = text[begin:start].rpartition("|")[2]
    after = text[stop : end if end >= 0 else len(text)].partition("|")[0]
    return not any(letter.isalpha() for letter in before + after)


def by_count(candidate: Candidate) -> list[str]:
    return sorted(candidate.written, key=lambda name: (-candidate.written[name], name))
