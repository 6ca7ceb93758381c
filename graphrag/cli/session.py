"""What commands share: where the index is, opening it, and how values are printed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from graphrag.engine import Engine
from graphrag.errors import StoreError
from graphrag.settings import Settings, load_settings
from graphrag.wording.terminal import escaped_json

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON value on stdout.")]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="KEY=VALUE", help="Only documents with this metadata."),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="What held on that date (YYYY-MM-DD)."),
]
Known = Annotated[
    str, typer.Option("--known", metavar="A,B", help="Concepts that are known already.")
]
LearnerName = Annotated[
    str, typer.Option("--learner", metavar="NAME", help="Whose knowledge counts.")
]
WriterKind = Annotated[
    Literal["auto", "ollama", "extractive"] | None,
    typer.Option("--writer", help="Who writes: a local model, or quotations."),
]
WriterModel = Annotated[str | None, typer.Option("--model", help="An Ollama model's name.")]

_DIRECTORY = ".graphrag"


@dataclass(frozen=True, slots=True)
class Session:
    """The index that the command line names, if it names one."""

    index: Path | None

    def existing(self) -> Path:
        """The index directory. Raises StoreError, with the mend, where there is none."""
        if self.index is not None:
            if not self.index.is_dir():
                raise StoreError(
                    f"no index at {self.index}; make one with "
                    f"'graphrag --index {self.index} ingest FOLDER'"
                )
            return self.index
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / _DIRECTORY).is_dir():
                return folder / _DIRECTORY
        raise StoreError(
            f"no index: neither {here} nor a folder above holds {_DIRECTORY}; "
            "make one with 'graphrag ingest FOLDER', or name one with --index"
        )

    def open(self, flags: Mapping[str, object] | None = None) -> Engine:
        """The engine over an index that exists."""
        path = self.existing()
        return Engine.open(path, settings=self._settings(path, flags), create=False)

    def open_or_create(self, flags: Mapping[str, object] | None = None) -> Engine:
        """The engine over the index, made where there is none."""
        path = self.index or self._found() or Path.cwd() / _DIRECTORY
        return Engine.open(path, settings=self._settings(path, flags), create=True)

    def _found(self) -> Path | None:
        try:
            return self.existing()
        except StoreError:
            return None

    def _settings(self, path: Path, flags: Mapping[str, object] | None) -> Settings:
        beside = path / "graphrag.toml"
        file = beside if beside.is_file() else path.parent / "graphrag.toml"
        return load_settings(file, os.environ, flags)


def session(context: typer.Context) -> Session:
    """The session that the root command made."""
    found = context.find_object(Session)
    if found is None:
        raise StoreError("the command was called outside of 'graphrag'")
    return found


def names(text: str) -> list[str]:
    """The names of a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def print_json(value: object) -> None:
    """One JSON value on stdout, with nothing else."""
    _print(json.dumps(value, ensure_ascii=False, indent=2))


def print_json_line(value: object) -> None:
    """One JSON value on a line of its own, for commands that give one after the other."""
    _print(json.dumps(value, ensure_ascii=False))


def _print(json_text: str) -> None:
    text = escaped_json(json_text)
    # A path may hold bytes that are no UTF-8; JSON may not.
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.flush()


def counted(number: int, thing: str) -> str:
    """A number of things in words: "1 chunk", "2 chunks"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
