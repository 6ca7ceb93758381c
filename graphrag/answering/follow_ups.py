"""How a follow-up question words that it leans on what was asked before."""

from __future__ import annotations

import re

_I = re.IGNORECASE

# What may stand before a question and asks nothing: thanks, assent, a change of the subject.
ASIDE = re.compile(
    r"^\s*(?:(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much))?|ok(?:ay)?|great|cool|nice"
    r"|right|perfect|i see|got it|understood|hm+)\s*[,.!;:]+\s*(?=\w)"
    r"|^\s*(?:and )?(?:now )?(?:for )?(?:something (?:else|different)|(?:an)?other (?:question"
    r"|topic)|(?:a )?(?:different|new) (?:question|topic|subject)|by the way|btw)"
    r"\s*[:,.-]+\s*(?=\w)",
    _I,
)
# "I don't understand bases", "I forgot how rank is found"
STRUGGLING = re.compile(
    r"^\s*(?:sorry,? )?(?:but )?i(?:(?: still)? (?:do not|don['’]?t|cannot|can['’]t"
    r"|did(?: not|n['’]t)) (?:really |quite |yet )?(?:understand|get|grasp|know|remember|see)"
    r"|(?:['’]ve| have)? forgot(?:ten)?"
    r"|(?:['’]m| am) (?:not sure (?:of|about)|confused (?:by|about)|unsure (?:of|about)))\s+"
    r"(?!(?:it|that|this|why)\W*$)",
    _I,
)
# "And the trace?", "What about E1043?", "And for large tables?"
LEADING = re.compile(
    r"^\s*(?:and|but|so|then|also|ok(?:ay)?|well|or)?[\s,]*(?:what|how) about\s+"
    r"|^\s*(?:and|or|but)[\s,]+",
    _I,
)
FILLER = re.compile(r"^\s*(?:and|but|so|then|also|ok(?:ay)?|well)[\s,]+", _I)
# A circumstance that is added to the question before: "with a header", "at night".
ADDED = re.compile(
    r"(?:with(?:out)?|for|in|on|at|by|as|of|from|using|during|instead of|inside|under)\s+\S"
    r"(?!.*(?:,|\b(?:what|which|how|why|when|where|who|is|are|do|does|did|can|should|must|will)\b))",
    _I,
)
ADDED_CLAUSE = re.compile(r"(?:if|when|while|after|before|once)\s+(?!(?:is|are|do|does)\b)\S", _I)
# "and write one", behind "How do I read a file?"
DOING = re.compile(r"([a-z]+(?: [a-z]+)?) (?:it|one|them|that)(?: again)?", _I)
WAY = re.compile(r"^\W*(how (?:do|can|should|would|must) (?:i|we|you|one)|how to)\s", _I)

POSSESSIVE = re.compile(r"\b(?:its|their|his|her)\b(?= \w)", _I)
PLURAL = re.compile(r"\b(?:they|them|these|those)\b", _I)
_VERBS = (
    r"is|are|was|were|do|does|did|can|could|will|would|may|must|should|has|have|had|mean|come|work"
    r"|happen|help|matter|fail|apply|look|exist|good for|used for|needed|called|required|necessary"
)
# "a matrix that has no inverse" points nowhere: before its verb "that" follows another one.
_AUXILIARIES = ("do", "does", "did", "is", "was", "can", "could", "will", "would", "should", "if")
_BEHIND_ONE = "|".join(f"(?<=\\b{word} )" for word in _AUXILIARIES)
PRONOUN = re.compile(
    r"\b(?:it|they|them|he|she|him|this one|that one|the same"
    r"|(?:this|that|these|those)(?=\s*(?:[?.!,]|$))"
    rf"|(?:this|these|those|(?:^|{_BEHIND_ONE})that)(?=\s+(?:{_VERBS})\b)"
    r"|(?<=is )(?:this|that)(?=\s+(?:an?|the|always|really|still|also|not|true|to|for)\b"
    r"|\s+\w+\s*[?.!]*$))"
    r"\b(?!')",
    _I,
)
ONE = re.compile(r"(?<!\bthis )(?<!\bthat )(?<!\bwhich )\bone(?=\s*(?:[?.!,]|$))", _I)
FORMER = re.compile(r"\bthe (former|latter|first one|second one)\b", _I)
# "in that case", "does this option", "of such a lock": the noun is there, of what is not.
POINTING = re.compile(
    r"\b(?:in|of|for|with|on|at|by|does|do|can|about|from|use|why|how|what|when|happens)\s+"
    rf"(?:this|that|these|those|such(?: an?)?)\s+(?!(?:{_VERBS})\b)[a-z]+",
    _I,
)
# A question with its verb: "and what is a basis" asks nothing of what was before.
WHOLE = re.compile(
    r"\s*(?:what|who|when|where|why|how|which(?: \w+)?)\s+"
    r"(?:is|are|was|were|do|does|did|can|could|should|must|will|would|has|have)\b"
    r"|\s*(?:define|explain|describe|compare)\s",
    _I,
)
EMPTY_IT = re.compile(
    r"\bit (?:is|was) (?:possible|necessary|true|important|better|best)|is it (?:possible|true|"
    r"necessary|better|allowed|safe|ok)(?!\W*$)|\bhow (?:long|far|much) (?:does|will) it take\b",
    _I,
)
ALONE = re.compile(
    r"^\s*(?:why(?: not)?|how(?: so| come)?|when|where|who|for example|an? example|examples?|"
    r"(?:tell me |show me |say )?more(?: about (?:it|that|this))?|(?:please )?go on|"
    r"in (?:which|what) order|prove it|show me|really|is that so|what else|what then|"
    r"(?:(?:list|give me|show me|tell me|what are) )?(?:all )?the (?:exact )?(?:steps|details)|"
    r"(?:(?:give|show|tell) me )?the (?:code|command|syntax|formula))"
    r"\s*[?.!]*\s*$",
    _I,
)
EXPLAIN = re.compile(
    r"^\s*(?:(?:sorry,? )?i (?:do not|don['’]?t) (?:understand|get)(?: (?:it|that|this|why))?"
    r"|(?:(?:please )?|(?:can|could) you (?:please )?)explain"
    r"(?: (?:it|that|this))?(?: (?:again|(?:more |a bit more )?simply|in (?:simple|other) words"
    r"|(?:in )?more (?:detail|slowly)))?"
    r"|what do(?:es)? (?:you|it|that|this) mean(?: by (?:that|this|it))?"
    r"|what did you mean(?: by that)?)"
    r"\s*[?.!]*\s*$",
    _I,
)
EXAMPLE = re.compile(
    r"^\s*(?:please |(?:can|could) you )?(?:give|show|tell)(?: me| us)? (?:please )?"
    r"(?:an(?:other)?|some|more|one|the) (?:simple |concrete |worked |numeric(?:al)? )?examples?"
    r"(?:,? please)?\s*[?.!]*\s*$",
    _I,
)
DIFFERENCE = re.compile(
    r"^\s*(?:and |so |but )?(?:what(?:['’]?s| is| are)|is there|tell me) (?:the |a |any )?"
    r"differences?"
    r"(?: between (?:them|the two|these(?: two)?|those(?: two)?|both))?\s*[?.!]*\s*$"
    r"|^\s*(?:please )?compare (?:them|the two|both|these|those)\s*[?.!]*\s*$"
    r"|^\s*how (?:do (?:they|the two|these|those) differ|are (?:they|the two|these) different)\W*$",
    _I,
)
DIFFERENCE_TO = re.compile(
    r"^\s*(?:and |so |but )?what(?:['’]?s| is) the difference (?:to|from|with) "
    r"(?!(?:it|this|that)\b)(?P<other>[^?.!]+?)\s*[?.!]*\s*$",
    _I,
)
# Nouns that are always of something: "What is the default?"
_OF_SOMETHING = (
    r"(?:(?:first|second|third|last|next|main|usual|exact|maximum|minimum)\s+)?"
    r"(?:defaults?|arguments?|parameters?|options?|steps?|caveats?|limits?|limitations?|purpose|"
    r"advantages?|disadvantages?|drawbacks?|benefits?|syntax|formula|exceptions?|command|value|"
    r"return value|unit|causes?|remedy|remedies|fix|reasons?|consequences?|requirements?|effects?|"
    r"rules?|meaning|risks?|alternatives?|list)"
)
RELATIONAL_NOUN = re.compile(rf"(?:the |its )?{_OF_SOMETHING}", _I)
RELATIONAL = re.compile(
    r"^\s*(?:what|which|where|how \w+|who)(?: is|['’]s| are| was| does| do)\s+the\s+"
    rf"{_OF_SOMETHING}(?P<verb>\s+(?:mean|do|stand for))?\s*[?.!]*\s*$",
    _I,
)
