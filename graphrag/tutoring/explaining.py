"""Which passages explain a concept best, and why one concept needs another, in words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from graphrag.domain import Chunk, Concept, Evidence, Mention, MentionKind, Prerequisite
from graphrag.sentences import split_sentences
from graphrag.tutoring.signs import names_pattern
from graphrag.wording.definitions import Manner, saying

_KINDS: Mapping[MentionKind, float] = {
    "definition": 3.0,
    "heading": 3.0,
    "title": 2.0,
    "emphasis": 1.0,
    "text": 0.2,
}
_MOST_FROM_TEXT = 2.0
# What it counts that a sentence says what a concept is.
_SAYING: Mapping[Manner, float] = {"sentence": 3.0, "entry": 2.0, "aside": 2.0, "": 0.0}
# A page that names thirty concepts, as a glossary or an overview does, halves its worth.
_CROWDING = 0.03
_NUMBER = re.compile(r"^\W*(?:(?:chapter|section|lesson)\s+)?(?:\d+[.\d]*\W*)?", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:mistakes?|pitfalls?|exercises?|remarks?|history|prerequisites?|footnotes?|references)\b",
    re.IGNORECASE,
)
# A listed prerequisite with fewer words is a name and gives no reason.
_SENTENCE = 6
_MOST_COUNTED = 2
# A definition of a longer term ("projection matrix: ..." of the matrix) tells at most so much.
_OF_ANOTHER = 0.25
_COUNTED = ("order", "structure", "reference", "generality", "similarity")
_COUNTED_WORDS = {
    "order": "the order in which they are introduced",
    "structure": "the sections in which they stand",
    "reference": "how often the one's texts name the other",
    "generality": "how widely each is used",
    "similarity": "likeness in meaning",
    "title": "the name of the one in that of the other",
    "link": "a link from one to the other",
    "model": "a language model's judgement",
}


def explaining_chunks(mentions: Iterable[Mention]) -> dict[str, list[str]]:
    """Concept id to the ids of the chunks that name it, the most explaining first.

    A chunk counts by the definitions, headings and titles in it that name the concept, a
    little by further mentions, and less the more other concepts it names; ties by id.
    """
    worth: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    counted: Counter[tuple[str, str]] = Counter()
    named: dict[str, set[str]] = defaultdict(set)
    for mention in mentions:
        place = (mention.concept_id, mention.chunk_id)
        named[mention.chunk_id].add(mention.concept_id)
        if mention.kind == "text":
            counted[place] += 1
        else:
            worth[mention.concept_id][mention.chunk_id] += _KINDS[mention.kind]
    for (concept_id, chunk_id), count in counted.items():
        worth[concept_id][chunk_id] += min(_MOST_FROM_TEXT, _KINDS["text"] * count)
    explaining = {}
    for concept_id, chunks in sorted(worth.items()):
        shared = {key: value / (1 + _CROWDING * len(named[key])) for key, value in chunks.items()}
        explaining[concept_id] = sorted(shared, key=lambda key: (-shared[key], key))
    return explaining


def best_explaining(concept: Concept, chunks: Sequence[Chunk]) -> Chunk | None:
    """Of the chunks, best first, the one that explains the concept best.

    Best is a sentence that defines it ("A basis of a subspace is ..."), then an entry or an
    aside that does ("basis: ...", "is called a basis"), or a heading that is its name; lists
    of mistakes, exercises and remarks come last. What was spotted as the ``definition``
    stays unless another is clearly better, and ties keep the order. None without chunks.
    """
    named = names_pattern(concept)

    def worth(chunk: Chunk) -> float:
        heading = _NUMBER.sub("", chunk.heading_path[-1]).strip() if chunk.heading_path else ""
        sentences = [
            " ".join(chunk.text[span.start : span.stop].split())
            for span in split_sentences(chunk.text)
        ]
        said = max((_SAYING[_saying(concept, sentence)] for sentence in sentences), default=0.0)
        titled = 2.5 if named.fullmatch(heading) else 1.0 if named.search(heading) else 0.0
        aside = 4.0 if _ASIDE.search(heading) else 0.0
        return said + titled - aside + (2.0 if chunk.id == concept.definition else 0.0)

    return max(chunks, key=worth, default=None)


def defines(concept: Concept, sentence: str) -> bool:
    """Whether the sentence says what the concept is: "A basis of a subspace is a ...", or as
    the entry of a glossary "basis: ..."."""
    return _saying(concept, sentence) in ("sentence", "entry")


def _saying(concept: Concept, sentence: str) -> Manner:
    return saying((concept.name, *concept.aliases), sentence)


def reason(edge: Prerequisite) -> str:
    """Why the one needs the other, in one line: the strongest sentence that says so in
    quotation marks, the document that lists it, or what was counted; else nothing.

    The bare item of a list of prerequisites ("scalar") is no sentence, the definition of a
    longer term that ends with the concept's name is none of it, and a language model is never
    quoted beside the documents.
    """
    speaking = [each for each in edge.evidence if not _tells_nothing(each)]
    spoken = [each for each in speaking if each.sentence and each.kind != "model"]
    saying = [each for each in spoken if not is_bare(each)]
    if saying:
        best = max(saying, key=lambda each: (each.kind not in _COUNTED, each.score))
        return f'"{" ".join(best.sentence.split())}"'
    if spoken:
        where = spoken[0].document_id
        return f"listed as a prerequisite in {where}" if where else "listed as a prerequisite"
    return counted_reason(speaking)


def _tells_nothing(evidence: Evidence) -> bool:
    if evidence.kind == "model":
        return evidence.score <= 0
    return evidence.kind == "definition" and evidence.score <= _OF_ANOTHER


def counted_reason(evidence: Iterable[Evidence]) -> str:
    """What was counted, in words, the strongest first: "by the order in which they are
    introduced and likeness in meaning"; empty without evidence."""
    counted = sorted(evidence, key=lambda each: (-each.score, each.kind))
    words = dict.fromkeys(_COUNTED_WORDS.get(each.kind, "a person's word") for each in counted)
    return f"by {' and '.join(list(words)[:_MOST_COUNTED])}" if words else ""


def is_bare(evidence: Evidence) -> bool:
    """Whether the sentence is but the item of a list of prerequisites."""
    listed = evidence.kind in ("section", "front_matter")
    return listed and len(evidence.sentence.split()) < _SENTENCE
