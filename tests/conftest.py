"""Hypothesis draws the same examples in every run."""

import os

# Two workers share two cores: one BLAS thread each, set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("fixed")
