"""The house: arrows go one way, rooms are small, nobody reads a neighbour's private drawer."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from theory.entries import entries
from theory.load import label, load
from theory.register.plain import references

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("pencils", "theory", "derivations")
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}
# From the ground up: a room uses rooms of its own floor and of those below.
FLOORS = (
    *("pencils.errors", "pencils.exact", "pencils.language", "pencils.linear", "pencils.dyson", "pencils.finite_size"),
    *("pencils.elimination", "pencils.spectra", "pencils.outliers", "pencils.law", "pencils.spectral_law", "pencils"),
    *("theory.load", "theory.version", "theory.functions", "theory.quadrature", "theory.activations", "theory.proof"),
    *("theory.register", "theory.trial", "theory.evidence", "theory.pictures"),
    *("theory.marchenko_pastur", "theory.spike", "theory.risk", "theory.equivalence", "theory.tau_star", "theory.large_step"),
    *("theory.staircase", "theory.hessian", "theory.statements", "theory.entries", "theory.handles", "theory"),
    *("theory.book", "theory.commands", "derivations"),
)
# what a function of each kind is called with, first to last; more arguments may follow that the reference gives by name
PROTOCOLS = {
    "derivation": 1,  # proof
    "route": 2,  # model, digits
    "sample route": 2,  # sample, digits
    "compute": 2,  # parameters, digits
    "observe": 1,  # step; the experiment's parameters by name
    "observe from scratch": 3,  # parameters, sizes, rng
    "picture": 3,  # entry, given, file
    "draw": 4,  # entry, figure, given, file
}


def room(name):
    """The module that a dotted name lies in, "" for one that is not ours."""
    while name and name not in FILES:
        name = name.rpartition(".")[0]
    return name


def arrows(module):
    """(module imported, name taken) of every import: at the top, inside functions, for types alone."""
    for node in ast.walk(ast.parse(FILES[module].read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((room(f"{node.module}.{alias.name}"), alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((room(alias.name), "") for alias in node.names)


GRAPH = {module: {to for to, _ in arrows(module) if to and to != module} for module in FILES}


def circles():
    """Modules that reach themselves."""
    reach = {module: set(to) for module, to in GRAPH.items()}
    changed = True
    while changed:
        changed = False
        for module in reach:
            more = set().union(*(reach[to] for to in reach[module])) - reach[module] if reach[module] else set()
            if more:
                reach[module] |= more
                changed = True
    return sorted(module for module in reach if module in reach[module])


def test_no_circles():
    assert circles() == []


def test_folders_and_files_are_small():
    folders = {}
    for path in FILES.values():
        folders.setdefault(path.parent, []).append(path)
    assert {str(f.relative_to(ROOT)): len(p) for f, p in folders.items() if len(p) > 20} == {}
    assert {m: n for m, p in FILES.items() if (n := len(p.read_text().splitlines())) > 300} == {}


def test_private_names_stay_at_home():
    taken = [(module, to, name) for module in FILES for to, name in arrows(module) if to and name.startswith("_")]
    assert taken == []


def test_references_are_loaded_in_one_place():
    assert sorted(m for m, p in FILES.items() if "import_module(" in p.read_text()) == ["pencils", "theory.entries", "theory.load"]


def test_mathematics_knows_no_entry():
    key = re.compile(r"""(statement|entry)\(["']|^_?KEY = |from theory\.statements""", re.M)
    assert [
        m
        for m, p in FILES.items()
        if m.startswith("theory.") and not m.startswith(("theory.statements", "theory.entries")) and key.search(p.read_text())
    ] == []
    assert [
        (m, to) for m in FILES if m.startswith("theory.statements.") for to in GRAPH[m] if to.startswith("theory.statements")
    ] == []


def floor(module):
    """The height of the floor that a room is on."""
    while module not in FLOORS:
        module = module.rpartition(".")[0]
    return FLOORS.index(module)


def test_arrows_point_down():
    assert [(module, to) for module in FILES for to in GRAPH[module] if floor(to) > floor(module)] == []


def test_every_folder_says_what_enters_and_what_leaves():
    assert [m for m, p in FILES.items() if p.name == "__init__.py" and not ast.get_docstring(ast.parse(p.read_text()))] == []


@pytest.mark.parametrize("key", entries())
def test_references_lead_to_functions_that_can_be_called(key):
    for kind, reference in references(entries()[key]):
        taken = [p for p in inspect.signature(load(reference)).parameters.values() if p.default is p.empty]
        given = getattr(entries()[key].experiment, "parameters", ()) if kind == "observe" else ()
        assert len([p for p in taken if p.name not in given]) == PROTOCOLS[kind], (kind, label(reference))


def test_statement_files_are_short():
    """A theorem is one short file: nine in ten have at most 80 lines, and what is longer holds several."""
    files = [p for m, p in FILES.items() if m.startswith("theory.statements.") and p.name != "__init__.py"]
    lengths = [len(path.read_text().splitlines()) for path in files]
    assert sum(length > 80 for length in lengths) <= 6  # of them; this number only falls
