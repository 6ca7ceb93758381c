"""The command ``graphrag``: how its process begins and how it ends.

The commands are imported when they are to run, so that a Ctrl-C meanwhile is answered too.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import NoReturn

from graphrag.errors import GraphragError
from graphrag.wording.terminal import printable

_INTERRUPTED = 130
_STOPPED = "graphrag: stopped; what was done is kept, the next run goes on"

_UNQUOTED = 'Several words need quotation marks, as in: graphrag ask "What is a basis?"'


def main() -> None:
    """Run the command line; expected failures are one line on stderr and exit code 1."""
    run(_commands())


def _commands() -> Callable[[], object]:
    """The command line. Nothing is open while it is imported, so Ctrl-C ends the process at
    once: an exception in the midst of an import may be swallowed or turned into another."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, _leave)
    # Imports make no garbage; to look for some takes a seventh of a short command's time.
    gc.disable()
    try:
        from graphrag.cli.app import app
    finally:
        gc.freeze()
        gc.enable()
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    return app


def _leave(*_: object) -> NoReturn:
    os.write(2, f"{_STOPPED}\n".encode())
    os._exit(_INTERRUPTED)


def run(command: Callable[[], object]) -> None:
    """Run a command and end the process's part in it as the interface says.

    Raises SystemExit: 1 for an expected failure, 130 for Ctrl-C, else what the command gave.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal's encoding does not have is shown as a question mark.
            stream.reconfigure(errors="replace")
    try:
        command()
        sys.stdout.flush()
    except GraphragError as error:
        print(f"graphrag: {printable(' '.join(str(error).split()))}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        _interrupted()
    except BrokenPipeError:
        _nobody_reads()
    except SystemExit as end:
        # Typer answers to both itself, and says nothing.
        if end.code == _INTERRUPTED:
            _interrupted()
        if isinstance(end.__context__, BrokenPipeError):
            _nobody_reads()
        if "unexpected extra argument" in str(end.__context__):
            print(_UNQUOTED, file=sys.stderr)
        raise


def _interrupted() -> NoReturn:
    print(_STOPPED, file=sys.stderr)
    sys.exit(_INTERRUPTED)


def _nobody_reads() -> NoReturn:
    # The reader went away (``| head``): nothing to tell, and nothing may be flushed.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


if __name__ == "__main__":
    main()
