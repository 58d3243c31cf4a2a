"""The secrets of lists stand in no log and no metric, whatever a request comes to."""

import logging
from io import StringIO

import pytest
from django.core.handlers.wsgi import WSGIHandler

from festival.configuration.logs import RedactionFilter
from festival.http.replay_cache import ReplayCache
from festival.metrics import REGISTRY
from pages.starred import store
from tests.conftest import NOW
from tests.wsgi import send_request

pytestmark = pytest.mark.usefixtures("sample", "at", "open_connection")


@pytest.fixture
def logged(monkeypatch):
    """What the service logs."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RedactionFilter())
    monkeypatch.setattr(logging.getLogger("django"), "handlers", [handler])
    monkeypatch.setattr(logging.getLogger("django"), "propagate", False)
    return stream


def ask(method, path, **headers):
    body = b"{}" if method == "PATCH" else b""
    return int(send_request(ReplayCache(WSGIHandler()), path, method, body, **headers).status[:3])


def fail(*_arguments):
    raise ValueError("a fault of ours")


def test_no_secret_is_logged_or_counted(logged, monkeypatch):
    secret, address = store.create([8001], NOW.date())
    path = f"/my-list/{address}.ics"
    change = {"x_starred_list": secret}
    assert ask("GET", path) == 200
    assert ask("GET", f"{path}/", referer=f"http://localhost{path}") == 301
    assert ask("GET", f"{path}x") == 404
    assert ask("GET", path, host="evil.example") == 400
    assert ask("POST", path) == 405
    assert ask("PATCH", "/my-list", **change) == 200
    monkeypatch.setattr(store, "read", fail)
    monkeypatch.setattr(store, "change", fail)
    assert ask("GET", path) == 500
    assert ask("PATCH", "/my-list", **change) == 500
    text = logged.getvalue()
    # Two errors with their traces.
    assert text.count("/my-list") == 2
    assert "a fault of ours" in text
    assert [line for line in text.splitlines() if address in line] == []
    counted = str(list(REGISTRY.collect()))
    assert "my-list" not in counted
    assert address not in counted
    assert secret not in f"{text}{counted}"
