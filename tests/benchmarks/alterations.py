"""How many true sentences pass the check of grounding after one alteration, and how many
whole ones are lost.

``python -m tests.benchmarks.alterations [--most N] [--seed S] [--index DIR]`` (N sentences of the
corpora, without the cross-encoder; an index is made anew where none is given)
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from graphrag import Engine
from graphrag.answering.claims import Ground, ground
from graphrag.answering.grounding import check_piece
from graphrag.wording.formulas import segments
from graphrag.wording.units import Unit, units
from tests.benchmarks.tables import table

_CORPORA = Path(__file__).parents[2] / "corpora"
_NAMES = ("linear-algebra", "handbook")
_QUANTIFIERS = {
    "every": "some", "all": "some", "some": "all", "at least": "at most", "at most": "at least",
    "must": "may", "may": "must", "always": "sometimes", "more than": "less than",
}  # fmt: skip
_OPPOSITES = {
    "row": "column", "column": "row", "before": "after", "above": "below", "first": "last",
    "upper": "lower", "high": "low", "open": "close", "largest": "smallest", "left": "right",
}  # fmt: skip
_SIGNS = {"+": "-", "-": "+", "\\leq": "\\geq", "<": ">", ">": "<"}
_SPELLED = {
    "two": "five", "three": "six", "four": "seven", "five": "eight", "six": "two", "seven": "four",
    "eight": "three", "nine": "twelve", "ten": "nine", "twelve": "ten", "twenty": "thirty",
    "Two": "Five", "Three": "Six", "Four": "Seven", "Five": "Eight", "Six": "Two", "Seven": "Four",
}  # fmt: skip
_UNITS = {"hours": "days", "minutes": "seconds", "seconds": "minutes", "weeks": "days", "mm": "cm"}


def main() -> None:
    """Print, for each kind of alteration, how many were made and how many passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--index", type=Path)
    arguments = parser.parse_args()
    made: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as place,
        Engine.open(arguments.index or Path(place) / "i") as engine,
    ):
        if arguments.index is None:
            engine.ingest([_CORPORA / name / "documents" for name in _NAMES])
        for sentence, prepared in _sentences(engine, arguments.most, arguments.seed):
            if sentence.startswith("```"):
                _count_digits(sentence, prepared, made, passed)
                continue
            kept = check_piece(_cited(sentence), [prepared]).text
            made["none"] += 1
            passed["none"] += kept == _cited(sentence)
            for kind, altered in _altered(sentence):
                made[kind] += 1
                if check_piece(_cited(altered), [prepared]).text.strip():
                    passed[kind] += 1
                    print(f"{kind} passed: {altered}")
    table("alterations", ("kind", "made", "passed"), [(k, n, passed[k]) for k, n in made.items()])


def _count_digits(code: str, prepared: Ground, made: Counter[str], passed: Counter[str]) -> None:
    """Each number of a piece of code altered by itself; what then stands so elsewhere in the
    passage passes rightly."""
    for match in re.finditer(r"\d+", code):
        altered = code[: match.start()] + _other_digit(match.group()) + code[match.end() :]
        made["number in code"] += 1
        if check_piece(f"{altered}\n[1]", [prepared]).text.strip():
            passed["number in code"] += 1
            print(f"number in code passed: {altered}")


def _cited(sentence: str) -> str:
    bare = sentence.rstrip()
    return f"{bare[:-1].rstrip()} [1] |" if bare.endswith("|") else f"{bare} [1]"


def _sentences(engine: Engine, most: int, seed: int) -> Iterator[tuple[str, Ground]]:
    found = [
        (_plain(unit), passage)
        for passage in engine.desk.everything()
        for unit in units(passage.chunk.text, kind=passage.chunk.kind)
        if unit.kind in ("sentence", "item", "row", "code") and 5 <= len(unit.text.split()) <= 50
    ]
    for sentence, passage in random.Random(seed).sample(found, min(most, len(found))):
        yield sentence, ground(passage)


def _plain(unit: Unit) -> str:
    """A unit on one line; code as it is, in a fence."""
    if unit.kind != "code":
        return " ".join(unit.text.split())
    return unit.text if unit.text.startswith("```") else f"```\n{unit.text}\n```"


def _altered(sentence: str) -> Iterator[tuple[str, str]]:
    """One alteration of each kind that the sentence allows."""
    pieces = list(segments(sentence))
    prose = [(start, text) for start, _, inside, text in pieces if not inside]
    formulas = [(start, sentence[start:stop]) for start, stop, inside, _ in pieces if inside]
    yield from _with("number", sentence, prose, r"(?<=[ (])\d+(?=[ .,)])", _other_digit)
    yield from _with("number in a formula", sentence, formulas, r"\d", _other_digit)
    signs = "|".join(map(re.escape, _SIGNS))
    yield from _with("sign", sentence, formulas, rf"(?<=\s)(?:{signs})(?=\s)", _SIGNS.__getitem__)
    for kind, words in (
        ("quantifier", _QUANTIFIERS), ("opposite", _OPPOSITES), ("unit", _UNITS),
        ("spelled number", _SPELLED),
    ):  # fmt: skip
        pattern = rf"(?:(?<=\s)|^)(?:{'|'.join(words)})(?=[\s.,;:])"
        yield from _with(kind, sentence, prose, pattern, words.__getitem__)
    if not re.search(r"\b(?:not|no|never|nothing)\b", sentence):
        yield from _with("negation", sentence, prose, r"(?<=\s)(?:is|are|must|can)(?=\s)", _negated)


def _with(
    kind: str,
    sentence: str,
    parts: Sequence[tuple[int, str]],
    pattern: str,
    replaced: Callable[[str], str],
) -> Iterator[tuple[str, str]]:
    """The sentence with the first match of the pattern in one of its parts replaced."""
    for start, text in parts:
        match = re.search(pattern, text)
        if match is not None:
            begin, end = start + match.start(), start + match.end()
            yield kind, sentence[:begin] + replaced(match.group()) + sentence[end:]
            return


def _other_digit(number: str) -> str:
    return number[:-1] + str((int(number[-1]) + 3) % 10)


def _negated(verb: str) -> str:
    return f"{verb} not"


if __name__ == "__main__":
    main()
