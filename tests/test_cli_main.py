"""How the command line ends: failures, Ctrl-C, a reader that goes away, odd terminals."""

import subprocess
import sys

import pytest
import typer

from graphrag.cli.asking import show_answer
from graphrag.cli.main import run
from graphrag.domain import Answer, Citation
from graphrag.errors import QueryError
from tests.answering_values import passage


def raising(error: BaseException) -> typer.Typer:
    app = typer.Typer(pretty_exceptions_enable=False)

    @app.command()
    def fail() -> None:
        raise error

    return app


@pytest.fixture(autouse=True)
def _no_arguments(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["graphrag"])


def test_a_failure_is_one_line_that_commands_no_terminal(capsys):
    with pytest.raises(SystemExit) as end:
        run(raising(QueryError("no concept \x1b[31mX\x1b[0m\nhere")))
    assert end.value.code == 1
    assert capsys.readouterr().err == "graphrag: no concept X here\n"


def test_ctrl_c_says_that_the_next_run_goes_on(capsys):
    with pytest.raises(SystemExit) as end:
        run(raising(KeyboardInterrupt()))
    assert end.value.code == 130
    assert "the next run goes on" in capsys.readouterr().err


def test_who_forgets_the_quotation_marks_is_told(capsys, monkeypatch):
    app = typer.Typer()

    @app.command()
    def show(name: str) -> None:
        raise AssertionError(name)

    monkeypatch.setattr(sys, "argv", ["graphrag", "null", "space"])
    with pytest.raises(SystemExit) as end:
        run(app)
    assert end.value.code == 2
    assert "Several words need quotation marks" in capsys.readouterr().err


def test_a_code_that_a_command_gives_is_kept(capsys):
    with pytest.raises(SystemExit) as end:
        run(raising(typer.Exit(3)))
    assert end.value.code == 3
    assert capsys.readouterr().err == ""


PRINTING = """
import typer
from graphrag.cli.main import run
app = typer.Typer()
@app.command()
def speak() -> None:
    print("Über" * {times})
run(app)
"""


def test_a_reader_that_goes_away_is_no_failure():
    speaking = subprocess.Popen(
        [sys.executable, "-c", PRINTING.format(times=100_000)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    speaking.stdout.read(10)
    speaking.stdout.close()
    assert speaking.stderr.read() == b""
    assert speaking.wait() == 0


def test_what_a_terminal_cannot_show_is_a_question_mark():
    found = subprocess.run(
        [sys.executable, "-c", PRINTING.format(times=1)],
        env={"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert found.stdout == b"?ber\n"


@pytest.mark.parametrize("streamed", ["", "A basis spans. [1]", "A basis spans. [1]\n\n"])
def test_one_blank_line_parts_an_answer_from_its_sources(capsys, streamed):
    source = passage("A basis spans.")
    answer = Answer(
        "What does a basis do?",
        "lookup",
        "A basis spans. [1]",
        (Citation(1, source.chunk.document_id, source.chunk.id, "A basis spans.", True),),
        (source,),
        "extractive",
    )
    print(streamed, end="")
    show_answer(answer, streamed=streamed)
    shown = capsys.readouterr().out.split("\n")
    assert shown[:2] == ["A basis spans. [1]", ""]
    assert shown[2].startswith("[1] ")


IMPORTING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "graphrag.cli.asking":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from graphrag.cli.main import main
main()
"""


def test_ctrl_c_while_the_commands_are_imported_is_one_line():
    found = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, check=False)
    assert found.returncode == 130
    assert found.stderr == b"graphrag: stopped; what was done is kept, the next run goes on\n"


def test_the_package_runs_as_the_command_does():
    found = subprocess.run(
        [sys.executable, "-m", "graphrag", "--help"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0
    assert "COMMAND" in found.stdout
