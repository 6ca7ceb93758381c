"""What kind of answer a question's wording expects."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphrag.wording.numbers import Number, numbers
from graphrag.wording.terms import content_words, identifiers

_TIME = frozenset({"s", "ms", "min", "h", "d", "wk", "mo", "yr"})
_LENGTH = frozenset({"mm", "cm", "m", "km"})
_MASS = frozenset({"g", "kg", "t"})
_PRESSURE = frozenset({"bar", "pa", "kpa", "mpa"})
_HEAT = frozenset({"°c", "°f", "k", "°"})
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    (r"\bhow (?:long|often|soon|quickly|old|late|early)\b", _TIME),
    (r"\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b", _TIME),
    (r"\b(?:duration|interval|period|delivery time|lead time)\b", _TIME),
    (r"\bhow (?:wide|deep|tall|high|thick|far)\b", _LENGTH),
    (r"\b(?:width|height|length|diameter|distance|clearance|thickness|depth)\b", _LENGTH),
    (r"\bhow heavy\b|\b(?:weight|mass|weigh|weighs)\b", _MASS),
    (r"\bhow many (?:grams|kilograms|tonnes)\b", _MASS),
    (r"\bpressures?\b", _PRESSURE),
    (r"\btemperatures?\b|\bhow (?:hot|cold|warm)\b", _HEAT),
    (r"\btorques?\b|\bhow tight(?:ly)?\b", frozenset({"nm"})),
    (r"\bfrequenc(?:y|ies)\b", frozenset({"hz"})),
    (r"\b(?:voltage|volts)\b", frozenset({"v"})),
    (r"\bpercent(?:age)?\b|\bshare of\b", frozenset({"%"})),
    (r"\bhow fast\b|\b(?:speed|velocity)\b", frozenset({"m/s", "mm/s", "rpm"}) | _TIME),
    (r"\b(?:price|cost|costs)\b|\bhow expensive\b", frozenset({"$", "€"})),
)
_ANY_NUMBER = re.compile(
    r"\bhow (?:many|much|big|large|far|fast|long|often|old|high|deep|wide|heavy|tight)\b"
    r"|\bwhat (?:number|value|percentage|size|year|port|setpoint|limit)\b|\bto what\b|\bat what\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:part number|number|code|codes|address|version|release|model|type|tag|port|fuse|shelf"
    r"|which part|which sensor|which valve|which kit)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"^\W*how (?:do|can|should|must|to|would|is|are) "
    r"(?!.*\b(?:related|connected|different|differ|relate|linked|long|often|many|much)\b)"
    r"|^\W*(?:steps? |procedure|(?:what|which) steps\b|what (?:are|is) the (?:steps?|procedure))"
    r"|\bhow (?:do|can|should|must) (?:i|we|you)\b"
    r"|\bwhat (?:do|must|should) (?:i|we|you) do\b",
    re.IGNORECASE,
)
_META = re.compile(
    r"^\W*(?:(?:in )?this|the (?:following|next|present|last)|here)\b[^.]{0,30}?"
    r"\b(?:chapter|section|page|lesson|document|manual|handbook|part|unit|text|article|course"
    r"|guide|runbook)\b.{0,40}"
    r"\b(?:describ|cover|explain|show|give|list|say|deal|introduc|treat|tell|contain|is about)",
    re.IGNORECASE | re.DOTALL,
)


_ASIDE = re.compile(
    r"\b(?:exercises?|problems?|quiz(?:zes)?|questions?|solutions?|answers?|mistakes?|pitfalls?"
    r"|misconceptions?|errors? to avoid|further reading|references|history|outlook|homework)\b",
    re.IGNORECASE,
)


_PRACTICE = re.compile(
    r"\b(?:exercises?|problems?|quiz(?:zes)?|questions?|homework|check yourself|test yourself)\b",
    re.IGNORECASE,
)


_ALL_OF = re.compile(
    r"^\W*(?:what|which) are (?:the|all)\b|^\W*(?:name|list|enumerate)\b"
    r"|^\W*(?:what|which) (?:[\w-]+ ){0,2}[\w-]{2,}s (?:are|do|does|can|may|must|have|exist)\b",
    re.IGNORECASE,
)
_DOING = re.compile(r"^\W*(?!\w+thing\b)[A-Z][a-z]+ing\b[^.!?:]*[.!?]?\W*$")


def is_practice(heading_path: Sequence[str]) -> bool:
    """Whether a section asks what its reader shall work out."""
    return bool(heading_path) and _PRACTICE.search(heading_path[-1]) is not None


def is_aside(heading_path: Sequence[str]) -> bool:
    """Whether a section only practises, warns or looks further: its sentences may well be
    false, or ask what others answer."""
    return bool(heading_path) and _ASIDE.search(heading_path[-1]) is not None


def names_a_mistake(text: str) -> bool:
    """Whether an item only names what is done wrong ("Forgetting the sign."): quoted by
    itself it would read as advice."""
    return _DOING.match(text) is not None


def expects_steps(question: str) -> bool:
    """Whether the question asks how something is done."""
    return _STEPS.search(question) is not None


def expects_list(question: str) -> bool:
    """Whether the question asks for all of several things."""
    return _ALL_OF.search(question) is not None


_COMPARED = re.compile(
    r"\b(?:differences?|distinction) between (?:an? |the )?(.+?) (?:and|versus) "
    r"(?:an? |the )?(.+?)\W*$"
    r"|\bcompare (?:an? |the )?(.+?) (?:and|with|to) (?:an? |the )?(.+?)\W*$"
    r"|\bhow (?:does|do|is) (?:an? |the )?(.+?) (?:differ|different) from (?:an? |the )?(.+?)\W*$",
    re.IGNORECASE,
)


def compared(question: str) -> tuple[str, ...]:
    """The two things that a question wants told apart, without articles and without what both
    share before them ("git reset --soft and --hard"); empty for others."""
    found = _COMPARED.search(question)
    if found is None:
        return ()
    one, other = (group for group in found.groups() if group)
    if other.startswith("-") and " " in one:
        one = one.split()[-1]
    return one, other


# What a question's opening expects, and how a text words such an answer.
_WORDINGS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asks, re.IGNORECASE), re.compile(answers, re.IGNORECASE))
    for asks, answers in (
        (  # a name or a definition
            r"\b(?:call(?:ed)?|name of|word for|term for|known as|stands? for)\b"
            r"|^\W*what (?:is|are) (?:an? |the )?[\w\s'-]{2,40}\?",
            r"\b(?:is|are) (?:called|an? |the )|\*\*|^\W*[\w -]{2,30}: ",
        ),
        (  # a condition
            r"^\W*(?:when|under (?:what|which)) (?:is|are|does|do|can|may|must)\b"
            r"|\bhow (?:can|do) (?:i|we|you|one) (?:tell|see|know|check|recogni[sz]e)\b",
            r"\b(?:if|when|whenever|exactly|unless|as soon as)\b",
        ),
        (  # a reason
            r"^\W*(?:why|what is the reason)\b|\bhow come\b",
            r"\b(?:because|since|for|so that|otherwise|therefore|hence|would|reason)\b",
        ),
        (  # yes or no
            r"^\W*(?:is|are|does|do|can|may|must|should|has|have|will|did)\b",
            r"\b(?:not|no|never|none|always|only|every|any|may|cannot|allowed|must|neither)\b",
        ),
        (  # a way to do it
            r"\bhow (?:do|can|should|must|to) (?:i|we|you|one)?\b|\b(?:what|which) steps\b",
            r"\bto (?:find|compute|solve|get|check|test|write|make|do|see|decide|obtain|turn)\b"
            r"|\bby (?!the\b|an?\b)\w+ing\b|\bone \w+s\b|\b(?:procedure|method|steps?)\b"
            r"|^\W*(?:\d{1,3}[.)]\s+)?(?:take|put|write|find|bring|reduce|solve|multiply|divide|add"
            r"|subtract|compute|draw|count|choose|express|begin|start|set|press|open|close|use)\b",
        ),
        (  # a formula
            r"\b(?:formula|equation|rule for|transpose of|inverse of|sum of|product of|power of)\b"
            r"|\bhow (?:do|can) (?:i|we|you) (?:compute|calculate|find)\b",
            r"\$[^$]*=[^$]*\$",
        ),
    )
)


_FORMULAS = re.compile(r"\$\$?(.+?)\$\$?", re.DOTALL)
_NUMERAL = re.compile(r"(?<![\w^_{\\])\d+(?:\.\d+)?")
_CONCRETE = 4


def is_worked_example(question: str, text: str) -> bool:
    """Whether a text reckons with numbers of its own where the question names none."""
    if _NUMERAL.search(question) or "example" in question.lower():
        return False
    counted = sum(len(_NUMERAL.findall(formula)) for formula in _FORMULAS.findall(text))
    return counted >= _CONCRETE


def answers_kind(question: str, text: str) -> bool:
    """Whether a text is worded as the question's opening expects: a definition, a condition,
    a reason, a yes or no, a formula."""
    return any(asks.search(question) and answers.search(text) for asks, answers in _WORDINGS)


def is_about_the_text(sentence: str) -> bool:
    """Whether a sentence only announces what the text will say."""
    return _META.match(sentence) is not None


_WHO = re.compile(r"^\W*(?:by )?who(?:m|se)?\b", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:person|people|nobody|everyone|everybody|anyone|staff|crew|team|shift|office|department"
    r"|company|maker|supplier|contractor|visitor|member|lead|man|woman|manager|supervisor|operator"
    r"|fitter|engineer|officer|inspector|director|author|teacher|student|owner|worker|driver"
    r"|electrician|technician|doctor|scientist|mathematician|inventor|founder|writer|editor)s?\b"
    r"|\b(?:by|from|with|to|named|Mr|Mrs|Ms|Dr)\.? [A-Z][a-z]+ [A-Z][a-z]+\b"
)
# "What is the name of the safety manager?" and "Who was the first ...?" want a name, no role.
_NAME_OF = re.compile(
    r"(?:\bname of|^\W*who (?:was|were)) (?:the|our|its) (?:[\w-]+ ){0,3}"
    r"(?:manager|supervisor|operator|engineer|officer|inspector|director|author|teacher|owner|driver|technician|doctor|inventor|founder|editor"
    r"|leader|president|chair|maintainer)\b",
    re.IGNORECASE,
)
_PERSONAL_NAME = re.compile(
    r"(?:\b(?:[Bb]y|[Ff]rom|[Ww]ith|[Tt]o|named|called|is|was|Mr|Mrs|Ms|Dr)\.?|[|:,(]) "
    r"[A-Z][a-z]+ [A-Z][a-z]+\b"
)
_YEAR = re.compile(r"\b(?:in )?(?:which|what) year\b", re.IGNORECASE)
_ANY_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_WHEN_DONE = re.compile(r"^\W*(?:when|on (?:which|what) day) (?:was|were|did)\b", re.IGNORECASE)
_ANY_DATE = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october"
    r"|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|ago"
    r"|yesterday)\b|\b\d{1,2}:\d\d\b",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\b(?:costs?|price|prices|fee|wage|wages|salary)\b", re.IGNORECASE)
_ANY_PRICE = re.compile(
    r"[$€£]\s?\d|\d\s?(?:[$€£]|euros?\b|dollars?\b|pounds?\b|usd\b|eur\b)", re.IGNORECASE
)
_BESIDE = 4
_NUMBERED = re.compile(r"\.\s+[A-Z]")
_HOW_MANY = re.compile(r"\bhow many (?!times\b)([a-z]{3,})\b", re.IGNORECASE)


def quantity_given(question: str, texts: Sequence[str]) -> bool | None:
    """Whether one of the texts has a quantity of the kind that the question asks for (a
    time, a length, a mass, ...); None where it asks for none, as who asks how a thing is done
    does not."""
    if expects_steps(question):
        return None
    kinds = [units for pattern, units in _KINDS if re.search(pattern, question, re.IGNORECASE)]
    if not kinds:
        return None
    found = {number.unit for text in texts for number in numbers(text, spelled=True)}
    return any(found & units for units in kinds)


def thing_given(question: str, texts: Sequence[str]) -> bool | None:
    """Whether one of the texts has the person, the year or day, the price, or a number of the
    things that the question asks for; None where it asks for none of these."""
    if _NAME_OF.search(question):
        return any(_PERSONAL_NAME.search(text) for text in texts)
    if _WHO.search(question):
        return any(_PERSON.search(text) for text in texts)
    if _YEAR.search(question):
        return any(_ANY_YEAR.search(text) for text in texts)
    if _WHEN_DONE.search(question):
        return any(_ANY_DATE.search(text) for text in texts)
    if _PRICE.search(question) and re.search(r"^\W*(?:what|how (?:much|high))\b", question, re.I):
        return any(_ANY_PRICE.search(text) for text in texts)
    counted = _HOW_MANY.search(question)
    things = set(content_words(counted.group(1))) if counted else set()
    if not things or quantity_given(question, texts) is not None:
        return None
    return any(things & set(content_words(text)) and numbers(text, spelled=True) for text in texts)


def counted_apart(question: str, texts: Sequence[str]) -> bool:
    """Whether the question asks how many of a thing there are, and no text has a number beside
    that thing: it speaks of it and counts another one."""
    counted = _HOW_MANY.search(question)
    things = set(content_words(counted.group(1))) if counted else set()
    if not things or quantity_given(question, texts) is not None:
        return False
    return not any(
        things & _beside(text, each) for text in texts for each in numbers(text, spelled=True)
    )


def _beside(text: str, number: Number) -> set[str]:
    """The words of content among the next few before and behind a number; those of a heading
    count nothing ("6. Maintainer scripts")."""
    if _NUMBERED.match(text[number.stop :]):
        return set()
    before = text[: number.start].split()[-_BESIDE:]
    behind = text[number.stop :].split(maxsplit=_BESIDE)[:_BESIDE]
    return set(content_words(" ".join([*before, "|", *behind])))


def fits(question: str, text: str) -> float:
    """How well a text has the kind of answer that the question expects, from 0 to 1.

    1 for a quantity of the kind asked for, 0.5 for a number or a code where one is asked
    for, 0 where nothing of the kind is there or nothing in particular is expected.
    """
    found = numbers(text, spelled=True)
    kinds = [units for pattern, units in _KINDS if re.search(pattern, question, re.IGNORECASE)]
    if any(number.unit in units for number in found for units in kinds):
        return 1.0
    if (kinds or _ANY_NUMBER.search(question)) and found:
        return 0.5
    asked = set(identifiers(question))
    if _CODE.search(question) and set(identifiers(text)) - asked:
        return 0.5
    return 0.0
