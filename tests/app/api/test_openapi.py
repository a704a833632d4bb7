"""The OpenAPI document says what the API does, and the API does what it says."""

from __future__ import annotations

import pytest

from app.api.openapi import document
from app.api.operation import OPERATIONS
from tests.app import campaign
from tests.app.service import Service

EXAMPLES = 3  # for each operation; `make soak` takes hundreds


pytestmark = pytest.mark.people("ana", "bea")


def test_the_description_names_every_operation(service: Service) -> None:
    told = service.get(None, "/openapi.json")
    described = {(path, method) for path, ways in told["paths"].items() for method in ways}
    assert described == {(o.path, o.method.lower()) for o in OPERATIONS}
    assert all(way["summary"] for ways in told["paths"].values() for way in ways.values())


def test_every_reference_in_it_leads_somewhere() -> None:
    told = document("https://chasqui.example")
    names = {ref.rsplit("/", 1)[1] for ref in references(told)}
    assert names == names & told["components"]["schemas"].keys()


def references(value: object) -> list[str]:
    match value:
        case {"$ref": str(name)}:
            return [name]
        case dict():
            return [ref for item in value.values() for ref in references(item)]
        case list():
            return [ref for item in value for ref in references(item)]
    return []


def test_random_requests_get_what_is_described_and_never_a_fault_of_ours(service: Service) -> None:
    tally = campaign.run(service, EXAMPLES)
    assert tally.total() >= EXAMPLES * len(OPERATIONS) / 2
    assert any(status < 300 for status in tally)
    assert all(status < 500 for status in tally)
