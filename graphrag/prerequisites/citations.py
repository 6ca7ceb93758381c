"""Citations of earlier places in words: ``by Theorem 2.3``, ``see Section 4.1``, ``Recall from
the lesson on waves``.

A number is looked up among the numbered headings, statements and files of the same folder, a
name among the concepts that documents are about. What is cited later than it stands is a
preview, not a prerequisite.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from graphrag.concepts.candidates import heading_name
from graphrag.concepts.texts import Texts, Words
from graphrag.domain import Block, Document, Span
from graphrag.prerequisites.corpus import Corpus, Witness, sentence_text
from graphrag.prerequisites.reading_order import is_sequential
from graphrag.sentences import split_sentences

_SCORE = 0.6
_STATEMENTS = r"theorem|lemma|proposition|corollary|definition|claim"
_PARTS = r"section|chapter|lesson|unit|lecture|module|part"
_NUMBER = r"\d+(?:\.\d+)*"
_NUMBERED = re.compile(
    rf"\b(?P<word>{_STATEMENTS}|{_PARTS})s?\.?[ \n](?P<number>{_NUMBER})\b"
    rf"|§[ ]?(?P<sign>{_NUMBER})\b",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"\b(?:{_PARTS})s?[ \n](?:on|about)[ \n](?:the[ \n])?(?=\w)", re.IGNORECASE)
# What stands behind the word, or in its place, and the word before it.
_NUMBER_AT = re.compile(r"[ \n]\d|§")
_NAME_AT = re.compile(r"[ \n](?:on|about)[ \n]", re.IGNORECASE)
_WORD = re.compile(rf"\b(?:{_STATEMENTS}|{_PARTS})s?\.?\Z", re.IGNORECASE)
_LONGEST = 16  # letters of the word, its plural and its point, and one before it
_STATEMENT = re.compile(
    rf"(?P<word>{_STATEMENTS})[ ](?P<number>{_NUMBER})[ ]?(?:[.:]|\((?P<name>[^()\n]+)\)|$)",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(rf"(?:(?P<word>{_PARTS})[ ])?(?P<number>{_NUMBER})[.:)]?[ ]", re.IGNORECASE)
_FILE = re.compile(r"(?:[a-z]+[-_ ]?)?0*(?P<number>\d{1,4})(?:[-_. ]|$)", re.IGNORECASE)
_WHOLE = tuple(_PARTS.split("|"))[1:]  # what a file or a number of one level may be called
_REACH = 80  # how far a name reaches beyond "the lesson on"

Place = tuple[int, int]  # document by number, offset
_Spelt = tuple[int, int, str, str]  # offsets, kind of place and number, where one is given


@dataclass(frozen=True, slots=True)
class _Cited:
    """What stands at a place: the concepts that it is about."""

    place: Place
    concepts: tuple[int, ...]


def citation_witnesses(corpus: Corpus, texts: Texts | None = None) -> list[Witness]:
    """For every citation of an earlier place whose topics are known, at a place whose topic is;
    ``texts`` may know from before where citations stand."""
    numbered = _numbered_places(corpus)
    homes = _homes(corpus) if is_sequential(corpus.documents) else {}
    spelt_in = (texts or Texts()).by_names("citations", {}, _spelt)
    found: list[Witness] = []
    for i, document in enumerate(corpus.documents):
        spelt = spelt_in(document)
        if not spelt:
            continue
        blocks = [
            block for block in document.blocks if block.kind in ("paragraph", "list", "quote")
        ]
        starts = [block.start for block in blocks]
        for start, stop, cited in _citations(corpus, i, spelt, numbered, homes):
            if not cited.concepts or cited.place >= (i, start):
                continue
            at = bisect_right(starts, start) - 1
            # At the start of a block the words are the label of the place itself.
            if at < 0 or not blocks[at].start < start < blocks[at].stop:
                continue
            found += _witnesses(corpus, i, blocks[at], Span(start, stop), cited)
    return found


def _witnesses(
    corpus: Corpus, number: int, block: Block, span: Span, cited: _Cited
) -> list[Witness]:
    document = corpus.documents[number]
    topics = _topics_at(corpus, number, block)
    sentences = split_sentences(document.text, block.start, block.stop)
    around = next((s for s in sentences if s.start <= span.start < s.stop), span)
    sentence = sentence_text(document, around)
    chunk_id = corpus.chunk_at(document.id, span.start)
    return [
        Witness("link", concept, other, _SCORE, sentence, document.id, chunk_id)
        for concept in topics
        for other in cited.concepts
        if other not in topics
    ]


def _citations(
    corpus: Corpus,
    number: int,
    spelt: Sequence[_Spelt],
    numbered: dict[tuple[str, str, str], _Cited],
    homes: dict[int, Place],
) -> Iterator[tuple[int, int, _Cited]]:
    document = corpus.documents[number]
    folder = posixpath.dirname(document.id)
    for start, stop, word, its_number in spelt:
        if its_number:
            cited = numbered.get((folder, word, its_number))
            if cited is not None:
                yield start, stop, cited
        elif homes:
            end = min(len(document.text), stop + _REACH)
            for concept, mention in corpus.mentions_in(document, Span(stop, end)):
                if mention.start == stop and concept in homes:
                    yield start, mention.stop, _Cited(homes[concept], (concept,))
                    break


def _spelt(text: str, _: Words) -> tuple[_Spelt, ...]:
    """Where a text cites a number, then where it cites what is named behind."""
    return (
        *(
            (*match.span(), (match["word"] or "section").casefold(), number)
            for match in _matches(_NUMBERED, _NUMBER_AT, text)
            if (number := match["number"] or match["sign"])
        ),
        *((*match.span(), "", "") for match in _matches(_NAMED, _NAME_AT, text)),
    )


def _matches(
    pattern: re.Pattern[str], follows: re.Pattern[str], text: str
) -> Iterator[re.Match[str]]:
    """As ``pattern.finditer``, for one that begins with one of the few words: it is tried only
    before what ``follows`` such a word, which takes a tenth of the time."""
    for place in follows.finditer(text):
        word = _WORD.search(text, max(0, place.start() - _LONGEST), place.start())
        match = pattern.match(text, place.start() if word is None else word.start())
        if match is not None:
            yield match


def _homes(corpus: Corpus) -> dict[int, Place]:
    """Where each concept is first the topic of a document."""
    homes: dict[int, Place] = {}
    for i, topics in enumerate(corpus.topics):
        for topic in topics:
            homes.setdefault(topic, (i, 0))
    return homes


def _numbered_places(corpus: Corpus) -> dict[tuple[str, str, str], _Cited]:
    """(folder, kind of place, number) to what stands there; a number that was given twice
    keeps its first place."""
    places: dict[tuple[str, str, str], _Cited] = {}

    def put(document: Document, words: tuple[str, ...], number: str, cited: _Cited) -> None:
        for word in words:
            places.setdefault((posixpath.dirname(document.id), word, number), cited)

    for i, document in enumerate(corpus.documents):
        for block in document.blocks:
            text = document.text[block.start : block.stop]
            if block.kind == "heading":
                match = _HEADING.match(text)
                if match is not None:
                    whole = ("section",) if "." in match["number"] else ("section", *_WHOLE)
                    words = (match["word"].casefold(),) if match["word"] else whole
                    cited = _Cited(
                        (i, block.start), corpus.topics_of(heading_name(text), document.id)
                    )
                    put(document, words, match["number"], cited)
            elif block.kind in ("paragraph", "quote"):
                match = _STATEMENT.match(text)
                if match is not None:
                    named = corpus.topics_of(match["name"], document.id) if match["name"] else ()
                    topics = named or _topics_at(corpus, i, block)
                    cited = _Cited((i, block.start), topics)
                    put(document, (match["word"].casefold(),), match["number"], cited)
        match = _FILE.match(PurePosixPath(document.id).name)
        if match is not None:
            put(document, _WHOLE, match["number"], _Cited((i, 0), corpus.topics[i]))
    return places


def _topics_at(corpus: Corpus, number: int, block: Block) -> tuple[int, ...]:
    """What a block is about: the topics of the nearest heading that has some."""
    for heading in reversed(block.heading_path):
        topics = corpus.topics_of(heading, corpus.documents[number].id)
        if topics:
            return topics
    return corpus.topics[number]
