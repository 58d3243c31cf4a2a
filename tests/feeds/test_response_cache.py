"""Ready answers: made once, for all who ask, and kept up to a bound."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from feeds.codings import CODINGS
from feeds.response_cache import CachedBody, ResponseCache


def test_an_answer_s_etag_is_strong_and_follows_from_its_bytes() -> None:
    answers = [CachedBody.of(body) for body in (b"a", b"a", b"b", b"")]
    assert answers[0] == answers[1]
    assert len({answer.etag for answer in answers}) == 3
    assert all(answer.etag.startswith('"') and answer.etag.endswith('"') for answer in answers)


def test_an_answer_in_a_coding_has_an_etag_of_its_own() -> None:
    answer = CachedBody.of(b"text" * 100)
    coded = [answer.coded(coding) for coding in CODINGS]
    assert len({each.etag for each in coded}) == len(CODINGS)
    assert [each.etag for each in coded] == [answer.etag_in(coding) for coding in CODINGS]
    assert coded[-1] == answer


def body(size: int) -> Callable[[], CachedBody]:
    return lambda: CachedBody.of(bytes(size))


def never() -> CachedBody:
    raise AssertionError


def test_an_answer_is_made_once() -> None:
    answers = ResponseCache(10_000)
    first = answers.get("key", body(5))
    assert [answers.get("key", never), answers.peek("key")] == [first, first]
    assert answers.peek("another key") is None


def test_what_was_not_asked_for_longest_goes_first() -> None:
    answers = ResponseCache(30_000)
    for key in "abc":
        answers.get(key, body(9_000))
    assert answers.peek("a")
    answers.get("d", body(9_000))
    assert [key for key in "abcd" if answers.peek(key)] == ["a", "c", "d"]
    # Keeping an answer is counted as a thousand bytes more than its body.
    assert answers.bytes == 30_000


def test_many_small_answers_are_bounded_too() -> None:
    answers = ResponseCache(10_000)
    for key in range(1_000):
        answers.get(key, body(0))
    assert (answers.bytes, sum(answers.peek(key) is not None for key in range(1_000))) == (10_000, 10)


def test_what_is_larger_than_the_bound_is_given_and_not_kept() -> None:
    answers = ResponseCache(2_000)
    answers.get("small", body(5))
    assert [len(answers.get("large", body(1_001)).body) for _ in range(2)] == [1_001] * 2
    assert (answers.peek("large"), answers.bytes) == (None, 1_005)


def test_threads_that_ask_for_the_same_wait_for_one_making() -> None:
    answers, barrier, made = ResponseCache(10_000), Barrier(8), []

    def make() -> CachedBody:
        made.append(1)
        return CachedBody.of(b"body")

    def ask(_number: int) -> CachedBody:
        barrier.wait()
        return answers.get("key", make)

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(ask, range(8)))
    assert len(made) == 1
    assert [answer is given[0] for answer in given] == [True] * 8


def test_a_slow_making_keeps_nobody_waiting_who_asks_for_something_else() -> None:
    answers, other_is_answered = ResponseCache(10_000), Event()

    def slow() -> CachedBody:
        assert other_is_answered.wait(10)
        return CachedBody.of(b"slow")

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(answers.get, "slow", slow)
        assert answers.get("quick", body(1)).body == bytes(1)
        other_is_answered.set()
        assert waiting.result().body == b"slow"


def test_a_making_that_fails_is_tried_again_by_the_next() -> None:
    answers = ResponseCache(10_000)
    with pytest.raises(AssertionError):
        answers.get("key", never)
    assert answers.get("key", body(1)).body == bytes(1)
