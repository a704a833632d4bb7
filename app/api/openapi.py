"""The OpenAPI document, made from the table of operations and the models they use."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.api.answers import Refused
from app.api.bodies import LARGEST
from app.api.operation import JSON, OPERATIONS, Operation
from app.people.api_tokens import SCOPES

VERSION = "3.1.0"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
REFERENCE = "#/components/schemas/{model}"
MEANINGS = {
    400: "`syntax`: the request cannot be understood.",
    401: "`token`: this needs a valid token.",
    403: "`forbidden`: the caller may not do this, or the token has not the scope for it.",
    404: "`unknown`: there is no such game, match, seat, option or position.",
    409: "`stale`: the match has moved, to `head`; or `key`: used before with another payload.",
    413: "`size`: too large to be taken.",
    422: "`illegal`, `turn` or `over`: the rules say no; `line` is the number of the failing order.",
    429: "`rate`: too often.",
}
PATH = {
    "match_id": {"type": "string", "pattern": "^[0-9a-z]{1,32}$"},
    "pos": {"type": "integer", "minimum": 0, "maximum": LARGEST},
    "n": {"type": "integer", "minimum": 0, "maximum": 11},
}
SCOPES_TOLD = "Scopes: " + "; ".join(f"`{name}`: {what}" for name, what in SCOPES.items()) + "."
Json = dict[str, Any]


@cache
def document(base_url: str) -> Json:
    """The whole description."""
    return {
        "openapi": VERSION,
        "jsonSchemaDialect": DIALECT,
        "info": {
            "title": "Chasqui",
            "version": "1",
            "description": "Slow board games by mail. Public matches may be read without a token. "
            "A token has scopes: each operation names the one that it needs. "
            "Sentences come in the language of Accept-Language; times are in UTC.",
        },
        "servers": [{"url": f"{base_url}/api/v1"}],
        "paths": paths(),
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": SCOPES_TOLD}
            },
        },
    }


def paths() -> Json:
    made: Json = {}
    for operation in OPERATIONS:
        made.setdefault(operation.path, {})[operation.method.lower()] = described(operation)
    return made


def described(operation: Operation) -> Json:
    told: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "security": [{"token": [operation.scope]}]
        if operation.token
        else [{}, {"token": [operation.scope]}],
        "parameters": [*path_parameters(operation), *query_parameters(operation)],
        "responses": responses(operation),
    }
    if operation.body is not None:
        told["requestBody"] = body(operation.body)
    return told


def path_parameters(operation: Operation) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in PATH.items()
        if f"{{{name}}}" in operation.path
    ]


def query_parameters(operation: Operation) -> list[Json]:
    properties = operation.query.model_json_schema(by_alias=True).get("properties", {})
    return [
        {"name": name, "in": "query", "required": False, "schema": without_null(schema)}
        for name, schema in properties.items()
    ]


def without_null(schema: Json) -> Json:
    """What may be left out need not be null: an address has no null."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    kept = {key: value for key, value in schema.items() if key not in ("anyOf", "default", "title")}
    return {**kept, **choices[0]} if choices else kept


def body(model: type[BaseModel] | str) -> Json:
    if isinstance(model, str):
        return {"required": True, "content": {model: {"schema": {"type": "string"}}}}
    required = any(field.is_required() for field in model.model_fields.values())
    return {"required": required, "content": {JSON: {"schema": reference(model)}}}


def responses(operation: Operation) -> Json:
    answer = operation.answer
    schema = {"type": "string"} if isinstance(answer, str) else reference(answer)
    told: Json = {
        str(operation.status): {
            "description": "Done." if operation.method != "GET" else "As the caller may see it.",
            "content": {operation.media: {"schema": schema}},
        }
    }
    if operation.looks:
        told["200"]["headers"] = {"ETag": {"required": True, "schema": {"type": "string"}}}
        told["304"] = {"description": "Nothing has changed since the ETag in If-None-Match."}
    refused = {JSON: {"schema": reference(Refused)}}
    for status in operation.refusals:
        told[str(status)] = {"description": MEANINGS[status], "content": refused}
    return told


def reference(model: type[BaseModel]) -> Json:
    return {"$ref": REFERENCE.format(model=model.__name__)}


def schemas() -> Json:
    """Every model that an operation uses, and those inside them."""
    given = {op.body for op in OPERATIONS if isinstance(op.body, type)}
    told = {op.answer for op in OPERATIONS if isinstance(op.answer, type)} | {Refused}
    inputs = [(model, "validation") for model in sorted(given, key=by_name)]
    outputs = [(model, "serialization") for model in sorted(told, key=by_name)]
    _, made = models_json_schema([*inputs, *outputs], ref_template=REFERENCE)  # type: ignore[list-item]  # it wants the literals
    found: Json = made["$defs"]
    return found


def by_name(model: type[BaseModel]) -> str:
    return model.__name__
