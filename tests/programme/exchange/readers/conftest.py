"""Messages are compared in English."""

import pytest
from django.utils.translation import override


@pytest.fixture(scope="module", autouse=True)
def _in_english():
    with override("en"):
        yield
