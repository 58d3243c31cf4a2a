"""A process's programme and snapshot."""

import pytest

from programme.publishing.current import Current


@pytest.fixture
def current(sample: None) -> Current:
    return Current()
