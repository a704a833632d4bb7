"""Random requests made from the API's own description: each answer must fit it, and none may be a 5xx."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.app.service import FIRST, Service

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Random words alone would never get past the door: every other request gets some that mean something.
WORDS: dict[str, list[Any]] = {
    "game": ["cuzco", "java"],
    "seats": [["me", "me"], ["me", None, None]],
    "options": [{}, None],
    "title": ["A table", None],
    "orders": [[FIRST], ["end"], [FIRST, "draw pile", "end"], ["draw pile"]],
    "reason": ["a slip"],
    "to": [6],
    "head": [6, 6, 7],
    "pos": [6, 7],
    "seat": [None, 1],
    "cities": [{"g16": 1}],
    "hours": [24],
    "email": ["new@example.com"],
}


@schemathesis.serializer("application/x-ndjson")
def as_it_is(_: Any, value: Any) -> bytes:
    """A record is a text, whatever schemathesis makes of it."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def run(service: Service, examples: int, number: int = 0) -> Counter[int]:
    """So many requests to each operation, well-formed and not; how many answers of each status."""
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", service.app)
    tally: Counter[int] = Counter()
    for result in schema.get_all_operations():
        for mode in GenerationMode:
            with suppress(Unsatisfiable):  # nothing can be wrong with a call that takes nothing
                probe(service, result.ok(), mode, examples, number, tally)
    return tally


def probe(
    service: Service, operation: Any, mode: GenerationMode, examples: int, number: int, tally: Counter[int]
) -> None:  # fmt: skip
    """Requests to one operation, by those who sit there, by others and by nobody."""
    matches = [service.open_table("ana", "me", "me"), service.running("ana", "bea", public=True)]
    rng = Random(number)

    def ask(case: Any) -> None:
        if mode is GenerationMode.POSITIVE and rng.random() < 0.8:
            enliven(case, rng.choice(matches), rng)
        who = rng.choice(["ana", "ana", "bea", None])
        headers = {"Authorization": f"Bearer {service.tokens[who]}"} if who else {}
        headers["Accept-Encoding"] = "identity"  # nobody here unpacks what comes packed
        response = case.call(headers=headers)
        tally[response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    bounded = settings(
        max_examples=examples, deadline=None, database=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    bounded(seed(number)(given(case=operation.as_strategy(generation_mode=mode))(ask)))()


def enliven(case: Any, match_id: str, rng: Random) -> None:
    """Puts words into a request that lead somewhere."""
    for place in (case.path_parameters, case.query, case.body):
        for word in sorted(WORDS.keys() & place.keys()) if isinstance(place, dict) else ():
            place[word] = rng.choice(WORDS[word])
    if "match_id" in case.path_parameters:
        case.path_parameters["match_id"] = match_id
