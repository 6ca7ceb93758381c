"""What the numbers of an evaluation say, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

Stages = Mapping[str, Mapping[str, float]]

_GAP = 0.1
_GOOD = 0.9


def percent(value: float) -> str:
    """``0.4`` is ``40 %``."""
    return f"{100 * value:.0f} %"


def pattern(
    stages: Stages,
    refusal: Mapping[str, float | None] | None = None,
    answers: Mapping[str, Mapping[str, float]] | None = None,
) -> list[str]:
    """The telling gaps between numbers, each with what to look at; most important first."""
    said = [
        *_ranking(stages),
        *_stages(stages),
        *_refusals(refusal or {}),
        *_answers(answers or {}),
    ]
    if not said and all(values["hit@1"] == 1 for values in list(stages.values())[-1:]):
        return ["The first passage is right for every question: a harder set would tell more."]
    return said or ["No number stands out: look at the questions that failed one by one."]


def _ranking(stages: Stages) -> list[str]:
    last = next((stages[name] for name in ("reranked", "fused") if name in stages), None)
    if last is None:
        return []
    first, third, deep = last["hit@1"], last["hit@3"], last["hit@20"]
    said = []
    if third - first >= _GAP:
        said.append(
            f"Hit rate@1 is {percent(first)} against {percent(third)} at 3: the right passages "
            "are found but not on top: ranking, not retrieval."
        )
    if deep - last["hit@5"] >= _GAP:
        said.append(
            f"Hit rate@5 is {percent(last['hit@5'])} against {percent(deep)} at 20: a larger k or "
            "a better reranker would find what is missing."
        )
    if deep < _GOOD:
        said.append(
            f"Hit rate@20 is only {percent(deep)}: the passages are not found at all: retrieval, "
            "chunking or wording, not ranking. Ask `graphrag why` for some of them."
        )
    gap = last["hit@5"] - last["recall@5"]
    if gap >= 2 * _GAP:
        said.append(
            f"A relevant passage is there for {percent(last['hit@5'])}, but only "
            f"{percent(last['recall@5'])} of all that are needed: questions of several parts."
        )
    return said


def _stages(stages: Stages) -> list[str]:
    said = []
    fused = stages.get("fused")
    for name, label in (("bm25", "Keywords"), ("vector", "Vectors"), ("graph", "The graph")):
        one = stages.get(name)
        if fused is not None and one is not None and one["hit@5"] - fused["hit@5"] >= 0.03:
            said.append(
                f"{label} alone reach {percent(one['hit@5'])} at 5, all fused "
                f"{percent(fused['hit@5'])}: fusion loses what this channel found."
            )
    reranked = stages.get("reranked")
    if fused is not None and reranked is not None and fused["hit@5"] - reranked["hit@5"] >= 0.03:
        said.append(
            f"Reranking lowers hit rate@5 from {percent(fused['hit@5'])} to "
            f"{percent(reranked['hit@5'])}: try --no-rerank, or another reranker."
        )
    keyword, vector = stages.get("bm25"), stages.get("vector")
    if keyword is not None and vector is not None:
        gap = keyword["hit@5"] - vector["hit@5"]
        if abs(gap) >= 0.15:
            better, worse = ("keywords", "vectors") if gap > 0 else ("vectors", "keywords")
            said.append(
                f"At 5, {better} find {percent(abs(gap))} more than {worse}: the questions "
                + ("use the documents' own words." if gap > 0 else "paraphrase the documents.")
            )
    return said


def _refusals(refusal: Mapping[str, float | None]) -> list[str]:
    said = []
    recall, false = refusal.get("recall"), refusal.get("false_refusals")
    if recall is not None and recall < 0.98:
        said.append(
            f"Only {percent(recall)} of the questions without an answer are refused: "
            "the floor is too low."
        )
    if false is not None and false > 0.02:
        said.append(
            f"{percent(false)} of the answerable questions are refused: "
            "the floor is too high, or their passages are not found."
        )
    return said


def _answers(answers: Mapping[str, Mapping[str, float]]) -> list[str]:
    retrieved, injected = answers.get("retrieved"), answers.get("injected")
    if retrieved is None:
        return []
    said = []
    if injected is not None:
        gap = injected["exact"] - retrieved["exact"]
        if gap >= 0.05:
            said.append(
                f"Answers from the right passages are correct for {percent(injected['exact'])}, "
                f"from retrieved ones for {percent(retrieved['exact'])}: the gap of "
                f"{percent(gap)} is lost in retrieval."
            )
        if injected["exact"] < 0.85:
            said.append(
                f"Even with the right passages only {percent(injected['exact'])} are correct: "
                "the writer, not retrieval."
            )
    if retrieved["citation_precision"] < 1:
        said.append(f"Only {percent(retrieved['citation_precision'])} of the citations hold.")
    return said
