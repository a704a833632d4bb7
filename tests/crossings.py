"""What crosses modules in `app/` and `workers/`, and how the packages hang together: read from the source, nothing is run.

`python -m tests.crossings [ROOT]` prints the figures, of another checkout too.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tests.imports import HEIGHT, Source, package_of

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("app", "workers")
PUBLISHED = ("app.api.answers", "app.api.bodies")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Crossing:
    """A function or class at the top of a module that another module uses."""

    module: str
    name: str
    is_function: bool
    by_name: bool  # whether somebody imports it by its name; a row is `tables.Match`, which is another name
    positional: int
    users: frozenset[str]

    @property
    def is_one_word(self) -> bool:
        return "_" not in self.name.strip("_")


def sources(root: Path) -> dict[str, Source]:
    """The modules by name; migrations are history, and nobody calls them."""
    paths = chain.from_iterable(sorted((root / place).rglob("*.py")) for place in PLACES)
    found = (Source.read(path, root) for path in paths if "migrations" not in path.parts)
    return {source.module: source for source in found}


def crossings(root: Path) -> list[Crossing]:
    """Every function and class that some other module uses, in the order of the modules."""
    modules = sources(root)
    users: dict[str, set[str]] = {}
    for module, source in modules.items():
        for name in uses(source, frozenset(modules)):
            users.setdefault(name, set()).add(module)
    imported = frozenset(name for source in modules.values() for name in source.imports)
    return [
        Crossing(
            module,
            node.name,
            not isinstance(node, ast.ClassDef),
            f"{module}.{node.name}" in imported,
            0 if isinstance(node, ast.ClassDef) else positional(node),
            frozenset(users[f"{module}.{node.name}"] - {module}),
        )
        for module, source in modules.items()
        for node in source.tree.body
        if isinstance(node, (*FUNCTIONS, ast.ClassDef))
        and users.get(f"{module}.{node.name}", set()) - {module}
    ]


def uses(source: Source, modules: frozenset[str]) -> Iterator[str]:
    """The names in full that a module takes from others: imported by name, or as `module.name`."""
    yield from source.imports
    aliases = {
        own: full for node in ast.walk(source.tree) for own, full in bound(source, node, modules)
    }
    for node in ast.walk(source.tree):
        match node:
            case ast.Attribute(ast.Name(name), attr) if name in aliases:
                yield f"{aliases[name]}.{attr}"


def bound(source: Source, node: ast.AST, modules: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The modules of this repository that an import binds to a name."""
    match node:
        case ast.Import(names):
            yield from ((a.asname, a.name) for a in names if a.asname and a.name in modules)
        case ast.ImportFrom(names=names):
            full = source.names_of(node)
            pairs = (
                (alias.asname or alias.name, name) for alias, name in zip(names, full, strict=True)
            )
            yield from ((own, name) for own, name in pairs if name in modules)


def positional(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters may be given by position."""
    return len(node.args.posonlyargs) + len(node.args.args)


def one_word_share(found: list[Crossing]) -> tuple[int, int]:
    """How many of the functions that cross modules have a name of one word, and how many cross."""
    functions = [crossing for crossing in found if crossing.is_function]
    return sum(crossing.is_one_word for crossing in functions), len(functions)


def defined_twice(found: list[Crossing]) -> list[str]:
    """The names that cross from more than one module; the API's models have the names that its document publishes."""
    named = (c for c in found if c.is_function or (c.by_name and c.module not in PUBLISHED))
    counts = Counter(crossing.name for crossing in named)
    return sorted(name for name, times in counts.items() if times > 1)


def many_positional(found: list[Crossing], limit: int = 6) -> list[str]:
    """The functions that cross modules and take `limit` parameters by position, or more."""
    return [f"{c.module}.{c.name}" for c in found if c.positional >= limit]


def import_graph(root: Path, *, types: bool = True) -> dict[str, set[str]]:
    """Which module imports which, by name; without `types` when the code runs."""
    modules = sources(root)
    graph: dict[str, set[str]] = {}
    for module, source in modules.items():
        names = source.imports if types else source.run_imports
        homes = (home(name, frozenset(modules)) for name in names)
        graph[module] = {other for other in homes if other and other != module}
    return graph


def home(name: str, modules: frozenset[str]) -> str:
    """The module that an imported name comes from, if it is one of ours."""
    if name in modules:
        return name
    parent = name.rpartition(".")[0]
    return parent if parent in modules else ""


def knots(graph: dict[str, set[str]]) -> list[set[str]]:
    """The cycles: groups of nodes that all reach each other (Tarjan's algorithm), the largest first."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            group = set(stack[at:])
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for node in graph:
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def packages_of(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same graph between the packages of `app/`."""
    packages: dict[str, set[str]] = {}
    for module, others in graph.items():
        if own := package_of(module):
            targets = {package_of(other) for other in others} - {"", own}
            packages.setdefault(own, set()).update(targets)
    return packages


def upward(packages: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The imports of a package that does not stand lower."""
    pairs = ((own, other) for own, others in packages.items() for other in others)
    return sorted((own, other) for own, other in pairs if HEIGHT[other] >= HEIGHT[own])


def main(root: Path) -> None:
    graph = {m: others for m, others in import_graph(root).items() if m.startswith("app")}
    packages = packages_of(graph)
    found = crossings(root)
    few, all_ = one_word_share(found)
    print(f"modules of app/           {len(graph)}, {sum(map(len, graph.values()))} imports")
    cycles = knots(import_graph(root, types=False))
    print(f"cycles of modules         {[sorted(knot) for knot in cycles]}")
    print(f"packages with a height    {len(packages)}, {sum(map(len, packages.values()))} imports")
    print(f"cycles of packages        {[sorted(knot) for knot in knots(packages)]}")
    print(f"upward imports            {upward(packages)}")
    print(f"functions that cross      {all_}, of one word {few} ({few / all_:.1%})")
    print(f"names that cross twice    {defined_twice(found)}")
    print(f"six positional or more    {many_positional(found)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
