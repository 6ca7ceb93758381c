"""Words that people ask with, and words of every subject: that a text lacks them says little."""

from __future__ import annotations

from functools import cache

from graphrag.tokens import tokenize

# Words that ask for a measure or a relation without naming it: their absence says little.
ASKING = (
    "long often fast wide heavy tight high deep big bigger large far old soon quickly early "
    "relate connect connection link difference compare "
    "depend belong step steps correct right first last today now present currently come comes came "
    "go went happen stay type kind way reason cause purpose role example definition formula word "
    "term name symbol call compute calculate find get make do does write tell show see "
    "check count follow take pick leave left choose learn understand study topic concept idea "
    "prerequisite ready "
    "one two three four five six seven eight nine ten must should versus"
)
# Words of every subject, which people put in others' places: that a text says it without them
# tells nothing of what it is about.
_GENERAL = (
    "turn bring put set let keep hold give become matter exist begin start end stop write written "
    "decide account bother satisfy agree allow appear build built chosen consider contain cover "
    "deal expect fail form grow handle help involve judge lead lie occur place play produce reach "
    "read recognize recognise refer remain represent require result roll serve settle shown stand "
    "treat trigger try vanish want wish regard look seem cause add change made automatic "
    "automatically roughly exactly nearly approximately good better best bad worse worst great "
    "small little short close nearest closest straight whole entire fine extra additional still "
    "always never ever besides beside afterwards regardless instead anyway really actually slow "
    "slowly easy easily hard simple plain single double twice half equal same general special "
    "certain various several enough order list sense share part side size range rule point "
    "piece lot bit trick circumstance case thing something nothing somebody people person hand "
    "back away together apart along around beyond toward towards forth sometimes usually normally "
    "frequent frequently time aside"
)


@cache
def asking() -> frozenset[str]:
    """The stems of the words that only ask."""
    return frozenset(tokenize(ASKING))


@cache
def general() -> frozenset[str]:
    """The stems of the words that belong to every subject."""
    return frozenset(tokenize(_GENERAL)) | asking()
