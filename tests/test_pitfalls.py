"""Inputs that broke other engines, put through the whole engine with the real models."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.domain import Answer, Concept, ConceptGraph, Prerequisite, Refusal
from graphrag.errors import ModelError, QueryError, StoreError
from graphrag.settings import Settings
from tests.history import differences, shown

QUOTING = replace(Settings(), writer=replace(Settings().writer, kind="extractive"))
NAMES = (
    "C",
    "C++",
    "C#",
    ".NET",
    "Net",
    "HTTP",
    "HTTPS",
    "TCP/IP",
    "λ",
    "線形代数",
    "team's kernel",
    "John Doe",
    "John T. Doe",
    "`print`",
    "$$",
    'the "dual" space',
    "x') DETACH DELETE n //",
    "</script><script>alert(1)</script>",
)
VECTOR = "# Vector\n\nA **vector** is an arrow with a length. It has 12 parts.\n"
MATRIX = "# Matrix\n\nA **matrix** is a table of numbers. A matrix holds vectors.\n"
GIRAFFE = "# Giraffe\n\nA **giraffe** is an animal with a very long neck.\n"


@pytest.fixture(scope="module")
def models():
    return Models(QUOTING)


@pytest.fixture
def build(models, tmp_path):
    """An engine over files that are given by name and text."""
    opened = []

    def make(files, **options):
        write(tmp_path / "d", files)
        engine = Engine.open(tmp_path / "i.graphrag", settings=QUOTING)
        engine.desk.models = models
        opened.append(engine)
        engine.ingest([tmp_path / "d"], **options)
        return engine

    yield make
    for engine in opened:
        engine.close()


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def documents(engine, question, k=5):
    return [each.chunk.document_id for each in engine.search(question, k=k, rerank=False)]


# --- re-ingest and delete -------------------------------------------------------------------


def test_copies_and_files_of_one_name_are_documents_of_their_own(build, tmp_path):
    names = ["a.md", "b.md", "a.txt", "a/readme.md", "b/readme.md"]
    engine = build(dict.fromkeys(names, VECTOR))
    assert sorted(documents(engine, "what is a vector?")) == sorted(names)
    (tmp_path / "d" / "a" / "readme.md").unlink()
    (tmp_path / "d" / "a.md").unlink()
    assert engine.ingest([tmp_path / "d"]).removed == 2
    assert sorted(documents(engine, "what is a vector?")) == ["a.txt", "b.md", "b/readme.md"]
    assert sorted(engine.concept("vector").mentioned_in) == ["a.txt", "b.md", "b/readme.md"]
    assert not differences(engine, tmp_path / "d", tmp_path / "f.graphrag")


def test_a_blank_file_between_two_stops_neither(build, tmp_path):
    write(tmp_path / "d", {"b.md": " \n\t\n\n", "c.md": ""})
    engine = build({"a.md": VECTOR, "d.md": GIRAFFE})
    report = engine.ingest([tmp_path / "d"])
    assert [each.path.rpartition("/")[2] for each in report.refused] == ["b.md", "c.md"]
    assert documents(engine, "long neck", 1) == ["d.md"]
    assert documents(engine, "arrow with a length", 1) == ["a.md"]


def test_after_the_first_of_three_is_deleted_the_last_is_found(build, tmp_path):
    engine = build({"a.md": VECTOR, "b.md": MATRIX, "c.md": GIRAFFE})
    (tmp_path / "d" / "a.md").unlink()
    engine.ingest([tmp_path / "d"])
    found = engine.search("which animal has a long neck?", k=1)[0]
    assert (found.chunk.document_id, "long neck" in found.chunk.text) == ("c.md", True)
    assert engine.desk.tutor().graph.concepts
    with pytest.raises(QueryError, match="no concept"):
        engine.resolve("arrow")


def test_what_was_deleted_comes_back_with_other_text(build, tmp_path):
    engine = build({"a.md": VECTOR, "b.md": MATRIX})
    assert engine.remove([tmp_path / "d" / "a.md"]) == ["a.md"]
    assert documents(engine, "vector") == ["b.md"]
    write(tmp_path / "d", {"a.md": GIRAFFE})
    assert engine.ingest([tmp_path / "d"]).added == 1
    assert documents(engine, "long neck", 1) == ["a.md"]
    assert not differences(engine, tmp_path / "d", tmp_path / "f.graphrag")


def test_an_edit_of_one_number_changes_the_answer_in_the_same_process(build, tmp_path):
    engine = build({"a.md": VECTOR, "b.md": MATRIX})
    assert "12 parts" in engine.ask("How many parts has a vector?").text
    write(tmp_path / "d", {"a.md": VECTOR.replace("12", "13")})
    assert engine.ingest([tmp_path / "d"]).changed == 1
    answer = engine.ask("How many parts has a vector?").text
    assert "13 parts" in answer
    assert "12" not in answer


def test_what_is_deleted_is_not_answered_in_the_same_process(build, tmp_path):
    engine = build({"a.md": VECTOR, "b.md": GIRAFFE})
    assert isinstance(engine.ask("What is a giraffe?"), Answer)
    engine.remove(["b.md"])
    assert isinstance(engine.ask("What is a giraffe?"), Refusal)
    assert engine.cypher("MATCH (c:Concept {name: 'giraffe'}) RETURN c.id").rows == ()


# --- names ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def named(models, tmp_path_factory):
    """An index whose syllabus and documents have all the odd names."""
    place = tmp_path_factory.mktemp("names")
    lines = [json.dumps({"title": name}) for name in (*NAMES, "basics")]
    (place / "syllabus.jsonl").write_text("\n".join(lines))
    write(
        place / "d",
        {
            f"{number:02}.md": f"# {name}\n\n{name} is thing number {number}.\n\n"
            "## Prerequisites\n\n- basics\n"
            for number, name in enumerate(NAMES)
        },
    )
    with Engine.open(place / "i.graphrag", settings=QUOTING) as engine:
        engine.desk.models = models
        engine.ingest([place / "d"], concepts=place / "syllabus.jsonl")
        yield engine


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_its_own_concept_everywhere(named, name):
    concept = named.resolve(name)
    assert concept.name == name
    assert named.concept(name).concept == concept
    assert named.learn(name)[-1].concept == concept
    statement = "MATCH (c:Concept {name: $name}) RETURN c.id, c.name"
    assert named.cypher(statement, {"name": name}).rows == ((concept.id, name),)
    named.ask(f"What is {name}?")
    named.relate(name, "basics")


def test_names_that_marks_tell_apart_are_mentioned_where_they_stand(named):
    for number, name in enumerate(NAMES[:8]):
        assert f"{number:02}.md" in named.concept(name).mentioned_in, name
        others = set(named.concept(name).mentioned_in) - {f"{number:02}.md"}
        assert not others, (name, others)


def test_no_name_breaks_out_of_an_export(named, tmp_path):
    for ending in ("html", "graphml", "cypher", "dot", "svg", "json"):
        named.export(tmp_path / f"graph.{ending}")
    written = json.loads((tmp_path / "graph.json").read_text())
    assert {each["name"] for each in written["concepts"]} == {*NAMES, "basics"}
    texts = {each.text for each in ET.parse(tmp_path / "graph.graphml").getroot().iter()}
    assert set(NAMES) <= texts
    drawn = "".join(ET.parse(tmp_path / "graph.svg").getroot().itertext())
    assert "x') DETACH DELETE n //" in drawn
    assert "<script>alert" not in (tmp_path / "graph.html").read_text()
    assert "<script>alert" not in (tmp_path / "graph.svg").read_text()
    assert "'x') DETACH" not in (tmp_path / "graph.cypher").read_text()


def test_open_decisions_on_every_name_can_be_applied_again(named, tmp_path):
    file = tmp_path / "open.txt"
    named.export_review(file, named.review())
    accepted = "\n".join(f"accept {json.dumps(name)} needs basics" for name in NAMES)
    file.write_text(file.read_text() + accepted)
    assert named.apply_decisions(file) == len(NAMES)
    for name in NAMES:
        (edge,) = named.concept(name).prerequisites
        assert edge.status == "certain"
    assert named.cypher("MATCH (c:Concept) RETURN count(c)").rows == ((len(NAMES) + 1,),)
    assert named.verify() == []


def test_composed_and_decomposed_letters_are_one_name(build):
    engine = build({"a.md": "# Poincaré map\n\nThe **Poincaré map** is a map.\n"})
    assert engine.resolve("Poincare\u0301 map") == engine.resolve("Poincaré map")


def test_case_and_number_make_no_second_concept(build):
    engine = build(
        {
            "a.md": "# Electrons\n\nAn **electron** is a particle. Electrons repel each other.\n",
            "b.md": "# Shells\n\nThe electrons of a shell have one energy.\n",
        }
    )
    assert engine.resolve("Electrons") == engine.resolve("electron")
    assert {"a.md", "b.md"} <= set(engine.concept("electrons").mentioned_in)


# --- models ---------------------------------------------------------------------------------


class Other:
    """The default models, but for an embedder of another name and the same dimension."""

    def __init__(self, models, **change):
        self._models, self._change = models, change

    def __getattr__(self, name):
        return getattr(self._models, name)

    def embedder(self):
        return Changed(self._models.embedder(), **self._change)


class Changed:
    def __init__(self, embedder, fingerprint="", factor=1.0):
        self._embedder, self._factor = embedder, factor
        self.identity = embedder.identity
        if fingerprint:
            self.identity = replace(self.identity, name="other", fingerprint=fingerprint)

    def __getattr__(self, name):
        return getattr(self._embedder, name)

    def embed_passages(self, texts, *arguments, **options):
        vectors = self._embedder.embed_passages(texts, *arguments, **options)
        return (vectors * np.float32(self._factor)).astype(np.float32)


def test_another_model_of_the_same_dimension_is_refused_by_every_command(build, models, tmp_path):
    before = shown(build({"a.md": VECTOR, "b.md": MATRIX}))
    write(tmp_path / "d", {"c.md": GIRAFFE})
    with Engine.open(tmp_path / "i.graphrag", settings=QUOTING) as engine:
        engine.desk.models = Other(models, fingerprint="another")
        for use in (
            lambda: engine.search("what is a vector?"),
            lambda: engine.ask("what is a vector?"),
            lambda: engine.diagnose("What is a vector?", "A vector is a matrix."),
            lambda: engine.ingest([tmp_path / "d"]),
            lambda: engine.remove(["a.md"]),
        ):
            with pytest.raises(ModelError, match="the model at hand is other"):
                use()
    with Engine.open(tmp_path / "i.graphrag", settings=QUOTING) as engine:
        engine.desk.models = models
        assert shown(engine) == before


def test_a_model_that_gives_no_numbers_changes_nothing(build, models, tmp_path):
    engine = build({"a.md": VECTOR})
    before = shown(engine)
    engine.desk.models = Other(models, factor=float("nan"))
    write(tmp_path / "d", {"c.md": GIRAFFE})
    with pytest.raises((ModelError, StoreError), match="NaN"):
        engine.ingest([tmp_path / "d"])
    engine.desk.models = models
    assert shown(engine) == before


# --- the graph ------------------------------------------------------------------------------


def lesson(name, *needs, text=""):
    listed = "\n".join(f"- {need}" for need in needs)
    return f"# {name}\n\n{name} is a thing.\n\n## Prerequisites\n\n{listed}\n\n{text}\n"


def in_force(engine):
    names = engine.concept_names()
    return {
        (names[edge.concept_id], names[edge.prerequisite_id])
        for edge in engine.desk.tutor().graph.prerequisites
        if edge.in_force
    }


@pytest.mark.parametrize(
    "needs",
    [
        {"Alphabet": ["Alphabet"]},
        {"Alphabet": ["Brackets"], "Brackets": ["Alphabet"]},
        {"Alphabet": ["Brackets"], "Brackets": ["Commas"], "Commas": ["Alphabet"]},
    ],
)
def test_circles_are_cut_and_every_path_ends(build, needs):
    engine = build({f"{name}.md": lesson(name, *others) for name, others in needs.items()})
    edges = {(one.casefold(), other.casefold()) for one, other in in_force(engine)}
    assert not any((other, one) in edges for one, other in edges)
    assert len(edges) < sum(map(len, needs.values()))
    for name in needs:
        assert engine.learn(name)[-1].concept.name.casefold() == name.casefold()
    engine.next()
    engine.review()


def test_a_prerequisite_that_no_document_treats_is_a_step_without_a_passage(build):
    engine = build({"a.md": lesson("Alphabet", "zymurgical lemma")})
    first, last = engine.learn("Alphabet")
    assert (first.concept.name.casefold(), first.passage and first.passage.chunk.document_id) in (
        ("zymurgical lemma", None),
        ("zymurgical lemma", "a.md"),
    )
    assert last.concept.name.casefold() == "alphabet"


def test_a_denied_need_is_none(build):
    engine = build(
        {
            "a.md": "# Topology\n\nTopology does not require calculus.\n",
            "b.md": "# Calculus\n\nCalculus is a study of change.\n",
        }
    )
    assert not any("opology" in one and "alculus" in other for one, other in in_force(engine))


def test_required_for_turns_a_need_round(build):
    engine = build(
        {
            "b.md": "# Calculus\n\nCalculus is a study of change.\n",
            "c.md": "# Algebra\n\nAlgebra is required for calculus.\n",
            "d.md": "# Geometry\n\nGeometry requires algebra.\n",
        }
    )
    edges = {(one.casefold(), other.casefold()) for one, other in in_force(engine)}
    assert {("calculus", "algebra"), ("geometry", "algebra")} <= edges
    assert not {("algebra", "calculus"), ("algebra", "geometry")} & edges


def test_a_second_process_is_told_who_writes_and_may_read(build, tmp_path):
    engine = build({"a.md": VECTOR, "b.md": GIRAFFE})
    command = [sys.executable, "-m", "graphrag.cli.main", "--index", str(tmp_path / "i.graphrag")]
    with engine.desk.workspace.writing():
        refused = subprocess.run(
            [*command, "ingest", str(tmp_path / "d")], capture_output=True, text=True, check=False
        )
        read = subprocess.run(
            [*command, "concept", "giraffe"], capture_output=True, text=True, check=False
        )
    assert refused.returncode == 1
    assert "is being written by process" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert (read.returncode, "long neck" in read.stdout) == (0, True)


def test_a_chain_of_5000_concepts_goes_through_the_tutor(models, tmp_path):
    ids = [f"step {number:04}" for number in range(5000)]
    graph = ConceptGraph(
        concepts=tuple(Concept(each, each) for each in ids),
        prerequisites=tuple(
            Prerequisite(above, below, 0.9, "certain") for below, above in pairwise(ids)
        ),
    )
    with Engine.open(tmp_path / "i.graphrag", settings=QUOTING) as engine:
        engine.desk.models = models
        engine.desk.workspace.catalog.put_concept_graph(graph)
        assert [step.concept.id for step in engine.learn(ids[-1])] == ids
        assert len(engine.learn(ids[-1], known=[ids[4000]])) == 999
        assert engine.next().ready[0].concept.id == ids[0]
        assert engine.concept(ids[2500]).prerequisites[0].prerequisite_id == ids[2499]
        engine.learner("ada", knows=[ids[-1]])
        assert engine.learn(ids[-2], learner="ada") == []
        engine.relate(ids[0], ids[-1])
        engine.diagnose(f"What is {ids[-1]}?", f"It is {ids[-3]}.")
        engine.review()
        rows = engine.cypher("MATCH (a:Concept)-[:REQUIRES]->() RETURN count(a)").rows
        assert rows == ((4999,),)
        for ending in ("html", "graphml", "cypher", "dot", "json"):
            engine.export(tmp_path / f"graph.{ending}", learner="ada")
