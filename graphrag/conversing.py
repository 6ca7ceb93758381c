"""A conversation: follow-up questions are completed from the thread, and what the learner
says to know is remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from graphrag.answering.answer import OnText
from graphrag.answering.conversation import Turn, complete, topics
from graphrag.domain import Answer, Passage, Refusal
from graphrag.engine import Engine

_SAYS_TO_KNOW = re.compile(
    r"^\s*(?:i|we) (?:already |now )?(?:know|understand|have learnt|have learned|learnt|learned)\s+"
    r"([^?]+?)\s*[.!]*\s*$",
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


@dataclass(slots=True)
class Conversation:
    """One thread with one learner (or none). Not to be shared between threads."""

    engine: Engine
    learner: str = ""
    turns: list[Turn] = field(default_factory=list)
    passages: tuple[Passage, ...] = ()

    def completed(self, question: str) -> str:
        """The question as it will be asked, with what it leaves out put in."""
        return complete(question, self.turns, self._names(question))

    def ask(self, question: str, on_text: OnText | None = None) -> Answer | Refusal:
        """Answer the completed question, and remember what it was about."""
        asked = self.completed(question)
        reply = self.engine.ask(asked, learner=self.learner, on_text=on_text)
        self.turns.append(Turn(asked, topics(asked, self._names(asked))))
        self.passages = reply.passages
        return reply

    def learnt(self, text: str) -> list[str]:
        """The names of the concepts that the text says to know ("I know span and basis");
        they become part of the learner's state. Empty for anything else."""
        said = _SAYS_TO_KNOW.match(text)
        if said is None or not self.learner:
            return []
        names = self._concepts(said.group(1))
        if names:
            self.engine.learner(self.learner, knows=names)
        return names

    def _names(self, text: str) -> list[str]:
        """The concepts in a text, as they stand in it."""
        linked = self.engine.desk.tutor().linker.link(text)
        return [text[each.start : each.stop] for each in linked]

    def _concepts(self, text: str) -> list[str]:
        tutor = self.engine.desk.tutor()
        return [tutor.names[each.concept_id] for each in tutor.linker.link(text)]
