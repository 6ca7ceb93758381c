"""Whether a sentence of the documents says what an answer says, word for word but for what
does not matter.

That two texts agree is claimed only where it is sure: a cross-encoder finds a sentence and its
copy with one word changed as near as the sentence itself. So each word of the answer stands in
the sentence in the same order, or one that means the same does, and the sentence adds nothing
within that clause that would limit it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from graphrag.answering.claims import claim, ground
from graphrag.answering.polarity import negates
from graphrag.answering.support import Score, objection
from graphrag.domain import Agreement, Passage
from graphrag.wording.alignment import Token, compared
from graphrag.wording.synonyms import mean_the_same
from graphrag.wording.terms import content_words

# The least logits of the cross-encoder between answer and sentence, and question and sentence.
# Of 44 true sentences given as the answer to a question of theirs 36 reach the second, of 825
# given to another question of the same course 4.
SAYS_SO, BEARS = 4.0, 3.0
# Of an answer shorter than this it cannot be told what it says.
_FEWEST = 3
_VERDICT = re.compile(r"^\W*(?:(?P<no>no|not at all)\b,?|yes\b,?)\W*", re.IGNORECASE)
_OPENING = re.compile(
    r"^\W*(?:because|since|as(?! (?:far|long|many|much|soon|well)\b)|so|that)\b\s*", re.IGNORECASE
)
# A sign between names in prose, which no word is compared with.
_SIGN = re.compile(r"(?<=\s)[-+*/=<>±×÷−](?=\s)")
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_MISTAKEN = re.compile(
    r"\b(?:mistakes?|mistaken(?:ly)?|misconceptions?|myth|wrong(?:ly)?|false(?:ly)?|incorrect(?:ly)?"
    r"|believ\w+|beliefs?|assum\w+|suppos\w+|one (?:might|may|could) think|think\w*|thought|claims?"
    r"|claimed|seems?)\b",
    re.IGNORECASE,
)
# Words without which, or with which, a sentence says the same.
_LIGHT_WORDS = """
a an the it its they them their this that these those he him his she her there is are be been was
were do does did will have also then so thus which who of
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())
# What makes a sentence hold only in part: from behind a comma, and within its clause.
_CONDITIONING = "if unless when whenever where until except provided only but"
_LIMITING = """
not no never none nothing nobody neither nor without hardly instead rather may might can could
would should
"""
_CONDITIONS = frozenset(_CONDITIONING.split())
_LIMITS = _CONDITIONS | frozenset(_LIMITING.split())
# What opens a sentence so says when it holds: "In rare cases, ...", "For square matrices, ...".
_OPENING_CONDITION = """
for in within with under on at during by given among of over near after before
"""
_RESTRICTING = frozenset(_OPENING_CONDITION.split())
_CLAUSE_END = frozenset(".;:?!,()–—")
_GOES_ON = frozenset({"and", "since", "because", "so", "as"})


def agreement(
    question: str, answer: str, passages: Sequence[Passage], *, score: Score
) -> Agreement | None:
    """The sentence of the passages that bears on the question and says what the answer says,
    if there is one; ``score`` is a cross-encoder giving logits.

    Of 90 true sentences given as answers 64 are agreed with, of 90 copies with a word, number,
    negation or pair of names changed none, and of 193 wrong answers none; but in one's own
    words a right one seldom is (1 of 40).
    """
    said = claim(_bare(answer))
    told: list[tuple[str, Passage]] = []
    for passage in passages:
        prepared = ground(passage)
        if _MISTAKEN.search(" ".join(passage.chunk.heading_path)):
            continue
        same = [
            unit.text
            for unit in prepared.units
            # What opens a list may turn its items round ("Never do this:").
            if unit.kind in ("sentence", "item") and not unit.lead
            if says_the_same(answer, unit.text, question)
        ]
        if same and not objection(said, [prepared], score=score):
            told += [(text, passage) for text in same]
    if not told:
        return None
    texts = [text for text, _ in told]
    logits = zip(score(answer, texts), score(question, texts), strict=True)
    good = [
        (bears, -place)
        for place, (says, bears) in enumerate(logits)
        if says >= SAYS_SO and bears >= BEARS
    ]
    return Agreement(*told[-max(good)[1]]) if good else None


def says_the_same(answer: str, sentence: str, question: str) -> bool:
    """Whether the sentence says what the answer to the question says.

    What the answer leaves out for its being named in the question may be left out. Ellipses
    beyond that, other orders of words and words of one's own are not told to be the same.
    """
    if _MISTAKEN.search(sentence) or sentence.rstrip().endswith("?"):
        return False
    verdict, bare = _VERDICT.match(answer), _bare(answer)
    if verdict and not _bears_out(verdict, bare, question):
        return False
    said = [token for token in compared(bare) if token.kind != "mark"]
    if len(said) < _FEWEST or len(set(content_words(bare))) < 2:
        return False
    if Counter(_SIGN.findall(bare)) - Counter(_SIGN.findall(sentence)):
        return False
    return _follows(said, compared(sentence), {token.value for token in compared(question)})


def _bears_out(verdict: re.Match[str], bare: str, question: str) -> bool:
    """Whether what follows a "yes" or "no" is that same answer in a sentence: a true sentence
    may be no reason for either ("Yes, a basis has two vectors")."""
    denies = negates(bare) or bool(_ONLY.search(bare))
    return denies == bool(verdict["no"]) and set(content_words(question)) <= set(
        content_words(bare)
    )


def _bare(answer: str) -> str:
    """An answer without its "yes" or "no", and the word that opens a reason."""
    return _OPENING.sub("", _VERDICT.sub("", answer))


def _follows(said: Sequence[Token], full: Sequence[Token], asked: set[str]) -> bool:
    """Whether the tokens said are a clause of the ``full`` sentence; ``asked`` may be missing."""
    places = [index for index, token in enumerate(full) if token.kind != "mark"]
    stands = [full[index] for index in places]
    matcher = SequenceMatcher(None, [t.value for t in said], [t.value for t in stands], False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if not blocks:
        return False
    first, last = blocks[0].b, blocks[-1].b + blocks[-1].size
    for name, a, b, c, d in matcher.get_opcodes():
        if name == "equal":
            if any(_other_case(*pair) for pair in zip(said[a:b], stands[c:d], strict=True)):
                return False
            continue
        outer = d <= first or c >= last
        there = () if outer else stands[c:d]
        if not _harmless(said[a:b], there, asked):
            return False
    spoken = {token.value for token in said}
    before, behind = full[: places[first]], full[places[last - 1] + 1 :]
    return _may_open(before, spoken, asked) and _may_close(behind, spoken, asked)


def _other_case(one: Token, other: Token) -> bool:
    """Whether two symbols differ in the case of a letter: mW and MW, not dna and DNA."""
    return one.text.lower() == other.text.lower() and (
        one.text != other.text and not one.text.islower() and not other.text.islower()
    )


def _harmless(said: Sequence[Token], stands: Sequence[Token], asked: set[str]) -> bool:
    """Whether one may be put for the other."""
    rest = [token for token in stands if not _is_light(token)]
    for token in said:
        if _is_light(token):
            continue
        same = [each for each in rest if mean_the_same(each.text, token.text)]
        if not same:
            return False
        rest.remove(same[0])
    return all(token.kind == "content" and token.value in asked for token in rest)


def _is_light(token: Token) -> bool:
    return token.kind == "word" and (token.value in _LIGHT or token.text.casefold() in _LIGHT)


def _may_open(before: Sequence[Token], spoken: set[str], asked: set[str]) -> bool:
    """Whether what stands before the words said may be left out: clauses of their own that
    set no condition and open with none, light words, and what the question names."""
    semicolons = [place for place, token in enumerate(before) if token.value == ";"]
    before = before[semicolons[-1] + 1 :] if semicolons else before
    if any(token.text.casefold() in _LIMITS - spoken for token in before):
        return False
    restricts = bool(before) and before[0].text.casefold() in _RESTRICTING
    if restricts and any(_adds(token, asked) for token in before):
        return False
    for token in reversed(before):
        if token.kind == "mark" and token.value in _CLAUSE_END:
            return True
        if not (_is_light(token) or token.value in asked or token.text.casefold() in _GOES_ON):
            return False
    return True


def _may_close(behind: Sequence[Token], spoken: set[str], asked: set[str]) -> bool:
    """Whether what stands behind may be left out: within its clause nothing but light words
    and what the question names, since "a list of vectors" is not "a list of vectors that spans
    the space"; no condition up to the end of the sentence or the next statement of its own."""
    within = True
    for token in behind:
        if token.kind == "mark" and token.value in ".;:":
            return True
        if token.kind == "mark":
            within = False
        if token.text.casefold() in (_LIMITS if within else _CONDITIONS) - spoken:
            return False
        if within and _adds(token, asked):
            return False
    return True


def _adds(token: Token, asked: set[str]) -> bool:
    """Whether a token says something that the question does not name."""
    return token.kind not in ("word", "mark") and token.value not in asked
