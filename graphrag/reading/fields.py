"""Lines of a paragraph that each say ``Key: value``: a reader keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIELD = re.compile(r"\s*(?:\*\*|__)?[A-Z0-9][^:.!?;]{0,40}[^:.!?;\s]:(?:\*\*|__)?\s+\S.{0,60}")


def are_fields(lines: Sequence[str]) -> bool:
    """Whether two or more lines each say ``Key: value``, the key bold or not."""
    return len(lines) > 1 and all(_FIELD.fullmatch(line) for line in lines)
