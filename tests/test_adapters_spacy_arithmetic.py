"""Models that are loaded inside multiply as thinc does, and others as before."""

import numpy as np
import pytest
from thinc.api import Linear, NumpyOps, get_current_ops

from graphrag.adapters.spacy_arithmetic import multiplied_by_numpy


@pytest.mark.parametrize(("trans1", "trans2"), [(False, False), (True, False), (False, True)])
def test_products_are_those_of_thinc(trans1, trans2):
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((2, 7, 7), dtype=np.float32)
    with multiplied_by_numpy():
        ours = get_current_ops()
    made = ours.gemm(x, y, trans1=trans1, trans2=trans2)
    assert made.dtype == np.float32
    np.testing.assert_allclose(
        made, NumpyOps().gemm(x, y, trans1=trans1, trans2=trans2), rtol=1e-4, atol=1e-5
    )
    into = np.empty((7, 7), np.float32)
    assert ours.gemm(x, y, out=into, trans1=trans1, trans2=trans2) is into
    np.testing.assert_array_equal(into, made)


def test_only_models_made_inside_are_changed():
    before = get_current_ops()
    with multiplied_by_numpy():
        inside = Linear(2, 2)
    assert get_current_ops() is before
    assert type(inside.ops) is not type(before)
    assert type(Linear(2, 2).ops) is type(before)
