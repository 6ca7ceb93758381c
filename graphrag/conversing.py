"""A conversation: follow-up questions are completed from the thread, and what the learner
says to know is remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from graphrag.answering.answer import OnText
from graphrag.answering.conversation import Turn, complete, topics
from graphrag.answering.follow_ups import STRUGGLING
from graphrag.domain import Answer, Passage, Refusal
from graphrag.engine import Engine

_SAYS_TO_KNOW = re.compile(
    r"^\s*(?:i|we)(?:['’]ve| have)? (?:already |now )?"
    r"(?:know|understand|understood|learnt|learned|studied|am familiar with|am sure of)\s+"
    r"([^?]+?)\s*[.!]*\s*$",
    re.IGNORECASE,
)
# As in "open source 2" and "show me [2]", "which section says that" and "sources".
_OPENS = re.compile(
    r"^\W*(?:please )?(?:(?:open|show(?: me)?|read|see)\s+(?:the )?"
    r"(?:(?:source|passage|citation)\s*)?|(?:source|passage|citation)\s+)"
    r"(?:number |no\.? ?|#)?\[?(\d{1,3})\]?\W*$",
    re.IGNORECASE,
)
_ASKS_SOURCES = re.compile(
    r"^\W*(?:(?:please )?(?:list|show(?: me)?|what are|which are|where are) )?(?:the |your |all )?"
    r"(?:sources?|citations?|references?)\W*$"
    r"|^\W*(?:where|which (?:section|chapter|page|document|file|part|source)) (?:does it )?"
    r"(?:says? (?:so|that|this)|(?:is|does) (?:that|this|it) (?:come )?from)\W*$"
    r"|^\W*(?:where did you (?:get|find) (?:that|this|it)|what is your source|says who)\W*$",
    re.IGNORECASE,
)


# What is said beside the questions, and wants no answer from the documents.
_SMALL_TALK: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"^\W*(?:{said})[\s,.!:)]*$", re.IGNORECASE), reply)
    for said, reply in (
        (
            r"(?:(?:many |ok(?:ay)?,? |great,? |perfect,? )?thank(?:s| you)|thx|cheers)"
            r"(?: (?:a lot|so much|very much|again|for (?:that|this|your|the) ?\w*))*",
            "You are welcome.",
        ),
        (
            r"(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: there| again)?",
            "Hello. What would you like to know?",
        ),
        (
            r"ok(?:ay)?|i see|great|perfect|good|fine|nice|got it|(?:that|it) helps|understood",
            "Good. Ask on whenever you like.",
        ),
        (r"(?:good ?)?bye(?: bye)?|see you(?: later)?", "Goodbye. /quit ends."),
    )
)


def small_talk(text: str) -> str:
    """The reply to thanks, a greeting, an assent or a farewell and nothing else; empty for
    what may be a question."""
    return next((reply for said, reply in _SMALL_TALK if said.match(text)), "")


def source_to_open(text: str) -> str:
    """The number of the source that is to be opened ("/open 2", "show me source 2"); empty for
    anything else."""
    command, _, number = text.partition(" ")
    if command == "/open":
        return number.strip() or "?"
    found = _OPENS.match(text)
    return found.group(1) if found else ""


def asks_for_sources(text: str) -> bool:
    """Whether the text asks where the last answer is from ("/sources", "Where does it say so?")."""
    return text == "/sources" or _ASKS_SOURCES.match(text) is not None


@dataclass(slots=True)
class Conversation:
    """One thread with one learner (or none). Not to be shared between threads."""

    engine: Engine
    learner: str = ""
    turns: list[Turn] = field(default_factory=list)
    passages: tuple[Passage, ...] = ()
    cited: frozenset[int] = frozenset()

    def completed(self, question: str) -> str:
        """The question as it will be asked, with what it leaves out put in."""
        return complete(question, self.turns, self._names(question))

    def ask(self, question: str, on_text: OnText | None = None) -> Answer | Refusal:
        """Answer the completed question, and remember what it was about."""
        asked = self.completed(question)
        reply = self.engine.ask(asked, learner=self.learner, on_text=on_text)
        self.turns.append(Turn(asked, topics(asked, self._names(asked))))
        self.passages = reply.passages
        citations = reply.citations if isinstance(reply, Answer) else ()
        self.cited = frozenset(citation.number for citation in citations)
        return reply

    def remarked(self, text: str) -> str:
        """What there is to reply when the text says what its author knows ("I know span and
        basis"), which becomes part of the learner's state; empty for anything else."""
        said = _SAYS_TO_KNOW.match(text)
        if said is None:
            return ""
        names = self._concepts(said.group(1))
        if not names:
            return f"no concept of the documents is named in “{said.group(1)}”"
        if not self.learner:
            return "nobody is named whose knowledge could be kept: start with --learner NAME"
        self.engine.learner(self.learner, knows=names)
        return f"noted: {self.learner} knows {', '.join(names)}"

    def doubted(self, text: str) -> str:
        """What is noted of a learner who does not understand something ("I don't understand
        bases"), beside the answer; empty for anything else and without a learner."""
        unclear = STRUGGLING.match(text)
        names = self._concepts(text[unclear.end() :]) if unclear and self.learner else []
        if not names:
            return ""
        self.engine.learner(self.learner, shaky=names)
        return f"noted: {self.learner} is not sure of {', '.join(names)}"

    def _names(self, text: str) -> list[str]:
        """The concepts in a text, as they stand in it."""
        linked = self.engine.desk.tutor().linker.link(text)
        return [text[each.start : each.stop] for each in linked]

    def _concepts(self, text: str) -> list[str]:
        tutor = self.engine.desk.tutor()
        return [tutor.names[each.concept_id] for each in tutor.linker.link(text)]
