"""``kill -9`` at random instants of changes to an index, against fresh builds.

``python -m tests.benchmarks.kills [N] [FIRST SEED]``. Each round changes a folder, starts an
ingest, a removal, a decision or a rebuild in a process of its own, and kills it: after a
random delay, or at a random call inside the stores. A reader then looks, the next run goes
on, and the result must equal a fresh build. A round takes some 2 s of one core; two
processes with other seeds (``kills 100 1`` and ``kills 100 11``: a seed makes ten rounds)
do 200 in half the time.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from graphrag import Engine
from graphrag.assembly import Models
from graphrag.errors import GraphragError, QueryError, StoreError
from graphrag.feeding import DECISIONS_FILE
from graphrag.settings import Settings
from tests.history import change, differences

_STORES = ("sqlite_", "bm25_", "faiss_", "kuzu_", "segments", "durable_files", "file_lock")
_PARTS = ("workspace.py", "feeding.py", "run.py", "name_files.py", "name_keeping.py")
_DECISIONS = (
    "reject basis needs span",
    "accept rank needs matrix",
    "merge kernel = null space",
    "ignore vector",
)


@dataclass(slots=True)
class Kills:
    """One index under fire. ``calls`` is how many calls inside the stores the last whole
    run of each kind of change made."""

    folder: Path
    index: Path
    scratch: Path
    models: Models
    generator: random.Random
    calls: dict[str, int] = field(default_factory=dict)
    ends: Counter[str] = field(default_factory=Counter)

    def round(self) -> list[str]:
        """Some killed changes and one whole ingest; gives what is wrong then."""
        history, wrong = [], []
        for _ in range(self.generator.choice([1, 1, 2, 3])):
            history.append(change(self.folder, self.generator))
            kind = self.generator.choice(["ingest"] * 6 + ["remove", "decide", "rebuild"])
            kept = self._decisions()
            history.append(f"{kind} {self._killed(kind)}")
            wrong += self._look(kept, fully=self.generator.random() < 0.3)
        with self._engine() as engine:
            engine.ingest([self.folder])
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
            if (self.index / DECISIONS_FILE).is_file():
                shutil.copy(self.index / DECISIONS_FILE, self.scratch / DECISIONS_FILE)
            wrong += differences(engine, self.folder, self.scratch)
            wrong += engine.verify()
        wrong += [f"{path} was left" for path in self.index.rglob("*.new*")]
        return [f"{each} after {history}" for each in wrong]

    def _engine(self) -> Engine:
        engine = Engine.open(self.index)
        engine.desk.models = self.models
        return engine

    def _decisions(self) -> int:
        with self._engine() as engine:
            return len(engine.desk.workspace.catalog.decisions())

    def _killed(self, kind: str) -> str:
        """Start the change in a process of its own and kill it; says how it ended."""
        works = {
            "ingest": lambda engine: engine.ingest([self.folder]),
            "remove": self._remove,
            "decide": self._decide,
            "rebuild": lambda engine: engine.desk.workspace.rebuild(),
        }
        known = self.calls.get(kind, 0)
        last = self.generator.randrange(known) if known else None
        seconds = None
        if last is not None and self.generator.random() < 0.3:
            last, seconds = None, self.generator.uniform(0, 2.0)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            self._in_child(works[kind], last, writer)
        os.close(writer)
        if seconds is not None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
        with os.fdopen(reader) as pipe:
            said = pipe.read()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        end = "killed" if status == -signal.SIGKILL else "whole" if status == 0 else "failed"
        if end == "whole":
            self.calls[kind] = int(said)
        self.ends[f"{kind} {end}"] += 1
        return f"{end} at {last or seconds} of {known}: {said}"

    def _in_child(self, work: Callable[[Engine], object], last: int | None, pipe: int) -> None:
        counter = _Counter(last)
        status = 1
        try:
            threading.setprofile(counter)
            sys.setprofile(counter)
            with self._engine() as engine, suppress(QueryError):
                work(engine)
            sys.setprofile(None)
            status = 0
        finally:
            # Nothing of this process may go on in the copy.
            said = traceback.format_exc() if status else str(counter.seen)
            os.write(pipe, said.encode())
            os._exit(status)

    def _remove(self, engine: Engine) -> None:
        ids = engine.desk.workspace.catalog.document_ids()
        if ids:
            engine.remove([self.generator.choice(ids)])

    def _decide(self, engine: Engine) -> None:
        file = self.folder.parent / "mine.txt"
        file.write_text(self.generator.choice(_DECISIONS) + "\n")
        engine.apply_decisions(file)

    def _look(self, kept: int, *, fully: bool) -> list[str]:
        """What a reader finds wrong in an index whose writer was killed."""
        try:
            with self._engine() as engine:
                workspace = engine.desk.workspace
                wrong = [f"catalog: {each}" for each in workspace.catalog.check()]
                if len(workspace.catalog.decisions()) < kept:
                    wrong.append(f"{kept} decisions became fewer")
                if fully and workspace.catalog.counts()["chunks"]:
                    engine.search("what is a basis?", k=3, rerank=False)
                    engine.cypher("MATCH (c:Chunk) RETURN c.id")
                    engine.review()
                    engine.next()
                return wrong
        except GraphragError as error:
            return [f"a reader met {error!r}"]


class _Counter:
    """Counts calls inside the stores, and kills its own process at the one that is ``last``."""

    def __init__(self, last: int | None) -> None:
        self.last = last
        self.seen = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_filename
        if "/graphrag/" in name:
            file = name.rpartition("/")[2]
            if file.startswith(_STORES) or file in _PARTS:
                self.seen += 1
                if self.seen == self.last:
                    os.kill(os.getpid(), signal.SIGKILL)


def killed_command(arguments: list[str], seconds: float) -> bool:
    """Run the command line in a process of its own, killed after that time; whether it was."""
    command = [sys.executable, "-m", "graphrag.cli.main", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            if process.wait(seconds):
                raise StoreError(f"{arguments} ended with {process.returncode}")
        except subprocess.TimeoutExpired:
            process.kill()
            return True
    return False


def main() -> None:
    """Run N (200) rounds in series of ten on one index each; fails where any was wrong."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begin = time.perf_counter()
    models = Models(Settings())
    models.embedder()
    models.spotter()
    calls: dict[str, int] = {}
    ends: Counter[str] = Counter()
    done = bad = 0
    for seed in range(first, first + (count + 9) // 10):
        with tempfile.TemporaryDirectory() as place:
            here = Path(place)
            (here / "d").mkdir()
            generator = random.Random(seed)
            kills = Kills(here / "d", here / "i", here / "f", models, generator, calls, ends)
            for number in range(min(10, count - done)):
                wrong = kills.round()
                done += 1
                bad += bool(wrong)
                if wrong:
                    kept = Path(tempfile.mkdtemp(prefix="kills-"))
                    shutil.copytree(here, kept, dirs_exist_ok=True)
                    print(f"kept in {kept}")
                for each in wrong:
                    print(f"seed {seed} round {number}: {each}", flush=True)
        print(f"{done} rounds, {bad} wrong, {dict(ends)}", flush=True)
    print(
        f"{done - bad} of {done} rounds equal a fresh build ({time.perf_counter() - begin:.0f} s)"
    )
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
