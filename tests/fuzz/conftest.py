"""The service as a WSGI server has it, inside the transaction of a test."""

import os
from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

# How many requests the fuzzer sends: `make fuzz` asks for many more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "300"))


@pytest.fixture
def undisturbed() -> Iterator[None]:
    """Keep Django's signals of requests from closing the connection in which the test's transaction is open."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)
