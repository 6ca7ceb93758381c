"""Loading the language pipeline: less of it, and the same parses."""

from __future__ import annotations

import spacy

from graphrag.adapters import spacy_spotter

_SENTENCES = (
    "We can't take 5km of the U.S. coast for granted: it's e.g. the analyst's (naïve) don't-care.",
    "Before eigenvalues, you'll need determinants; an n-by-n matrix isn't always invertible.",
    "A Qwertyuiop is called a Zxcvbnm, cf. http://example.org/a?b=c, or :-) at 10:30 p.m.",
)


def test_what_is_left_out_in_loading_changes_no_parse() -> None:
    package, _ = spacy_spotter._package()
    lean = spacy_spotter._pipeline(package)
    whole = spacy.load(package, exclude=["ner", "lemmatizer", "senter"])
    for sentence in _SENTENCES:
        ours, theirs = lean(sentence), whole(sentence)
        assert [(t.text, t.norm_, t.tag_, t.pos_, t.dep_, t.head.i) for t in ours] == [
            (t.text, t.norm_, t.tag_, t.pos_, t.dep_, t.head.i) for t in theirs
        ]
