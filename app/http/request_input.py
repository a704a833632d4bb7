"""Request parsing: JSON and query strings into pydantic models, or refused with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from werkzeug.routing import IntegerConverter

from app.platform.errors import Misspelt
from engine.core.sentence import Sentence, say

T = TypeVar("T", bound=BaseModel)
MOST_DIGITS = 9


class SmallNumber(IntegerConverter):
    """A number in an address that every database can count to; at a larger one there is nothing."""

    regex = rf"[0-9]{{1,{MOST_DIGITS}}}"


def read_json(model: type[T], body: bytes) -> T:
    """A body as a model; an empty one stands for an empty object."""
    try:
        return model.model_validate_json(body or b"{}")
    except ValidationError as error:
        raise Misspelt(complaint(error)) from None


def read_query(model: type[T], arguments: Mapping[str, list[str]]) -> T:
    """What stands after the question mark as a model."""
    for name, values in arguments.items():
        if len(values) > 1:
            raise Misspelt(say("{field} is given twice.", field=name[:60]))
    try:
        return model.model_validate_strings({name: value for name, (value,) in arguments.items()})
    except ValidationError as error:
        raise Misspelt(complaint(error)) from None


def complaint(error: ValidationError) -> Sentence:
    """What is wrong first."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = ".".join(map(str, fault["loc"]))[:60]
    match fault["type"]:
        case "json_invalid":
            return say("The body is not JSON.")
        case "model_type" | "model_attributes_type" if not field:
            return say("The body is no JSON object.")
        case "missing":
            return say("{what} is missing.", what=field)
        case "extra_forbidden":
            return say("There is no field {field} here.", field=field)
    return say("{field} cannot be taken: {why}.", field=field, why=fault["msg"])


def check_number(text: str | None, name: str) -> int:
    """A whole number of a form, small enough for every database."""
    if not text or not text.isascii() or not text.isdecimal() or len(text) > MOST_DIGITS:
        raise Misspelt(say("{what} must be a whole number.", what=name))
    return int(text)
