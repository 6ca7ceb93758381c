"""Which passage answers the question together with the first: both are read at once.

A cross-encoder that reads one passage does not see that it matters for what another one says.
So the sentences of the first passage that lead to another are put in front of that other, and
the two are judged as one text: "Lothair II was a son of Ermengarde. She died in 851."
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphrag.domain import Chunk, Hit
from graphrag.ports import Reranker
from graphrag.retrieval.names import name_key, proper_names, title_keys, tokens_of
from graphrag.retrieval.rerank import Reranked
from graphrag.sentences import split_sentences

_TITLE = 5  # words that the other's title, written out, is worth


@dataclass(frozen=True, slots=True)
class PairSettings:
    """``others`` behind the first are read with it, none with 0; ``weight`` of the logit of
    both beside the other's own score; ``sentences`` of the first that stand in front;
    ``letters`` of the other that are read."""

    others: int = 4
    weight: float = 0.05
    sentences: int = 2
    letters: int = 700


@dataclass(frozen=True, slots=True)
class Told:
    """A passage's title, its own text, and the text with its context in front."""

    title: str
    text: str
    whole: str


def told_by(chunk: Chunk | None, about: Mapping[str, Mapping[str, object]]) -> Told:
    """What a chunk says, with its document's title from the metadata; nothing if it is gone."""
    if chunk is None:
        return Told("", "", "")
    title = str(about.get(chunk.document_id, {}).get("title", ""))
    return Told(title, chunk.text, chunk.embedded_text)


def with_partner(
    reranker: Reranker,
    question: str,
    led: Sequence[Hit],
    reranked: Reranked,
    told: Callable[[Sequence[str]], Sequence[Told]],
    settings: PairSettings,
) -> list[Hit]:
    """The reranked hits, but in front the first of ``led`` (the order before reranking) and,
    of those behind it there, the one with the highest ``score + weight * logit`` of both,
    ties to the earlier. Only what was read alone is read again."""
    first = led[0]
    others = [hit for hit in led[1 : 1 + settings.others] if hit.chunk_id in reranked.logits]
    if not others:
        return reranked.hits
    whole = told([first.chunk_id, *(hit.chunk_id for hit in others)])
    texts = [both(question, whole[0], other, settings) for other in whole[1:]]
    logits = reranker.score(question, texts)
    values = [
        hit.score + settings.weight * logit for hit, logit in zip(others, logits, strict=True)
    ]
    partner = others[values.index(max(values))]
    pair = (first.chunk_id, partner.chunk_id)
    by_id = {hit.chunk_id: hit for hit in reranked.hits}
    top = reranked.hits[0].score
    front = [replace(by_id[chunk_id], score=top) for chunk_id in pair]
    order = [*front, *(hit for hit in reranked.hits if hit.chunk_id not in pair)]
    return [replace(hit, rank=rank) for rank, hit in enumerate(order, 1)]


def both(question: str, first: Told, other: Told, settings: PairSettings) -> str:
    """The first passage's title and the sentences of it that share most with the other, in
    their order, then the other passage."""
    sentences = [first.text[span.start : span.stop] for span in split_sentences(first.text)]
    titles = set(title_keys(other.title))
    shared = titles | (proper_names(tokens_of(other.text)) - proper_names(tokens_of(question)))
    worth = [_worth(sentence, shared, titles) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda place: (-worth[place], place))
    leading = " ".join(sentences[place].strip() for place in sorted(best[: settings.sentences]))
    return f"{first.title}. {leading} {other.whole[: settings.letters]}"


def _worth(sentence: str, shared: set[str], titles: set[str]) -> int:
    """How many words of shared names the sentence holds; a title counts ``_TITLE`` more."""
    folded = f" {name_key(sentence)} "
    held = [key for key in shared if f" {key} " in folded]
    return sum(key.count(" ") + 1 for key in held) + _TITLE * (not titles.isdisjoint(held))
