"""A restricted graph shows nothing of the documents that are left out."""

from __future__ import annotations

from graphrag.concepts.restriction import restricted
from graphrag.domain import Concept, ConceptGraph, Evidence, Mention, Prerequisite, Relation

SECRET = Evidence("cue", 0.9, "A basis needs a secret.", "secret.md", "secret.md#0")
PUBLIC = Evidence("cue", 0.9, "A basis needs a span.", "public.md", "public.md#0")
GRAPH = ConceptGraph(
    (
        Concept("basis", "basis", definition="secret.md#0"),
        Concept("given", "given", given=True),
        Concept("hidden", "hidden"),
        Concept("span", "span", definition="public.md#0"),
    ),
    (
        Mention("basis", "public.md", "public.md#0", 0, 5),
        Mention("basis", "secret.md", "secret.md#0", 0, 5),
        Mention("hidden", "secret.md", "secret.md#0", 6, 9),
        Mention("span", "public.md", "public.md#0", 6, 9),
    ),
    (
        Prerequisite("basis", "hidden", 0.9, "certain", (SECRET,)),
        Prerequisite("basis", "span", 0.9, "certain", (PUBLIC, SECRET)),
        Prerequisite("span", "basis", 0.9, "suppressed", (SECRET,)),
    ),
    (
        Relation("basis", "uses", "span", 0.5, "A secret sentence.", "secret.md"),
        Relation("span", "uses", "basis", 0.5, "A sentence for all.", "public.md"),
    ),
    (
        Prerequisite("hidden", "span", 0.4, "open", (PUBLIC,)),
        Prerequisite("span", "given", 0.4, "open", (PUBLIC, SECRET)),
    ),
)


def test_all_documents_give_the_whole_graph():
    assert restricted(GRAPH, {"public.md", "secret.md"}) == GRAPH


def test_nothing_of_a_hidden_document_is_left():
    shown = restricted(GRAPH, {"public.md"})
    assert [each.id for each in shown.concepts] == ["basis", "given", "span"]
    assert shown.concepts[0].definition is None
    assert shown.prerequisites == (Prerequisite("basis", "span", 0.9, "certain", (PUBLIC,)),)
    assert [each.sentence for each in shown.relations] == ["A sentence for all."]
    assert shown.open == (Prerequisite("span", "given", 0.4, "open", (PUBLIC,)),)
    assert "secret" not in repr(shown)
