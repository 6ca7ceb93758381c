"""Names of concepts: tokens, normalised keys and the spellings that mean the same.

A key joins the normalised tokens of a name by blanks. Two names with one key are one
concept, so a key folds what never tells concepts apart (case, plural, hyphen, accents of
Latin letters, possessive, British spelling) and keeps what does (``C`` and ``C++``, ``HTTP``
and ``HTTPS``, ``.NET`` and ``Net``).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from graphrag.concepts.american import american

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0e31-\u0e4e"
_LETTERS = rf"[^\W{_CJK}]+(?:[{_MARKS}]+[^\W{_CJK}]*)*"
# Scripts without blanks are cut into characters, so that a name is found inside a sentence.
_TOKEN = re.compile(
    rf"[{_CJK}]"
    r"|(?<![\w.)\]])\.[A-Za-z][\w]*"
    r"|[A-Za-z]\#(?![\w#])"
    r"|[A-Za-z]\w*\+\+(?![\w+])"
    rf"|{_LETTERS}(?:['’]{_LETTERS})*"
)
# A text cut by one of these has its gaps and words in turn. Most lines need but the plain one,
# which takes half the time: nothing in them is of another alphabet or like .NET, C# or C++.
_CUT = re.compile(f"({_TOKEN.pattern})")
_PLAIN_CUT = re.compile(r"([A-Za-z0-9_]+(?:'[A-Za-z0-9_]+)*)")
_NOT_PLAIN = re.compile(r"#|\+\+|\.(?<![\w.)\]]\.)[A-Za-z]")
_LATIN_ACCENT = re.compile("([A-Za-z])[\u0300-\u036f]+")
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
# "$t$-test", "$\\alpha$-helix": a letter that is a word of a name.
_LETTER = re.compile(r"\$(\\?)((?<=\\)[A-Za-z]+|[A-Za-z])\$(?=-(?!th\b)[A-Za-z])")
_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
_LEADING = frozenset({"the", "a", "an"})
_OF = re.compile(r"(\w+) of (?:(?:an?|the) )?(\w+)")
_ENDS_IN_S = (
    "series species lens gas bias canvas atlas alias chaos cosmos physics news means plus axis "
    "always thus perhaps its this his was has does yes us is as"
)
_FAMILIES = tuple(
    (re.compile(rf"(?<=\w{{4}}){ending}$"), folded)
    for ending, folded in (
        ("i[sz](?:ed?|ing|able|ability|ation)", "ize"),
        ("(?:ence|ency|ently)", "ent"),
        ("(?<=[ai]l|iv|ar|ic)ity", ""),
        ("(?<=iv)e", ""),
        ("(?<=[ai]l|ar|ic)ly", ""),
    )
)
_SINGULAR_S = frozenset(_ENDS_IN_S.split())
_IRREGULAR = {
    "matrices": "matrix", "vertices": "vertex", "indices": "index", "indexes": "index",
    "axes": "axis", "bases": "basis", "analyses": "analysis", "hypotheses": "hypothesis",
    "theses": "thesis", "syntheses": "synthesis", "parentheses": "parenthesis",
    "ellipses": "ellipse", "criteria": "criterion", "phenomena": "phenomenon",
    "maxima": "maximum", "minima": "minimum", "extrema": "extremum", "spectra": "spectrum",
    "quanta": "quantum", "momenta": "momentum", "radii": "radius", "foci": "focus",
    "loci": "locus", "nuclei": "nucleus", "formulae": "formula", "antennae": "antenna",
    "nebulae": "nebula", "lemmata": "lemma", "automata": "automaton", "polyhedra": "polyhedron",
    "halves": "half", "leaves": "leaf", "lives": "life", "calves": "calf", "wolves": "wolf",
    "appendices": "appendix", "vortices": "vortex", "directrices": "directrix",
    "feet": "foot", "people": "person", "children": "child", "men": "man", "women": "woman",
    "gases": "gas", "lenses": "lens", "biases": "bias", "aliases": "alias", "buses": "bus",
    "metre": "meter", "metres": "meter",
}  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """The words of a blank-separated list."""
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a text: where it stands and its normalised form."""

    start: int
    stop: int
    key: str


def _singular(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in _SINGULAR_S:
        return word
    if word.endswith(("ss", "us", "is", "ics", "'s")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes", "uses")) and word not in (
        "uses",
        "causes",
        "axes",
        "hypotenuses",
        "clauses",
    ):
        return word[:-2]
    return word[:-1]


@lru_cache(maxsize=1 << 17)
def token_key(word: str) -> str:
    """The normalised form of one word as written: folded, singular, without possessive."""
    folded = _LATIN_ACCENT.sub(r"\1", unicodedata.normalize("NFKD", word))
    folded = unicodedata.normalize("NFC", folded).replace("’", "'")
    if folded.endswith(("'s", "'S")):
        folded = folded[:-2]
    if len(folded) > 1 and folded.isupper():
        return folded.casefold()
    if re.fullmatch("[A-Z]{2,}s", folded):
        return folded[:-1].casefold()
    return american(_singular(folded.casefold()))


def without_formulas(text: str) -> str:
    """The text with TeX between dollar signs blanked out, every offset kept; of a letter that
    begins a name (``$t$-test``) only the signs around it."""
    if "$" not in text:
        return text
    text = _LETTER.sub(lambda match: f" {' ' * len(match[1])}{match[2]} ", text)
    return _FORMULA.sub(lambda match: " " * len(match[0]), text)


def with_plain_letters(name: str) -> str:
    """``t-test`` for ``$t$-test``; other names as they are."""
    return _LETTER.sub(lambda match: match[2], name) if "$" in name else name


def tokens(text: str) -> list[Token]:
    """The words of a text in order, with offsets into it."""
    return [Token(m.start(), m.end(), token_key(m[0])) for m in _TOKEN.finditer(text)]


def token_spans(text: str) -> list[tuple[int, int, str]]:
    """As ``tokens``, as plain (start, stop, key) triples: for whole corpora."""
    parts = [""]
    for line in [text] if _is_plain(text) else text.splitlines(keepends=True):
        gap, *rest = (_PLAIN_CUT if _is_plain(line) else _CUT).split(line)
        parts[-1] += gap
        parts += rest
    ends = list(accumulate(map(len, parts)))
    return list(zip(ends[0::2], ends[1::2], map(token_key, parts[1::2]), strict=False))


def _is_plain(text: str) -> bool:
    return text.isascii() and _NOT_PLAIN.search(text) is None


@lru_cache(maxsize=1 << 15)
def key_tokens(name: str) -> tuple[str, ...]:
    """The normalised words of a name, a leading article dropped; may be empty."""
    composed = unicodedata.normalize("NFC", name)
    words = [token_key(m[0]) for m in _TOKEN.finditer(composed)]
    if len(words) > 1 and words[0] in _LEADING:
        words = words[1:]
    return tuple(words)


@lru_cache(maxsize=1 << 15)
def name_key(name: str) -> str:
    """The normalised key of a name; never empty unless the name is blank.

    A name without any word (``$$``) is its own key.
    """
    words = key_tokens(name)
    if words:
        return " ".join(words)
    return unicodedata.normalize("NFKC", name).strip().casefold()


def compact(key: str) -> str:
    """A key without its blanks: equal for ``feed-forward`` and ``feedforward``."""
    return key.replace(" ", "")


def acronym_of(name: str) -> str:
    """The initials of the words of a name, upper-case, small function words left out."""
    words = [w for w in re.findall(r"\w+", name) if w not in ("of", "the", "and", "for", "in")]
    return "".join(word[0] for word in words).upper()


def split_bracket(name: str) -> tuple[str, str]:
    """A name and the content of its trailing bracket: ``Field (physics)`` gives both parts."""
    match = _BRACKET.search(name)
    if match is None or not name[: match.start()].strip():
        return name.strip(), ""
    return name[: match.start()].strip(), match[1].strip()


def family_key(key: str) -> str:
    """A key with the forms of one word alike: ``linearly independent`` and ``linear
    independence``, ``diagonalizable`` and ``diagonalization``, ``injective`` and
    ``injectivity``.

    Only endings that keep the idea are folded: ``determine`` is no ``determinant``, nor
    ``multiply`` a ``multiplier``.
    """
    return " ".join(_family(word) for word in key.split())


@lru_cache(maxsize=1 << 14)
def _family(word: str) -> str:
    for ending, folded in _FAMILIES:
        changed = ending.sub(folded, word)
        if changed != word:
            return changed
    return word


def is_acronym_pair(name: str, short: str) -> bool:
    """Whether ``short`` abbreviates ``name`` by its initials (``PCA``, ``PCAs``, ``K-NN``)."""
    letters = re.sub(r"[^\w]", "", short)
    letters = re.sub("(?<=[A-Z])s$", "", letters)
    if not 2 <= len(letters) <= 8 or not any(c.isupper() for c in letters):
        return False
    initials = "".join(word[0] for word in re.findall(r"\w+", name)).upper()
    return letters.upper() in (initials, acronym_of(name))


def inverted_key(key: str) -> str:
    """``matrix inverse`` for ``inverse of a matrix``; empty for keys of another form."""
    match = _OF.fullmatch(key)
    return f"{match[2]} {match[1]}" if match else ""


def spellings(name: str) -> list[str]:
    """The forms by which a text may name a concept, the full name first.

    ``principal component analysis (PCA)`` also answers to both of its parts;
    ``Field (physics)`` to ``Field``; ``conservation of energy`` to ``energy conservation``.
    """
    forms = [name.strip()]
    base, bracket = split_bracket(name)
    if bracket:
        forms.append(base)
        if is_acronym_pair(base, bracket) or is_acronym_pair(bracket, base):
            forms.append(bracket)
    inverted = _OF.fullmatch(base)
    if inverted:
        forms.append(f"{inverted[2]} {inverted[1]}")
    return list(dict.fromkeys(forms))
