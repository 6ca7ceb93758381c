"""How basic concepts are by what needs them."""

import subprocess
import sys

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import cg

from graphrag.prerequisites.generality import spring_rank


def test_what_is_needed_stands_below_what_needs_it():
    # A needs B. With r = 1: 2 a - b = -1 and 2 b - a = 1, so a = -1/3 and b = 1/3.
    needs = sparse.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(spring_rank(needs), [-0.333333333, 0.333333333])


def test_where_nothing_is_needed_all_are_alike():
    assert spring_rank(sparse.csr_array((3, 3))).tolist() == [0.0, 0.0, 0.0]
    assert spring_rank(sparse.csr_array((0, 0))).tolist() == []


@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.floats(0, 0.5))
@settings(max_examples=60, deadline=None)
def test_levels_are_those_of_another_solver(seed, n, density):
    generator = np.random.default_rng(seed)
    needs = sparse.random_array((n, n), density=density, rng=generator).tocsr()
    into, out = (np.asarray(needs.sum(axis=axis)).ravel() for axis in (0, 1))
    system = sparse.diags_array(into + out + 1.0) - needs - needs.T
    expected, _ = cg(system.tocsr(), into - out, rtol=1e-10)
    np.testing.assert_allclose(spring_rank(needs), expected, atol=2e-9)


def test_an_ingest_of_markdown_imports_neither_solvers_nor_docutils():
    statement = (
        "import sys, graphrag.feeding, graphrag.reading.markdown; "
        "print(sorted({'scipy.linalg', 'scipy.sparse.linalg', 'docutils'} & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", statement], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"
