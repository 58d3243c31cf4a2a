"""What is known of a programme at any time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from msgspec.structs import replace

from feeds.programme import Programme
from feeds.selection import Selection
from feeds.vocabulary import Occasion
from tests.feeds.strategies import programmes

NOON = datetime(2026, 7, 29, 12, tzinfo=UTC)


def find(programme: Programme, selection: Selection) -> tuple[Occasion, ...]:
    return programme.index.find(selection, NOON, NOON.date())


def counted(occasions: tuple[Occasion, ...]) -> tuple[int, int]:
    return len({occasion.event.id for occasion in occasions}), len(occasions)


@given(programme=programmes())
def test_counts_are_those_of_selections(programme: Programme) -> None:
    for area in programme.areas:
        inside = find(programme, Selection(areas=(area.name,)))
        alone = set(find(programme, Selection(areas=(area.full_name,), sub_areas=("none",))))
        in_sub_areas = tuple(occasion for occasion in inside if occasion not in alone)
        assert programme.tallies.count("area", area.id) == counted(inside)
        assert programme.tallies.count("in_sub_areas", area.id) == counted(in_sub_areas)
    for event in {occasion.event for occasion in programme.occasions}:
        if sub_area := event.sub_area:
            selection = Selection(areas=(event.area.name,), sub_areas=(sub_area.name,))
            assert programme.tallies.count("sub_area", sub_area.id) == counted(find(programme, selection))
        if organizer := event.organizer:
            selection = Selection(organizers=(str(organizer.id),))
            assert programme.tallies.count("organizer", organizer.id) == counted(find(programme, selection))


@given(programme=programmes())
def test_every_occasion_of_an_area_is_on_one_of_its_days(programme: Programme) -> None:
    for area in programme.areas:
        inside = find(programme, Selection(areas=(area.name,)))
        days = [programme.site.time.day_of(occasion.start) for occasion in inside]
        expected = {day: days.count(day) for day in days}
        assert programme.tallies.days.get(("area", area.id), {}) == expected


@given(programme=programmes())
def test_all_occasions_of_an_event_are_found_by_it(programme: Programme) -> None:
    every = [occasion for occasions in programme.by_event.values() for occasion in occasions]
    assert sorted(occasion.id for occasion in every) == sorted(programme.by_id)
    for event_id, occasions in programme.by_event.items():
        assert {occasion.event.id for occasion in occasions} == {event_id}
        assert list(occasions) == sorted(occasions, key=lambda occasion: occasion.order)


@pytest.mark.django_db
def test_an_event_in_a_sub_area_of_another_area_is_not_counted_there(sample_programme: Programme) -> None:
    occasion = next(each for each in sample_programme.occasions if each.event.sub_area)
    other = next(area for area in sample_programme.areas if area.id != occasion.event.area.id)
    moved = replace(occasion, event=replace(occasion.event, area=other))
    tallies = replace(sample_programme, occasions=(moved,)).tallies
    assert tallies.count("area", other.id) == (1, 1)
    assert tallies.count("sub_area", moved.event.sub_area.id) == (0, 0)
