"""Names of code that running text speaks of."""

import pytest

from graphrag.concepts.code_names import code_names
from graphrag.domain import Block, Document


def names(text: str, kind: str = "paragraph") -> list[str]:
    block = Block(kind, 0, len(text))  # type: ignore[arg-type]
    return list(code_names(Document("a.md", "a.md", "A", text, (block,), "markdown", {})))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A list grows by list.append(), a path by os.path.join.", ["list.append", "os.path.join"]),
        ("In C++ a std::vector holds it.", ["std::vector"]),
        ("Set user.name, then user.name again.", ["user.name", "user.name"]),
        ("See notes.txt on www.example.org or mail a.person@example.org.", []),
        ("It sets self.count and this.size.", []),
        ("A word, e.g. this one, ends. Then comes the next.", []),
        ("Run tools/build.sh or ../lib.so now.", []),
    ],
)
def test_names_of_several_parts_are_told_from_words_files_and_hosts(
    text: str, found: list[str]
) -> None:
    assert names(text) == found


def test_code_itself_is_not_prose() -> None:
    assert names("list.append(x)", "code") == []
