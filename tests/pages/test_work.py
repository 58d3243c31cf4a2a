"""The work that a page takes: searches of the programme, and rows that are built anew."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.index import SelectionIndex
from feeds.selection import DayRange, Selection
from feeds.snapshot import Snapshot
from pages import rows
from pages.filters import HOURS, Filters
from tests.feeds.strategies import programmes
from tests.programmes import utc


@pytest.mark.usefixtures("sample", "at")
@pytest.mark.parametrize(
    ("path", "searches"),
    [
        # What is on now, what is next, all days, and the day.
        ("/", 4),
        ("/?days=all", 1),
        # Without the area, to say how many each of the others adds.
        ("/?area=Ångtorget", 3),
        # All days, the day, and the day with every type.
        ("/?type=2001&during=2026-07-29", 3),
    ],
)
def test_a_page_searches_once_for_each_selection(client, monkeypatch, path, searches):
    asked, find = [], SelectionIndex.find

    def count(index, selection, *arguments):
        asked.append(selection)
        return find(index, selection, *arguments)

    monkeypatch.setattr(SelectionIndex, "find", count)
    assert client.get(path).status_code == 200
    assert (len(asked), len(set(asked))) == (searches, searches)


@pytest.mark.usefixtures("sample")
def test_the_clock_builds_only_the_rows_anew_that_it_changes(client, at, monkeypatch):
    built, shorten = [], rows.shorten
    monkeypatch.setattr(rows, "shorten", lambda *arguments: built.append(arguments) or shorten(*arguments))
    for hour, number in ((12, 9), (15, 0)):
        at(utc(2026, 7, 28, hour))
        built.clear()
        assert client.get("/?during=2026-07-29").status_code == 200
        assert len(built) == number


@given(programme=programmes(), data=st.data())
def test_an_hour_is_offered_if_it_leaves_some_but_not_all(programme, data):
    instants = [each.start + timedelta(hours=hours) for each in programme.occasions for hours in (-30, 0, 1)]
    snapshot = Snapshot(programme, data.draw(st.sampled_from(instants)) if instants else utc(2026, 7, 28))
    days = sorted(programme.index.by_day) or [snapshot.today]
    first, last = sorted(data.draw(st.tuples(st.sampled_from(days), st.sampled_from(days))))
    shown = Selection(during=(DayRange(first, last),))
    filters = Filters(snapshot, shown, lambda *_arguments, **_more: "", shown, snapshot.find)
    every = len(snapshot.find(shown))
    expected = [
        str(hour)
        for hour in HOURS
        if 0 < len(snapshot.find(Selection(during=shown.during, after=(hour,)))) < every
    ]
    assert [option.value for field in filters.when for option in field.options[1:]] == expected
