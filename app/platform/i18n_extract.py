"""Babel extractor for `say(…)` in the code: `make translations` and the test of the catalogs ask it.

Babel's own reader of Python counts arguments, and `say` may have one template or two; so we look ourselves.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

# Which arguments of which functions are templates: by place, or by name.
SAYING: Mapping[str, tuple[int | str, ...]] = {
    "say": (0, 1),
    "deed": (0, 1),
    "refusal": (1, 2),
    "impossible": (0, 1),
    "Option": ("help",),
    "gettext": (0,),
    "ngettext": (0, 1),
    "_": (0,),
}
TWO = frozenset({"deed"})  # whose templates are not one and many, but two sentences
LESSONS = ("title", "idea", "task", "hint", "praise")
Message = tuple[int, str, Any, list[str]]


def extract(file: BinaryIO, *_: Any, **__: Any) -> Iterator[Message]:
    """Babel's way to ask: line, function, template or templates, comments."""
    calls = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: call.lineno):
        templates = spoken(node)
        if len(templates) > 1 and called(node) not in TWO:
            yield node.lineno, "ngettext", templates, []
        else:
            yield from ((node.lineno, "gettext", template, []) for template in templates)


def extract_lessons(file: BinaryIO, *_: Any, **__: Any) -> Iterator[Message]:
    """What the lessons of a game say to the learner."""
    for lesson in tomllib.load(file)["lesson"]:
        told = [lesson[name] for name in LESSONS]
        for words in (*told, *(wish["missing"] for wish in lesson["wish"])):
            yield 1, "gettext", words, []


def spoken(call: ast.Call) -> tuple[str, ...]:
    """The templates of a call, if it is one that says something."""
    found = (argument(call, place) for place in SAYING.get(called(call), ()))
    return tuple(template for template in found if template)


def called(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def argument(call: ast.Call, place: int | str) -> str | None:
    """A literal argument by its place or name."""
    if isinstance(place, int):
        value = call.args[place] if place < len(call.args) else None
    else:
        value = next((keyword.value for keyword in call.keywords if keyword.arg == place), None)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
