"""Who imports what, and whether its place allows it: read from the source, nothing is run."""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# A match must replay alike everywhere and for ever: the engine sees nothing of the world around it.
CLOCKS = {"calendar", "datetime", "sched", "time", "zoneinfo"}
DICE = {"random", "secrets", "uuid"}
FILES = {"fileinput", "glob", "io", "mmap", "os", "pathlib", "shutil", "sqlite3", "tempfile"}
WIRES = {"ftplib", "http", "imaplib", "poplib", "select", "selectors", "smtplib", "socket", "ssl"}
PROCESSES = {"asyncio", "multiprocessing", "signal", "subprocess", "threading"}
SURROUNDINGS = {"builtins", "ctypes", "getpass", "locale", "logging", "platform", "sys", "urllib"}
LOADERS = {"importlib", "pkgutil", "runpy"}
WORLD = CLOCKS | DICE | FILES | WIRES | PROCESSES | SURROUNDINGS | LOADERS
WORLDLY_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}
SHARED = ("core", "kit")  # the folders of the engine that are no game
DATA_READERS = {
    "printed_board",
    "manual",
    "lessons",
    "puzzles",
    "room",
}  # modules that read the data files beside them
# The packages of `app/`, lowest first: each imports what stands before it; those of one group do not import each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("platform",),
    ("eventstore",),
    ("clocks",),
    ("outbox",),
    ("people",),
    ("matches",),
    ("moderation",),
    ("views",),
    ("learning",),
    ("mail",),
    ("operations",),
    ("http",),
    ("web", "api", "cli"),
)
HEIGHT = {package: height for height, group in enumerate(LAYERS) for package in group}
# What was done in a turn stands in a stored position as orders, which were read once before they were stored.
READS_OWN_WORDS = ("engine.tahuantinsuyu.text.orders",)
THIN = ("web", "api")  # they only translate: the engine is none of their business


@dataclass(frozen=True)
class Source:
    """One module as text, at its place in the repository."""

    module: str
    text: str
    is_package: bool = False

    @classmethod
    def read(cls, path: Path, root: Path) -> "Source":
        """The module in the file `path` of the repository at `root`."""
        parts = path.relative_to(root).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        return cls(
            ".".join(parts[:-1] if is_package else parts), path.read_text("utf-8"), is_package
        )

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Every imported name in full: `from .state import State` is engine.cuzco.state.State."""
        return tuple(name for node in ast.walk(self.tree) for name in self.names_of(node))

    @cached_property
    def run_imports(self) -> tuple[str, ...]:
        """The same without those for types alone, which only the type checker follows."""
        guards = (node for node in ast.walk(self.tree) if isinstance(node, ast.If))
        typed = {
            part
            for guard in guards
            if ast.unparse(guard.test) == "TYPE_CHECKING"
            for part in ast.walk(guard)
        }
        nodes = (node for node in ast.walk(self.tree) if node not in typed)
        return tuple(name for node in nodes for name in self.names_of(node))

    @cached_property
    def calls(self) -> frozenset[str]:
        """The plain names that are called, such as `open`."""
        return frozenset(
            node.func.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        )

    @cached_property
    def methods(self) -> frozenset[str]:
        """The names of what is called of something else, such as `session` in `database.session()`."""
        return frozenset(
            node.func.attr
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        )

    def names_of(self, node: ast.AST) -> Iterator[str]:
        """What one statement imports, each name in full."""
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                base = ".".join(filter(None, (self._package(level), module)))
                yield from (f"{base}.{alias.name}" for alias in names)

    def _package(self, level: int | None) -> str:
        """The package that `level` leading dots stand for; none for an absolute import."""
        if not level:
            return ""
        up = level - 1 if self.is_package else level
        parts = self.module.split(".")
        return ".".join(parts[: len(parts) - up])


def within(name: str, *packages: str) -> bool:
    """Whether a dotted name is one of the packages or lies in one of them."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def is_ours(name: str) -> bool:
    """Whether a name belongs to this repository."""
    return within(name, "engine", "app", "workers", "tests")


def allowed(module: str, parents: Mapping[str, str | None]) -> tuple[str, ...]:
    """The packages of this repository that a module may import."""
    match module.split("."):
        case ["engine"]:
            return ()
        case ["engine", "core", *_]:
            return ("engine.core",)
        case ["engine", "kit", *_]:
            return ("engine.kit", "engine.core")
        case ["engine", game, *_]:
            family = filter(None, (game, parents.get(game)))
            return ("engine.kit", "engine.core", *(f"engine.{member}" for member in family))
        case ["app"]:
            return ("app",)  # the factory puts everything together
        case ["app", "migrations", *_]:
            return ("app.platform",)
        case ["app", package, *_] if package in HEIGHT:
            return (f"app.{package}", *below(HEIGHT[package]), *beside(package))
        case ["workers", *_]:
            return ("workers", "app.create_app", *below(HEIGHT["http"]), "engine.core")
    raise ValueError(f"{module} has no place in the layout.")


def below(height: int) -> tuple[str, ...]:
    """The packages of `app/` that stand lower."""
    return tuple(f"app.{package}" for group in LAYERS[:height] for package in group)


def beside(package: str) -> tuple[str, ...]:
    """What else a package of `app/` may import: the engine's core, a command the whole service, and pictures the drawn letters."""
    core = ("engine.core",) * (package not in THIN)
    return core + {"cli": ("app.create_app",), "views": ("engine.kit.letters",)}.get(package, ())


def out_of_place(source: Source, parents: Mapping[str, str | None]) -> list[str]:
    """The modules of this repository that the source imports although its place forbids it."""
    permitted = allowed(source.module, parents)
    return [
        name
        for name in source.imports
        if is_ours(name)
        and not within(name, *permitted)
        and (source.module, name) != ("engine.core.registry", "engine")  # it looks for the games
    ]


def imports_between(root: Path) -> set[tuple[str, str]]:
    """Which package of `app/` imports from which other."""
    sources = (Source.read(path, root) for path in sorted((root / "app").rglob("*.py")))
    pairs = {(package_of(s.module), package_of(name)) for s in sources for name in s.imports}
    return {(own, other) for own, other in pairs if own and other and own != other}


def package_of(name: str) -> str:
    """The package of `app/` that a dotted name lies in, if any."""
    top, _, rest = name.partition(".")
    package = rest.partition(".")[0]
    return package if top == "app" and package in HEIGHT else ""


def foreign(source: Source) -> list[str]:
    """What the source imports from outside this repository and the standard library."""
    return [
        name
        for name in source.imports
        if not is_ours(name) and name.partition(".")[0] not in sys.stdlib_module_names
    ]


def worldly(source: Source) -> list[str]:
    """What the source imports or calls of clocks, files, wires, dice and other doors to the world."""
    imported = [
        name
        for name in source.imports
        if name.partition(".")[0] in WORLD and not may_open(source.module, name)
    ]
    return imported + sorted(source.calls & WORLDLY_CALLS)


def may_open(module: str, name: str) -> bool:
    """The few doors that are open to a few modules of the engine."""
    match module.split("."):
        case ["engine", "core", "registry"]:
            return name in ("importlib.import_module", "pkgutil.iter_modules")
        case ["engine", "core", "playout"]:
            return name == "random.Random"
        case ["engine", _, *_, part] if part in DATA_READERS:
            return within(name, "importlib.resources")
    return False


WRITING = ("insert", "update", "delete")


def writes_to(source: Source, table: str) -> list[str]:
    """The calls that make a row of a table, or begin a statement that changes it."""
    calls = [node for node in ast.walk(source.tree) if isinstance(node, ast.Call)]
    made = [call for call in calls if last_name(call.func) == table]
    changed = [
        call
        for call in calls
        if last_name(call.func) in WRITING
        and call.args
        and last_name(call.args[0]).lower() == table.lower()
    ]
    return [ast.unparse(call) for call in (*made, *changed)]


def last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def knows_too_much(source: Source) -> list[str]:
    """The states and rules that pictures or words import; they are given a view or an event."""
    return [name for name in source.imports if is_inner(name.split("."))]


def may_refuse(source: Source) -> list[str]:
    """What the source imports of refusals, rules and forms that are checked: none of it is for whoever applies facts."""
    checking = {"refusal", "refusals", "rules", "forms", "referee_form", "orders"}
    return [
        name
        for name in source.imports
        if checking & set(name.split(".")) and not within(name, *READS_OWN_WORDS)
    ]


def is_inner(parts: list[str]) -> bool:
    """Whether a name is a game's state or rules, or everything of a game at once."""
    return parts[0] == "engine" and len(parts) > 2 and parts[2] in ("state", "rules", "*")
