"""Health and metrics are not open to the world."""

from typing import Any

import pytest

from festival.monitoring.access import may_monitor

LOCAL = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1:8000"}


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"HTTP_HOST": "localhost"},
        {"HTTP_HOST": "[::1]:8000", "REMOTE_ADDR": "::1"},
        {"HTTP_HOST": "[::1]", "REMOTE_ADDR": "::1"},
    ],
)
def test_programs_on_this_machine_may(meta: dict[str, str]) -> None:
    assert may_monitor({**LOCAL, **meta})


@pytest.mark.parametrize(
    "meta",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "unix:"},
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_VIA": "1.1 cache"},
        # A proxy on this machine without any such header.
        {"HTTP_HOST": "program.example"},
        {"HTTP_HOST": "localhost.program.example:80"},
        {"HTTP_HOST": ""},
    ],
)
def test_others_may_not(meta: dict[str, str]) -> None:
    assert not may_monitor({**LOCAL, **meta})


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"REMOTE_ADDR": "10.1.2.3"}, True),
        ({"REMOTE_ADDR": "::ffff:10.1.2.3"}, True),
        ({"REMOTE_ADDR": "2001:db8::7"}, True),
        ({"REMOTE_ADDR": "11.1.2.3"}, False),
        # Through a trusted proxy, whatever stands to the left.
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7, 10.1.2.3"}, True),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3, 192.0.2.7"}, False),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}, False),
    ],
)
def test_networks_can_be_allowed(meta: dict[str, str], expected: bool, settings: Any) -> None:
    settings.MONITORING_ALLOW = ["10.0.0.0/8", "2001:db8::/32"]
    assert may_monitor({"HTTP_HOST": "program.example", **meta}) is expected


@pytest.mark.parametrize(
    ("token", "header", "expected"),
    [
        ("secret", "Bearer secret", True),
        ("secret", "bearer secret", True),
        ("secret", "Bearer other", False),
        ("secret", "Basic secret", False),
        ("secret", "secret", False),
        ("secret", "Bearer sécret", False),
        ("", "Bearer ", False),
        ("", "Bearer", False),
    ],
)
def test_a_token_can_be_given(token: str, header: str, expected: bool, settings: Any) -> None:
    settings.MONITORING_TOKEN = token
    assert may_monitor({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": header}) is expected
