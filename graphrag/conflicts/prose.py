"""What sentences state under a key: a name with a number right behind it, as in "set the
belt tension to 18 N/mm" or "``poll.interval_ms`` is 500"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from graphrag.conflicts.naming import is_key, name_spans
from graphrag.conflicts.statements import SAYS_VALUE, Statement
from graphrag.conflicts.values import CLOCK, read_value
from graphrag.domain import Annotation, Block, Document
from graphrag.wording.terms import content_words

_NAME = re.compile(r"(?<![\w./-])[A-Za-z]\w*(?:[._][A-Za-z]\w*)+(?![\w/(])")
_LINK = re.compile(
    r"[*`\"”\s]*(?:(?:is|are|was|must|should|shall|be|set|kept|stays|at|to|of|exactly|always)\b"
    r"[\s:*`\"“]*|[=:][\s*`\"“]*){1,4}"
)
_AMOUNT = re.compile(
    rf"{CLOCK.pattern}|"
    r"[-−–]?\d+(?:[.,]\d+)*(?:\s?%|\s[A-Za-z°µ][\w/°]*|[A-Za-z°µ][\w/°]*)?"
)
_ATTRIBUTE = re.compile(r"\b([a-z]+)(?:\s+value)?\s+of\s+(?:the\s+)?[*`\"“]*\Z", re.IGNORECASE)
"""What of the name is told: the default of ``page_size``, as in a column of a table."""
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|while|whether|where|would|could|instead|example)\b",
    re.IGNORECASE,
)


def prose_statements(document: Document, annotation: Annotation) -> Iterator[Statement]:
    """Noun phrases of two words or more, and dotted names, with the number they are said
    to have. Conditions, examples and questions state nothing."""
    phrases = sorted({(each.start, each.stop) for each in annotation.phrases})
    sentences = [(each.start, each.stop) for each in annotation.sentences]
    for block in document.blocks:
        if block.kind not in ("paragraph", "list", "quote"):
            continue
        first, last = (bisect_left(phrases, (at, 0)) for at in (block.start, block.stop))
        names = set(phrases[first:last])
        names |= {
            (each.start, each.stop)
            for each in name_spans(document.text, block.start, block.stop)
            if not is_key(document.text, each)
        }
        names |= {each.span() for each in _NAME.finditer(document.text, block.start, block.stop)}
        for start, stop in sorted(names):
            at = bisect_right(sentences, (start, len(document.text))) - 1
            sentence = sentences[at] if at >= 0 else (block.start, block.stop)
            yield from _stated(document, block, (start, stop), sentence)


def _stated(
    document: Document, block: Block, name: tuple[int, int], sentence: tuple[int, int]
) -> Iterator[Statement]:
    text = document.text[name[0] : name[1]]
    said = _amount(document.text, name, sentence)
    value = read_value(said) if said else None
    key = tuple(content_words(text))
    if value is not None and len(key) > 1:
        whose = _ATTRIBUTE.search(document.text, max(sentence[0], name[0] - 40), name[0])
        more = [t for t in content_words(whose[1]) if t not in SAYS_VALUE] if whose else []
        if more:
            key = (*key, "/", *more)
        quote = " ".join(document.text[sentence[0] : sentence[1]].split())
        yield Statement(
            "sentence",
            key,
            " ".join(text.split()),
            said,
            (value,),
            document.id,
            block.heading_path,
            quote,
            block.page,
        )


def _amount(text: str, name: tuple[int, int], sentence: tuple[int, int]) -> str:
    """The number right behind the name, with its unit; empty where there is none."""
    link = _LINK.match(text, name[1], sentence[1])
    amount = _AMOUNT.match(text, link.end(), sentence[1]) if link else None
    before = text[max(sentence[0], name[0] - 80) : name[0]]
    if amount is None or _CONDITION.search(before) or text[sentence[1] - 1] == "?":
        return ""
    is_argument = before.rstrip(" *`").endswith(("(", ","))
    if link is not None and is_argument and "=" in link[0]:  # of a signature
        return ""
    # The word behind a bare number is its unit or what is counted; "502 and" has none.
    number, _, unit = amount[0].rstrip(".,").partition(" ")
    is_unit = len(unit) == 1 or not unit.isalpha() or content_words(unit)
    return f"{number} {unit}" if unit and is_unit else number
