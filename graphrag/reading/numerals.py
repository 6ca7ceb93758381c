"""Numbers as foreign markup writes them."""

from __future__ import annotations

_MAX_DIGITS = 18


def whole_number(written: str | None, *, otherwise: int) -> int:
    """The number that an attribute's value is, or ``otherwise``.

    A number is 1 to 18 ASCII digits, white space around them aside: ``int`` takes ``٣`` and
    ``1_0`` as well, fails on ``²`` (which ``str.isdigit`` lets through), and on more than
    4,300 digits.
    """
    digits = (written or "").strip()
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
    return int(digits) if is_number else otherwise
