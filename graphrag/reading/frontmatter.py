"""Front matter: the metadata that stands before a text, as YAML, TOML or JSON."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Mapping

from graphrag.domain import MetadataValue
from graphrag.reading.inline import clean

_YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^([A-Za-z][\w .-]{0,60}?)[ \t]*:[ \t]+(.+)$", re.MULTILINE)
_KEY_LINE = re.compile(r"[\w\"'#-]")
_MAX_SIZE = 1 << 16
_MAX_VALUES = 1000
_MAX_DEPTH = 8
_MAX_LENGTH = 10_000
# Python writes no longer numbers in decimal form (4,300 digits).
_MAX_BITS = 14_000


def split_front_matter(text: str) -> tuple[dict[str, MetadataValue], str]:
    """The metadata and the text after it; text without front matter is given back whole.

    A block that is no mapping, is above 64 KiB or has no closing line is text. Broken YAML
    is read line by line as ``key: value``.
    """
    if found := _TOML.match(text[:_MAX_SIZE]):
        try:
            return flatten(tomllib.loads(found[1])), text[found.end() :]
        except (ValueError, RecursionError):
            return {}, text
    if text.startswith("{") and (stop := _json_end(text[:_MAX_SIZE])):
        return flatten(json.loads(text[:stop])), text[stop:]
    found = _YAML.match(text[:_MAX_SIZE])
    if not found or not found[1].strip() or not _KEY_LINE.match(found[1].lstrip()):
        return {}, text
    # Loaded with the first front matter: opening an index does without it.
    import yaml

    try:
        values = yaml.safe_load(found[1])
    except (
        # The last four: PyYAML on a tag such as !!int before what is none.
        yaml.YAMLError, ValueError, RecursionError,
        LookupError, TypeError, AttributeError, ArithmeticError,
    ):  # fmt: skip
        values = dict(_LINE.findall(found[1]))
    if not isinstance(values, Mapping) or not values:
        return {}, text
    return flatten(values), text[found.end() :]


def _json_end(text: str) -> int:
    """Where an object of JSON ends that a text begins with, and a line of its own below it;
    0 where there is none."""
    try:
        values, stop = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return 0
    is_apart = text[stop : stop + 1] in ("\n", "") and isinstance(values, Mapping) and values
    return stop if is_apart else 0


def flatten(values: Mapping[str, object]) -> dict[str, MetadataValue]:
    """Nested values as metadata: keys lower-case and joined by dots, dates in ISO form,
    lists of plain values as tuples; empty values are left out."""
    flat: dict[str, MetadataValue] = {}
    # An alias bomb repeats one value without end: what is beyond the limit is left out.
    stack: list[tuple[str, Mapping[str, object], int]] = [("", values, 0)]
    while stack and len(flat) < _MAX_VALUES:
        prefix, mapping, depth = stack.pop()
        for key, value in list(mapping.items())[:_MAX_VALUES]:
            own = _plain(key).lower()
            name = f"{prefix}{own}"
            if not own:
                continue
            if isinstance(value, Mapping):
                if depth < _MAX_DEPTH:
                    stack.append((f"{name}.", value, depth + 1))
            elif isinstance(value, list | tuple | set):
                if items := tuple(t for v in list(value)[:_MAX_VALUES] if (t := _plain(v))):
                    flat[name] = items
            elif text := _plain(value):
                flat[name] = text
    return flat


def _plain(value: object) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple | set | Mapping):
        return ""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return ""
    return " ".join(clean(str(value)).split())[:_MAX_LENGTH]
