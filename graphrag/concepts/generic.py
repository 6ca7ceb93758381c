"""Words that name no concept by themselves: of texts, of teaching, of talk in general."""

from __future__ import annotations

import re
from functools import lru_cache

from graphrag.concepts.names import name_key, word_set

_NOUNS = """
abbreviation ability abstract account acknowledgment acronym action activity addition advantage
advice aim
alternative amount analogy answer appendix application approach area argument article aspect
assignment assumption attention author background basic beginning behavior behaviour benefit
bibliography bit book bottom boundary box call case category cause center centre chance change
chapter character characteristic check checklist choice claim class code collection color colour
column combination comment comparison complexity component computation concept conclusion
condition consequence consideration content context contribution convention copy core corollary
count couple course credit critical cross danger data date day deal decision default definition
degree demonstration description detail development diagram difference difficulty direction
disadvantage discussion document download edge edition effect effort element end entry equation
error essay event evidence example exception exercise expectation experience experiment
explanation exploration expression extension fact faq feature figure file final following form
format formula foundation foreword fraction front full function further future general
generalization glossary goal group guide guideline half hand help hint history home homework hour
idea illustration image implication importance inference information input insight instance
instruction intention interest interpretation introduction intuition investigation issue item job
key kind knowledge lab label lack language last layer lead learning length lesson letter level
license line link list literature location look lot main manner material matter mean meaning measure
mechanism member mention menu method mind minute misconception mistake model moment motivation
maximum minimum multiple name nature need next nomenclature none notation note notice notion
number objective object
observation one opinion option order origin other outcome outline output outset overview page pair
paper paragraph part particular people percent period person perspective phase phrase picture
piece place plan point possibility practice preface prerequisite presence preview principle
problem procedure process product project proof property proposition purpose question quiz range
rate reader reading reason recap recommendation record reference relation relationship remark
reminder report representation requirement research resource rest result review role row rule
sake sample scene scenario section self sense sentence sequence series session set setting setup
shape side sign significance similarity situation size skill solution sort source space special
speed stage standard start state statement step story strategy string structure student study
stuff style subject subsection success suggestion sum summary support surprise syllabus symbol
system table
take target task teacher technique tendency term test text textbook theme theorem theory thing
thought time tip title today tool top topic total treatment trick tutorial type unit usage use
user utility value variant variation variety version video view volume warning way web week while
whole word work world worksheet year yes zero
left right up down same different new old first second third many few several some each every all
both another such certain given important useful common simple easy hard good better best
"""
# Words of the list above that name a concept where an author defines them as one.
_TECHNICAL = """
area boundary call class code collection combination component computation condition copy degree
development direction edge element equation event expression extension file form formula foundation
fraction function group image inference information input instance instruction interest key
knowledge label language layer learning length level library line link list lot measure mechanism
maximum memory mind minimum model momentum network node number object operation order outcome output
period phase place plan point power principle process product project proof property proposition
quantity range rate relation representation resource role row rule sample scale sense sequence
series session set shape side sign signal size source space speed state string structure sum
symbol system table target theorem theory time top total type unit utility value variant variation
variety vector version view volume weight word zero
"""
_PHRASES = """
key term|key equation|key concept|key point|key idea|learning objective|learning goal|
learning outcome|section learning objective|section key term|section summary|chapter review|
chapter summary|teacher support|test prep|test prep multiple choice|test prep short answer|
multiple choice|short answer|extended response|critical thinking|critical thinking item|
concept item|check your understanding|practice problem|performance task|practice test|
review exercise|section exercise|extension exercise|worked example|further reading|
table of content|see also|how to|try it|core topic|next step|before you start|what next|
real world application|quick start|getting started|answer key|frequently asked question|
common mistake|common error|common misconception|big picture|case study|other hand|
same time|same way|long run|special case|following section|previous section|next section|
self check|warm up|good practice|best practice|solution to exercise|looking ahead|
looking back
"""
_LEADING = word_set(
    """following same different new previous next first second third last other another such certain
    given many few several some each every all both any no more most less least various whole entire
    own main above below this that these those its their our your his her only particular possible
    useful important simple simpler similar specific good better best typical usual usually common
    necessary appropriate correct wrong right left large small larger smaller big great long short
    final original current actual resulting corresponding desired single two three four five six
    seven eight nine ten one lot number amount kind type set pair bit what which how why when where
    who whether if then also just very much so too not careful suitable interesting further extra
    additional complete full overall entire exact earlier later
    older newer"""
)
_COUNTING = word_set(
    "first second third next previous last same other one two three four five six seven eight "
    "nine ten some many few several each every all any no more most such"
)
_TAIL = word_set(
    "example exercise problem question solution answer section chapter figure table lesson page "
    "thing way case case fact idea reason result step part kind type sort lot bit one other "
    "following above below objective activity video summary overview introduction review "
    "note remark hint tip"
)
_FUNCTION = word_set(
    """of in on at to for from by with without into onto over under as and or but nor so than then
    is are was were be been being am do does did has have had can could may might must shall should
    will would before after between per via during within across it he she they we you i me us
    them him not no yes there here if when while because"""
)
_GENERIC = frozenset(
    name_key(word) for word in [*_NOUNS.split(), *_PHRASES.replace("\n", "|").split("|")] if word
)
_TERMS = frozenset(name_key(word) for word in _TECHNICAL.split())
_NOT_NOUN = re.compile(
    r"^(?:how|what|why|when|where|who|which|is|are|do|does|can|should|let|using|use|finding|find"
    r"|solving|solve|writing|write|graphing|graph|identifying|identify|evaluating|evaluate"
    r"|understanding|understand|determining|determine|applying|apply|defining|define|learn"
    r"|making|getting|working|computing|compute|calculating|calculate|comparing|describing"
    r"|recogni[sz]ing|interpreting|creating|drawing|building|choosing|introducing|exploring"
    r"|investigating|proving|verifying|representing|converting|simplifying|expressing|given|for"
    r"|avoid|enforce|ensure|protect|prevent|validate|implement|never|always|enable|disable"
    r"|configure|keep|remove|employ|employing|consider|treat"
    r"|in|on|at|to|from|with|by|about|if|and|or|more|other)\b",
    re.IGNORECASE,
)
_EMPTY = _FUNCTION | _COUNTING
_LONGEST_WORD = 30  # beyond, it is a hash or an address
_DOING = re.compile(r"^\w+ing (?:the|an?|your|its|their|it)\b", re.IGNORECASE)


def is_generic(
    name: str, *, defined: bool = False, entry: bool = False, ordinary: bool = False
) -> bool:
    """Whether a name says nothing by itself: *example*, *key terms*, *the following case*.

    ``defined`` names may be ordinary words with a technical sense: *set*, *group*, *image*;
    an ``entry`` of a glossary or list may also be made of ordinary words: *trivial solution*;
    what an author introduces as a term may be made of ``ordinary`` words alone: *account*,
    *for loop*.
    """
    key = name_key(name)
    words = key.split()
    if ordinary and not _EMPTY.issuperset(words):
        return any(len(word) > _LONGEST_WORD for word in words)
    if defined and key in _TERMS:
        return False
    if not words or key in _GENERIC or words[0] in _FUNCTION or words[-1] in _FUNCTION:
        return True
    if any(word.endswith("n't") or len(word) > _LONGEST_WORD for word in words):
        return True
    if entry and len(words) > 1:
        return False
    if len(words) > 1 and (words[0].isdigit() or words[0] in _COUNTING):
        return True
    if all(word.isdigit() or word in _GENERIC or word in _LEADING for word in words):
        if words[0] in _LEADING and words[-1] in _TAIL:
            return True
        return len(words) == 1 or all(w in _LEADING or w.isdigit() or w in _TAIL for w in words)
    return words[0] in _LEADING or words[-1] in _TAIL or words[-1].isdigit()


def says_nothing(word: str) -> bool:
    """Whether a word only points, counts or orders: *following*, *other*, *first*."""
    return word in _EMPTY or word in _LEADING


@lru_cache(maxsize=1 << 14)
def is_noun_like(heading: str) -> bool:
    """Whether a heading can be a name: short, no question, no instruction, no sentence."""
    words = heading.split()
    if not 0 < len(words) <= 7 or heading.rstrip().endswith(("?", "!", ":", ".")):
        return False
    if _DOING.match(heading) is not None or ": " in heading:
        return False
    return _NOT_NOUN.match(heading) is None and "," not in heading
