"""The pipeline's products of matrices, by numpy.

Thinc multiplies by blis, whose kernels make 70 of the 115 billion operations a second that
numpy's OpenBLAS makes on a processor with AVX-512: an eighth of the time of parsing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from thinc.api import NumpyOps, get_current_ops, set_current_ops


class _Ops(NumpyOps):  # type: ignore[misc]  # thinc has no types
    """Thinc's operations on a processor but for one."""

    def gemm(
        self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False
    ) -> Any:
        """The product of two matrices, either transposed first."""
        return np.matmul(x.T if trans1 else x, y.T if trans2 else y, out=out)


@contextmanager
def multiplied_by_numpy() -> Iterator[None]:
    """Models that are loaded inside multiply by numpy from then on."""
    before = get_current_ops()
    set_current_ops(_Ops())
    try:
        yield
    finally:
        set_current_ops(before)
