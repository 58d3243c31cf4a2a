"""Messages are compared in English."""

import pytest


@pytest.fixture(autouse=True)
def _as_in_the_source(in_english: None) -> None: ...
