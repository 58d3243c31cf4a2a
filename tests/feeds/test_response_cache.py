"""The response cache: bodies are written once for all requests, and kept up to a bound."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from feeds.negotiation import CODINGS
from feeds.response_cache import CachedBody, ResponseCache


def test_an_etag_is_strong_and_follows_from_the_bytes() -> None:
    bodies = [CachedBody.build(text) for text in (b"a", b"a", b"b", b"")]
    assert bodies[0] == bodies[1]
    assert len({each.etag for each in bodies}) == 3
    assert all(each.etag.startswith('"') and each.etag.endswith('"') for each in bodies)


def test_each_coding_has_its_own_etag() -> None:
    body = CachedBody.build(b"text" * 100)
    coded = [body.compress(coding) for coding in CODINGS]
    assert len({each.etag for each in coded}) == len(CODINGS)
    assert [each.etag for each in coded] == [body.etag_in(coding) for coding in CODINGS]
    assert coded[-1] == body


def body(size: int) -> Callable[[], CachedBody]:
    return lambda: CachedBody.build(bytes(size))


def never() -> CachedBody:
    raise AssertionError


def test_a_body_is_written_once() -> None:
    cache = ResponseCache(10_000)
    first = cache.get("key", body(5))
    entry = cache.find("key")
    assert entry
    assert [cache.get("key", never), entry.body] == [first, first]
    assert cache.find("another key") is None


def test_what_was_not_used_lately_is_dropped_first() -> None:
    cache = ResponseCache(30_000)
    for key in "abc":
        cache.get(key, body(9_000))
    cache.get("a", never)
    kept = {key: cache.find(key) for key in "abc"}
    cache.get("d", body(9_000))
    assert [key for key in "abcd" if cache.find(key)] == ["a", "c", "d"]
    # Who keeps an entry does not keep its body.
    assert [key for key, entry in kept.items() if entry and entry.body] == ["a", "c"]
    # An entry counts as a thousand bytes more than its body.
    assert cache.size == 30_000


def test_the_oldest_is_dropped_first_where_all_are_in_use() -> None:
    cache = ResponseCache(30_000)
    for key in "abc":
        cache.get(key, body(9_000))
        cache.get(key, never)
    cache.get("d", body(9_000))
    assert [key for key in "abcd" if cache.find(key)] == ["b", "c", "d"]
    cache.get("e", body(19_000))
    assert ([key for key in "abcde" if cache.find(key)], cache.size) == (["d", "e"], 30_000)


def test_many_small_bodies_are_bounded_too() -> None:
    cache = ResponseCache(10_000)
    for key in range(1_000):
        cache.get(key, body(0))
    assert (cache.size, sum(cache.find(key) is not None for key in range(1_000))) == (10_000, 10)


def test_a_body_larger_than_the_bound_is_returned_and_not_cached() -> None:
    cache = ResponseCache(2_000)
    cache.get("small", body(5))
    assert [len(cache.get("large", body(1_001)).body) for _ in range(2)] == [1_001] * 2
    assert (cache.find("large"), cache.size) == (None, 1_005)
    cache.get("as large", body(1_000))
    assert (cache.find("as large") is not None, cache.size) == (True, 2_000)


def test_equal_requests_wait_for_one_of_them_to_write() -> None:
    cache, barrier, made = ResponseCache(10_000), Barrier(8), []

    def make() -> CachedBody:
        made.append(1)
        return CachedBody.build(b"body")

    def ask(_number: int) -> CachedBody:
        barrier.wait()
        return cache.get("key", make)

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(ask, range(8)))
    assert len(made) == 1
    assert [body is given[0] for body in given] == [True] * 8


def test_a_slow_making_keeps_nobody_waiting_who_asks_for_something_else() -> None:
    cache, other_is_answered = ResponseCache(10_000), Event()

    def slow() -> CachedBody:
        assert other_is_answered.wait(10)
        return CachedBody.build(b"slow")

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(cache.get, "slow", slow)
        assert cache.get("quick", body(1)).body == bytes(1)
        other_is_answered.set()
        assert waiting.result().body == b"slow"


def test_a_making_that_fails_is_tried_again_by_the_next() -> None:
    cache = ResponseCache(10_000)
    with pytest.raises(AssertionError):
        cache.get("key", never)
    assert cache.get("key", body(1)).body == bytes(1)
