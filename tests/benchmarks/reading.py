"""Do renderings of one book read alike, is every file read, and what do hostile files cost?

Run: ``python tests/benchmarks/reading.py``. The Debian Policy Manual comes as reStructuredText,
HTML, text, PDF and EPUB with Debian's package ``debian-policy``, Python's documentation as
reStructuredText and HTML with ``python3.11-doc``; the corpora lie in the folder
that ``GRAPHRAG_BENCH_DATA`` names, else ``../shared/data``. What is absent is skipped.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphrag.domain import Document
from graphrag.errors import ReadingError
from graphrag.reading.discover import discover
from graphrag.reading.formats import format_of, text_format
from graphrag.reading.numbering import without_number
from graphrag.reading.read import read_content, read_file

POLICY = Path("/usr/share/doc/debian-policy")
PYTHON = Path("/usr/share/doc/python3.11/html")
DATA = Path(os.environ.get("GRAPHRAG_BENCH_DATA", "../shared/data"))
CORPORA = ("corpus_mixed_formats/documents", "corpus_owasp", "corpus_rst_docs")
# Format, what stands before, what is repeated, how often: openings that are never closed,
# siblings, blanks. Each costs more than prose; none may cost the square of its length.
HOSTILE = (
    ("a.tex", "", r"\(", 8_000), ("a.tex", "", r"\emph{", 3_000), ("a.tex", "", r"\item[", 3_000),
    ("a.adoc", "", "stem:[", 3_000), ("a.adoc", "", "<<", 8_000), ("a.adoc", "", "[a]#", 4_000),
    ("a.html", "<p>", "<sup>2</sup>", 2_000), ("a.html", "<div>", "<dt>x", 3_000),
    ("a.xml", "<article>", "<title>x</title>", 1_000), ("a.xml", "<r>", "<a/>x", 3_000),
    ("a.xml", "<article>", "<disp-formula>", 1_000), ("a.rst", "", "|a| ", 1_000),
    ("a.md", "", "[[a|", 2_000), ("a.md", "", "![a](", 2_000), ("a.md", "", "> ", 4_000),
    ("a.csv", "", '"a",', 4_000), ("a.txt", "x\n\n", "x   y\n", 4_000),
)  # fmt: skip
NOT_CHAPTERS = ("genindex", "search", "index")


@dataclass(frozen=True, slots=True)
class Rendering:
    """One rendering of the book: how often each heading path and each word comes."""

    name: str
    paths: Counter[tuple[str, ...]]
    words: Counter[str]
    seconds: float


def folded(heading: str) -> str:
    """A heading without number, marks and case."""
    return re.sub(r"[\W_]+", "", without_number(heading)).casefold()


def words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in re.findall(r"\w+", text.lower()))


def paths(documents: Sequence[Document], *, chapters: bool) -> Counter[tuple[str, ...]]:
    """Heading paths of the book; of a chapter's file, its title stands in front."""
    found: Counter[tuple[str, ...]] = Counter()
    for document in documents:
        lead = (document.title,) if chapters else ()
        if chapters:
            found[(folded(document.title),)] += 1
        for block in document.blocks:
            if block.kind == "heading" and block.heading_path:
                found[tuple(folded(part) for part in (*lead, *block.heading_path))] += 1
    return found


def rendering(name: str, files: Sequence[Path], *, chapters: bool) -> Rendering:
    started = time.perf_counter()
    documents = [
        document
        for path in files
        if path.name.partition(".")[0] not in NOT_CHAPTERS
        for document in read_file(path, document_id=path.name, root=path.parent)
    ]
    seconds = time.perf_counter() - started
    texts = [document.text for document in documents]
    return Rendering(name, paths(documents, chapters=chapters), words(texts), seconds)


def share(part: Counter, whole: Counter) -> float:
    return sum((part & whole).values()) / max(sum(whole.values()), 1)


def policy_table(details: bool) -> None:
    if not POLICY.is_dir():
        print("debian-policy is not installed: skipped")
        return
    pages = POLICY / "policy.html"
    source = rendering("reST", sorted(pages.glob("_sources/*.rst.txt")), chapters=True)
    others = [
        rendering("HTML", sorted(pages.glob("*.html")), chapters=True),
        rendering("text", [POLICY / "policy.txt.gz"], chapters=False),
        rendering("PDF", [POLICY / "policy.pdf.gz"], chapters=False),
        rendering("EPUB", [POLICY / "policy.epub"], chapters=False),
    ]
    print(f"reST source: {sum(source.paths.values())} headings, {sum(source.words.values())} words")
    print(f"{'rendering':10} {'paths found':>12} {'right':>7} {'words found':>12} {'seconds':>8}")
    for other in others:
        found, right = share(other.paths, source.paths), share(source.paths, other.paths)
        print(
            f"{other.name:10} {found:12.1%} {right:7.1%}"
            f" {share(other.words, source.words):12.1%} {other.seconds:8.2f}"
        )
        if details:
            for label, rest in (
                ("missing", source.paths - other.paths),
                ("added", other.paths - source.paths),
            ):
                for path in list(rest)[:25]:
                    print(f"    {label}: {' / '.join(path)[:150]}")
            print("    words missing:", (source.words - other.words).most_common(25))


def python_row() -> None:
    """Every fifth page of Python's documentation, as source and as HTML."""
    sources = sorted((PYTHON / "_sources").rglob("*.rst.txt"))[::5]
    wanted = same = total = words_found = 0
    for source in sources:
        name = source.name.replace(".rst.txt", ".html")
        page = (PYTHON / source.relative_to(PYTHON / "_sources")).with_name(name)
        if not page.exists():
            continue
        first = rendering("reST", [source], chapters=True)
        second = rendering("HTML", [page], chapters=True)
        wanted += max(sum(first.paths.values()), sum(second.paths.values()))
        same += sum((first.paths & second.paths).values())
        total += sum(first.words.values())
        words_found += sum((first.words & second.words).values())
    if not wanted:
        print("python3-doc is not installed: skipped")
        return
    print(
        f"\nPython's documentation, {len(sources)} pages as reST and HTML:"
        f" {same / wanted:.1%} of paths agree, {words_found / total:.1%} of words found"
    )


def corpus_table() -> None:
    print(f"\n{'corpus':32} {'files':>6} {'read':>6} {'refused':>8} {'slowest':>8}")
    for name in CORPORA:
        if not (DATA / name).is_dir():
            print(f"{name}: absent, skipped")
            continue
        discovery = discover([DATA / name])
        refused = [f"{path.name}: {reason}" for path, reason in discovery.refused]
        times: list[float] = []
        for file in discovery.files:
            started = time.perf_counter()
            try:
                read_file(file.path, document_id=file.path.name, root=file.root)
            except ReadingError as error:
                refused.append(f"{file.path.name}: {error}")
            times.append(time.perf_counter() - started)
        total = len(discovery.files) + len(discovery.refused)
        slowest = max(times, default=0.0)
        print(f"{name:32} {total:6} {total - len(refused):6} {len(refused):8} {slowest:7.2f}s")
        for line in refused:
            print(f"    {line}")


def hostile_table() -> None:
    """Processor seconds of a file, of one four times as long, and their ratio."""
    print(f"\n{'hostile':8} {'repeated':20} {'KB':>5} {'seconds':>8} {'4 x':>8} {'ratio':>6}")
    for name, before, unit, times in HOSTILE:
        seconds = []
        for count in (times, 4 * times):
            content = f"{before}{unit * count}".encode()
            started = time.process_time()
            with contextlib.suppress(ReadingError):
                read_content(content, format_of(name) or text_format(), name)
            seconds.append(time.process_time() - started)
        size = len(unit) * times / 1000
        print(
            f"{name:8} {unit!r:20} {size:5.0f} {seconds[0]:8.3f} {seconds[1]:8.3f}"
            f" {seconds[1] / max(seconds[0], 1e-3):6.1f}"
        )


if __name__ == "__main__":
    policy_table("--details" in sys.argv)
    python_row()
    corpus_table()
    hostile_table()
