"""Concepts named by a language model, in the place of noun phrases, if that is set.

The model reads each section in passages of whole sentences and says which concepts they name.
A name counts where it stands in its passage word for word; from there on it is a candidate like
any other: merged by spelling, weighed with the signs of titles, headings and definitions, and
dropped where it is said once only. What it replied is kept under a hash of all that was asked,
so that the same text gives the same concepts, and is never asked about twice. Sentences,
definitions and cues are the language pipeline's, as ever.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import Any

from graphrag.concepts.prose import Sentence, prose_sentences
from graphrag.domain import Annotation, Document, Span
from graphrag.errors import GenerationError, GraphragError, UnusableReplyError
from graphrag.ports import Spotter
from graphrag.resources import prompt
from graphrag.wording.prompting import AskJson, defused

_LONGEST_NAME = 80
# More than prose of a passage's length names. A small model that goes on making up names would
# else fill its reply until it is cut, and be asked again about each half.
_MOST_NAMES = 40
NAMES_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "concepts": {
            "type": "array",
            "items": {"type": "string", "maxLength": _LONGEST_NAME},
            "maxItems": _MOST_NAMES,
        }
    },
    "required": ["concepts"],
    "additionalProperties": False,
}
_PASSAGE_LETTERS = 1500
_LONGEST_SENTENCE = 1200  # longer ones are no prose; the language pipeline leaves them out too
_FAILURES_IN_A_ROW = 3
_SECONDS_TO_STOP = 0.2


@dataclass(frozen=True, slots=True)
class Extraction:
    """How many passages the model was ``asked`` about and how many it had read before
    (``kept``); ``silent`` counts sentences on which it gave no usable reply, ``dropped`` names
    that are not in their passage."""

    asked: int = 0
    kept: int = 0
    silent: int = 0
    dropped: int = 0


class ModelSpotter:
    """A ``Spotter`` whose annotations also hold the names that a model takes for concepts.

    ``pipeline`` gives the spotter for all else; ``ask_json`` asks the model of that name;
    ``recall`` and ``keep`` hold what it replied, by key. ``rules`` is what the names depend on
    beside the text: the model, what it is told and how texts are cut. For one thread at a time.
    """

    def __init__(
        self,
        pipeline: Callable[[], Spotter],
        model: str,
        ask_json: AskJson,
        recall: Callable[[str], str | None],
        keep: Callable[[str, str], None],
    ) -> None:
        self.extraction = Extraction()
        self.rules = _rules(model)
        self._pipeline = pipeline
        self._model = model
        self._ask_json = ask_json
        self._recall = recall
        self._keep = keep
        self._failures = 0
        self._stopped = Event()

    @property
    def fingerprint(self) -> str:
        """Changes with the language pipeline, the model's name and what it is told."""
        return f"{self._pipeline().fingerprint} {self.rules}"

    def ready(self) -> ModelSpotter:
        """Itself, its pipeline begun."""
        self._pipeline()
        return self

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """One annotation a document, in the same order.

        Raises GenerationError where the model cannot be had, or three sentences in a row bring
        no usable reply; what was replied until then is kept.
        """
        texts = list(documents)
        for document, annotation in zip(texts, self._pipeline().annotate(texts), strict=True):
            spans = {
                span
                for passage in passages_of(document)
                for span in self._named(document.text, passage)
            }
            yield replace(annotation, names=tuple(sorted(spans, key=lambda s: (s.start, s.stop))))

    def stop(self) -> None:
        """End ``annotate`` with an error, in whatever thread it waits for a reply."""
        self._stopped.set()

    def _named(self, text: str, passage: Sequence[Sentence]) -> list[Span]:
        """Where the passage names what the model takes for concepts."""
        try:
            names = self._names("\n".join(_words(text, sentence.span) for sentence in passage))
        except UnusableReplyError:
            # Too much for one reply, or one sentence that it stumbles over.
            if len(passage) > 1:
                middle = len(passage) // 2
                halves = passage[:middle], passage[middle:]
                return [span for half in halves for span in self._named(text, half)]
            self._failures += 1
            if self._failures >= _FAILURES_IN_A_ROW:
                raise
            self._count(silent=1)
            return []
        self._failures = 0
        spans = [_place(name, text, passage) for name in names]
        self._count(dropped=spans.count(None))
        return [span for span in spans if span is not None]

    def _names(self, words: str) -> list[str]:
        """What the model replies about a passage, now or from before."""
        digest = hashlib.blake2b(f"{self.rules}\n{words}".encode(), digest_size=16)
        key = f"concepts in {digest.hexdigest()}"
        known = self._recall(key)
        if known is not None:
            self._count(kept=1)
            return [str(name) for name in json.loads(known)]
        self._count(asked=1)
        passage = f"<passage>\n{defused(words)}\n</passage>"
        reply = self._awaited(passage)
        listed = reply.get("concepts") if isinstance(reply, dict) else None
        if not isinstance(listed, list):
            raise UnusableReplyError(
                f"{self._model} listed no concepts but {str(reply)[:80]!r}: choose another model, "
                "or set concepts.extraction to spacy"
            )
        names = list(dict.fromkeys(" ".join(str(name).split()) for name in listed))
        self._keep(key, json.dumps(names))
        return names

    def _awaited(self, passage: str) -> object:
        """The reply, unless this is stopped: a model may be silent for minutes."""
        replies: list[object] = []
        errors: list[GraphragError] = []
        ended = Event()

        def ask() -> None:
            try:
                replies.append(self._ask_json(prompt("concepts"), passage, NAMES_SCHEMA))
            except GraphragError as error:
                errors.append(error)
            finally:
                ended.set()

        # A daemon: nobody waits for its end, and with the process its connection closes.
        Thread(target=ask, name="concepts", daemon=True).start()
        while not ended.wait(_SECONDS_TO_STOP):
            if self._stopped.is_set():
                raise GenerationError(f"{self._model} was stopped before it replied")
        if not replies:
            raise errors[0] if errors else GenerationError(f"asking {self._model} broke off")
        return replies[0]

    def _count(self, **more: int) -> None:
        known = self.extraction
        self.extraction = replace(
            known, **{name: getattr(known, name) + count for name, count in more.items()}
        )


def _rules(model: str) -> str:
    told = json.dumps([prompt("concepts"), NAMES_SCHEMA, _PASSAGE_LETTERS, _LONGEST_SENTENCE])
    return f"{model} {hashlib.blake2b(told.encode(), digest_size=8).hexdigest()}"


def passages_of(document: Document) -> list[list[Sentence]]:
    """The document's prose in runs of sentences of one section, at most 1,500 letters each,
    so that an edit changes the passages of its own section alone."""
    passages: list[list[Sentence]] = []
    letters = 0
    for sentence in prose_sentences(document):
        length = sentence.span.stop - sentence.span.start
        if length > _LONGEST_SENTENCE:
            continue
        within = passages and passages[-1][-1].heading == sentence.heading
        if not within or letters + length > _PASSAGE_LETTERS:
            passages.append([])
            letters = 0
        passages[-1].append(sentence)
        letters += length
    return passages


def _words(text: str, span: Span) -> str:
    """A sentence on one line; lone surrogates, which cannot be sent, become a mark each."""
    return " ".join(text[span.start : span.stop].encode("utf-8", "replace").decode().split())


def _place(name: str, text: str, passage: Sequence[Sentence]) -> Span | None:
    """The first place in the passage where a name stands word for word, whatever its case;
    None where it does not, or is too long to be one."""
    if not name or len(name) > _LONGEST_NAME:
        return None
    words = r"\s+".join(map(re.escape, name.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
    for sentence in passage:
        match = pattern.search(text, sentence.span.start, sentence.span.stop)
        if match is not None:
            return Span(match.start(), match.end())
    return None
