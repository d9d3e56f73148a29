"""The HTTP interface answers as its OpenAPI document says, whatever a request contains."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from server.support.harness import Server
from soak import count


def test_the_interface_answers_as_described(server: Server):
    import schemathesis  # here, because every test process reads every test file
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    schema = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json")

    for operation in schema.get_all_operations():
        assert isinstance(operation, Ok), operation.err()
        api = operation.ok()

        @settings(
            max_examples=count(1, 100),
            phases=[Phase.generate],
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=api.as_strategy())
        def one(case: Any) -> None:
            case.call_and_validate(excluded_checks=[positive_data_acceptance], timeout=300)  # it may be busy

        one()
