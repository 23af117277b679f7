"""Property tests draw the same examples in every run; ``--fresh`` draws new ones and prints the seed that repeats them."""

import os

# Two workers share two cores: one BLAS thread each, set before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import secrets
import zlib

import pytest
from hypothesis import core, settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("fresh", derandomize=False, deadline=None, max_examples=40, print_blob=True)


def pytest_addoption(parser):
    parser.addoption("--fresh", action="store_true", help="property tests draw new examples and print their seed")
    parser.addoption("--fresh-seed", type=int, default=None, help="repeat the examples of a run with --fresh")


def pytest_configure(config):
    config.fresh_seed = config.getoption("--fresh-seed")
    if config.fresh_seed is None and config.getoption("--fresh"):
        config.fresh_seed = secrets.randbits(32)
    settings.load_profile("fixed" if config.fresh_seed is None else "fresh")
    if config.fresh_seed is not None:
        core.global_force_seed = config.fresh_seed


def pytest_terminal_summary(terminalreporter, config):
    if config.fresh_seed is not None:
        terminalreporter.write_line(f"fresh examples: --fresh-seed {config.fresh_seed} repeats them")


@pytest.fixture
def seed(request):
    """A seed fixed by the name of the test, or by ``--fresh``."""
    fresh = request.config.fresh_seed
    name = request.node.nodeid.encode()
    return zlib.crc32(name if fresh is None else name + str(fresh).encode())
