"""Dataclasses to plain JSON values and back, checked by their own annotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

Reader = Callable[[Any], Any]


def encode(value: Any) -> Any:
    """`value` as JSON can write it: dataclasses become objects, tuples lists; what came later and is not used is left out."""
    if is_dataclass(value):
        found = ((f, getattr(value, f.name)) for f in fields(value))
        return {f.name: encode(x) for f, x in found if "later" not in f.metadata or x != f.default}
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    return value


def decode(cls: type, data: Any) -> Any:
    """The `cls` that `data` was written from; ValueError where it does not fit."""
    return reader(cls)(data)


@cache
def reader(hint: Any) -> Reader:
    """A function that reads one kind of value."""
    if hint is Any:
        return lambda value: value
    if is_dataclass(hint):
        return dataclass_reader(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return tuple_reader(args)
    if origin is UnionType:
        return union_reader(args)
    if origin is dict:
        return dict_reader(args[1])
    return plain_reader(hint)


def plain_reader(kind: type) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:  # bool is an int to isinstance, and must not pass for one
            raise ValueError(f"expected {kind.__name__}, got {value!r:.60}")
        return value

    return read


def dataclass_reader(cls: Any) -> Reader:
    hints = get_type_hints(cls)
    readers = {f.name: reader(hints[f.name]) for f in fields(cls)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict) or not value.keys() <= readers.keys():
            raise ValueError(f"not a {cls.__name__}: {value!r:.60}")
        try:
            return cls(**{name: readers[name](item) for name, item in value.items()})
        except TypeError as error:
            raise ValueError(f"{cls.__name__} lacks a field") from error

    return read


def tuple_reader(args: tuple[Any, ...]) -> Reader:
    if len(args) == 2 and args[1] is ...:
        each = reader(args[0])
        return lambda value: tuple(each(item) for item in listed(value))
    each_of = [reader(arg) for arg in args]
    return lambda value: tuple(
        read(item) for read, item in zip(each_of, listed(value), strict=True)
    )


def dict_reader(item_hint: Any) -> Reader:
    each = reader(item_hint)

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"expected an object, got {value!r:.60}")
        return {key: each(item) for key, item in value.items()}

    return read


def union_reader(args: tuple[Any, ...]) -> Reader:
    """Only `X | None` occurs."""
    (inner,) = (arg for arg in args if arg is not NoneType)
    read = reader(inner)
    return lambda value: None if value is None else read(value)


def listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, got {value!r:.60}")
    return value
