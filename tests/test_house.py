"""The house: arrows go one way, rooms are small, nobody reads a neighbour's private drawer."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("pencils", "theory", "derivations")
FILES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
         for package in PACKAGES for path in (ROOT / package).rglob("*.py")}  # fmt: skip


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
