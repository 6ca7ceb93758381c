"""What a question and its passages tell about whether there is an answer."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from graphrag.answering.closeness import Meaning, likeness, sought_absent, unmet
from graphrag.answering.lacking import lacking, without
from graphrag.domain import Passage
from graphrag.tokens import tokenize
from graphrag.wording.excerpts import Score, excerpts
from graphrag.wording.expects import counted_apart, quantity_given, thing_given
from graphrag.wording.general import ASKING, asking, general
from graphrag.wording.synonyms import is_told
from graphrag.wording.terms import contains_identifier, content_words, identifiers

Occurs = Callable[[str], bool]


class Senses(TypedDict, total=False):
    """What a question can be measured by besides its words: the cross-encoder (logits),
    whether a term is anywhere in the corpus, how alike texts are."""

    score: Score | None
    occurs: Occurs | None
    meaning: Meaning | None


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a question and its passages before anything is written.

    ``relevance`` is the logit that the cross-encoder gives the best passage or excerpt.
    ``missing`` is the share of the question's words of content that no passage holds; a
    word that occurs elsewhere in the corpus counts a part, and none where the best excerpts
    are further from the question without what they lack. ``topic`` is the share of what the
    question names as its subject ("What is a dual space?") that does not stand together in
    the passages. ``attribute`` counts, up to 2, the words between "what is the" and "of" that
    the best excerpts lack, or is the share of them that do not stand together there;
    ``quantity`` is 1 where they lack the kind of quantity that is asked for or a number beside
    the thing to be counted, 3 where they lack the person, date, price or things counted.
    ``unknown`` are identifiers of the question that stand in no
    passage, nor elsewhere in the corpus. ``estranged`` is by how much the relevance rises once
    the words that the best excerpts lack are left out of the question: the excerpts answer the
    rest, and not what those words ask for. Those words, as the question writes them, are
    ``absent``; ``nowhere`` those that no passage holds. ``prominent`` is by how many logits the
    best passage is above the mean of the others: what answers a question stands out, what only
    shares its subject has equals. ``identified`` says that the question asks for a code alone,
    and a passage has it. ``sought`` counts the words of what is asked for ("which password")
    that the best excerpts lack; ``likeness`` is how near these are to the question in meaning,
    ``unmet`` how far the absent words are from any of theirs (see ``closeness``).
    """

    relevance: float
    missing: float
    topic: float
    attribute: float
    quantity: float
    unknown: tuple[str, ...] = ()
    estranged: float = 0.0
    absent: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    prominent: float = 0.0
    identified: bool = False
    sought: int = 0
    likeness: float = 0.0
    unmet: float = 0.0


# Relevance far beyond these is settled by the passages alone, without their excerpts.
_SETTLED = (-7.0, 6.5)
_BEST = 3
_READ_AGAIN = 2
_ELSEWHERE = 0.3
# Beyond these logits a cross-encoder is as sure as it gets; the lead of a passage that has no
# others beside it.
_SURE = (-12.0, 9.0)
_LEAD_ALONE = 3.0
_ATTRIBUTE = re.compile(
    r"\b(?:what|which|who)(?:'s| is| are| was| were) the ((?:[\w-]+ ){0,3}[\w-]+) "
    r"(?:of|for|in|on) \w"
    r"|^(?:the )?((?:[\w-]+ ){0,3}[\w-]+) of (?:the|a|an) \w",
    re.IGNORECASE,
)
_SUBJECT = (
    re.compile(r"\b(?:what|which|who)(?:'s| is| are| was| were) (.+)", re.IGNORECASE),
    re.compile(r"\bwhat (?:does|do|did) (.+)", re.IGNORECASE),
    # Behind "how do I" stands what is done, which may well be worded otherwise.
    re.compile(
        r"\bhow (?:do|can|could|should|would|must|did) (?:i|we|you|one|they) [\w-]+ (.+)",
        re.IGNORECASE,
    ),
    re.compile(r"\bhow (?:do|can|should|does|is|are|must|did) (.+)", re.IGNORECASE),
    re.compile(r"\b(?:define|explain|describe|compute|calculate|find) (.+)", re.IGNORECASE),
)
_NAMED_NUMBER = re.compile(r"\b([A-Z][A-Za-z]+)[ -](\d+(?:\.\d+)*)\b(?!\s?%)")
_CODE_DIGITS = 4  # from which length a number is a code, rather than one of a series
_NO_NAMES = (
    "what which how who when where why in on at by for from to of is are the a an does do did "
    "after before until since over under between about all any january february march april may "
    "june july august september october november december"
)
_DETERMINERS = "the a an this that these those my our your its their i you we one people"


def logit(probability: float) -> float:
    """The log-odds of a probability, kept within 16 either way."""
    clipped = min(max(probability, 1e-7), 1 - 1e-7)
    return math.log(clipped / (1 - clipped))


def signals(
    question: str,
    passages: Sequence[Passage],
    *,
    score: Score | None = None,
    occurs: Occurs | None = None,
    meaning: Meaning | None = None,
) -> Signals:
    """Measure a question against its passages, best first; their score is a probability.

    ``score`` is the cross-encoder (logits): with it the best excerpt counts as well.
    ``occurs`` says whether a term is anywhere in the corpus, ``meaning`` how alike texts are.
    """
    texts = [passage_text(passage) for passage in passages]
    whole = "\n".join(texts)
    logits_whole = _logits(question, passages, score)
    relevance = max(logits_whole)
    near = [text for _, text in sorted(zip(passages, texts, strict=True), key=_by_score)][:_BEST]
    estranged, absent, read = 0.0, lacking(question, near), False
    found = excerpts(list(enumerate(passages, start=1)))
    best = found[:_BEST]
    if score is not None and found and _SETTLED[0] < relevance < _SETTLED[1]:
        logits = score(question, [excerpt.text for excerpt in found])
        ranked = sorted(zip(logits, found, strict=True), key=lambda pair: -pair[0])[:_BEST]
        relevance = max([relevance, *(value for value, _ in ranked)])
        best = [excerpt for _, excerpt in ranked]
        near = [excerpt.text for excerpt in best]
        absent = lacking(question, near)
        if absent:
            rest = without(question, absent)
            estranged = max(score(rest, near[:_READ_AGAIN])) - ranked[0][0]
            read = True
    return Signals(
        relevance=relevance,
        missing=0.0 if read and estranged < 0 else _missing(question, whole, occurs),
        topic=_apart(_subject(question), whole),
        attribute=_attribute_absent(question, near),
        quantity=_quantity(question, near),
        unknown=tuple(unknown_identifiers(question, whole, occurs)),
        estranged=estranged,
        absent=absent,
        nowhere=lacking(question, texts),
        prominent=_prominent(logits_whole),
        identified=any(_identified(question, text) for text in texts),
        sought=sought_absent(question, [excerpt.text for excerpt in best]),
        likeness=likeness(question, [excerpt.unit.text for excerpt in best], meaning),
        unmet=unmet(absent, [excerpt.text for excerpt in best], meaning),
    )


def _logits(question: str, passages: Sequence[Passage], score: Score | None) -> list[float]:
    """The passages' logits: their scores tell them only where the reranker ran."""
    if score is not None and any("reranked" not in passage.channels for passage in passages):
        return list(score(question, [passage.chunk.embedded_text for passage in passages]))
    return [logit(passage.score) for passage in passages]


def _prominent(logits: Sequence[float]) -> float:
    low, high = _SURE
    best, *others = sorted((min(max(value, low), high) for value in logits), reverse=True)
    return best - sum(others) / len(others) if others else _LEAD_ALONE


def _quantity(question: str, near: Sequence[str]) -> float:
    # That one is there says little: it may well measure something else. That there is no
    # person, year or count says more than that there is no length or time.
    if thing_given(question, near) is False:
        return 3.0
    return float(quantity_given(question, near) is False or counted_apart(question, near))


def _by_score(pair: tuple[Passage, str]) -> float:
    return -pair[0].score


def passage_text(passage: Passage) -> str:
    """All that a passage says and where it stands."""
    return f"{passage.title}\n{passage.source}\n{passage.chunk.embedded_text}"


def _missing(question: str, text: str, occurs: Occurs | None) -> float:
    """Codes count as words here; those that are nowhere in the corpus settle it by themselves."""
    codes = identifiers(question)
    asked = list(dict.fromkeys(content_words(_without_codes(question))))
    asked = [word for word in asked if word not in asking()]
    held = set(content_words(text))
    total = float(sum(not contains_identifier(text, code) for code in codes))
    for word in asked:
        if word not in general() and not is_told(word, held):
            total += _ELSEWHERE if occurs is not None and occurs(word) else 1.0
    count = len(asked) + len(codes)
    return total / count if count else 0.0


def _identified(question: str, text: str) -> bool:
    """Whether a question names codes that a text has, and no other word of content that it
    lacks: "What is SQLSTATE 23505?" is answered by its row, "Who made P-401?" is not."""
    named = [f"{name} {number}" for name, number in _named_numbers(question)]
    codes = [*identifiers(question), *named]
    known = not any(unknown_identifiers(question, text))
    held = set(content_words(text))
    left = set(content_words(_without_codes(question)))
    return bool(codes) and known and left <= held and thing_given(question, [text]) is not False


def _named_numbers(question: str) -> Iterator[tuple[str, str]]:
    """Names with a number that is long enough for a code ("SQLSTATE 23505")."""
    for name, number in _NAMED_NUMBER.findall(question):
        if name.lower() not in _NO_NAMES.split() and len(number) >= _CODE_DIGITS:
            yield name, number


def _attribute(question: str) -> list[str]:
    match = _ATTRIBUTE.search(question)
    if match is None:
        return []
    named = match.group(1) or match.group(2)
    return [word for word in content_words(named) if word not in asking()]


def _attribute_absent(question: str, near: Sequence[str]) -> float:
    """How much of the attribute asked for the best excerpts lack. A "delivery time" of
    "5 weeks" is there, though a table's cell does not call it so."""
    if quantity_given(question, near):
        return 0.0
    wanted, whole = _attribute(question), "\n".join(near)
    return _absent(wanted, whole) or _apart(wanted, whole)


def _absent(wanted: Sequence[str], text: str) -> float:
    """How many of the words a text lacks, 2 at most."""
    held = set(content_words(text))
    return min(2.0, float(sum(word not in held for word in wanted)))


def _subject(question: str) -> list[str]:
    """The words of content in a row that the question names first as what it is about."""
    question = _without_codes(question)
    for pattern in _SUBJECT:
        match = pattern.search(question)
        if match is None:
            continue
        phrase: list[str] = []
        for word in re.findall(r"[\w'’-]+|[^\w\s]", match.group(1)):
            terms = [t for t in content_words(word) if t not in asking()]
            if terms:
                phrase += terms
            elif phrase or word.lower() not in f"{_DETERMINERS} {ASKING}".split():
                break
        return phrase[:4]
    return []


def _apart(phrase: Sequence[str], text: str) -> float:
    """The share of a phrase's neighbours that are no neighbours in the text; a lone word
    is held or not. One word may stand between."""
    if not phrase:
        return 0.0
    terms = tokenize(text)
    if len(phrase) == 1:
        return float(phrase[0] not in terms)
    close = set()
    for index, term in enumerate(terms):
        for other in terms[index + 1 : index + 3]:
            close |= {(term, other), (other, term)}
    pairs = list(itertools.pairwise(phrase))
    return sum(pair not in close for pair in pairs) / len(pairs)


def _without_codes(question: str) -> str:
    """Codes are judged by themselves, to the letter."""
    for code in identifiers(question):
        question = question.replace(code, " ")
    return question


def unknown_identifiers(question: str, text: str, occurs: Occurs | None = None) -> Iterator[str]:
    """Codes, and names with a number ("PlantDeck 5.0"), that the text does not hold; codes
    that occur elsewhere in the corpus are known."""
    for code in identifiers(question):
        elsewhere = occurs is not None and occurs(tokenize(code)[0])
        if not contains_identifier(text, code) and not elsewhere:
            yield code
    for match in _NAMED_NUMBER.finditer(question):
        name, number = match.groups()
        if name.lower() in _NO_NAMES.split():
            continue
        written = rf"\b{re.escape(name)}s?[\s:-]+(?:\w+\s)?{re.escape(number)}(?!\w|\.\d)"
        if not re.search(written, text, re.IGNORECASE) and not _is_listed(name, number, text):
            yield f"{name} {number}"


def _is_listed(name: str, number: str, text: str) -> bool:
    """Whether a long number opens a line or row of a text that has its name elsewhere, as the
    codes of a table below a heading."""
    entry = rf"^[\s|*`#-]*{re.escape(number)}(?![\w.:/-])"
    return (
        len(number) >= _CODE_DIGITS
        and re.search(entry, text, re.MULTILINE) is not None
        and re.search(rf"\b{re.escape(name)}s?\b", text, re.IGNORECASE) is not None
    )
