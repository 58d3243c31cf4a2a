"""For how long caches may keep an answer, against a cache that counts as nginx does."""

from datetime import UTC, datetime, timedelta
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.programme import Programme
from feeds.vocabulary import Revision
from programme.publishing import loading
from programme.publishing.serving_snapshot import CachePolicy, ServedProgramme, ServingSnapshot
from programme.publishing.shared_values import NO_FESTIVAL
from tests.conftest import SITE

# A whole second.
BEGIN = datetime(2026, 7, 29, tzinfo=UTC)
EMPTY = Programme(loading.NO_REVISION, SITE, NO_FESTIVAL, (), (), {})


def max_age(seconds: float, ends: float) -> int:
    """Return what a snapshot states that ends some seconds after BEGIN, in a response some seconds after it."""
    present = ServingSnapshot(EMPTY, BEGIN)
    present.ends = BEGIN + timedelta(seconds=ends)
    header = present.cache_control(BEGIN + timedelta(seconds=seconds), CachePolicy(depends_on_time=True))
    return int(header.removeprefix("public, max-age=").partition(",")[0])


# As instants are: whole microseconds.
def _seconds(most: int) -> st.SearchStrategy[float]:
    return st.integers(0, most * 1_000_000 - 1).map(lambda microseconds: microseconds / 1_000_000)


@given(seconds=_seconds(100), late=_seconds(1), ends=_seconds(100))
def test_a_cache_that_counts_in_whole_seconds_is_never_behind_the_clock(seconds, late, ends):
    """nginx counts from the second in which an answer comes, and gives it until the last one is over."""
    age = max_age(seconds, ends)
    assert age == 0 or floor(seconds + late) + age + 1 <= ends


@pytest.mark.parametrize(("seconds", "age"), [(0.0, 9), (0.001, 8), (7.9, 1), (8.0, 1), (8.1, 0), (10, 0)])
@pytest.mark.parametrize("ends", [10, 10.999])
def test_what_is_left_of_a_second_at_either_end_does_not_count(seconds, age, ends):
    assert max_age(seconds, ends) == age


MS = timedelta(milliseconds=1)


def _is_settled(snapshot: ServingSnapshot, instant: datetime) -> bool:
    return snapshot.replays_at(instant) is snapshot.replays_at(datetime.max.replace(tzinfo=UTC))


@pytest.mark.parametrize("is_written_ahead", [False, True])
def test_programmes_of_edits_in_one_second_have_different_last_modified(is_written_ahead):
    edits = [replace(EMPTY, revision=Revision(n, BEGIN + n * 100 * MS, None, "a")) for n in (1, 2)]
    # The second of the edits is over when the latter is shown.
    begins = BEGIN + 1_020 * MS
    former, latter = ServedProgramme(edits[0]), ServedProgramme(edits[1], begins)
    if is_written_ahead:
        latter.renew(BEGIN)
    before = former.renew(begins - MS)
    after = latter.find(begins) or latter.renew(begins)
    assert (_is_settled(before, begins - MS), before.last_modified) == (True, BEGIN)
    assert after.last_modified == BEGIN + 1_000 * MS
    assert [_is_settled(after, BEGIN + each * MS) for each in (1_999, 2_000)] == [False, True]
