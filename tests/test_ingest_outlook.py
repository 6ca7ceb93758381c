"""What is left of an ingest is told in chunks, of large files more than of small ones."""

from graphrag.ingest.outlook import Outlook, Telling
from graphrag.ingest.report import Silent


class Told(Silent):
    """Progress that keeps what it was told last."""

    def advance(self, files, total_files, chunks, total_chunks=0):
        self.last = (files, total_files, chunks, total_chunks)


def test_nothing_is_expected_before_a_file_is_read():
    outlook = Outlook({"a.md": 100})
    assert outlook.expected() == 0
    outlook.read("a.md", 3, whole=False)
    assert outlook.expected() == 0


def test_files_are_weighed_by_their_bytes():
    outlook = Outlook({"a.md": 100, "b.md": 100, "c.md": 1000})
    outlook.read("a.md", 2, whole=True)
    assert outlook.expected() == 2 + 2 + 20  # two chunks a hundred bytes
    outlook.read("b.md", 4, whole=True)
    assert outlook.expected() == 2 + 4 + 30  # three


def test_bytes_count_as_those_of_the_same_ending_where_there_are_any():
    outlook = Outlook({"a.md": 100, "b.pdf": 1000, "c.PDF": 2000, "d.txt": 110})
    outlook.read("a.md", 10, whole=True)
    outlook.read("b.pdf", 1, whole=True)
    # Another pdf of 2 chunks, and of text as many a byte as of all: 11 of 1,100.
    assert outlook.expected() == 10 + 1 + 2 + 1


def test_a_file_that_comes_in_parts_counts_once():
    outlook = Outlook({"a.md": 100, "b.md": 100})
    outlook.read("a.md", 5, whole=True)
    outlook.read("b.md", 3, whole=False)
    assert outlook.expected() == 10
    outlook.read("b.md", 4, whole=False)  # already more than a byte of the other is worth
    assert outlook.expected() == 12
    outlook.read("b.md", 1, whole=True)
    assert outlook.expected() == 13


def test_empty_files_leave_nothing_to_be_guessed_from():
    outlook = Outlook({"a.md": 0, "b.md": 10})
    outlook.read("a.md", 0, whole=True)
    assert outlook.expected() == 0


def test_no_more_chunks_are_told_of_than_there_are():
    told = Told()
    telling = Telling(told, {"a.md": 10, "b.md": 10})
    telling.done(0)
    assert told.last == (0, 2, 0, 0)
    telling.read("a.md", 2, whole=True)
    telling.done(2, files=1)
    assert told.last == (1, 2, 2, 4)
    telling.done(5)  # of the other, before it is read to its end
    assert told.last == (1, 2, 7, 7)
