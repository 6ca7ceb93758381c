"""British spellings folded to American ones, so that *colour space* and *color space* are one.

Only what is spelt alike in both by every dictionary is folded; *practise* and *tyre* stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# "normalise", "linearised", "ionisation", but "precise", "exercise", "pairwise", "promise".
_ISE = re.compile(
    r"(?<=[a-z])(al|il|ll|ol|es|im|om|an|en|in|on|ar|er|or|tr|et|at|nt|rd|gn|ic|ys|iv|if)"
    r"is(e[dr]?|ing|able|ation)$"
)
_NOT_ISE = frozenset(
    (
        "promise", "promised", "promising", "compromise", "compromised", "compromising", "treatise",
        "advise", "advised", "adviser", "advisable", "revise", "revised", "devise", "devised",
        "improvisation",
    )
)  # fmt: skip
_YSE = re.compile(r"(?<=[a-z]{3})ys(e[dr]?|ing)$")
_PAIRS = (
    "colour color, behaviour behavior, neighbour neighbor, favour favor, flavour flavor, "
    "honour honor, humour humor, labour labor, tumour tumor, vapour vapor, rumour rumor, "
    "armour armor, harbour harbor, odour odor, rigour rigor, saviour savior, endeavour endeavor, "
    "centre center, centred centered, fibre fiber, litre liter, millilitre milliliter, "
    "kilometre kilometer, centimetre centimeter, millimetre millimeter, nanometre nanometer, "
    "theatre theater, calibre caliber, manoeuvre maneuver, lustre luster, spectre specter, "
    "catalogue catalog, analogue analog, dialogue dialog, programme program, grey gray, "
    "defence defense, offence offense, licence license, pretence pretense, "
    "modelling modeling, modelled modeled, labelling labeling, labelled labeled, "
    "signalling signaling, travelling traveling, travelled traveled, traveller traveler, "
    "cancelling canceling, cancelled canceled, levelled leveled, channelled channeled, "
    "tunnelling tunneling, unlabelled unlabeled, fuelled fueled, "
    "aluminium aluminum, sulphur sulfur, sulphate sulfate, sulphide sulfide, sulphuric sulfuric, "
    "haemoglobin hemoglobin, anaemia anemia, oestrogen estrogen, foetus fetus, "
    "paediatric pediatric, leukaemia leukemia, oesophagus esophagus, mould mold, plough plow, "
    "artefact artifact, enrolment enrollment, instalment installment, fulfilment fulfillment, "
    "ageing aging, sceptic skeptic, draught draft"
)
_WORDS: Mapping[str, str] = dict(pair.split(" ", 1) for pair in _PAIRS.split(", "))
_ENDINGS = ("hood", "ing", "less", "ful", "al", "ed", "ist")  # neighbourhood, behavioural


def american(word: str) -> str:
    """A word in small letters and the singular, as it is spelt in American English."""
    known = _WORDS.get(word)
    if known is not None:
        return known
    if word not in _NOT_ISE:
        folded = _YSE.sub(r"yz\1", _ISE.sub(r"\1iz\2", word))
        if folded != word:
            return folded
    for ending in _ENDINGS:
        stem = _WORDS.get(word.removesuffix(ending)) if word.endswith(ending) else None
        if stem is not None:
            return stem + ending
    return word
