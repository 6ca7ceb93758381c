"""The words of talk about learning, beside the names of what is learnt."""

from __future__ import annotations

import re

from graphrag.wording.terms import content_words

# What a question for the next topic may speak of beside concepts.
OF_LEARNING = frozenset(
    content_words(
        "learn learning study read review tackle topic topics concept concepts lesson lessons "
        "chapter chapters idea ideas next now step steps start begin new continue suggest "
        "recommend show pick best easiest today finished done ready move prepared unlock take "
        "enough sufficient already thing things course subject newcomer beginner order go here "
        "get getting started now something anything everything"
    )
)

# What a question that weighs two concepts may say beside their names.
OF_WEIGHING = OF_LEARNING | frozenset(
    content_words(
        "anything something nothing everything require required requires necessary prerequisite "
        "prerequisites presuppose build builds depend rest rely come know known understand "
        "understood study taught teach possible sense skip hard easy really first earlier whole "
        "basic fundamental elementary fine leave later safe postpone put"
    )
)

# What one may say of learning and of nothing else; one of these words must be there.
LEARNING = re.compile(
    r"\b(?:learn(?:t|ed|ing)?|stud(?:y|ied|ying)|understand(?:ing)?|understood|master(?:ed)?|"
    r"grasp|tackle|revise|repeat|prepare for|get ready|to know|knowing|know before|knowledge|"
    r"lessons?|chapters?|straight|topics?|concepts?|ideas?|foundations?|background|prerequisites?|"
    r"groundwork|basics|path to|plan (?:my|our)|road to|curriculum|syllabus)\b",
    re.IGNORECASE,
)
OF_TALK = OF_WEIGHING | frozenset(
    content_words(
        "ahead foundation foundations groundwork basics background missing plan way path road "
        "route prepare preparation soon early late prior preceding reach follow best get without "
        "want tell right straight away after before road start able repeat revise review gap gaps "
        "fail failed lesson next today up on curriculum syllabus master grasp there much proof "
        "go into underlie support lead ought order up done in "
        "lack allow clear confuse confusing struggle stuck learnt learned studied mastered"
    )
)
IN_ORDER = re.compile(r"\border (?:for|of|to)\b|\bbefore or after\b|\bfirst\W*$", re.IGNORECASE)
LEARNER = re.compile(
    r"\b(?:learn|learning|study|studying|understand|master|beginner|newcomer|novice|student)s?\b",
    re.IGNORECASE,
)
ONWARDS = re.compile(
    r"\b(?:after|next|done|finished|within reach|skip|leads? to|follows?)\b", re.IGNORECASE
)
