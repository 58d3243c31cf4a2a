"""Ready answers: written once, for all who ask, and kept up to a bound."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from feeds.answers import Answer, Answers


def test_an_answer_s_etag_is_strong_and_follows_from_its_bytes() -> None:
    answers = [Answer.of(body) for body in (b"a", b"a", b"b", b"")]
    assert answers[0] == answers[1]
    assert len({answer.etag for answer in answers}) == 3
    assert all(answer.etag.startswith('"') and answer.etag.endswith('"') for answer in answers)


def test_an_answer_is_written_once() -> None:
    answers, writings = Answers(100), iter([b"first", b"second"])
    assert [answers.get("key", lambda: next(writings)).body for _ in range(3)] == [b"first"] * 3


def test_what_was_not_asked_for_longest_goes_first() -> None:
    answers = Answers(30)
    for key in "abc":
        answers.get(key, lambda: bytes(10))
    answers.get("a", lambda: b"never written")
    answers.get("d", lambda: bytes(10))
    kept = {key: answers.get(key, lambda: b"anew").body for key in "acd"}
    assert kept == dict.fromkeys("acd", bytes(10))
    assert answers.bytes == 30
    assert answers.get("b", lambda: b"anew").body == b"anew"
    assert answers.bytes <= 30


def test_what_is_larger_than_the_bound_is_given_and_not_kept() -> None:
    answers = Answers(10)
    answers.get("small", lambda: b"small")
    assert [answers.get("large", lambda: bytes(11)).body for _ in range(2)] == [bytes(11)] * 2
    assert answers.bytes == 5


def test_threads_that_ask_for_the_same_wait_for_one_writing() -> None:
    answers, barrier, written = Answers(100), Barrier(8), []

    def write() -> bytes:
        written.append(1)
        return b"body"

    def ask(_number: int) -> Answer:
        barrier.wait()
        return answers.get("key", write)

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(ask, range(8)))
    assert len(written) == 1
    assert [answer is given[0] for answer in given] == [True] * 8


def test_a_slow_writing_keeps_nobody_waiting_who_asks_for_something_else() -> None:
    answers, other_is_answered = Answers(100), Event()

    def slow() -> bytes:
        assert other_is_answered.wait(10)
        return b"slow"

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(answers.get, "slow", slow)
        assert answers.get("quick", lambda: b"quick").body == b"quick"
        other_is_answered.set()
        assert waiting.result().body == b"slow"


def test_a_writing_that_fails_is_tried_again_by_the_next() -> None:
    answers = Answers(100)
    with pytest.raises(ZeroDivisionError):
        answers.get("key", lambda: bytes(1 // 0))
    assert answers.get("key", lambda: b"body").body == b"body"
