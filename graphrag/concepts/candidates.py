"""What a corpus puts forward as concepts, and by which signs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from graphrag.concepts.code_names import code_names
from graphrag.concepts.generic import is_generic, is_noun_like, says_nothing
from graphrag.concepts.glossary import in_glossary
from graphrag.concepts.names import (
    is_acronym_pair,
    name_key,
    split_bracket,
    with_plain_letters,
    without_formulas,
)
from graphrag.concepts.prerequisite_sections import stated_needs
from graphrag.concepts.recurring import Usage
from graphrag.concepts.setting_off import is_introduced, set_off_terms
from graphrag.concepts.subjects import told_in_general
from graphrag.domain import Annotation, Block, Definition, Document

Sign = Literal[
    "glossary",
    "prerequisite",
    "title",
    "heading",
    "called",
    "genus",
    "copula",
    "term",
    "bold",
    "entry",
    "extracted",
    "recurring",
    "subject",
    "phrase",
]

_NUMBERING = re.compile(
    r"^(?:(?:chapter|lesson|section|unit|part|module|lecture|appendix|week|day|step)\s+)?"
    r"(?:\d+(?:\.\d+)*|[IVX]+|[A-Z])(?:[.):]|\s*[-–—:])?\s+"
    r"|^(?:chapter|lesson|section|unit|part|module|lecture|appendix)\s*\d*\s*[:.–—-]\s*",
    re.IGNORECASE,
)
_ENTRIES = frozenset({"glossary", "prerequisite", "called"})
_DEFINING = frozenset({"glossary", "prerequisite", "title", "called", "term", "bold", "entry"})
_SPELT_OUT = frozenset({"glossary", "prerequisite", "title"})
_INTRODUCING = re.compile(
    r"^(?:an?\s+)?(?:introduction|intro|guide|overview|primer)\s+(?:to|of|on)\s+", re.IGNORECASE
)
_MARKUP = re.compile(r"[<>=\"“”]|^--|\([^)]*$|^[^(]*\)")
# "plot(x, y)" and "plot(object)" are one function; "-U username" and "\\unnnn" are written, not
# understood.
_CALL = re.compile(r"([A-Za-z_][\w.:]+)\([^()]*\)")
_OPTION = re.compile(r"(?:--?|\\)[A-Za-z]")
# "X is the net movement of ...", "X is an enzyme that ...": what it is, and which of those.
_KIND = r"(?:[\w'’-]+\s+){1,6}?"
_WHICH = r"(?:of|that|which|who|whose|where|(?:at|by|in|from|through|with)\s+which|between)"
_LOOSELY_WHICH = rf"(?:{_WHICH}|for|by|in|on|from|to|with|without|used|made)"
_OF_A_KIND = re.compile(
    rf"\s*(?:\([^()]{{1,12}}\)\s*)?(?:is|are|was|were)\s+(?:an?|the)\s+{_KIND}{_LOOSELY_WHICH}\s"
)
_DASHES = frozenset({"-", "–", "—"})
_OF_ONE_KIND = re.compile(_OF_A_KIND.pattern.replace(_LOOSELY_WHICH, _WHICH))
_MOST_WORDS = 6
_FEWEST_ALIKE = 5
_FEWEST_CODE = 3
FEWEST_KINDS = 2
_FURNITURE = 0.1  # the share of documents


@dataclass(slots=True)
class Candidate:
    """A name that may be a concept: how often which sign speaks for it, how it is written,
    how often it is ``said``, that is, not as a line of its own, and how often it is set off
    behind an article (``the **triangle inequality**``) or said what it is.

    ``alone`` counts where a name of one word is a whole noun phrase, ``within`` where it is
    the last word of a longer one.
    """

    key: str
    signs: Counter[Sign] = field(default_factory=Counter)
    written: Counter[str] = field(default_factory=Counter)
    documents: set[str] = field(default_factory=set)
    said: int = 0
    introduced: int = 0
    alone: int = 0
    within: int = 0


def shared_tail(titles: Sequence[str]) -> str:
    """The words that end at least half of the titles, where there are five or more: what a
    collection calls its pages (``Cheat Sheet``) and not what they are about."""
    tail = ""
    if len(titles) < _FEWEST_ALIKE:
        return tail
    for size in range(1, _MOST_WORDS):
        ends = Counter(" ".join(w[-size:]) for w in map(str.split, titles) if len(w) > size)
        best, count = max(ends.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if 2 * count < len(titles):
            break
        tail = best
    return tail


def furniture(documents: Sequence[Document]) -> frozenset[str]:
    """The keys of headings that a genre puts into its documents (``OPTIONS``, ``Exercises``):
    of a tenth of them, and of five or more. They say what kind of text follows, and not what
    it is about."""
    counts = Counter(
        key
        for document in documents
        for key in {
            name_key(heading_name(document.text[block.start : block.stop]))
            for block in document.blocks
            if block.kind == "heading"
        }
    )
    fewest = max(_FEWEST_ALIKE, _FURNITURE * len(documents))
    return frozenset(key for key, count in counts.items() if count >= fewest)


def title_name(title: str, tail: str) -> str:
    """A title without numbering and without the tail that all titles share."""
    name = heading_name(title)
    if tail and name.endswith(f" {tail}"):
        name = name.removesuffix(tail).rstrip(" -–—:")
    return name


@lru_cache(maxsize=1 << 14)
def heading_name(heading: str) -> str:
    """A heading without its numbering: ``2.1 Vectors``, ``Lesson 3: Vectors``, and without
    ``Introduction to``."""
    stripped = _INTRODUCING.sub("", _NUMBERING.sub("", heading, count=1)).strip()
    return stripped if stripped and name_key(stripped) else heading.strip()


def collect_candidates(
    documents: Sequence[Document],
    annotations: Mapping[str, Annotation],
    known: Collection[str] = (),
) -> dict[str, Candidate]:
    """All candidates by key. Generic names are left out already.

    ``known`` keys, and titles of documents, decide how an entry of a list of prerequisites
    is read: ``change of variables: polar coordinates`` may be one name or a name and a reason.
    """
    found: dict[str, Candidate] = {}
    names = {*known, *(name_key(document.title) for document in documents)}
    tail = shared_tail([document.title for document in documents])
    of_genre = furniture(documents)
    set_off = set_off_terms(documents, annotations)
    usage = Usage()
    of_code: Counter[str] = Counter()

    def put(name: str, sign: Sign, document: Document, ordinary: bool = False) -> None:
        if sign not in _SPELT_OUT and _MARKUP.search(name):
            return
        defined, entry = sign in _DEFINING, sign in _ENTRIES
        written, key = _clean(name, defined=defined, entry=entry, ordinary=ordinary)
        if not key or (len(key) == 1 and sign not in ("glossary", "prerequisite", "title")):
            return
        candidate = found.setdefault(key, Candidate(key))
        candidate.signs[sign] += 1
        candidate.written[written] += 1
        candidate.documents.add(document.id)

    for document in documents:
        for need in stated_needs(document):
            if not need.loose:
                exact = [name for name in need.names if name_key(name) in names]
                put(exact[0] if exact else need.name, "prerequisite", document)
        _put_headings(document, put, tail, of_genre)
        annotation = annotations.get(document.id, Annotation())
        for definition in annotation.definitions:
            name = document.text[definition.term.start : definition.term.stop]
            # Lists of advice are written like glossaries.
            advice = definition.form == "glossary" and " " in name and not is_noun_like(name)
            if definition.form == "glossary":
                listed = in_glossary(document, _block_at(document, definition.term.start))
                sign: Sign = "glossary" if listed else "entry"
                for part in _entries(name) if listed else [name] * (not advice):
                    put(part, sign, document)
            elif definition.form == "copula" and _says_what_it_is(document, definition):
                put(name, "genus", document)
                if name_key(name) in found:
                    found[name_key(name)].introduced += 1
            elif definition.form != "heading":
                terms = set_off.get(document.id, {})
                is_term = definition.form == "bold" and definition.term in terms
                noun = terms.get(definition.term, False)
                put(name, "term" if is_term else definition.form, document, ordinary=noun)
                introduced = definition.form == "called" or (
                    definition.form == "bold" and is_introduced(document, definition.term)
                )
                if (is_term or introduced) and name_key(name) in found:
                    found[name_key(name)].introduced += 1
        for phrase in annotation.phrases:
            usage.count(phrase.key)
            if annotation.names is None and 1 < len(phrase.key.split()) <= 4:
                put(document.text[phrase.start : phrase.stop], "phrase", document)
        if annotation.names is None:
            for subject in (told_in_general(document, span) for span in annotation.sentences):
                if subject is not None:
                    put(document.text[subject.start : subject.stop], "subject", document)
        of_code.update(code_names(document))
        for span in annotation.names or ():
            put(document.text[span.start : span.stop], "extracted", document)
    _split_pairs(found, known)
    for name in (
        name for name, count in sorted(of_code.items()) if count >= _FEWEST_CODE * usage.growth
    ):
        candidate = found.setdefault(name_key(name), Candidate(name_key(name)))
        candidate.signs["recurring"] += 1
        candidate.written[name] += 1
    if all(annotation.names is None for annotation in annotations.values()):
        _put_recurring(found, usage, documents, of_genre)
        _put_genera(found, usage)
    for candidate in found.values():
        candidate.alone = usage.alone[candidate.key]
        candidate.within = usage.heads[candidate.key] - candidate.alone
    return found


def _put_recurring(
    found: dict[str, Candidate],
    usage: Usage,
    documents: Sequence[Document],
    of_genre: Collection[str],
) -> None:
    """Add what the corpus names again and again, or builds names upon."""
    for key in usage.recurring():
        if key in found and not says_nothing(key.split()[0]):
            found[key].signs["recurring"] += 1
    headings = {
        name_key(document.text[block.start : block.stop])
        for document in documents
        for block in document.blocks
        if block.kind == "heading"
    }
    for word in usage.built_upon(headings - set(of_genre)):
        if len(word) > 1 and not says_nothing(word):
            candidate = found.setdefault(word, Candidate(word, written=Counter({word: 1})))
            candidate.signs["recurring"] += 1


def _put_genera(found: dict[str, Candidate], usage: Usage) -> None:
    """Add the nouns that two names end with and that stand alone as well; no sign speaks for
    them, unless the names turn out to be concepts."""
    kinds = Counter(key.rpartition(" ")[2] for key in found if " " in key)
    for word, count in kinds.items():
        noun = count >= FEWEST_KINDS and usage.alone[word] >= usage.growth
        if noun and word not in found and not is_generic(word):
            found[word] = Candidate(word, written=Counter({word: 1}))


def _says_what_it_is(document: Document, definition: Definition) -> bool:
    """Whether a sentence begins with the term and gives its kind and what sets it apart, as
    definitions do; behind *the* stands a thing at hand, unless more than one word names it."""
    text, term, sentence = document.text, definition.term, definition.sentence
    words = text[term.start : term.stop].split()
    before = text[sentence.start : term.start].strip().casefold()
    if not _DASHES.isdisjoint(words):  # "Frontend - a frontend is ..."
        return False
    if before == "the" and len(words) > 1:
        rule = _OF_A_KIND if words[-1][:1].isupper() else _OF_ONE_KIND
    elif before in ("", "a", "an"):
        rule = _OF_A_KIND
    else:
        return False
    return rule.match(text, term.stop, sentence.stop) is not None


def _entries(name: str) -> list[str]:
    """The names of an entry: ``Flush, seal flush`` has two, ``plot(x, y)`` is one."""
    return [name] if "$" in name else re.split(r", (?![^()]*\))", name)


def _block_at(document: Document, place: int) -> Block:
    """The block that holds a place of the text."""
    starts = [block.start for block in document.blocks]
    return document.blocks[bisect_right(starts, place) - 1]


@lru_cache(maxsize=1 << 15)
def _clean(name: str, *, defined: bool, entry: bool, ordinary: bool) -> tuple[str, str]:
    """A name as it is shown and its key; both empty where it names no concept."""
    name = " ".join(name.split()).strip(" \t*_`\"'“”‘’.,;:")
    call = _CALL.fullmatch(name)
    name = with_plain_letters(call[1] if call else name)
    if _OPTION.match(name):
        return "", ""
    base, bracket = split_bracket(name)
    if is_acronym_pair(base, bracket):
        name = base
    if not name or without_formulas(name) != name:
        return "", ""
    if is_generic(name, defined=defined, entry=entry, ordinary=ordinary):
        return "", ""
    key = name_key(name)
    if len(key.split()) > _MOST_WORDS or not any(c.isalpha() for c in key):
        return "", ""
    return name, key


def _split_pairs(found: dict[str, Candidate], known: Collection[str]) -> None:
    """Take ``eigenvalues and eigenvectors`` for its parts where one is a candidate itself."""
    for key in [key for key in found if " and " in key and key not in known]:
        parts = [part for part in key.split(" and ") if part in found]
        for part in parts:
            found[part].signs.update(found[key].signs)
        if parts:
            del found[key]


def _put_headings(
    document: Document,
    put: Callable[[str, Sign, Document], None],
    tail: str,
    of_genre: Collection[str],
) -> None:
    title = title_name(document.title, tail)
    if is_noun_like(title):
        put(title, "title", document)
    for block in document.blocks:
        if block.kind != "heading":
            continue
        name = title_name(document.text[block.start : block.stop], tail)
        if is_noun_like(name) and name_key(name) not in {name_key(title), *of_genre}:
            put(name, "heading", document)
