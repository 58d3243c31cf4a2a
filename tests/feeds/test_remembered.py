"""Writings of one occasion are remembered, as many as the programme needs."""

from collections.abc import Iterator

import pytest

from feeds import remembered
from feeds.remembered import Remembered, resize_caches


@pytest.fixture
def written() -> Iterator[list[int]]:
    yield []
    resize_caches(1000)


def test_a_writing_is_remembered_by_its_arguments(written: list[int]) -> None:
    @Remembered
    def write(number: int) -> str:
        written.append(number)
        return f"nr {number}"

    assert [write(number) for number in (1, 2, 1, 2)] == ["nr 1", "nr 2", "nr 1", "nr 2"]
    assert written == [1, 2]


def test_a_list_as_long_as_the_programme_is_remembered_from_end_to_end(written: list[int]) -> None:
    @Remembered
    def write(number: int) -> str:
        written.append(number)
        return f"nr {number}"

    resize_caches(2000)
    for _ in range(2):
        for number in range(2000 * remembered.VARIANTS):
            write(number)
    assert len(written) == 2000 * remembered.VARIANTS


def test_what_was_not_needed_longest_is_forgotten_when_room_is_short(written: list[int]) -> None:
    @Remembered
    def write(number: int) -> str:
        written.append(number)
        return f"nr {number}"

    resize_caches(0)
    room = 250 * remembered.VARIANTS
    for number in range(room):
        write(number)
    write(0)
    write(room)
    write(0)
    write(1)
    assert written[room:] == [room, 1]
