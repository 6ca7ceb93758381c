"""The weights of the floor are those that the benchmark fits to what it has measured."""

from __future__ import annotations

import pytest

from graphrag.answering.refusal import REGRESSORS, Floor
from tests.benchmarks.refusal import MEASURED, fit, load


def test_the_committed_weights_are_the_fitted_ones():
    fitted, stands = fit(load(MEASURED)), Floor()
    for name in ("intercept", *REGRESSORS):
        assert getattr(stands, name) == pytest.approx(getattr(fitted, name), rel=0.01), name
