"""Every test here is a proof of a promise in docs/guarantees.md and tells at which scale it ran."""

from pathlib import Path

import pytest

from tests.prove import Scale

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.prove)


@pytest.fixture(autouse=True)
def _scale_is_recorded(request: pytest.FixtureRequest) -> None:
    """The constants that the test's module made with `scale`, as properties of the test."""
    for name, value in vars(request.module).items():
        if isinstance(value, Scale):
            request.node.user_properties.append((name, int(value)))
