"""All dialects are read as the same values, and other documents are refused in one sentence."""

import json

import pytest

from programme.exchange.readers.frab import read_schedule
from programme.exchange.values import Conference, Entry, Schedule, UnreadableFileError

TEA = Entry(
    code="TEA1",
    id="7",
    guid="guid-7",
    uid="guid-7",
    slug="tea",
    title="Tea & talk",
    subtitle="Sub",
    abstract="Abstract",
    description="Description",
    track="Drinks",
    type="meeting",
    language="sv",
    url="https://fest.example/tea",
    logo="https://fest.example/tea.png",
    room="Kitchen",
    persons=("Ada", "Bo"),
    day="2026-07-29",
    date="2026-07-29T15:00:00+02:00",
    start="15:00",
    duration="01:00",
)
CONFERENCE = Conference(
    title="The Feast", acronym="feast26", venue="The House", language="sv",
    time_zone_name="Europe/Stockholm", day_change="04:00",
)  # fmt: skip

XML = """<?xml version="1.0" encoding="UTF-8"?>
<schedule>
  <generator name="by hand"/>
  <conference>
    <acronym>feast26</acronym><title>The Feast</title><venue>The House</venue><language>sv</language>
    <time_zone_name>Europe/Stockholm</time_zone_name><day_change>04:00</day_change>
  </conference>
  <day index="1" date="2026-07-29" start="2026-07-29T04:00:00+02:00" end="2026-07-30T04:00:00+02:00">
    <room name="Empty"/>
    <room name="Kitchen">
      <event id="7" guid="guid-7" code="TEA1">
        <room>Some other room</room><slug>tea</slug>
        <title>Tea &amp; talk</title><subtitle>Sub</subtitle>
        <abstract>Abstract</abstract><description>Description</description>
        <track>Drinks</track><type>meeting</type><language>sv</language>
        <url>https://fest.example/tea</url><logo>https://fest.example/tea.png</logo>
        <date>2026-07-29T15:00:00+02:00</date><start>15:00</start><duration>01:00</duration>
        <persons><person id="1">Ada</person><person id="2">Bo</person></persons>
        <recording><license>A paragraph.</license></recording><links/><attachments/>
      </event>
    </room>
  </day>
</schedule>"""

EVENT = {
    "id": 7, "guid": "guid-7", "code": "TEA1", "room": "Some other room", "slug": "tea",
    "title": "Tea & talk", "subtitle": "Sub", "abstract": "Abstract", "description": "Description",
    "track": "Drinks", "type": "meeting", "language": "sv", "url": "https://fest.example/tea",
    "logo": "https://fest.example/tea.png", "date": "2026-07-29T15:00:00+02:00", "start": "15:00",
    "duration": "01:00",
    "persons": [{"id": 1, "public_name": "Ada"}, {"id": 2, "name": "Bo", "biography": "Long."}],
    "do_not_record": False, "answers": [],
}  # fmt: skip
NAMES = {
    "acronym": "feast26",
    "title": "The Feast",
    "venue": "The House",
    "language": "sv",
    "time_zone_name": "Europe/Stockholm",
    "day_change": "04:00",
}


def in_json(conference: dict, **schedule: object) -> bytes:
    return json.dumps({"schedule": {"version": "1", "conference": conference, **schedule}}).encode()


def test_xml_and_its_json_twin_are_the_same_schedule():
    days = [{"date": "2026-07-29", "rooms": {"Kitchen": [EVENT], "Empty": []}}]
    wanted = Schedule(CONFERENCE, (TEA,))
    assert read_schedule(XML.encode()) == wanted
    assert read_schedule(in_json(NAMES | {"days": days})) == wanted


def test_an_xml_schedule_may_be_in_a_namespace_and_in_another_encoding():
    text = XML.replace("<schedule>", '<schedule xmlns="urn:x">').replace("UTF-8", "UTF-16")
    assert read_schedule(text.encode("utf-16")) == Schedule(CONFERENCE, (TEA,))


def test_a_byte_order_mark_and_blanks_before_a_schedule_are_no_matter():
    content = in_json(NAMES | {"days": [{"rooms": {"Kitchen": [{"title": "Tea"}]}}]})
    wanted = Schedule(CONFERENCE, (Entry(title="Tea", room="Kitchen"),))
    assert read_schedule(b"\xef\xbb\xbf" + content) == read_schedule(b" \n" + content) == wanted


def test_the_old_dialect_has_no_date_guid_or_url():
    xml = """<schedule><conference><title>Old</title><day_change>09:00:00</day_change></conference>
    <day index="1" date="2013-02-02"><room name="Hall"><event id="1"><start>10:30</start>
    <duration>00:25</duration><title>Hi</title><language/><persons/></event></room></day></schedule>"""
    assert read_schedule(xml.encode()) == Schedule(
        Conference(title="Old", day_change="09:00:00"),
        (Entry(id="1", title="Hi", room="Hall", day="2013-02-02", start="10:30", duration="00:25"),),
    )


def test_the_second_version_of_the_json_format_has_a_flat_list_of_events():
    event = {
        "guid": "g", "code": "C1", "type": "TALK", "title": "Talk", "language": "en", "state": "cancelled",
        "start": "2026-07-29T15:00:00+02:00", "end": "2026-07-29T16:00:00+02:00",
        "room": {"name": "Kitchen", "slug": "kitchen"}, "track": {"slug": "tea"}, "subtitle": None,
        "abstract": {"en": "Abstract", "de": "Kurz"}, "logo": {"url": "https://fest.example/l.png"},
        "participants": [{"name": "Ada", "role": "SPEAKER"}],
    }  # fmt: skip
    conference = {"title": "New", "defaults": {"language": "en"}, "tracks": [{"slug": "tea", "name": "Tea"}]}
    assert read_schedule(in_json(conference, events=[event])) == Schedule(
        Conference(title="New", language="en"),
        (
            Entry(
                guid="g", uid="g", code="C1", type="TALK", title="Talk", language="en", state="cancelled", track="Tea",
                abstract="Abstract", logo="https://fest.example/l.png", room="Kitchen", persons=("Ada",),
                date="2026-07-29T15:00:00+02:00", end="2026-07-29T16:00:00+02:00",
            ),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("value", [None, [], {}, "x", 3, True, [None, "x", [3]], {"a": []}])
def test_json_of_other_types_than_expected_does_not_fail(value):
    assert read_schedule(in_json({"title": value, "days": [{"rooms": {"R": [{"id": 1}]}}]})).entries
    assert read_schedule(in_json({"title": "x", "days": [{"rooms": {"R": [dict.fromkeys(EVENT, value)]}}]}))
    for conference in ({"title": "x", "days": value}, {"title": "x", "days": [{"rooms": value}]}):
        with pytest.raises(UnreadableFileError):
            read_schedule(in_json(conference))


DEEP = 100_000


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[1]", "it is JSON, but no schedule in the frab format"),
        (b"<rss version='2.0'/>", "its outermost element is <rss>, not <schedule>"),
        (b"<schedule/>", "it names no event"),
        (b'{"events": []}', "it is JSON, but no schedule in the frab format"),
        (b'{"schedule": 3}', "it is JSON, but no schedule in the frab format"),
        (b"<schedule>" + b"<a>" * DEEP + b"</a>" * DEEP + b"</schedule>", "it names no event"),
        (b"<schedule>\n<day", "it is cut off or damaged (line 2)"),
        (b'{"schedule": ' + b"[" * DEEP, "it is cut off or damaged"),
        (b'{"schedule": {"conf', "it is cut off or damaged (line 1)"),
        (
            b"<!DOCTYPE schedule><schedule/>",
            "it holds a DOCTYPE or entities, which are not read for safety's sake",
        ),
        (
            b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><schedule>&a;</schedule>',
            "it holds a DOCTYPE or entities, which are not read for safety's sake",
        ),
        (
            b'<?xml version="1.0" encoding="big5"?><schedule/>',
            "its encoding cannot be read: save it as UTF-8",
        ),
    ],
)
def test_another_document_is_refused_with_its_reason(content, reason):
    with pytest.raises(UnreadableFileError) as refusal:
        read_schedule(content)
    assert str(refusal.value) == reason


@pytest.mark.parametrize("begin", range(0, len(XML), 97))
def test_a_file_that_is_cut_off_anywhere_is_refused(begin):
    with pytest.raises(UnreadableFileError):
        read_schedule(XML.encode()[:begin])


def test_half_an_emoji_is_no_reason_to_refuse_a_file():
    content = in_json({"title": "x", "days": [{"rooms": {"R": [{"title": "Fest \ud83c"}]}}]})
    assert read_schedule(content).entries == (Entry(title="Fest \ud83c", room="R"),)
