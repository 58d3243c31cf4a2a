"""Refusals that a process remembers, and for how long."""

from collections.abc import Callable
from threading import Event, Thread

import pytest

from festival.http import refused_senders
from festival.http.refused_senders import MOST, MOST_PAUSES, PAUSE, QUESTION, TRUST, RefusedSenders

HOME, ELSEWHERE = "192.0.2.7", "198.51.100.9"
LOGIN = "/admin/login/"


@pytest.fixture
def shift(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let so many seconds pass."""
    now = [1000.0]
    monkeypatch.setattr(refused_senders, "monotonic", lambda: now[0])

    def pass_by(seconds: float) -> None:
        now[0] += seconds

    return pass_by


def test_a_refusal_is_of_one_network_at_one_path(shift):
    refused = RefusedSenders()
    refused.learn(HOME, LOGIN, "900")
    shift(2)
    assert refused.find(HOME, LOGIN) == 898
    assert (refused.find(ELSEWHERE, LOGIN), refused.find(HOME, "/admin/logout/")) == (0, 0)


def test_one_request_asks_again_once_in_a_while(shift):
    refused = RefusedSenders()
    refused.learn(HOME, LOGIN, "900")
    shift(TRUST)
    assert [refused.find(HOME, LOGIN) for _time in range(3)] == [0, 895, 895]
    refused.learn(HOME, LOGIN, "895")
    assert refused.find(HOME, LOGIN) == 895
    shift(TRUST)
    assert refused.find(HOME, LOGIN) == 0
    # Its attempt was allowed.
    refused.learn(HOME, LOGIN, None)
    assert [refused.find(HOME, LOGIN) for _time in range(3)] == [0, 0, 0]


def test_the_next_one_asks_where_there_was_no_response(shift):
    refused = RefusedSenders()
    refused.learn(HOME, LOGIN, "900")
    shift(TRUST)
    assert refused.find(HOME, LOGIN) == 0
    shift(QUESTION)
    assert [refused.find(HOME, LOGIN), refused.find(HOME, LOGIN)] == [0, 894]


def test_a_refusal_is_not_trusted_beyond_its_end(shift):
    refused = RefusedSenders()
    refused.learn(HOME, LOGIN, "2")
    assert refused.find(HOME, LOGIN) == 2
    shift(2)
    # At least a second, for who waits for the response to the first.
    assert [refused.find(HOME, LOGIN), refused.find(HOME, LOGIN)] == [0, 1]


def test_the_oldest_refusals_are_forgotten():
    refused = RefusedSenders()
    for number in range(MOST + 1):
        refused.learn(f"network {number}", LOGIN, "900")
    assert refused.find("network 0", LOGIN) == 0
    assert refused.find("network 1", LOGIN) > 0
    assert refused.find(f"network {MOST}", LOGIN) > 0


def test_only_so_many_wait(monkeypatch):
    refused, waiting, go_on, waited = RefusedSenders(), Event(), Event(), []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == MOST_PAUSES:
            waiting.set()
        assert go_on.wait(10)

    monkeypatch.setattr(refused_senders, "sleep", sleep)
    threads = [Thread(target=refused.pause) for _number in range(MOST_PAUSES)]
    for thread in threads:
        thread.start()
    assert waiting.wait(10)
    refused.pause()
    assert waited == [PAUSE] * MOST_PAUSES
    go_on.set()
    for thread in threads:
        thread.join()
    refused.pause()
    assert len(waited) == MOST_PAUSES + 1
