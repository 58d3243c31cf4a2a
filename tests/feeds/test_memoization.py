"""What is written of a value is written once, and dropped with the value."""

import gc
import pickle
from collections import UserString
from weakref import ref

import pytest
from msgspec.structs import replace

from feeds.memoization import MOST, memoize
from feeds.vocabulary import Area, Event

calls = []


@memoize
def write(value, language):
    calls.append((value.id, language))
    # Unlike `str` it has weak references, which show whether it is in memory.
    return UserString(f"{value.id} {language}")


shout = memoize(lambda value, language: write(value, language).upper())


@pytest.fixture(autouse=True)
def _no_collector():
    """Free memory by the counts of references alone, as it must be: programmes are large."""
    calls.clear()
    gc.disable()
    yield
    gc.enable()


def copy(value):
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - of this test


def rename(programme, event_ids, title):
    edited = [each for key in event_ids for each in programme.by_event[key]]
    events = {each.event.id: replace(each.event, title=title) for each in edited}
    return programme.apply(event_ids, [replace(each, event=events[each.event.id]) for each in edited])


def test_a_value_holds_what_is_written_of_it():
    one, other = (Event(number, Area(1), None, "Jazz") for number in (1, 2))
    for _ in range(2):
        assert [write(each, "sv") for each in (one, other)] == ["1 sv", "2 sv"]
        assert [function(one, "en") for function in (write, shout)] == ["1 en", "1 EN"]
    assert calls == [(1, "sv"), (2, "sv"), (1, "en")]
    # Equal keys are one object. Texts are no part of the value.
    assert next(iter(vars(one))) is next(iter(vars(other)))
    assert [vars(each) for each in (copy(one), replace(one, title="Blues"))] == [{}, {}]
    assert (copy(one), hash(copy(one))) == (one, hash(one))


def test_a_value_holds_a_limited_number():
    event = Event(1, Area(1), None, "Jazz")
    for number in range(3 * MOST):
        assert [str(write(event, number)) for _ in range(2)] == [f"1 {number}"] * 2
        assert len(vars(event)) <= MOST
    assert len(calls) == 3 * MOST


def test_an_edit_drops_the_texts_of_the_former_version_and_no_others(sample_programme):
    programme = copy(sample_programme)
    written = [(each.event.id, ref(write(each, "sv"))) for each in programme.occasions]
    programme = rename(programme, frozenset({written[0][0]}), "Blues")
    assert [text() is None for _key, text in written] == [key == written[0][0] for key, _text in written]


def test_edits_of_all_events_leave_nothing(sample_programme):
    programme, written = copy(sample_programme), []
    for number in range(12):
        programme = rename(programme, frozenset(programme.by_event), f"Jazz {number}")
        written += [ref(write(each, "sv")) for each in programme.occasions]
        assert sum(text() is not None for text in written) == len(programme.occasions)
