"""What a language model is sent: instructions apart, passages fenced as data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from graphrag.domain import Passage
from graphrag.ports import WriteRequest

AskJson = Callable[[str, str, Mapping[str, Any]], object]
"""From instructions, a text and a JSON schema to the model's reply."""

NO_ANSWER = "NO ANSWER"

_FENCE = re.compile(
    r"<\s*(/?)\s*(passage|question|outline|answer|expected|concept|prerequisite|system|assistant|user)\b",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r"<\|[^<>|]{0,40}\|>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def defused(text: str) -> str:
    """A text that cannot close its fence, open a turn of the chat or carry control codes.

    Only the marks are changed (``<passage`` to ``‹passage``); all words stay.
    """
    text = _CONTROL.sub(" ", text)
    text = _SPECIAL.sub(lambda match: match.group().replace("<", "‹").replace("[", "("), text)
    return _FENCE.sub(lambda match: "‹" + match.group()[1:], text)


def passage_block(number: int, passage: Passage) -> str:
    """One numbered passage in its fence, with its source and place in the document."""
    source = defused(passage.source).replace('"', "'")
    date = passage.metadata.get("date", "")
    dated = f' date="{defused(str(date))}"' if date else ""
    body = defused(passage.chunk.embedded_text)
    return f'<passage number="{number}" source="{source}"{dated}>\n{body}\n</passage>'


def user_message(request: WriteRequest) -> str:
    """Passages, outline and question as one message; the question comes last."""
    parts = [passage_block(n, passage) for n, passage in enumerate(request.passages, start=1)]
    if request.outline:
        lines = [line + "".join(f" [{n}]" for n in numbers) for line, numbers in request.outline]
        parts.append("<outline>\n" + "\n".join(map(defused, lines)) + "\n</outline>")
    parts.append(f"<question>\n{defused(request.question)}\n</question>")
    return "\n\n".join(parts)


def estimate_tokens(text: str) -> int:
    """A count of tokens that is rather too high than too low, for any tokenizer.

    Latin words count one token for every 4 letters begun, digits one each 2, other signs
    and line breaks one each, letters of other scripts one and a half each.
    """
    total = 0.0
    for match in re.finditer(r"[A-Za-z]+|\d+|\s+|[^A-Za-z\d\s]", text):
        piece = match.group()
        if piece[0].isascii() and piece[0].isalpha():
            total += math.ceil(len(piece) / 4) if len(piece) > 7 else 1.2
        elif piece.isdigit():
            total += math.ceil(len(piece) / 2) if piece.isascii() else 2 * len(piece)
        elif piece.isspace():
            total += piece.count("\n") + len(piece) // 8
        else:
            total += 1.0 if piece.isascii() else (1.5 if piece.isalpha() else 2.5)
    return math.ceil(total)
