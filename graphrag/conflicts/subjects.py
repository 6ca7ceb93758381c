"""What a document is about, by its title: whether two tell of one thing or are sheets of one
form about different things."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from graphrag.domain import Document
from graphrag.wording.terms import content_words, identifiers

_KINDS = frozenset(
    content_words(
        "handbook manual guide guideline rules policy notes note faq introduction intro overview "
        "sheet datasheet reference quickstart setup settings configuration briefing brief welcome "
        "runbook playbook plan report minutes document documentation specification standard "
        "procedure instructions checklist tutorial summary memo letter readme wiki howto process "
        "agreement contract terms regulations onboarding basics questions answers changelog"
    )
)
"""What kind of document a title names, as against what that is about."""


class Subject:
    """What a document's title says: the thing (``compressor``) and the kind of document
    (``manual``), and whether its text names another document's thing."""

    def __init__(self, document: Document) -> None:
        terms = frozenset(content_words(document.title))
        self.kinds = terms & _KINDS
        self.things = frozenset(term for term in terms - _KINDS if not term.isdigit())
        self.codes = frozenset(identifiers(document.title))
        self._document = document

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of all words that carry meaning in the title and the text."""
        return frozenset(content_words(f"{self._document.title}\n{self._document.text}"))

    def names(self, other: Subject) -> bool:
        """Whether the text names all that the other document is about."""
        return bool(other.things) and other.things <= self.words


def subjects(documents: Mapping[str, Document]) -> dict[str, Subject]:
    """Document id to its subject."""
    return {id_: Subject(document) for id_, document in documents.items()}


def share_subject(one: Subject, other: Subject) -> bool:
    """Whether two documents tell of one thing: their titles name one code, or the same thing;
    or they are of different kinds (a manual, a page of notes) and what one is about is in the
    other's title or text.

    Two of one kind, or of none, whose titles name different things are sheets of one form:
    that one of them mentions the other's thing means nothing.
    """
    if not one.codes.isdisjoint(other.codes):
        return True
    if one.things and one.things == other.things:
        return True
    return one.kinds != other.kinds and (one.names(other) or other.names(one))
