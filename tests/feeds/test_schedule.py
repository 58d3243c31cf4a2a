"""Conference schedules are valid by the C3VOC's schemas, and parsers of others read what went in."""

from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.festival_time import FestivalTime
from feeds.formats import BY_EXTENSION
from feeds.listing import Listing
from feeds.vocabulary import Occasion
from tests.feeds import schedules
from tests.feeds.expectations import ExpectedOccasion
from tests.feeds.selections import build_listing
from tests.feeds.strategies import NOONS, programmes

CANCELLED = {"sv": "[INSTÄLLT] ", "en": "[CANCELLED] "}
FRAB = ("frab-xml", "frab-json")


def write(extension: str, listing: Listing) -> bytes:
    body = BY_EXTENSION[extension]().write_events(listing)
    schedules.CHECKS[extension](body)
    return body


def read(extension: str, listing: Listing) -> list[schedules.Facts]:
    return schedules.PARSERS[extension](write(extension, listing))


def name_room(occasion: Occasion) -> str:
    held = occasion.place
    if held is None:
        return occasion.event.area.name
    return f"{held.location.name}, {held.room.name}" if held.room else held.location.name


def identify_room(listing: Listing, occasion: Occasion) -> str:
    """Return the guid of a room, in which everything is that is held in a place of its name."""
    places = [
        ("area", each.event.area.id)
        if each.place is None
        else ("room", each.place.room.id)
        if each.place.room
        else ("location", each.place.location.id)
        for each in listing.snapshot.programme.occasions
        if name_room(each) == name_room(occasion)
    ]
    kind, number = min(places)
    return str(uuid5(NAMESPACE_URL, f"{listing.site.base_url}/{kind}/{number}"))


def expect(listing: Listing, occasion: Occasion) -> schedules.Facts:
    shown, event = ExpectedOccasion(listing, occasion), occasion.event
    local = occasion.start.astimezone(listing.site.time.zone)
    first_hour = timedelta(hours=listing.site.time.first_hour)
    return {
        "id": occasion.id,
        "guid": str(occasion.identity.uuid),
        "day": str((local.replace(tzinfo=None) - first_hour).date()),
        "room": name_room(occasion),
        "room_guid": identify_room(listing, occasion),
        "named_room": name_room(occasion),
        "start": occasion.start,
        "clock": f"{local:%H:%M}",
        "minutes": (occasion.end - occasion.start) / timedelta(minutes=1),
        "persons": [event.organizer.name] if event.organizer else [],
        "links": [as_uri(event.external_url)] if event.external_url else [],
        "title": (CANCELLED[listing.language] if occasion.cancelled else "") + event.title,
        "subtitle": shown.localize(event.intro),
        "type": shown.names[1],
        "abstract": shown.localize(event.description),
        "description": "",
        "track": event.area.name,
        "language": event.language.code if event.language else "",
        "url": shown.url,
        "logo": as_uri(event.image_url),
    }


def as_uri(address: str) -> str:
    return address.replace('"', "%22")


def by_id(facts: list[schedules.Facts]) -> dict[int, schedules.Facts]:
    found = {each["id"]: {name: each[name] for name in each if name != "slug"} for each in facts}
    assert len(found) == len(facts)
    return found


def as_converted(facts: schedules.Facts) -> schedules.Facts:
    """Return the facts as schedule-convert has them, which trims texts, and takes days for hours."""
    days, minutes = divmod(facts["minutes"], 24 * 60)
    length = timedelta(hours=days, minutes=minutes // 60) if days else timedelta(minutes=minutes)
    begins = datetime.fromisoformat(f"{facts['day']}T{facts['clock']}")
    trimmed = {name: text.strip() if isinstance(text, str) else text for name, text in facts.items()}
    ends = {"end": begins + length, "room": facts["room"]}
    return {name: trimmed[name] for name in schedules.CONVERTED} | ends


@given(programme=programmes(), query=st.sampled_from(["", "language=en"]), now=st.sampled_from(NOONS))
def test_schedules_are_valid_and_read_back(programme, query, now):
    listing = build_listing(programme, query, now)
    expected = {occasion.id: expect(listing, occasion) for occasion in listing.occasions}
    written = write("frab-xml", listing)
    found_in_xml = schedules.PARSERS["frab-xml"](written)
    for found in (found_in_xml, read("frab-json", listing)):
        assert by_id(found) == expected
        places = [(each["day"], each["room"]) for each in found]
        # By day, and in a room by start.
        assert [day for day, _ in places] == sorted(day for day, _ in places)
        for day, room in set(places):
            starts = [each["start"] for each in found if (each["day"], each["room"]) == (day, room)]
            assert starts == sorted(starts)
    assert schedules.convert(written) == [as_converted(each) for each in found_in_xml]


@pytest.mark.parametrize("extension", FRAB)
def test_an_empty_selection_is_a_valid_schedule_of_the_first_day(extension, sample_programme):
    listing = build_listing(sample_programme, "area=nowhere")
    assert read(extension, listing) == []
    assert b'date="2025-07-29"' in write("frab-xml", listing)
    nothing = build_listing(replace(sample_programme, occasions=()))
    assert read(extension, nothing) == []


@pytest.mark.parametrize("extension", FRAB)
def test_the_night_belongs_to_its_festival_day(extension, sample_programme):
    time = FestivalTime(first_hour=5)
    listing = build_listing(replace(sample_programme, site=replace(sample_programme.site, time=time)))
    assert by_id(read(extension, listing)) == {each.id: expect(listing, each) for each in listing.occasions}
    assert any(each["day"] != str(each["start"].date()) for each in read(extension, listing))


# Giggity refuses a schedule with a duration that is no clock time, whatever the schema says.
@pytest.mark.parametrize(
    ("minutes", "in_xml", "in_json"),
    [
        (90, "01:30", "01:30"),
        (24 * 60 - 1, "23:59", "23:59"),
        (24 * 60, "1:00:00", "24:00"),
        (54 * 60, "2:06:00", "54:00"),
        (99 * 60 + 15, "4:03:15", "99:15"),
        (24 * 24 * 60 - 1, "23:23:59", "575:59"),
        (24 * 24 * 60, "23:23:59", "576:00"),
        (400 * 24 * 60, "23:23:59", "9600:00"),
    ],
)
def test_an_occasion_may_last_for_days(minutes, in_xml, in_json, sample_programme):
    first = sample_programme.occasions[0]
    long = replace(first, end=first.start + timedelta(minutes=minutes))
    listing = build_listing(replace(sample_programme, occasions=(long,)))
    assert f"<duration>{in_xml}</duration>".encode() in write("frab-xml", listing)
    assert f'"duration":"{in_json}"'.encode() in write("frab-json", listing)


@pytest.mark.parametrize(
    ("address", "written"),
    [
        (
            "https://bokning.göteborg.se/på väg?x=å",
            "https://bokning.xn--gteborg-90a.se/p%C3%A5%20v%C3%A4g?x=%C3%A5",
        ),
        ("https://åsa.example/å ä?x[]=1", "https://xn--sa-xia.example/%C3%A5%20%C3%A4?x%5B%5D=1"),
        ("http://å@Å.example:8080?ö@ö", "http://%C3%A5@xn--5ca.example:8080?%C3%B6@%C3%B6"),
        ("https://program.example#å", "https://program.example#%C3%A5"),
        # No host that DNS could know.
        ("https://ö..example/", "https://%C3%B6..example/"),
    ],
)
@pytest.mark.parametrize("extension", FRAB)
def test_a_host_is_written_as_dns_knows_it(extension, address, written, sample_programme):
    first = sample_programme.occasions[0]
    occasion = replace(first, event=replace(first.event, external_url=address, image_url=address))
    [found] = read(extension, build_listing(replace(sample_programme, occasions=(occasion,))))
    assert (found["links"], found["logo"]) == ([written], written)


@pytest.mark.parametrize("title", ["x", "…", "日本", "A" * 200])
def test_every_title_has_a_slug(title, sample_programme):
    first = sample_programme.occasions[0]
    identity = replace(first.identity, id=1)
    occasion = replace(first, identity=identity, event=replace(first.event, title=title))
    for extension in FRAB:
        [found] = read(extension, build_listing(replace(sample_programme, occasions=(occasion,))))
        assert found["slug"].startswith("kulturnatten_i_asunda")


def test_slugs_and_acronym_are_the_same_in_each_selection(sample_programme):
    whole = {each["id"]: each["slug"] for each in read("frab-xml", build_listing(sample_programme))}
    part = {
        each["id"]: each["slug"]
        for each in read("frab-xml", build_listing(sample_programme, "date=2026-07-29"))
    }
    assert part
    assert part.items() <= whole.items()
