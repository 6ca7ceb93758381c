"""The text files that ship beside the code: schemas and prompts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent
# An installed wheel carries the schemas inside the package; a checkout, beside it.
_SCHEMAS = _PACKAGE / "schemas" if (_PACKAGE / "schemas").is_dir() else _PACKAGE.parent / "schemas"


@cache
def schema(name: str) -> str:
    """The text of a file in ``schemas/``, by its file name."""
    return (_SCHEMAS / name).read_text(encoding="utf-8")


@cache
def prompt(name: str) -> str:
    """The text of ``prompts/<name>.txt``."""
    return (_PACKAGE / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
