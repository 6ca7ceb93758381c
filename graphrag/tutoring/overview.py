"""The main themes of a corpus, and how they hang together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphrag.domain import Concept, ConceptGraph, Relation, RelationKind
from graphrag.sentences import bare, split_sentences
from graphrag.tutoring.explaining import defines
from graphrag.tutoring.relate import all_relations
from graphrag.tutoring.signs import names_pattern, opens_with
from graphrag.tutoring.together import names_both, opens_with_either

_SEED = 7
_MOST_CONCEPTS_OF_A_CHUNK = 12
_MOST_ASKED = 6
_SURENESS = 2
# How much a relation of a kind says of how two themes hang together.
_TELLING: Mapping[RelationKind, float] = {"co_occurs": 1 / 3, "used_for": 0.5, "uses": 0.5}
Explained = Callable[[Concept], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Summary:
    """A sentence of the documents that says what a concept is."""

    concept: Concept
    sentence: str
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Theme:
    """A community of concepts, most central first; ``name`` joins the first few names,
    ``share`` is its part of all mentions."""

    name: str
    concepts: tuple[Concept, ...]
    share: float
    summaries: tuple[Summary, ...] = ()


@dataclass(frozen=True, slots=True)
class ThemeLink:
    """How two themes (by place in the list) hang together: the summed weight of the
    relations between them, and the most telling ones, best first."""

    one: int
    other: int
    weight: float
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """Themes, largest first, and their links, strongest first."""

    themes: tuple[Theme, ...] = ()
    links: tuple[ThemeLink, ...] = ()


def overview(
    graph: ConceptGraph,
    explained: Explained,
    *,
    themes: int = 8,
    summaries: int = 3,
    resolution: float = 1.0,
) -> Overview:
    """The ``themes`` largest themes of the graph.

    ``explained`` gives the chunk id and text of the passage that explains a concept best;
    each theme is summed up by the defining sentences of its ``summaries`` most central
    concepts.
    Communities maximise modularity (Blondel et al., J. Stat. Mech. 2008) over relations
    and shared chunks; more ``resolution`` gives more and smaller ones. Equal graphs give
    equal overviews.
    """
    concepts = {concept.id: concept for concept in graph.concepts}
    relations = [
        relation
        for relation in all_relations(graph)
        if relation.source_id in concepts and relation.target_id in concepts
    ]
    ties = _ties(relations, graph)
    mentions: dict[str, int] = defaultdict(int)
    for mention in graph.mentions:
        mentions[mention.concept_id] += 1
    groups = _communities(sorted(concepts), ties, resolution)
    groups = [group for group in groups if len(group) > 1] or groups
    groups.sort(key=lambda group: (-_size(group, mentions), min(group)))
    groups = groups[:themes]
    total = sum(mentions.values()) or 1
    sure = {concept.id: concept.weight for concept in graph.concepts}
    groups = [_central(group, ties, mentions, sure) for group in groups]
    found = []
    for group in groups:
        members = tuple(concepts[concept_id] for concept_id in group)
        name = ", ".join(concept.name for concept in members[:3])
        share = round(sum(mentions[concept_id] for concept_id in group) / total, 6)
        found.append(
            Theme(name, members, share, _summaries(members[:_MOST_ASKED], explained, summaries))
        )
    return Overview(tuple(found), tuple(_links(groups, relations, concepts)))


def _size(group: Iterable[str], mentions: Mapping[str, int]) -> int:
    return sum(1 + mentions[concept_id] for concept_id in group)


def _ties(relations: Iterable[Relation], graph: ConceptGraph) -> dict[tuple[str, str], float]:
    """How strongly two concepts belong together: their relations' weights (a mere
    co-occurrence a third), and a little for each chunk that names both."""
    ties: dict[tuple[str, str], float] = defaultdict(float)
    for relation in relations:
        pair = (
            min(relation.source_id, relation.target_id),
            max(relation.source_id, relation.target_id),
        )
        ties[pair] += relation.weight / (3 if relation.kind == "co_occurs" else 1)
    named: dict[str, set[str]] = defaultdict(set)
    known = {concept.id for concept in graph.concepts}
    for mention in graph.mentions:
        if mention.concept_id in known:
            named[mention.chunk_id].add(mention.concept_id)
    for group in named.values():
        if len(group) <= _MOST_CONCEPTS_OF_A_CHUNK:
            for pair in combinations(sorted(group), 2):
                ties[pair] += 0.2 / (len(group) - 1)
    return {pair: weight for pair, weight in sorted(ties.items()) if pair[0] != pair[1]}


def _communities(
    ids: Sequence[str], ties: Mapping[tuple[str, str], float], resolution: float
) -> list[list[str]]:
    import networkx  # off the cold path: takes longer to load than the rest of a command

    network = networkx.Graph()
    network.add_nodes_from(ids)
    network.add_weighted_edges_from((one, other, weight) for (one, other), weight in ties.items())
    groups = networkx.community.louvain_communities(
        network, weight="weight", resolution=resolution, seed=_SEED
    )
    return [sorted(group) for group in groups]


def _central(
    group: Sequence[str],
    ties: Mapping[tuple[str, str], float],
    mentions: Mapping[str, int],
    sure: Mapping[str, float],
) -> list[str]:
    """The group by strength inside it and by mentions, each relative to the largest, as far
    as each surely is a concept."""
    inside = set(group)
    strength: dict[str, float] = defaultdict(float)
    for (one, other), weight in ties.items():
        if one in inside and other in inside:
            strength[one] += weight
            strength[other] += weight
    strongest = max(strength.values(), default=0.0) or 1.0
    most = max((mentions[concept_id] for concept_id in group), default=0) or 1

    def centrality(concept_id: str) -> float:
        central = strength[concept_id] / strongest + mentions[concept_id] / most
        return central * sure[concept_id] ** _SURENESS

    return sorted(group, key=lambda concept_id: (-centrality(concept_id), concept_id))


def _summaries(
    concepts: Sequence[Concept], explained: Explained, count: int
) -> tuple[Summary, ...]:
    """Of the most central concepts those that a sentence defines, else those that one opens
    with; only where there is none, a sentence that names one."""
    kinds: tuple[list[Summary], ...] = ([], [], [])
    for concept in concepts:
        passage = explained(concept)
        sentence = defining_sentence(concept, passage[1]) if passage else ""
        if passage is None or not sentence:
            continue
        opens = opens_with(names_pattern(concept), sentence)
        told = kinds[0 if defines(concept, sentence) else 1 if opens else 2]
        if all(sentence != summary.sentence for summary in told):
            told.append(Summary(concept, sentence, passage[0]))
        if len(kinds[0]) == count:
            break
    return tuple(kinds[0] or kinds[1][:count] or kinds[2][:1])


def defining_sentence(concept: Concept, text: str) -> str:
    """The first sentence of the text that says what the concept is, else the first that
    opens with its name, else the first that names it, else the first; headings, table rows
    and list marks are no part of it."""
    sentences = [bare(text[span.start : span.stop]) for span in split_sentences(text)]
    whole = [part for part in sentences if len(part.split()) > 3 and not part.startswith("|")]
    pattern = names_pattern(concept)
    defining = [sentence for sentence in whole if defines(concept, sentence)]
    opening = [sentence for sentence in whole if opens_with(pattern, sentence)]
    naming = [sentence for sentence in whole if pattern.search(sentence)]
    return next(iter([*defining, *opening, *naming, *whole]), "")


def _links(
    groups: Sequence[Sequence[str]],
    relations: Sequence[Relation],
    concepts: Mapping[str, Concept],
) -> list[ThemeLink]:
    """The relations across the groups, each group given most central first; of a pair those
    come first whose sentence says most, and that join what is central in both."""
    place = {concept_id: index for index, group in enumerate(groups) for concept_id in group}
    rank = {concept_id: r for group in groups for r, concept_id in enumerate(group, 1)}
    across: dict[tuple[int, int], list[Relation]] = defaultdict(list)
    for relation in relations:
        one, other = place.get(relation.source_id), place.get(relation.target_id)
        if one is not None and other is not None and one != other:
            across[min(one, other), max(one, other)].append(relation)

    def worth(relation: Relation) -> tuple[float, float, str, str]:
        ends = concepts[relation.source_id], concepts[relation.target_id]
        said = names_both(*ends, relation.sentence) and "|" not in relation.sentence
        opens = opens_with_either(*ends, relation.sentence) if said else 0
        central = 1 / (rank[relation.source_id] + rank[relation.target_id])
        weight = relation.weight * _TELLING.get(relation.kind, 1.0)
        return -said, -weight * central * (1 + opens), relation.source_id, relation.target_id

    links = []
    for (one, other), found in sorted(across.items()):
        weight = sum(relation.weight for relation in found)
        links.append(ThemeLink(one, other, round(weight, 6), tuple(sorted(found, key=worth)[:3])))
    return sorted(links, key=lambda link: (-link.weight, link.one, link.other))


def joining(links: Sequence[ThemeLink], tells: Callable[[Relation], bool]) -> list[Relation]:
    """Of the links, strongest first, those that join themes which no earlier one joined, as
    Kruskal's algorithm (Proceedings of the AMS, 1956) takes them: each by its first relation
    that ``tells``. So every theme that can be is joined to the others, once."""
    part: dict[int, int] = {}

    def root(theme: int) -> int:
        while part.get(theme, theme) != theme:
            theme = part[theme]
        return theme

    chosen: list[Relation] = []
    for link in links:
        one, other = root(link.one), root(link.other)
        telling = next(filter(tells, link.relations), None) if one != other else None
        if telling is not None:
            part[max(one, other)] = min(one, other)
            chosen.append(telling)
    return chosen
