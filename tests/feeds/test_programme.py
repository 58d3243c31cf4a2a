"""What is known of a programme at any time, also of one that is derived from what edits have changed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds import layered
from feeds.formats import FORMATS
from feeds.grouping import Grouping, by_order
from feeds.json_parts import build_area
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import DateKeyword, DayRange, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, GoneOccasion, Identity, Occasion, Revision
from tests.feeds.strategies import programmes


@pytest.mark.django_db
def test_an_event_in_a_sub_area_of_another_area_is_not_counted_there(sample_programme: Programme) -> None:
    occasion = next(each for each in sample_programme.occasions if each.event.sub_area)
    other = next(area for area in sample_programme.areas if area.id != occasion.event.area.id)
    moved = replace(occasion, event=replace(occasion.event, area=other))
    programme = replace(sample_programme, occasions=(moved,))
    parts = [build_area(programme, each, "sv") for each in (other, moved.event.sub_area)]
    assert [(each.eventCount, each.occationCount) for each in parts] == [(1, 1), (0, 0)]


LATER = datetime(2026, 7, 30, 11, tzinfo=UTC)
# Added to the IDs of an event and its occasions where the first edit copies it; the second one adds twice as much.
COPY = 100


@st.composite
def edits(draw: Any, before: Programme, number: int = 1) -> tuple[Programme, dict[str, Any]]:
    """Return a programme after an edit, not derived, and the change: events are edited, added, deleted."""
    renamed = {area: replace(area, name="Omdöpt") for area in before.areas[: draw(st.integers(0, 1))]}
    of_renamed = {each.event.id for each in before.occasions if each.event.area in renamed}
    chosen = draw(st.sets(st.sampled_from(sorted(before.by_event)), min_size=1))
    added = [each for each in before.occasions if each.event.id in of_renamed - chosen]
    for event_id in chosen:
        added += draw(_edited(before, before.by_event[event_id], COPY * number))
    added = [_move(each, renamed) for each in added]
    replaced = chosen | of_renamed | {each.event.id for each in added}
    kept = [each for each in before.occasions if each.event.id not in replaced]
    areas = tuple(sorted((renamed.get(area, area) for area in before.areas), key=lambda area: area.order))
    left = {each.id for event_id in replaced for each in before.by_event.get(event_id, ())}
    gone = tuple(_bury(before.by_id[each]) for each in left - {each.id for each in added})
    festival = replace(before.festival, website="https://nytt.example/")
    after = Programme(
        revision=Revision(2, LATER),
        site=before.site,
        festival=festival,
        areas=areas,
        occasions=tuple(sorted((*kept, *added), key=by_order)),
        gone={
            each.id: each
            for each in (*before.gone.values(), *gone)
            if each in gone or each.event_id not in replaced
        },
        published_years={2026: LATER},
    )
    change = {
        "revision": after.revision,
        "festival": festival,
        "areas": areas,
        "published_years": after.published_years,
        "event_ids": frozenset(replaced),
        "occasions": tuple(added),
        "gone": gone,
    }
    return after, change


@st.composite
def _edited(draw: Any, before: Programme, occasions: Sequence[Occasion], offset: int) -> list[Occasion]:
    """Return what an edit makes of an event's occasions: fewer, later ones, with another title, area and so on."""
    other = draw(st.sampled_from(before.occasions)).event
    event = replace(
        occasions[0].event,
        title=draw(st.sampled_from(["Annat", occasions[0].event.title])),
        area=other.area,
        sub_area=other.sub_area,
        organizer=draw(st.sampled_from([None, other.organizer])),
        type=other.type,
        further_types=draw(st.sampled_from([(), other.further_types])),
        highlighted=draw(st.booleans()),
    )
    later = draw(
        st.sampled_from([timedelta(), timedelta(minutes=30), timedelta(days=1), timedelta(days=300)])
    )
    place = draw(st.sampled_from([None, *(each.place for each in occasions)]))
    told = draw(st.sampled_from([None, *(each.changed_at for each in before.occasions)]))
    kept = [*occasions][: draw(st.integers(0, len(occasions)))]
    written = [
        replace(
            each, event=event, start=each.start + later, end=each.end + later, place=place, changed_at=told
        )
        for each in kept
    ]
    return written + [_copy(each, offset) for each in occasions if draw(st.booleans())]


def _copy(occasion: Occasion, offset: int) -> Occasion:
    identity = occasion.identity
    event = replace(occasion.event, id=occasion.event.id + offset)
    return replace(occasion, event=event, identity=Identity(identity.id + offset, identity.uuid, event.id))


def _move(occasion: Occasion, areas: Any) -> Occasion:
    area = occasion.event.area
    return replace(occasion, event=replace(occasion.event, area=areas.get(area, area)))


def _bury(occasion: Occasion) -> GoneOccasion:
    identity = occasion.identity
    return GoneOccasion(identity.id, identity.uuid, identity.event_id, at=LATER)


def list_selections(programme: Programme) -> list[Selection]:
    """Return selections of each kind, of what there is in a programme."""
    events = {occasion.event for occasion in programme.occasions}
    names: dict[str, set[str]] = {
        "areas": {name for area in programme.areas for name in (area.name, area.full_name)},
        "sub_areas": {"none", *(each.sub_area.name for each in events if each.sub_area)},
        "locations": {each.place.location.name for each in programme.occasions if each.place},
        "rooms": {each.place.room.name for each in programme.occasions if each.place and each.place.room},
        "organizers": {each.organizer.name for each in events if each.organizer},
        "types": {kind.name.sv for each in events for kind in each.types},
        "spoken": {"sv"},
    }
    days = [DayRange(day, day) for day in programme.index.by_day]
    return [
        *(Selection(**{field: (name,)}) for field, found in names.items() for name in sorted(found)),
        *(Selection(**{field: tuple(sorted(found))}) for field, found in names.items() if found),
        *(Selection(moments=(moment,)) for moment in DateKeyword),
        *(Selection(days=(day,), areas=tuple(names["areas"])) for day in days),
        Selection(moments=(DateKeyword.UPCOMING, DateKeyword.TODAY), days=tuple(days)),
        Selection(highlighted=True),
        Selection(sign_interpreted=True),
        Selection(chosen=tuple(programme.by_id)),
        Selection(words=("e",)),
        *(Selection(words=(occasion.event.title,)) for occasion in programme.occasions),
    ]


@pytest.mark.parametrize("share", [0, 1, layered.SHARE])
@settings(max_examples=25)
@given(data=st.data())
def test_derived_equals_computed(data: st.DataObject, share: int) -> None:
    before = data.draw(programmes().filter(lambda programme: programme.occasions))
    with pytest.MonkeyPatch.context() as patch:
        # Small programmes are copied otherwise.
        patch.setattr(layered, "SHARE", share)
        for number in (1, 2):
            after, change = data.draw(edits(before, number))
            now = data.draw(st.sampled_from([LATER, *sorted(after.transitions.reasons)]))
            before.precompute()
            write_all(before, now)
            for selection in list_selections(before):
                before.index.find(before.index.canonical(selection), now, now.date())
            before = check_derived(before.apply(**change), after, list_selections(before), now)
            if not before.occasions:
                break


def check_derived(derived: Programme, after: Programme, former: list[Selection], now: datetime) -> Programme:
    assert derived == after
    for name in ("by_event", "by_day", "by_place", "by_fact"):
        assert list_groups(getattr(derived.index, name)) == list_groups(getattr(after.index, name))
    assert sorted(derived.transitions.reasons) == sorted(after.transitions.reasons)
    assert derived.transitions.around(now) == after.transitions.around(now)
    assert derived.by_id == after.by_id
    for selection in (*former, *list_selections(after)):
        canonical = after.index.canonical(selection)
        assert derived.index.canonical(selection) == canonical
        assert derived.index.titles(canonical) == after.index.titles(canonical)
        assert derived.index.is_known(canonical) == after.index.is_known(canonical)
        assert derived.index.find(canonical, now, now.date()) == after.index.find(canonical, now, now.date())
    for word in ("namn", "annat", "omdopt"):
        assert derived.index.search.find_alike(word) == after.index.search.find_alike(word)
    assert write_all(derived, now) == write_all(after, now)
    return derived


def list_groups(grouping: Grouping[Any]) -> dict[Any, list[Occasion]]:
    return {key: [*run] for key, run in grouping.items()}


def write_all(programme: Programme, now: datetime) -> list[bytes]:
    """Return the whole programme in each format and language."""
    snapshot = Snapshot(programme, now)
    return [
        each().write_events(Listing(snapshot, Selection(language=language)))
        for each in FORMATS
        for language in LANGUAGES
    ]
