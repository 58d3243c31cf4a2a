"""The columns of a timetable: where places stand, what they are called, and what is readable."""

import pytest

from programme import models
from programme.publishing.current import current
from tests.pages.reading import parse, text
from tests.programmes import TORGET, utc

DAY = "2026-08-15"

pytestmark = pytest.mark.usefixtures("sample", "at")


@pytest.fixture
def hold():
    """Return a function that holds events at a place from hour to hour of the day, in UTC."""
    kind = models.EventType.objects.get(id=4001)

    def hold(area, location, room, *spans):
        place, _ = models.Location.objects.get_or_create(name=location)
        within = models.Room.objects.get_or_create(location=place, name=room)[0] if room else None
        for number, (start, end) in enumerate(spans):
            event = models.Event.objects.create(
                title=f"{room or location} {number}", area=area, type=kind, status=models.Status.PUBLISHED
            )
            models.Occasion.objects.create(event=event, start=start, end=end, location=place, room=within)
        current.clear()

    return hold


def at_hours(*hours):
    return [(utc(2026, 8, 15, hour), utc(2026, 8, 15, hour + 1)) for hour in hours]


def opened(client):
    return parse(client.get(f"/?date={DAY}&view=grid"))


def heads(page):
    """Return the areas with the names of their columns; '' is a name that is not said."""
    return {
        text(area.xpath("./h3")[0]): [
            "".join(map(text, column.xpath("./h4"))) for column in area.xpath("./div/section")
        ]
        for area in page.xpath("//div[contains(@class, 'grid')]/section")
    }


def test_places_stand_in_the_order_of_their_areas_and_rooms(client, hold):
    late = models.Area.objects.create(name="Aspen", sort_order=9)
    hold(late, "Aspens scen", "", *at_hours(8, 9, 10, 11))
    for room in ("Sal 10", "Sal 2", "Sal 1"):
        hold(models.Area.objects.get(id=TORGET), "Skolan", room, *at_hours(8, 9, 10, 11))
    assert heads(opened(client)) == {
        "Ångtorget": ["Skolan, Sal 1", "Skolan, Sal 2", "Skolan, Sal 10"],
        "Aspen": ["Aspens scen"],
    }


def test_a_place_is_not_called_again_what_its_area_or_its_festival_is_called(client, hold):
    park, hall = (models.Area.objects.create(name=name, sort_order=9) for name in ("Parken", "Salen"))
    hold(park, "Parken", "", *at_hours(8))
    hold(hall, "Kulturnatten i Åsunda", "Salen", *at_hours(8, 9, 10, 11))
    assert heads(opened(client)) == {"Parken": [""], "Salen": [""]}
    # Beside others it has to be told from, it has its name.
    hold(park, "Parken", "Scenen", *at_hours(8))
    assert heads(opened(client))["Parken"] == ["Parken", "Scenen"]
    listed = parse(client.get(f"/?date={DAY}")).xpath(
        "//li[@class='slot' or starts-with(@class, 'slot ')]//p/bdi"
    )
    assert "Salen" in map(text, listed)
    assert not any("Kulturnatten" in text(each) for each in listed)


def test_each_place_has_a_column_and_what_is_at_once_there_has_lanes_below_one_name(client, hold):
    area = models.Area.objects.create(name="Verkstan", sort_order=9)
    for bench in ("Bänk 1", "Bänk 2", "Bänk 3"):
        hold(area, bench, "", *at_hours(8))
    hold(area, "Bänk 2", "", *at_hours(8, 8))
    page = opened(client)
    assert heads(page) == {"Verkstan": ["Bänk 1", "Bänk 2", "Bänk 3"]}
    column = page.xpath("//section[normalize-space(h4)='Bänk 2']")[0]
    assert [each.get("class").split()[-2] for each in column.xpath(".//li")] == ["n3"] * 3
    assert column.get("class") == "w255"


def test_what_is_open_for_more_than_six_hours_stands_beside_the_hours(client, hold):
    area = models.Area.objects.create(name="Torgen", sort_order=9)
    six, more = (utc(2026, 8, 15, 14), utc(2026, 8, 15, 14, 1))
    hold(area, "Stånd", "", (utc(2026, 8, 15, 8), six), (utc(2026, 8, 15, 8), more))
    page = opened(client)
    assert [text(each) for each in page.xpath("//section[@class='lasting']//li/a")] == ["Stånd 1"]
    assert [text(each) for each in page.xpath("//div[starts-with(@class, 'grid')]//li/div/a")] == ["Stånd 0"]


def test_a_short_one_has_as_many_lines_as_there_is_room_below(client, hold):
    area = models.Area.objects.create(name="Scenen", sort_order=9)
    starts = [utc(2026, 8, 15, 8), utc(2026, 8, 15, 8, 15), utc(2026, 8, 15, 10)]
    ends = [utc(2026, 8, 15, 8, 5), utc(2026, 8, 15, 8, 30), utc(2026, 8, 15, 11)]
    hold(area, "Scenen", "", *zip(starts, ends, strict=True))
    blocks = [each.get("class").split() for each in opened(client).xpath("//li[@data-o]")]
    assert [("low" in each, each[-1]) for each in blocks] == [(True, "k1"), (True, "k10"), (False, "k4")]


def test_the_line_for_now_is_where_the_snapshot_begins_and_only_today(client, at):
    rule = ".grid{--now:"
    assert rule in client.get("/?view=grid&during=2026-07-29").content.decode()
    assert rule not in client.get("/?view=grid&during=2026-07-31").content.decode()
