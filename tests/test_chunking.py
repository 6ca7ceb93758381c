"""Chunks are cut on structure, within the limit, and lose nothing."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphrag.adapters.onnx_models import OnnxEmbedder
from graphrag.chunking import ChunkingOptions, chunk_document
from graphrag.domain import Block, BlockKind, Document
from graphrag.reading.read import read_file
from graphrag.sentences import clause_starts
from tests.conftest import CORPORA


class WordTokenizer:
    """Counts white-space words, and two special tokens a text, as BERT's does."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) + 2 for text in texts]


class LetterTokenizer:
    """Four letters a token and what is left over for nothing: the whole is more than its parts."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) // 4 + 2 for text in texts]


def document(*parts: tuple[BlockKind, tuple[str, ...], str], title: str = "Course") -> Document:
    text = ""
    blocks = []
    for kind, path, body in parts:
        if text:
            text += "\n\n"
        blocks.append(Block(kind, len(text), len(text) + len(body), path))
        text += body
    return Document("course.md", "course.md", title, text, tuple(blocks), "markdown")


def sentence(number: int, words: int = 8) -> str:
    return " ".join([f"Word{number}"] * words) + "."


def chunk(doc: Document, **options: object):
    return chunk_document(doc, WordTokenizer(), ChunkingOptions(**options))


def test_a_section_is_one_chunk_when_it_fits():
    doc = document(
        ("heading", ("Span",), "Span"),
        ("paragraph", ("Span",), "A span is a set. It has vectors."),
        ("heading", ("Basis",), "Basis"),
        ("paragraph", ("Basis",), "A basis spans."),
    )
    assert [each.text for each in chunk(doc)] == [
        "Span\n\nA span is a set. It has vectors.",
        "Basis\n\nA basis spans.",
    ]


def test_title_and_heading_path_stand_in_front_of_what_is_embedded():
    doc = document(("paragraph", ("Spaces", "Basis"), "A basis spans."))
    assert chunk(doc)[0].embedded_text == "Course > Spaces > Basis\nA basis spans."


def test_a_heading_without_text_joins_what_follows():
    doc = document(
        ("heading", ("Spaces",), "Spaces"),
        ("heading", ("Spaces", "Basis"), "Basis"),
        ("paragraph", ("Spaces", "Basis"), "A basis spans."),
    )
    chunks = chunk(doc)
    assert [each.text for each in chunks] == ["Spaces\n\nBasis\n\nA basis spans."]
    assert chunks[0].heading_path == ("Spaces", "Basis")


def test_neighbours_overlap_by_whole_sentences_within_the_share():
    body = " ".join(sentence(number) for number in range(20))
    chunks = chunk(document(("paragraph", (), body)), target=63, limit=80, overlap=0.2)
    for before, after in pairwise(chunks):
        repeated = before.text[after.start - before.start :]
        assert repeated.startswith("Word")
        assert repeated.endswith(".")
        assert 0.1 <= len(repeated.split()) / len(before.text.split()) <= 0.2


def test_a_long_last_sentence_is_repeated_by_its_last_clauses():
    long = f"Word {'one ' * 30}one, which is two words, and these are three."
    body = f"{long} {sentence(1)} {sentence(2)}"
    first, second, *_ = chunk(document(("paragraph", (), body)), target=45, limit=80, overlap=0.2)
    assert first.text == long
    # Of 40 tokens a fifth may be repeated: 8, and "which is two words, and these are three." has 8.
    assert second.text.startswith("which is two words, and these are three. Word")


@pytest.mark.parametrize(
    "sentence, clauses",
    [
        (
            "It is late, so we go; you stay: alone.",
            ["so we go; you stay: alone.", "you stay: alone.", "alone."],
        ),
        ("It is late – we go.", ["we go."]),
        ("これは本で、あれは紙です。", ["あれは紙です。"]),
        ("Let $f(x, y)$ be 1,000 and `a, b` one (c, d) well-made.", []),
    ],
)
def test_clauses_begin_behind_commas_and_dashes_but_not_in_formulas_code_and_brackets(
    sentence, clauses
):
    starts = clause_starts(sentence, 0, len(sentence))
    assert [sentence[start:] for start in starts] == clauses


def test_the_overlap_reaches_across_a_short_table():
    table = "| a |\n| - |\n| c |"
    before = " ".join(sentence(n) for n in range(8))
    after = " ".join(sentence(n) for n in range(8))
    doc = document(("paragraph", (), before), ("table", (), table), ("paragraph", (), after))
    chunks = chunk(doc, target=76, limit=120, overlap=0.2)
    assert chunks[1].text.startswith(table)
    assert chunks[0].text.endswith(table)


def test_letters_that_cost_more_than_a_chunk_may_hold_are_chunks_by_themselves():
    class Dear:
        def count_tokens(self, texts):
            return [100 * len(text) for text in texts]

    doc = document(("paragraph", (), "ab c"), title="")
    chunks = chunk_document(doc, Dear(), ChunkingOptions(10, 10, 0.2))
    assert [each.text.strip() for each in chunks] == ["a", "b", "c"]


@pytest.mark.parametrize("target", range(32, 48))
def test_an_item_is_never_parted_from_its_number(target):
    items = "\n".join(f"{number}. {sentence(number)}" for number in range(1, 12))
    doc = document(("heading", ("Steps",), "Steps"), ("list", ("Steps",), items))
    for each in chunk(doc, target=target, limit=100):
        assert not each.text.rstrip().rpartition("\n")[2].rstrip(".").isdigit()


def test_a_table_stays_whole_up_to_the_limit():
    table = "| a | b |\n| --- | --- |\n" + "\n".join(f"| {n} | x |" for n in range(10))
    doc = document(("paragraph", (), " ".join(sentence(n) for n in range(3))), ("table", (), table))
    chunks = chunk(doc, target=40, limit=100)
    assert [each.kind for each in chunks] == ["prose", "table"]
    assert chunks[1].text == table


def test_each_part_of_a_large_table_has_its_header():
    rows = [f"| {n} | value |" for n in range(200)]
    table = "| key | value |\n| --- | --- |\n" + "\n".join(rows)
    chunks = chunk(document(("table", (), table)), target=60, limit=80)
    assert len(chunks) > 5
    assert all("| key | value |\n| --- | --- |" in each.embedded_text for each in chunks)
    assert all(sum(row + "\n" in each.text + "\n" for each in chunks) == 1 for row in rows)


def test_code_is_never_cut_inside_a_line():
    code = "\n".join(f"    x = f({n}, {n})" for n in range(100))
    chunks = chunk(document(("code", (), code)), target=40, limit=60)
    assert len(chunks) > 3
    assert "\n".join(each.text.strip("\n") for each in chunks) == code


def test_one_word_without_end_is_cut_by_characters():
    chunks = chunk(document(("paragraph", (), "a" * 5000)), target=40, limit=60)
    assert "".join(each.text for each in chunks) == "a" * 5000
    assert max(len(each.text) for each in chunks) <= 60 * 6


def test_a_title_longer_than_the_limit_leaves_room_for_the_text():
    doc = document(("paragraph", ("Basis",), "A basis spans."), title="very long title " * 100)
    chunks = chunk(doc, target=40, limit=60)
    assert chunks[0].text == "A basis spans."
    assert chunks[0].tokens <= 60


def test_the_short_rest_of_a_section_joins_its_last_chunk():
    # The title costs 3 tokens of 43, five sentences of 8 words fill the target of 40.
    body = " ".join([*(sentence(number) for number in range(5)), "It ends here."])
    assert len(chunk(document(("paragraph", (), body)), target=43, limit=60)) == 1
    assert len(chunk(document(("paragraph", (), body)), target=43, limit=43)) == 2


def test_a_heading_that_nothing_follows_joins_what_is_before_it():
    doc = document(
        ("heading", ("A",), "A"), ("paragraph", ("A",), "It is so."), ("heading", ("B",), "B")
    )
    assert [(each.text, each.heading_path) for each in chunk(doc)] == [
        ("A\n\nIt is so.\n\nB", ("A",))
    ]


def test_an_empty_document_has_no_chunks():
    assert chunk(document(title="Course")) == []


_KINDS = st.sampled_from(["heading", "paragraph", "list", "table", "code", "formula", "quote"])
# Letters that end sentences or lines, marks that combine, blanks of many kinds, blobs, clause
# numbers and openings that lean back; and any letter at all.
_PIECES = st.sampled_from(
    (
        *("a", "b", " ", ".", "\n", "|", "-", "。", "é", "1", "\n\n", "x" * 90, "This means "),
        *("\u0301", "\u200b", "\u2028", "\x0b", "\x1c", "\u3000", "\ud800"),
        *("4.1 A", "4.2 B", "4.2.1 C", "| a | b |\n| - | - |\n"),
    )
)
_BODY = (
    st.lists(_PIECES | st.characters(), min_size=1, max_size=120)
    .map("".join)
    .filter(lambda body: body.strip() == body and bool(body))
)
_PATHS = st.sampled_from([(), ("A",), ("A", "B"), ("C",), ("4 Title", "4.2 Other")])
_PARTS = st.lists(st.tuples(_KINDS, _PATHS, _BODY), max_size=12)


@settings(max_examples=150, deadline=None)
@given(_PARTS, st.integers(20, 80), st.sampled_from([0.0, 0.1, 0.2]))
def test_chunks_cover_the_document_within_the_limit(parts, limit, overlap):
    doc = document(*parts)
    chunks = chunk(doc, target=limit * 2 // 3, limit=limit, overlap=overlap)
    covered = set()
    for ordinal, each in enumerate(chunks):
        assert each.text == doc.text[each.start : each.stop]
        assert each.text.strip()
        assert each.id == f"course.md#{ordinal}"
        assert each.tokens == WordTokenizer().count_tokens([each.embedded_text])[0]
        assert each.tokens <= limit
        covered.update(range(each.start, each.stop))
    missing = {at for at, letter in enumerate(doc.text) if not letter.isspace()} - covered
    assert not missing
    assert [each.start for each in chunks] == sorted(each.start for each in chunks)


@settings(max_examples=150, deadline=None)
@given(_PARTS, st.integers(16, 60))
def test_nothing_is_lost_where_a_whole_costs_more_than_its_parts(parts, limit):
    doc = document(*parts, title="T")
    chunks = chunk_document(doc, LetterTokenizer(), ChunkingOptions(limit, limit, 0.2))
    covered = {at for each in chunks for at in range(each.start, each.stop)}
    assert not {at for at, letter in enumerate(doc.text) if not letter.isspace()} - covered
    assert all(each.tokens <= limit or len(each.text) < 2 for each in chunks)
    assert [each.start for each in chunks] == sorted(each.start for each in chunks)


@pytest.fixture(scope="module")
def real_tokenizer():
    return OnnxEmbedder.load(threads=1)


@settings(max_examples=40, deadline=None)
@given(parts=_PARTS)
def test_nothing_is_lost_when_the_real_tokenizer_counts(parts, real_tokenizer):
    doc = document(*parts)
    chunks = chunk_document(doc, real_tokenizer, ChunkingOptions(40, 60, 0.2))
    covered = {at for each in chunks for at in range(each.start, each.stop)}
    assert not {at for at, letter in enumerate(doc.text) if not letter.isspace()} - covered
    assert all(each.context or not doc.title for each in chunks)
    # One letter may cost more than all the room there is.
    assert all(each.tokens <= 60 or len(each.text) < 2 for each in chunks)


FILES = sorted(path for path in CORPORA.rglob("documents/**/*") if path.is_file())


@pytest.mark.parametrize("path", FILES[:: len(FILES) // 12], ids=lambda path: path.name)
def test_every_character_of_a_real_document_is_in_a_chunk(path, real_tokenizer):
    if path.suffix == ".toml":
        pytest.skip("metadata")
    (doc,) = read_file(path, document_id=path.name, root=path.parent)
    in_blocks = {at for block in doc.blocks for at in range(block.start, block.stop)}
    covered = {
        at for each in chunk_document(doc, real_tokenizer) for at in range(each.start, each.stop)
    }
    visible = {at for at, letter in enumerate(doc.text) if not letter.isspace()}
    assert visible <= in_blocks
    assert visible <= covered
