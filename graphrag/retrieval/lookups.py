"""What searches look up in the catalog, kept for the next ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Kept(Generic[_Key, _Value]):
    """Values by key, as ``fetch`` gives those that there are; the latest ``most`` to twice as
    many are kept. Safe in several threads, which may fetch the same at once."""

    def __init__(
        self, fetch: Callable[[Sequence[_Key]], Mapping[_Key, _Value]], most: int = 10_000
    ) -> None:
        self._fetch = fetch
        self._most = most
        self._late: dict[_Key, _Value] = {}
        self._early: dict[_Key, _Value] = {}

    def __call__(self, keys: Iterable[_Key]) -> dict[_Key, _Value]:
        """Those of the keys that have a value, in no order."""
        late, early = self._late, self._early
        wanted = set(keys)
        found = {key: late[key] for key in wanted & late.keys()}
        rest = wanted - found.keys()
        if rest:
            again = {key: early[key] for key in rest & early.keys()}
            missing = list(rest - again.keys())
            again.update(self._fetch(missing) if missing else {})
            late.update(again)
            found.update(again)
            if len(late) >= self._most:
                self._late, self._early = {}, late
        return found
