"""Which small faults a module can have: a comparison turned round, a guard left out, a number off by one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

Place = tuple[str, int | None]  # a field of a node, and where in it if it is a list
Lines = tuple[int, int]

SWAPPED: dict[type[ast.AST], tuple[type[Any], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
RENAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
WORDS = ("say", "TypeVar", "log.")  # calls whose arguments are for people or for checkers


@dataclass(frozen=True)
class Fault:
    """One small change of a module: `new` in the place of what stands in a field of `parent`."""

    module: str
    function: str
    lines: Lines
    statement: int  # the line of the statement of the module that holds it
    around: Lines | None  # the lines of its function; None where code runs when the module is read
    parent: ast.AST
    place: Place
    new: Any
    told: str

    def plant(self) -> None:
        """Changes the tree that the fault was found in."""
        field, index = self.place
        if index is None:
            setattr(self.parent, field, self.new)
        else:
            getattr(self.parent, field)[index] = self.new

    def __str__(self) -> str:
        return f"{self.module} {self.function or 'module'}: {self.told}"


def faults_in(module: str, tree: ast.Module) -> list[Fault]:
    """Every fault that we know to plant, in the order of the lines, each with words of its own."""
    seen: Counter[str] = Counter()
    faults = list[Fault]()
    for fault in found_below(Fault(module, "", (1, 1), 1, None, tree, ("", None), None, ""), tree):
        seen[str(fault)] += 1
        count = seen[str(fault)]
        faults.append(fault if count == 1 else replace(fault, told=f"{fault.told} ({count})"))
    return faults


def found_below(here: Fault, node: ast.AST) -> Iterator[Fault]:
    """The faults under a node; `here` knows where it stands."""
    quiet = silent(node)
    for place, child in children(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)) or place in quiet:
            continue
        there = replace(here, parent=node, place=place)
        if isinstance(child, (ast.stmt, ast.expr)):
            there = replace(there, lines=span(child))
        if isinstance(node, ast.Module):
            there = replace(there, statement=there.lines[0])
        if isinstance(node, ast.FunctionDef) and place[0] == "body":
            there = replace(there, around=there.around or span(node))
        for new in changed(child, node):
            yield replace(there, new=new, told=f"{short(child)}  ->  {short(new)}")
        yield from found_below(inside(there, child), child)


def inside(there: Fault, child: ast.AST) -> Fault:
    """Where the parts of a child stand."""
    if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
        return replace(there, function=f"{there.function}.{child.name}".lstrip("."))
    return there


def span(node: ast.stmt | ast.expr) -> Lines:
    return node.lineno, node.end_lineno or node.lineno


def children(node: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield (field, None), value
        elif isinstance(value, list):
            found = (((field, index), part) for index, part in enumerate(value))
            yield from ((place, part) for place, part in found if isinstance(part, ast.AST))


def silent(node: ast.AST) -> set[Place]:
    """What of a node is words for people or types for checkers, or cannot be changed once the module is read."""
    quiet: set[Place] = {("annotation", None), ("returns", None), ("args", None)}
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        quiet |= {("decorator_list", number) for number in range(len(node.decorator_list))}
    if isinstance(node, ast.ClassDef):
        made = enumerate(node.body)
        quiet |= {("body", n) for n, part in made if not isinstance(part, ast.FunctionDef)}
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(WORDS):
        quiet |= {("args", number) for number in range(len(node.args))}
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
        quiet |= {("keywords", number) for number in range(len(node.keywords))}
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and is_docstring(body[0]):
        quiet.add(("body", 0))
    return quiet


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# What might stand there by mistake


def changed(node: ast.AST, parent: ast.AST) -> Iterator[Any]:
    match node:
        case ast.Constant():
            yield from other_values(node, parent)
        case ast.stmt():
            yield from other_statements(node)
        case _:
            yield from other_expressions(node)


def other_values(node: ast.Constant, parent: ast.AST) -> Iterator[Any]:
    match node.value:
        case bool() as value:
            yield ast.Constant(not value)
        case int() as value:
            yield ast.Constant(value + 1)
        case str() as value if not isinstance(parent, (ast.JoinedStr, ast.FormattedValue)):
            yield ast.Constant(f"{value}x")


def other_statements(node: ast.stmt) -> Iterator[Any]:
    """A statement left out, an answer forgotten, a decision that always falls the same way."""
    match node:
        case ast.If(test, body, otherwise) if not isinstance(test, ast.Constant):
            yield from (ast.If(ast.Constant(way), body, otherwise) for way in (True, False))
        case ast.Return(value) if value is not None and not is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.Continue() | ast.Delete() | ast.AugAssign():
            yield ast.Pass()
        case ast.Expr(ast.Call(func)) if not ast.unparse(func).startswith("log."):
            yield ast.Pass()
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


def other_expressions(node: ast.AST) -> Iterator[Any]:
    """The opposite, the next best, or a part left out."""
    match node:
        case ast.Compare(left, [op], others):
            yield from (ast.Compare(left, [new()], others) for new in SWAPPED.get(type(op), ()))
        case ast.BoolOp(values=values):
            yield from (ast.BoolOp(new(), values) for new in SWAPPED[type(node.op)])
            yield from one_less(values, lambda some: joined(node.op, some))
        case ast.BinOp(left, op, right):
            yield from (ast.BinOp(left, new(), right) for new in SWAPPED.get(type(op), ()))
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.IfExp(_, body, otherwise):
            yield from (body, otherwise)
        case ast.comprehension(target, source, [_, *_] as tests):
            yield from one_less(tests, lambda some: ast.comprehension(target, source, some, 0))
        case ast.match_case(pattern, guard, body) if guard is not None:
            yield ast.match_case(pattern, None, body)
        case ast.Call():
            yield from other_calls(node)


def other_calls(node: ast.Call) -> Iterator[Any]:
    """A call of the opposite, or with something left out."""
    func, args, named = node.func, node.args, node.keywords
    if isinstance(func, ast.Name) and func.id in RENAMED:
        yield ast.Call(ast.Name(RENAMED[func.id], ast.Load()), args, named)
    if isinstance(func, ast.Attribute) and func.attr == "where":
        yield from one_less(args, lambda some: ast.Call(func, some, named))
    if not ast.unparse(func).startswith(WORDS):
        yield from one_less(named, lambda some: ast.Call(func, args, some))


def one_less(parts: list[Any], made: Callable[[list[Any]], Any]) -> Iterator[Any]:
    for number in range(len(parts)):
        yield made(parts[:number] + parts[number + 1 :])


def joined(op: ast.boolop, values: list[ast.expr]) -> ast.expr:
    return ast.BoolOp(op, values) if len(values) > 1 else values[0]


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def short(node: Any) -> str:
    """The first line of what stands there."""
    if isinstance(node, ast.comprehension):
        return " ".join(f"if {ast.unparse(test)}" for test in node.ifs) or "no if"
    if isinstance(node, ast.match_case):
        guard = ast.unparse(node.guard) if node.guard else "anything"
        return f"case {ast.unparse(node.pattern)} if {guard}"
    return ast.unparse(ast.fix_missing_locations(node)).partition("\n")[0][:110]
