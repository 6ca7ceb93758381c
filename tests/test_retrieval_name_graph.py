"""The name graph: built from passages, kept in a file, asked by questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag.domain import Chunk, Concept, ConceptGraph, Mention
from graphrag.errors import StoreError
from graphrag.ports import NumberedChunk
from graphrag.retrieval.links import link_question
from graphrag.retrieval.name_building import (
    NamedPassage,
    build_name_graph,
    name_graph_of,
    name_passages,
    naming_headings,
)
from graphrag.retrieval.name_files import arrays_of, load_name_graph, save_name_graph
from graphrag.retrieval.name_graph import Lists, NameGraph

KINGS = [
    NamedPassage(3, "Lothair II was a son of Ermengarde of Tours.", ("Lothair II",)),
    NamedPassage(8, "The wife of Lothair I. She died at Tours.", ("Ermengarde of Tours",)),
    NamedPassage(9, "A river in France (the Loire) passes Tours.", ("Tours (city)",)),
]


def keys_of(graph: NameGraph, names: np.ndarray) -> set[str]:
    return {graph.key(int(name)) for name in names}


def same(one: NameGraph, other: NameGraph) -> bool:
    return all(
        np.array_equal(a, b)
        for (_, a), (_, b) in zip(arrays_of(one), arrays_of(other), strict=True)
    )


def test_a_passage_mentions_names_but_not_its_own_title() -> None:
    graph = build_name_graph(KINGS)
    assert keys_of(graph, graph.mentions[0]) == {"ermengarde of tours"}
    assert keys_of(graph, graph.titles[0]) == {"lothair ii"}
    assert keys_of(graph, graph.mentions[1]) == {"lothair i", "ermengarde", "tours"}


def test_a_name_knows_who_mentions_and_who_bears_it() -> None:
    graph = build_name_graph(KINGS)
    tours = graph.find(["tours"])["tours"]
    assert graph.mentioned_in[tours].tolist() == [1]
    assert graph.titled[tours].tolist() == [2]
    assert graph.frequency[tours] == 2


def test_linkage_is_the_share_of_passages_whose_title_another_mentions() -> None:
    # Of three titles, Ermengarde of Tours and Tours are mentioned elsewhere.
    assert build_name_graph(KINGS).linkage == pytest.approx(2 / 3)


def test_a_passage_mentions_the_names_in_its_title() -> None:
    graph = build_name_graph([NamedPassage(1, "It began in 1817.", ("History of Mississippi",))])
    assert keys_of(graph, graph.mentions[0]) == {"history", "mississippi"}


def test_the_order_of_passages_does_not_matter() -> None:
    assert same(build_name_graph(KINGS), build_name_graph(reversed(KINGS)))


def test_no_passages_make_an_empty_graph() -> None:
    graph = build_name_graph([])
    assert graph.linkage == 0
    assert link_question(graph, "Who is Lothair II?") == []
    assert graph.rows_of(np.array([1, 2])).tolist() == []


def test_a_concept_joins_the_heading_that_names_it() -> None:
    chunks = [
        NumberedChunk(1, Chunk("a#0", "a", 0, 0, 9, "every eigenvalue is", (), "", "prose", 3), ""),
        NumberedChunk(
            2, Chunk("b#0", "b", 0, 0, 9, "a scalar", ("Eigenvalues",), "", "prose", 2), ""
        ),
    ]
    concepts = ConceptGraph(
        concepts=(Concept("k", "eigenvalue", aliases=("characteristic value",)),),
        mentions=(Mention("k", "a", "a#0", 6, 16),),
    )
    graph = name_graph_of(chunks, {"a": "Notes", "b": "More"}, concepts, 5)
    assert graph.revision == 5
    assert keys_of(graph, graph.mentions[0]) == {"eigenvalue"}
    assert keys_of(graph, graph.titles[1]) == {"more", "eigenvalues", "eigenvalue"}
    for question in ("what do I need before eigenvalues?", "Characteristic values?"):
        assert "eigenvalue" in keys_of(graph, np.array(link_question(graph, question)))


def test_a_term_that_a_passage_defines_in_passing_does_not_name_it() -> None:
    text = "A trocar is a tube."
    chunks = [NumberedChunk(1, Chunk("a#0", "a", 0, 0, 19, text, (), "", "prose", 5), "")]
    concepts = ConceptGraph(
        concepts=(Concept("k", "trocar", definition="a#0"),),
        mentions=(Mention("k", "a", "a#0", 2, 8),),
    )
    graph = name_graph_of(chunks, {"a": "Surgery"}, concepts, 1)
    assert keys_of(graph, graph.titles[0]) == {"surgery"}
    assert keys_of(graph, graph.mentions[0]) == {"trocar"}


def test_beside_a_name_a_concept_is_no_place_to_set_out_from() -> None:
    texts = {"a": "Quiet Rain is a film.", "b": "A film is shot."}
    chunks = [
        NumberedChunk(i, Chunk(f"{id_}#0", id_, 0, 0, 9, text, (), "", "prose", 4), "")
        for i, (id_, text) in enumerate(texts.items(), 1)
    ]
    concepts = ConceptGraph(
        concepts=(Concept("k", "film"),), mentions=(Mention("k", "b", "b#0", 2, 6),)
    )
    graph = name_graph_of(chunks, {"a": "Quiet Rain", "b": "Shooting"}, concepts, 1)
    for question, expected in (
        ("Who shot the film Quiet Rain?", {"quiet rain"}),
        ("Who shot the film?", {"film"}),
    ):
        assert keys_of(graph, np.array(link_question(graph, question))) == expected


def test_a_title_that_is_asked_of_a_name_is_no_place_to_set_out_from() -> None:
    titles = {"a": "Helena of Nassau", "b": "Place of birth"}
    chunks = [
        NumberedChunk(i, Chunk(f"{id_}#0", id_, 0, 0, 1, "x", (), "", "prose", 1), "")
        for i, id_ in enumerate(titles, 1)
    ]
    graph = name_graph_of(chunks, titles, ConceptGraph(), 1)
    for question, expected in (
        ("What is the place of birth of Helena of Nassau?", {"helena of nassau"}),
        ("Is Place of Birth of Helena of Nassau a film?", {"helena of nassau", "place of birth"}),
        ("What is a place of birth?", {"place of birth"}),
        ("What is the place of birth of somebody?", {"place of birth"}),
    ):
        assert keys_of(graph, np.array(link_question(graph, question))) == expected


def test_a_heading_of_many_documents_names_none_of_them() -> None:
    chunks = [
        NumberedChunk(i, Chunk(f"{i}#0", str(i), 0, 0, 1, "x", ("Summary",), "", "prose", 1), "")
        for i in range(4)
    ]
    titles = {str(i): f"Part {i}" for i in range(4)}
    passages = name_passages(chunks, titles, ConceptGraph(), naming_headings(chunks))
    assert [passage.titles for passage in passages] == [(f"Part {i}",) for i in range(4)]


def linked(question: str) -> set[str]:
    graph = build_name_graph(KINGS)
    return keys_of(graph, np.array(link_question(graph, question), dtype=np.int32))


def test_a_question_is_linked_to_the_longest_title_that_it_names() -> None:
    assert linked("When did Ermengarde of Tours die?") == {"ermengarde of tours"}


def test_a_title_in_small_letters_is_linked_from_two_words_on() -> None:
    assert linked("when did ermengarde of tours die?") == {"ermengarde of tours"}
    assert linked("who tours the country?") == set()


def test_a_misspelt_name_is_linked_to_the_title_that_is_most_alike() -> None:
    assert linked("When did Ermengard of Tours die?") >= {"ermengarde of tours"}


def test_a_name_that_is_like_none_is_linked_to_nothing() -> None:
    assert linked("Who was Zwentibold?") == set()


def test_a_saved_graph_comes_back_as_it_was(tmp_path: Path) -> None:
    graph = build_name_graph(KINGS, {"king": "lothair ii"}, revision=12)
    save_name_graph(graph, tmp_path / "names")
    loaded = load_name_graph(tmp_path / "names")
    assert loaded is not None
    assert same(graph, loaded)
    assert (loaded.revision, loaded.linkage) == (12, graph.linkage)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["names"]


def test_an_open_graph_outlives_its_replacement(tmp_path: Path) -> None:
    save_name_graph(build_name_graph(KINGS), tmp_path / "names")
    before = load_name_graph(tmp_path / "names")
    save_name_graph(build_name_graph([]), tmp_path / "names")
    assert before is not None
    assert before.key(before.find(["tours"])["tours"]) == "tours"


def test_no_file_is_no_graph(tmp_path: Path) -> None:
    assert load_name_graph(tmp_path / "names") is None


@pytest.mark.parametrize("damage", ["cut", "magic", "header"])
def test_a_damaged_file_is_an_error_with_the_mend(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "names"
    save_name_graph(build_name_graph(KINGS), path)
    content = path.read_bytes()
    path.write_bytes(
        {
            "cut": content[:-8],
            "magic": b"x" + content,
            "header": content[:20] + b"?" + content[21:],
        }[damage]
    )
    with pytest.raises(StoreError, match="delete it, it is made again"):
        load_name_graph(path)


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), min_size=1, max_size=6), st.data())
def test_gathered_lists_are_the_chosen_ones_in_order(
    lists: list[list[int]], data: st.DataObject
) -> None:
    starts = np.cumsum([0, *map(len, lists)])
    packed = Lists(starts, np.array([x for one in lists for x in one], dtype=np.int32))
    chosen = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=5))
    items, owner = packed.gather(np.array(chosen, dtype=np.int32))
    assert items.tolist() == [x for i in chosen for x in lists[i]]
    assert owner.tolist() == [place for place, i in enumerate(chosen) for _ in lists[i]]
