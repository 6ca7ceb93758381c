"""Which sentences of a document the language pipeline should see, and in what shape."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from graphrag.domain import Block, Document, Span
from graphrag.sentences import split_sentences

_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)]|\([a-zA-Z0-9]{1,3}\))[ \t]+")
_MASKED = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$|\[image:[^\]]*\]|`[^`\n]+`", re.DOTALL)
_CUE = re.compile(
    r"""\b(?:
      requir\w+|needs?|needed|necessary|essential|prerequisites?|depend(?:s|ed|ent|ing)?|rel(?:y|ies|ied)
      |buil[dt]s?\s(?:up)?on|based|founded|rests?\s(?:up)?on|presuppos\w+|assum(?:e|es|ing)|recall|remember
      |familiar\w*|should|must|before|understand\w*|knowledge|us(?:e|es|ed|ing)|appl(?:y|ies|ied)|employs?
      |part\sof|parts\sof|consists?|composed|contains?|components?|kinds?\sof|types?\sof|forms?\sof|cases?\sof
      |generali[sz]\w+|extends?|extension|examples?\sof|unlike|contrast|differs?|different\sfrom|versus
      |deriv(?:e|es|ed)|follows?\sfrom|obtained|called|known\sas|refers?|referred|defined?|defines
      |means|denotes?|named|termed
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
_COPULA = re.compile(
    r"^\W*[^,.;:]{2,70}?\b(?:is|are)\s+(?:an?|the|any|one|those|all)\b"
    r"|^(?:The )?[A-Z][\w-]+(?: (?:[a-z]{2,3} ){0,2}[A-Z][\w-]+)* (?:was|were) (?:an?|the)\b"
)
_LONGEST = 1200


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of prose, the block that it stands in, and the heading above it."""

    span: Span
    block: Block
    heading: Span | None


@dataclass(frozen=True, slots=True)
class Masked:
    """A sentence whose formulas, code and images became ``X``, with the way back."""

    text: str
    _starts: tuple[int, ...]
    _shifts: tuple[int, ...]

    def original(self, offset: int) -> int:
        """The offset in the document of an offset in the masked text."""
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]


def prose_sentences(document: Document) -> list[Sentence]:
    """The sentences of paragraphs, lists and quotes, in the order of the text.

    List items are cut at their lines and lose their marks; headings, code, formulas and
    tables are not prose.
    """
    found: list[Sentence] = []
    heading: Span | None = None
    for block in document.blocks:
        if block.kind == "heading":
            heading = Span(block.start, block.stop)
        elif block.kind in ("paragraph", "quote"):
            spans = split_sentences(document.text, block.start, block.stop)
            found += [Sentence(span, block, heading) for span in spans]
        elif block.kind == "list":
            for line in list_items(document.text, block):
                spans = split_sentences(document.text, line.start, line.stop)
                found += [Sentence(span, block, heading) for span in spans]
    return found


def list_items(text: str, block: Block) -> list[Span]:
    """The items of a list block without their marks; lines that go on join their item."""
    items: list[Span] = []
    position = block.start
    for line in text[block.start : block.stop].splitlines(keepends=True):
        mark = _LIST_MARK.match(line)
        stop = position + len(line.rstrip())
        if mark is not None:
            items.append(Span(position + mark.end(), max(stop, position + mark.end())))
        elif items and line.strip():
            items[-1] = Span(items[-1].start, stop)
        elif line.strip():
            items.append(Span(position + len(line) - len(line.lstrip()), stop))
        position += len(line)
    return [item for item in items if item.start < item.stop]


def worth_parsing(sentence: str, *, emphasised: bool) -> bool:
    """Whether a sentence may hold a cue or a definition, so that parsing it can pay.

    Parsing is what costs in spotting; the other sentences are only searched for names.
    """
    if not 12 <= len(sentence) <= _LONGEST or " " not in sentence:
        return False
    return emphasised or _CUE.search(sentence) is not None or _COPULA.match(sentence) is not None


def mask(text: str, span: Span) -> Masked:
    """The sentence with formulas, inline code and images replaced by ``X``."""
    pieces: list[str] = []
    starts, shifts = [0], [span.start]
    length, position = 0, span.start
    for match in _MASKED.finditer(text, span.start, span.stop):
        pieces += (text[position : match.start()], "X")
        length += match.start() - position
        starts += (length, length + 1)
        shifts += (match.start() - length, match.end() - length - 1)
        length, position = length + 1, match.end()
    pieces.append(text[position : span.stop])
    # Lone surrogates cannot be encoded, which pipelines do; each becomes one mark.
    clean = "".join(pieces).replace("\n", " ").encode("utf-8", "replace").decode("utf-8")
    return Masked(clean, tuple(starts), tuple(shifts))
