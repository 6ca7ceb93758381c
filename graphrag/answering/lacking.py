"""What a question asks in words that the texts found for it do not have."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache

from graphrag.tokens import tokenize
from graphrag.wording.formulas import segments
from graphrag.wording.synonyms import mean_the_same
from graphrag.wording.terms import content_words, identifiers, words

# Words that ask for a measure or a relation without naming it: their absence says little.
ASKING = (
    "long often fast wide heavy tight high deep big bigger large far old soon quickly quick early "
    "relate related relation connect connected connection link links difference differ compare "
    "depend belong step steps correct right first last today now present currently come comes came "
    "go went happen stay type kind way reason cause purpose role example definition formula word "
    "term name symbol call compute computed calculate find get make do does write tell show see "
    "check count follow take pick leave left choose learn understand study topic concept idea "
    "prerequisite ready "
    "one two three four five six seven eight nine ten must should versus"
)
# Words of every subject, which people put in others' places: that a text says it without them
# tells nothing of what it is about.
_GENERAL = (
    "turn bring put set let keep hold give become matter exist begin start end stop write written "
    "decide account bother satisfy agree allow appear build built chosen consider contain cover "
    "deal expect fail form grow handle help involve judge lead lie occur place play produce reach "
    "read recognize recognise refer remain represent require result roll serve settle shown stand "
    "treat trigger try vanish want wish regard look seem cause add change made automatic "
    "automatically roughly exactly nearly approximately good better best bad worse worst great "
    "small little short close nearest closest straight whole entire fine extra additional still "
    "always never ever besides beside afterwards regardless instead anyway really actually slow "
    "slowly easy easily hard simple plain single double twice half equal same general special "
    "certain various several enough order list sense share part side size range rule point "
    "piece lot bit trick circumstance case thing something nothing somebody people person hand "
    "back away together apart along around beyond toward towards forth sometimes usually normally "
    "frequent frequently time aside"
)

# What two stems of one family share, and how much of the longer may differ.
_ROOT, _ENDING = 5, 4


@cache
def asking() -> frozenset[str]:
    """The stems of the words that only ask."""
    return frozenset(tokenize(ASKING))


@cache
def general() -> frozenset[str]:
    """The stems of the words that belong to every subject."""
    return frozenset(tokenize(_GENERAL)) | asking()


def is_told(term: str, held: Set[str]) -> bool:
    """Whether one of the terms is a word of content, one of its family ("injured" and "injury")
    or one that is known to mean the same."""
    return term in held or any(_akin(term, other) or mean_the_same(term, other) for other in held)


def _akin(one: str, other: str) -> bool:
    root = max(_ROOT, len(one) - _ENDING, len(other) - _ENDING)
    return min(len(one), len(other)) >= root and one[:root] == other[:root]


def lacking(question: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The words of content, as the question writes them, that none of the texts holds, nor
    another word that is known to mean the same; words that only ask or belong to every subject,
    formulas and codes aside.
    """
    whole = "\n".join(texts)
    held, said = set(content_words(whole)) | general(), frozenset(words(whole))
    found = (
        _bare(word)
        for _, _, is_formula, inside in segments(question)
        if not is_formula
        for word in inside.split()
        if not _is_held(word, held, said)
    )
    return tuple(dict.fromkeys(found))


def without(question: str, absent: Sequence[str]) -> str:
    """The question with the words left out; formulas stay as they are."""
    kept = [
        inside
        if is_formula
        else " ".join(word for word in inside.split() if _bare(word) not in absent)
        for _, _, is_formula, inside in segments(question)
    ]
    return " ".join(part for part in kept if part)


def _bare(word: str) -> str:
    return word.strip(".,;:!?()[]\"'“”‘’")


def _is_held(word: str, held: Set[str], said: Set[str]) -> bool:
    terms = set(content_words(word))
    if not terms or terms & held or identifiers(word):
        return True
    return any(mean_the_same(one, other) for one in words(word) for other in said)
