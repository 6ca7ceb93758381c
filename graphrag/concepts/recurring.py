"""Terms that no author sets off, known by how a corpus uses them.

Manuals define few of their words: they speak of a *base class* again and again, and build
*function call*, *function object* and *function annotation* on what they never say a *function*
is. Words of the text itself (*example*, *section*) and words that only qualify (*new*, *zero*)
are used as often, but hardly ever both say of what kind something is and come in kinds
themselves. So no list tells them apart, but the company that they keep.

Source: recurrent noun phrases are the term candidates of Justeson and Katz, Natural Language
Engineering 1995; that terms are built of other terms is the idea of the C-value, Frantzi,
Ananiadou and Mima, International Journal on Digital Libraries 2000.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

_FEWEST_PHRASES = 3
_LONGEST = 3  # words
# The part of a modifier's phrases that goes on with the same word, if it is no noun itself:
# "base" goes on with "class", but "new" with anything.
_SELECTIVE = 0.2
_FEWEST_ALONE, _FEWEST_BUILT, _FEWEST_KINDS = 5, 3, 2
# In how many phrases chance is so rare; the numbers above grow with the root of them.
_USUAL_PHRASES = 3_500
# The part of its uses, as a phrase or before another noun, in which it says a kind.
_SAYS_A_KIND = 0.1


@dataclass(slots=True)
class Usage:
    """How a corpus uses words in its noun phrases; keys are normalised.

    ``followed`` counts by word which words it stands before, ``heads`` how often it ends a
    phrase, ``alone`` how often it is one, ``phrases`` whole phrases of two words or more.
    """

    followed: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    heads: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    phrases: Counter[str] = field(default_factory=Counter)

    def count(self, key: str) -> None:
        """Take a noun phrase into account."""
        words = key.split()
        if not words:
            return
        self.heads[words[-1]] += 1
        if len(words) == 1:
            self.alone[words[0]] += 1
        else:
            self.phrases[key] += 1
        for word, following in pairwise(words):
            self.followed[word][following] += 1

    def recurring(self) -> list[str]:
        """The phrases of two or three words that recur and whose words belong together: each
        word but the last is a noun by itself, or mostly goes on with the next one."""
        fewest = _FEWEST_PHRASES * self.size
        return sorted(
            key
            for key, count in self.phrases.items()
            if count >= fewest and self._belongs_together(key.split())
        )

    def built_upon(self, headings: Iterable[str]) -> list[str]:
        """The nouns of some heading that stand alone, say of at least three other nouns of
        what kind these are, and are told apart by at least two themselves. ``headings`` are
        normalised too."""
        growth = self.growth
        titled = {word for heading in headings for word in heading.split()}
        pairs = [
            (word, following)
            for word, followers in self.followed.items()
            for following, count in followers.items()
            if count >= growth and len(word) > 1 and self.heads[word] and self.heads[following]
        ]
        built = Counter(word for word, _ in pairs)
        kinds = Counter(following for _, following in pairs)
        return sorted(
            word
            for word, count in built.items()
            if count >= _FEWEST_BUILT
            and kinds[word] >= _FEWEST_KINDS
            and word in titled
            and self.alone[word] >= _FEWEST_ALONE * growth
            and self._says_kinds(word) >= _SAYS_A_KIND
        )

    @property
    def size(self) -> float:
        """How much more or less often than in a course chance repeats a name."""
        return math.sqrt(self.heads.total() / _USUAL_PHRASES)

    @property
    def growth(self) -> float:
        """How much more often than in a course a name must recur in so long a corpus."""
        return max(1.0, self.size)

    def _says_kinds(self, word: str) -> float:
        """The part of a noun's uses in which it says a kind."""
        before = self.followed[word].total()
        return before / (before + self.alone[word])

    def _belongs_together(self, words: list[str]) -> bool:
        return len(words) <= _LONGEST and all(
            self.heads[word]
            or self.followed[word][following] >= _SELECTIVE * self.followed[word].total()
            for word, following in pairwise(words)
        )
