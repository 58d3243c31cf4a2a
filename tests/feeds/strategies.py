"""Random programmes: small, with every part that can be missing missing at times, and awkward texts."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import msgspec
from hypothesis import strategies as st

from feeds import vocabulary
from feeds.fact import Fact, FactKind, build_range, list_known
from feeds.facts import facts_of, find_tokens
from feeds.festival_time import FestivalTime
from feeds.names import fold
from feeds.programme import Programme
from programme.models.cleaning import clean_line, clean_prose
from tests.conftest import SITE

# Noon of days around which much happens: summer, both changes of the clock, a year's end.
NOONS = [datetime(2026, *day, 11, tzinfo=UTC) for day in ((7, 29), (3, 29), (10, 25), (12, 31))]

# Pieces that some format gives a meaning to.
_awkward = st.sampled_from(
    [
        *(",", ";", "\\", "\\n", "\\N", "\\,", ":", '"', "'", "&", "&amp;", "<b>", "</p>", "<!--", "]]>"),
        *("<br>", "[b]", "[/b]", "[url=x]", "[/url]", "[", "]", "[x=", "=", "--", "...", "(c)", "{{ x }}"),
        *("{% x %}", "\n", "\n\n", "\t", " ", "  ", "\r\n", "\u2028", "\x00", "\u202e", "\u200b", "\ufeff"),
        *("å", "Ä", "é", "e\u0301", "שלום", "🎷", "👩‍🎤", "ö" * 40),
        *("BEGIN:VEVENT", "END:VCALENDAR", "https://x.example/?a=1&b=2"),
    ]
)
_letters = st.characters(codec="utf-8", exclude_categories=())
_raw = st.lists(_awkward | _letters, max_size=8).map("".join)
# A programme draws all its texts from a few, or drawing it would take longer than writing it.
_few = st.shared(st.lists(_raw, min_size=3, max_size=6), key="texts")
_texts = st.builds(lambda few, place: (*few, *[""] * 6)[place], _few, st.integers(0, 7))

lines = _texts.map(clean_line)
prose = _texts.map(clean_prose)
titles = lines.map(lambda text: text or "Utan namn")
texts = st.builds(vocabulary.Text, sv=prose, en=prose)
names = st.builds(vocabulary.Text, sv=titles, en=lines)
notes = st.builds(vocabulary.Text, sv=lines, en=lines)
instants = st.builds(
    lambda noon, minutes: noon + timedelta(minutes=minutes),
    st.sampled_from(NOONS),
    st.integers(-4 * 24 * 60, 4 * 24 * 60),
)
moments = st.builds(
    lambda instant, microseconds: instant + timedelta(microseconds=microseconds),
    instants,
    st.integers(0, 10**6 - 1),
)
streams = st.builds(
    vocabulary.Stream, name=lines, url=st.just("https://video.example/?a=1&b=2"), source=st.integers(0, 5)
)
clock_times = st.none() | st.times(min_value=time(0)).map(lambda clock: clock.replace(microsecond=0))


def some(of: st.SearchStrategy[Any], at_least: int = 0) -> st.SearchStrategy[list[Any]]:
    return st.lists(of, min_size=at_least, max_size=2)


def _numbered(rows: list[Any]) -> list[Any]:
    return [msgspec.structs.replace(row, id=number) for number, row in enumerate(rows, 1)]


def _apart(rows: list[Any]) -> list[Any]:
    """Return the rows with names of their own, as the database keeps them."""
    taken: set[str] = set()
    kept = []
    for row in rows:
        keys = {fold(row.name), fold(row.full_name)}
        if not keys & taken:
            taken |= keys
            kept.append(row)
    return kept


areas = st.builds(
    vocabulary.Area,
    id=st.just(0),
    name=titles,
    full_name=titles,
    color=st.sampled_from(["", "#2f6f4e"]),
    location_name=lines,
    address=lines,
    info=texts,
    external_url=lines,
    price=lines,
    ticket_url=lines,
    sort_order=st.integers(0, 1),
    streams=some(streams).map(tuple),
    days=st.builds(
        vocabulary.AreaDay,
        date=st.sampled_from([date(2026, 7, 29), date(2026, 3, 29)]),
        opens=clock_times,
        closes=clock_times,
        ticket_opens=clock_times,
        title=lines,
        price_info=lines,
    ).map(lambda day: (day,)),
)
sub_areas = st.builds(
    vocabulary.SubArea,
    id=st.just(0),
    area_id=st.just(1),
    name=titles,
    full_name=titles,
    color=st.just(""),
    location_name=lines,
    address=lines,
    info=texts,
    external_url=lines,
    streams=some(streams).map(tuple),
)
organizers = st.builds(
    vocabulary.Organizer,
    id=st.just(0),
    name=titles,
    info=texts,
    external_url=lines,
    offer_count=st.integers(0, 9),
)
types = st.builds(vocabulary.EventType, id=st.integers(1, 2), name=names, color=st.just(""))
languages = st.builds(vocabulary.Language, code=st.just("sv"), name=names)
degrees = st.none() | st.tuples(st.integers(-90, 90), st.floats(-180, 180).map(lambda each: round(each, 6)))


def _locate(location: vocabulary.Location, at: tuple[float, float] | None) -> vocabulary.Location:
    return msgspec.structs.replace(location, latitude=at[0], longitude=at[1]) if at else location


places = st.builds(
    vocabulary.Place,
    location=st.builds(
        _locate,
        st.builds(
            vocabulary.Location,
            id=st.just(1),
            name=titles,
            address=lines,
            online=st.booleans(),
            accessibility=texts,
            public_transport_station=lines,
        ),
        degrees,
    ),
    room=st.none() | st.builds(vocabulary.Room, id=st.just(1), name=titles, floor=lines, accessibility=texts),
)


def _state(fact: Fact) -> st.SearchStrategy[str]:
    """Return a text as it may be stored of a fact."""
    if fact.kind is FactKind.RANGE:
        ages = st.none() | st.integers(0, 20)
        return st.builds(build_range, ages, ages.map(lambda age: None if age is None else age + 20))
    codes = st.lists(
        st.sampled_from([code for code, *_ in list_known(fact)]),
        unique=True,
        max_size=1 if fact.kind is FactKind.ONE else 3,
    )
    return codes.map(lambda stated: " ".join(fact.split(" ".join(stated))))


# What is said of an occasion, of few of them much.
_stated = (st.tuples(*map(_state, facts_of(model))) for model in ("location", "event", "occasion"))
facts = st.just(()) | st.builds(find_tokens, *_stated)


@st.composite
def _events(
    draw: Any,
    number: int,
    in_areas: list[vocabulary.Area],
    in_sub_areas: list[vocabulary.SubArea],
    by: list[vocabulary.Organizer],
) -> vocabulary.Event:
    area = draw(st.sampled_from(in_areas))
    inside = [sub_area for sub_area in in_sub_areas if sub_area.area_id == area.id]
    first, *further = dict.fromkeys(draw(st.lists(types, min_size=1, max_size=3)))
    return vocabulary.Event(
        id=number,
        area=area,
        sub_area=draw(st.sampled_from([None, *inside])),
        title=draw(titles),
        organizer=draw(st.sampled_from([None, *by])),
        highlighted=draw(st.booleans()),
        production=draw(st.integers(0, 3)),
        language=draw(st.none() | languages),
        type=first,
        price=draw(lines),
        intro=draw(texts),
        description=draw(texts),
        image_url=draw(st.sampled_from(["", "https://bilder.example/?a=1&b='2'\"3"])),
        image_caption=draw(lines),
        external_url="",
        ticket_url="",
        published_at=draw(moments),
        last_modified=draw(moments),
        further_types=tuple(further),
    )


@st.composite
def _occasions(draw: Any, number: int, event: vocabulary.Event) -> vocabulary.Occasion:
    start = draw(instants)
    minutes = draw(st.sampled_from([1, 30, 60, 300, 23 * 60, 24 * 60, 24 * 60 + 1, 25 * 60, 60 * 60]))
    mark = (draw(notes), draw(moments)) if draw(st.booleans()) else (vocabulary.Text(), None)
    return vocabulary.Occasion(
        identity=vocabulary.Identity(number, UUID(int=number), event.id),
        event=event,
        start=start,
        end=start + timedelta(minutes=minutes),
        cancelled=draw(st.booleans()),
        place=draw(st.none() | places),
        stream=draw(st.none() | streams),
        change_info=mark[0],
        changed_at=mark[1],
        previous_start=draw(st.none() | instants),
        previous_place=draw(lines),
        facts=draw(facts),
        booking_url=draw(st.sampled_from(["", "https://boka.example/?a=1&b=2"])),
        booking_from=draw(st.none() | instants),
    )


def _place_apart(occasions: list[vocabulary.Occasion]) -> list[vocabulary.Occasion]:
    """Return occasions whose places have numbers of their own."""
    replace = msgspec.structs.replace
    places: dict[vocabulary.Place | None, vocabulary.Place | None] = {None: None}
    for number, place in enumerate(filter(None, dict.fromkeys(each.place for each in occasions)), 1):
        room = place.room and replace(place.room, id=number)
        places[place] = vocabulary.Place(replace(place.location, id=number), room)
    return [replace(each, place=places[each.place]) for each in occasions]


@st.composite
def programmes(draw: Any) -> Programme:
    in_areas = _numbered(_apart(draw(some(areas, at_least=1))))
    in_sub_areas = _numbered(_apart(draw(some(sub_areas))))
    by = _numbered(draw(some(organizers)))
    events = [
        draw(_events(number, in_areas, in_sub_areas, by)) for number in range(1, draw(st.integers(0, 3)) + 1)
    ]
    held = [event for event in events for _ in range(draw(st.integers(1, 2)))]
    occasions = _place_apart([draw(_occasions(number, event)) for number, event in enumerate(held, 1)])
    hour = draw(st.sampled_from([0, 5]))
    return Programme(
        revision=vocabulary.Revision(1, NOONS[0]),
        site=msgspec.structs.replace(SITE, time=FestivalTime(first_hour=hour)),
        festival=vocabulary.Festival(draw(names), draw(texts), "", NOONS[0]),
        areas=tuple(sorted(in_areas, key=lambda area: area.order)),
        occasions=tuple(sorted(occasions, key=lambda occasion: occasion.order)),
        gone={},
        published_years=draw(st.dictionaries(st.sampled_from([2026, 2027]), moments, max_size=2)),
    )
