"""Questions that ask what something is, and sentences that say it."""

from __future__ import annotations

import pytest

from graphrag.wording.definitions import asked_name, defines, defines_what_forms, saying


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is a pivot column?", "pivot column"),
        ("what's the rank", "rank"),
        ("What are enzymes?", "enzymes"),
        ("What is meant by a dead band?", "dead band"),
        ("What is the meaning of latency?", "latency"),
        ("What does WAL mean?", "WAL"),
        ("What does WAL stand for?", "WAL"),
        ("Define osmosis.", "osmosis"),
        ("Explain the idea of a heap to me like I am five", "heap"),
        ("How is a heap built?", ""),
        ("Which heap is the largest?", ""),
        ("What does the valve do?", ""),
    ],
)
def test_the_thing_asked_for_is_told_from_other_questions(question, name):
    assert asked_name(question) == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("eigenvalue", "An eigenvalue of $A$ is a scalar for which such a vector exists."),
        ("write-ahead log", "The **write-ahead log** (WAL) is a file of changes."),
        ("scalar", "Scalars are numbers that scale a vector."),
        ("enzyme", "Enzymes are biological catalysts."),
        ("pivot", "A pivot, also called a leading entry, is the first entry that is not zero."),
        ("spectrum", "- spectrum: The set of the eigenvalues of a matrix."),
        ("deadband", "A band in which nothing happens is called a deadband."),
        ("row equivalent", "Two matrices are row equivalent when one becomes the other."),
        ("kernel", "The kernel $K$ of a map is the set that it sends to zero."),
        ("queue", "What waits is often referred to as a queue."),
        ("CTEs", "These are often referred to as Common Table Expressions or CTEs."),
        ("namedtuple", "collections.namedtuple(typename, *, rename=False): Returns a new class."),
        ("Counter", "class collections.Counter([iterable]): A dict that counts its keys."),
        ("Modbus port", "The Modbus port is 502."),
        ("mutex", "mutex - a lock that one thread holds at a time"),
    ],
)
def test_a_sentence_or_entry_says_what_a_thing_is(name, text):
    assert defines(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("eigenvalue", "A dominant eigenvalue of a matrix is the largest of all."),
        ("eigenvalue", "An eigenvalue problem is a task."),
        ("heap", "Heaps are large."),
        ("rank", "The rank is not changed by row operations."),
        ("matrix", "The matrix-vector product is a linear combination."),
        ("lock", "What is held is called a lock file."),
        ("splice", "A splice is inspected every week."),
        ("access", "Access is opened by the rules."),
        ("column", "The columns of $(AB)^{-1}$ are the solutions."),
        ("entry", "The entry of the last row is a zero."),
        ("schema", "Schemas are analogous to directories."),
        ("dump", "SQL - Dump - File system backup"),
        ("dump", "dump - file system backup - archiving"),
        ("error", "error – if the file does not exist"),
        ("singular", "A matrix is singular, if that matters."),
        ("", "Nothing is a thing."),
    ],
)
def test_longer_names_and_remarks_define_nothing(name, text):
    assert not defines(name, text)


@pytest.mark.parametrize(
    ("question", "text", "defined"),
    [
        ("When do plates form a stack?", "A stack is a pile of plates.", True),
        ("When does a pile become a heap?", "Heaps are large.", False),
        ("When does a pile become a heap?", "A heap of sand is a pile.", True),
        ("When do plates form a stack?", "A full stack is heavy.", False),
        ("When does the valve open?", "The valve is open.", False),
    ],
)
def test_the_definition_answers_when_something_forms_a_thing(question, text, defined):
    assert defines_what_forms(question, text) is defined


@pytest.mark.parametrize(
    ("text", "manner"),
    [
        ("A basis of a subspace is a list of vectors.", "sentence"),
        ("basis: a list of vectors that spans", "entry"),
        ("Such a list is called a basis.", "aside"),
        ("Every space has a basis.", ""),
    ],
)
def test_the_manner_of_saying_what_something_is_is_told(text, manner):
    assert saying(("frame", "basis"), text) == manner
