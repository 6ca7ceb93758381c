"""Sentence patterns that relate two concepts, as paths in a dependency tree.

Labels are those of the ClearNLP scheme, which spaCy's English pipelines use.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphrag.concepts.names import word_set
from graphrag.domain import CueKind


@dataclass(frozen=True, slots=True)
class Edge:
    """A step down the tree: the allowed relations, and the allowed words at its end."""

    relations: tuple[str, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pattern:
    """From a trigger word down to the subject and to the object of a cue.

    An empty ``subject`` path stands for the topic of the section. ``urged`` patterns hold
    only for advice: an imperative, or *should*, *must*, *need to*.
    """

    kind: CueKind
    trigger: tuple[str, ...]
    subject: tuple[Edge, ...]
    object: tuple[Edge, ...]
    urged: bool = False


def _forms(*stems: str) -> tuple[str, ...]:
    forms: list[str] = []
    for stem in stems:
        base = stem.removesuffix("e")
        forms += (stem, f"{stem}s", f"{base}ed", f"{base}ing")
    return tuple(forms)


_SUBJECT = Edge(("nsubj",))
_PASSIVE = Edge(("nsubjpass",))
_ANY_SUBJECT = Edge(("nsubj", "nsubjpass"))
_DIRECT = Edge(("dobj",))
_POBJ = Edge(("pobj",))
_GERUND = Edge(("pcomp",))
_CLAUSE = Edge(("xcomp", "advcl"))
_BE = ("is", "are", "be", "was", "were", "being")
_KINDS = (
    "kind", "kinds", "type", "types", "form", "forms", "case", "cases", "instance", "instances",
    "generalization", "generalisation", "extension", "variant", "subclass", "specialization",
    "example", "examples",
)  # fmt: skip
_PARTS = ("part", "parts", "component", "components", "element", "elements", "constituent", "piece")
_NEEDED = ("necessary", "essential", "needed", "required", "indispensable", "crucial", "important")
_KNOW = ("know", "understand", "review", "study", "learn", "master", "revisit", "read")
_RECALL = ("recall", "remember")


def _prep(*words: str) -> Edge:
    return Edge(("prep", "dative", "agent"), words)


def _of(words: tuple[str, ...]) -> tuple[Edge, ...]:
    return (Edge(("attr",), words), _prep("of"), _POBJ)


PATTERNS: tuple[Pattern, ...] = (
    Pattern("requires", _forms("require", "need", "presuppose", "assume"), (_SUBJECT,), (_DIRECT,)),
    Pattern(
        "requires",
        (*_forms("depend", "rest", "draw", "build"), "rely", "relies", "relied", "relying"),
        (_SUBJECT,),
        (_prep("on", "upon"), _POBJ),
    ),
    Pattern(
        "requires",
        ("based", "built", "founded", "grounded"),
        (_ANY_SUBJECT,),
        (_prep("on", "upon"), _POBJ),
    ),
    Pattern("requires", ("required", "needed"), (_prep("for", "in"), _POBJ), (_PASSIVE,)),
    Pattern("requires", ("required", "needed"), (_prep("for"), _GERUND, _DIRECT), (_PASSIVE,)),
    Pattern("requires", ("required", "needed"), (_CLAUSE, _DIRECT), (_PASSIVE,)),
    Pattern(
        "requires", _BE, (Edge(("acomp",), _NEEDED), _prep("for", "to", "in"), _POBJ), (_SUBJECT,)
    ),
    Pattern(
        "requires",
        _BE,
        (Edge(("acomp",), _NEEDED), _prep("for", "to", "in"), _GERUND, _DIRECT),
        (_SUBJECT,),
    ),
    Pattern("requires", _BE, (Edge(("acomp",), _NEEDED), _CLAUSE, _DIRECT), (_SUBJECT,)),
    Pattern(
        "requires",
        _BE,
        (Edge(("attr",), ("prerequisite", "prerequisites")), _prep("for", "to", "of"), _POBJ),
        (_SUBJECT,),
    ),
    Pattern("requires", _KNOW, (_prep("before"), _GERUND, _DIRECT), (_DIRECT,)),
    Pattern("requires", _KNOW, (_prep("before"), _POBJ), (_DIRECT,)),
    Pattern("requires", _KNOW, (Edge(("advcl",)), _DIRECT), (_DIRECT,), urged=True),
    Pattern("requires", _KNOW, (), (_DIRECT,), urged=True),
    Pattern("requires", _RECALL, (), (_DIRECT,), urged=True),
    Pattern("requires", _RECALL, (), (Edge(("ccomp",)), _ANY_SUBJECT), urged=True),
    Pattern(
        "requires",
        _BE,
        (),
        (Edge(("acomp",), ("familiar", "comfortable")), _prep("with"), _POBJ),
        urged=True,
    ),
    Pattern("uses", _forms("use", "employ", "utilize", "exploit", "extend", "apply"),
            (_SUBJECT,), (_DIRECT,)),
    Pattern("uses", ("applies",), (_SUBJECT,), (_DIRECT,)),
    Pattern("used_for", ("used",), (_PASSIVE,), (_prep("for", "in"), _POBJ)),
    Pattern("used_for", ("used",), (_PASSIVE,), (_prep("for", "in"), _GERUND, _DIRECT)),
    Pattern("used_for", ("used",), (_PASSIVE,), (_CLAUSE, _DIRECT)),
    Pattern("derived_from", ("derived", "obtained", "deduced"), (_ANY_SUBJECT,),
            (_prep("from"), _POBJ)),
    Pattern("derived_from", ("derived", "obtained", "deduced"), (_ANY_SUBJECT,),
            (_prep("from"), _GERUND, _DIRECT)),
    Pattern("derived_from", ("follows", "follow", "arises", "derives", "stems"), (_SUBJECT,),
            (_prep("from"), _POBJ)),
    Pattern("part_of", _BE, (_SUBJECT,), _of(_PARTS)),
    Pattern("part_of", ("consists", "consist", "composed"), (_prep("of"), _POBJ), (_ANY_SUBJECT,)),
    Pattern("part_of", ("contains", "contain", "comprises"), (_DIRECT,), (_SUBJECT,)),
    Pattern("kind_of", _BE, (_SUBJECT,), _of(_KINDS)),
    Pattern("kind_of", _BE, (_SUBJECT,), (Edge(("attr",)),)),
    Pattern("contrasts", ("differs", "differ"), (_SUBJECT,), (_prep("from"), _POBJ)),
    Pattern("contrasts", _BE, (_SUBJECT,),
            (Edge(("acomp",), ("different",)), _prep("from"), _POBJ)),
    Pattern("contrasts", (), (_ANY_SUBJECT,), (_prep("unlike"), _POBJ)),
    Pattern("contrasts", (), (_ANY_SUBJECT,),
            (_prep("in"), Edge(("pobj",), ("contrast",)), _prep("to", "with"), _POBJ)),
)  # fmt: skip

# Nouns that point at the text itself: what such a text needs, its topic needs.
TEXT_NOUNS = word_set(
    "chapter section course lesson unit tutorial document page article guide module book text "
    "material exercise part appendix"
)
# Nouns and gerunds that stand for what they are about: "an understanding of limits".
ABOUT_NOUNS = word_set(
    "understanding knowledge study familiarity grasp mastery background experience concept idea "
    "notion definition theory principle computation calculation use application introduction "
    "basics fundamentals discussion treatment proof command"
)
# Gerunds in front of a noun that say what is done with it: "computing inverses".
DOING = word_set(
    "understanding computing calculating finding solving studying reading knowing reviewing using "
    "applying determining evaluating proving deriving defining introducing completing"
)
PEOPLE = word_set("you we one i they students student readers reader learners learner")
KIND_NOUNS = frozenset((*_KINDS, *_PARTS))
URGING = frozenset({"should", "must", "need", "needs", "have", "ought"})
