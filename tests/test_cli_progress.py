"""Progress where stderr is no terminal: a line now and then, with rate and time left."""

from graphrag.cli.progress import ProgressLines, shown_progress


def test_a_line_comes_only_after_a_while_and_says_rate_and_time_left(capsys):
    clock = iter([0.0, 4.0, 20.0, 25.0, 110.0])
    lines = ProgressLines("files", every=10.0, now=lambda: next(clock))
    lines.stage("reading")
    lines.advance(1, 10, 8)  # after 4 s: too soon
    lines.advance(5, 10, 100)  # 20 s for 5 of 10: 20 s left, 5 chunks a second
    lines.advance(6, 10, 110)  # 5 s later
    lines.advance(6, 12, 220)  # 110 s for half
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "reading: 5 of 10 files, 100 chunks, 5/s, 20 s left",
        "reading: 6 of 12 files, 220 chunks, 2/s, 1 min 50 s left",
    ]


def test_the_time_left_is_by_chunks_where_their_number_is_known(capsys):
    clock = iter([0.0, 20.0])
    lines = ProgressLines("files", every=10.0, now=lambda: next(clock))
    lines.stage("reading")
    lines.advance(9, 10, 100, 400)  # 20 s for a quarter, though it is nine files of ten
    shown = capsys.readouterr().err
    assert shown == "reading: 9 of 10 files, 100 chunks, 5/s, 1 min 0 s left\n"


def test_a_quiet_command_says_nothing(capsys):
    with shown_progress("files", quiet=True) as progress:
        progress.advance(1, 2, 3)
    assert capsys.readouterr().err == ""
