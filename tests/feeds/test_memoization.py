"""Results of writing one occasion are kept, as many as the programme needs."""

import pytest

from feeds.memoization import MIN_SIZE, VARIANTS, MemoizedFunction, memoize, resize_caches

calls: list[tuple[int, int]] = []


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch) -> MemoizedFunction[..., str]:
    """Return a memoized function that records its calls."""
    monkeypatch.setattr(MemoizedFunction, "all", [])
    monkeypatch.setattr(MemoizedFunction, "size", MIN_SIZE)
    calls.clear()

    @memoize
    def write(number: int, day: int = 0) -> str:
        calls.append((number, day))
        return f"nr {number} on {day}"

    return write


def test_a_result_is_kept_by_its_arguments(write: MemoizedFunction[..., str]) -> None:
    assert [write(number) for number in (1, 2, 1, 2)] == ["nr 1 on 0", "nr 2 on 0"] * 2
    assert calls == [(1, 0), (2, 0)]


def test_keyword_arguments_are_distinguished(write: MemoizedFunction[..., str]) -> None:
    assert [write(1, day=2), write(1, day=3), write(1), write(1, day=2), write(number=2, day=1)] == [
        *("nr 1 on 2", "nr 1 on 3", "nr 1 on 0", "nr 1 on 2", "nr 2 on 1")
    ]
    assert calls == [(1, 2), (1, 3), (1, 0), (2, 1)]


def test_a_list_as_long_as_the_programme_is_kept_from_end_to_end(write: MemoizedFunction[..., str]) -> None:
    resize_caches(2000)
    for _ in range(2):
        for number in range(2000 * VARIANTS):
            write(number)
    assert len(calls) == 2000 * VARIANTS


def test_the_least_recently_used_is_dropped_where_room_is_short(write: MemoizedFunction[..., str]) -> None:
    for number in (*range(MIN_SIZE), 0, MIN_SIZE, 0, 1):
        write(number)
    assert calls[MIN_SIZE:] == [(MIN_SIZE, 0), (1, 0)]


def test_a_programme_that_grows_a_little_loses_nothing(write: MemoizedFunction[..., str]) -> None:
    resize_caches(300)
    write(1)
    for occasions in (301, 512, 3, 0):
        resize_caches(occasions)
        write(1)
    assert calls == [(1, 0)]
    resize_caches(513)
    write(1)
    assert calls == [(1, 0), (1, 0)]
