"""The library: open an index, feed it, ask it. The command line does nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from graphrag.adapters.durable_files import write_text
from graphrag.checking import check_catalog
from graphrag.desk import Desk
from graphrag.diagnosing import diagnosed
from graphrag.domain import (
    CHANNELS,
    Answer,
    Channel,
    Concept,
    Diagnosed,
    Implicated,
    Learner,
    Passage,
    Question,
    Refusal,
    Retrieval,
    Step,
)
from graphrag.ingest.report import IngestReport, Progress, Silent
from graphrag.ports import Rows
from graphrag.settings import Settings
from graphrag.status import Status, conflicts_of, status_of
from graphrag.tutor import ConceptCard, NextReport, Shown
from graphrag.tutoring.relate import RelationPath
from graphrag.tutoring.review import ReviewItem, propose
from graphrag.warming import load_ahead
from graphrag.widening import widen_passages
from graphrag.workspace import Workspace

if TYPE_CHECKING:
    from graphrag.adapters.faiss_coarse import Precision
    from graphrag.answering.answer import OnText
    from graphrag.conflicts.compare import ConflictReport
    from graphrag.evaluation.prerequisites import PrerequisiteNumbers
    from graphrag.evaluation.report import EvaluationReport
    from graphrag.evaluation.why import Diagnosis
    from graphrag.migrating import MigrationReport

# What pulls in scipy (ingest, measures) or all that answers is imported where it is used.


class Engine:
    """One open index. Asking is safe in several threads; one process may write."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace = workspace
        self.desk = Desk(workspace, settings)

    @classmethod
    def open(
        cls, path: str | Path, *, settings: Settings | None = None, create: bool = True
    ) -> Engine:
        """Open the index directory, making it where ``create`` allows.

        Raises StoreError where it is missing, damaged or of another version.
        """
        chosen = settings or Settings()
        precision = cast("Precision", chosen.vectors.precision)
        return cls(Workspace.open(Path(path), create=create, precision=precision), chosen)

    def close(self) -> None:
        """Close every store, and the connections to Ollama."""
        self.desk.close()
        self._workspace.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ingest(
        self,
        paths: Sequence[str | Path],
        *,
        concepts: str | Path | None = None,
        prune: bool = False,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Bring the index to what the files and folders hold now.

        ``concepts`` is a syllabus whose concepts are used as they stand, from then on.
        Files that cannot be read are in the report; they never stop the run.
        Raises StoreError while another process writes, ReadingError for a path that does
        not exist, ModelError where the index was made with another embedding model.
        """
        load_ahead(self.desk)
        from graphrag.feeding import feed

        return feed(
            self.desk,
            [Path(path) for path in paths],
            concepts=None if concepts is None else Path(concepts),
            prune=prune,
            progress=progress or Silent(),
        )

    def migrate(self, model: str = "", *, progress: Progress | None = None) -> MigrationReport:
        """Make another embedding model (default: the configured one) the index's own; the
        old one serves until all is ready. Raises StoreError, ModelError."""
        from graphrag.migrating import migrate

        return migrate(self.desk, model, progress or Silent())

    def remove(self, paths: Sequence[str | Path]) -> list[str]:
        """Take documents out of every store, by file, folder or document id; gives their
        ids. Raises QueryError for a path that names none."""
        from graphrag.feeding import remove

        return remove(self.desk, [str(path) for path in paths])

    def status(self) -> Status:
        """What the index holds, which model made it, what is stale, and who would write."""
        return status_of(self.desk)

    def conflicts(self, *, as_of: str | None = None) -> ConflictReport:
        """Documents that state other values under one key or question on that day
        (YYYY-MM-DD, default: today), and which would win."""
        return conflicts_of(self.desk, as_of)

    def verify(self) -> list[str]:
        """``Workspace.verify`` after a look at the whole catalog (StoreError if damaged)."""
        check_catalog(self._workspace.catalog, self._workspace.path)
        findings = self._workspace.verify(self.desk.embedder)
        if findings:
            self.desk.forget()
        return findings

    def search(
        self,
        question: str,
        *,
        k: int | None = None,
        where: Sequence[str] = (),
        channels: Sequence[Channel] = CHANNELS,
        rerank: bool = True,
        as_of: str | None = None,
    ) -> list[Passage]:
        """The ``k`` best passages, best first. ``where`` are conditions such as
        ``type=manual`` or ``date>=2024``; ``as_of`` is a day, YYYY-MM-DD."""
        found = self.retrieve(
            question, k=k, where=where, channels=channels, rerank=rerank, as_of=as_of
        )
        return list(found.passages)

    def retrieve(
        self,
        question: str,
        *,
        k: int | None = None,
        where: Sequence[str] = (),
        channels: Sequence[Channel] = CHANNELS,
        rerank: bool = True,
        as_of: str | None = None,
        trace: str | Path | None = None,
    ) -> Retrieval:
        """As ``search``, with what every stage found and how long it took; ``trace`` as in
        ``ask``. Keywords alone, not reranked, need no model."""
        from graphrag.searching import Searched, search

        kept = None if trace is None else Path(trace)
        asked = Searched(question, k, tuple(where), tuple(channels), rerank, as_of, kept)
        return search(self.desk, asked)

    def widen(self, passages: Sequence[Passage], tokens: int) -> list[Passage]:
        """The passages, each grown to the widest section that so many tokens hold."""
        return widen_passages(passages, self._workspace.catalog, tokens)

    def search_many(
        self, questions: Sequence[str], k: int | None = None, *, rerank: bool = True
    ) -> list[list[Passage]]:
        """The best passages of each question, in order; they are embedded together."""
        chosen = self.desk.settings.retrieval
        found = self.desk.retriever(rerank=rerank).retrieve_many(
            questions,
            k=chosen.k if k is None else k,
            allowed=self.desk.allowed((), None),
            rerank=rerank,
            depth=chosen.depth,
        )
        return [list(each.passages) for each in found]

    def ask(
        self,
        question: str,
        *,
        learner: str = "",
        known: Sequence[str] = (),
        where: Sequence[str] = (),
        as_of: str | None = None,
        whole: bool = False,
        on_text: OnText | None = None,
        trace: str | Path | None = None,
    ) -> Answer | Refusal:
        """The answer with checked citations, or a refusal with its reason.

        ``on_text`` gets each sentence as soon as it is checked. With ``whole`` all the
        documents are put before the model, where they fit. ``trace`` is a file that gets a
        JSON line on how the answer came about. Raises GenerationError where the language
        model gave nothing usable, or where ``whole`` does not fit.
        """
        from graphrag.replying import Asked, reply

        return reply(
            self.desk,
            Asked(
                question,
                learner=learner,
                known=tuple(known),
                where=tuple(where),
                as_of=as_of,
                whole=whole,
                trace=None if trace is None else Path(trace),
            ),
            on_text,
        )

    def evaluate_questions(
        self,
        file: str | Path,
        *,
        answers: bool = True,
        judge: str = "",
        progress: Callable[[int], None] | None = None,
    ) -> EvaluationReport:
        """Judge a frozen question set stage by stage; with ``answers`` what is written too,
        where one is named also by the Ollama model ``judge``. Raises GenerationError."""
        from graphrag.appraisal import appraise_questions

        return appraise_questions(self, Path(file), answers=answers, judge=judge, progress=progress)

    def evaluate_prerequisites(
        self, file: str | Path, *, concepts: str | Path | None = None
    ) -> PrerequisiteNumbers:
        """Judge the prerequisite relation by gold pairs; ``concepts`` as in ``ingest``, for
        this evaluation only."""
        from graphrag.appraisal import appraise_prerequisites

        given = None if concepts is None else Path(concepts)
        return appraise_prerequisites(self, Path(file), concepts=given)

    def draft_questions(self, *, most: int = 50) -> list[Question]:
        """Questions that the documents answer, for a person to accept."""
        from graphrag.evaluation.draft import draft_questions

        concepts = self.desk.tutor().graph.concepts
        return draft_questions(self._workspace.catalog.chunks(), concepts, most=most)

    def why(self, question: str, expects: str, *, where: Sequence[str] = ()) -> Diagnosis:
        """At which stage the passage that was expected (its id, its document's, or words
        in it) was lost on the way to the answer, and the mend."""
        from graphrag.appraisal import explain_loss

        return explain_loss(self, question, expects, where=where)

    def resolve(self, name: str) -> Concept:
        """The concept of that name or alias. Raises QueryError naming the nearest."""
        return self.desk.tutor().resolve(name)

    def concept_names(self) -> dict[str, str]:
        """Concept id to name."""
        return self.desk.tutor().names

    def learn(self, concept: str, *, known: Sequence[str] = (), learner: str = "") -> list[Step]:
        """The path to a concept, foundations first: each step with its reasons, its best
        passage and, where the documents have one, a question. Empty when it is known.

        Raises QueryError for a name that is no concept.
        """
        tutor = self.desk.tutor()
        knowledge = tutor.knowledge(known, self.desk.learner(learner), now=time.time())
        return tutor.path(tutor.resolve(concept).id, knowledge)

    def next(self, *, known: Sequence[str] = (), learner: str = "") -> NextReport:
        """What is ready to be learnt, what each unlocks, and what to review."""
        tutor, now, state = self.desk.tutor(), time.time(), self.desk.learner(learner)
        return tutor.next(tutor.knowledge(known, state, now=now), state, now=now)

    def diagnose(
        self, question: str, answer: str, *, learner: str = "", judge: str = ""
    ) -> list[Implicated]:
        """The upstream concepts that a wrong answer implicates, see ``diagnosis``."""
        return list(self.diagnosis(question, answer, learner=learner, judge=judge).implicated)

    def diagnosis(
        self, question: str, answer: str, *, learner: str = "", judge: str = ""
    ) -> Diagnosed:
        """What an answer implicates or agrees with, see ``diagnosed``."""
        return diagnosed(self.desk, question, answer, learner=learner, judge=judge)

    def relate(self, one: str, other: str, *, k: int = 3) -> list[RelationPath]:
        """The paths between two concepts that explain most. Raises QueryError."""
        tutor = self.desk.tutor()
        return tutor.relate(tutor.resolve(one).id, tutor.resolve(other).id, k=k)

    def concept(self, name: str) -> ConceptCard:
        """All that is known of one concept. Raises QueryError."""
        tutor = self.desk.tutor()
        return tutor.card(tutor.resolve(name).id)

    def learner(
        self,
        name: str,
        *,
        knows: Sequence[str] = (),
        shaky: Sequence[str] = (),
        right: Sequence[str] = (),
        wrong: Sequence[str] = (),
        forget: Sequence[str] = (),
    ) -> Learner:
        """What a learner knows, after taking in what is said of some concepts, and on which
        a question was answered ``right`` or ``wrong``. Raises QueryError."""
        if not any((knows, shaky, right, wrong, forget)):
            return self.desk.learner(name) or Learner(name)
        return self.desk.learnt(name, Shown(knows, shaky, right, wrong, forget))

    def cypher(self, statement: str, parameters: Mapping[str, object] | None = None) -> Rows:
        """The rows of one read-only Cypher statement. Raises QueryError."""
        return self._workspace.graph().query(statement, parameters)

    def graph_schema(self) -> str:
        """Labels, keys and example statements of the graph."""
        return self._workspace.graph().describe()

    def export(self, file: str | Path, *, learner: str = "") -> None:
        """Write the concept graph, in the format of the file's ending."""
        write_text(file, self.desk.exported(Path(file).suffix, learner))

    def review(self) -> list[ReviewItem]:
        """What matters most to decide, weightiest first."""
        return self.desk.to_decide()

    def export_review(self, file: str | Path, items: Sequence[ReviewItem]) -> None:
        """Write open decisions as a file that people edit and apply."""
        write_text(file, propose(items))

    def apply_decisions(self, file: str | Path) -> int:
        """Take the decisions of an edited file; gives how many are in force now."""
        from graphrag.feeding import apply_decisions

        return apply_decisions(self.desk, Path(file))
