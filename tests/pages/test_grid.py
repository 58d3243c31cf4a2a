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
    """Return the areas with their columns, each the names of its places; '' is a name that is not said."""
    return {
        text(area.xpath("./h3")[0]): [
            ["".join(map(text, place.xpath("./h4"))) for place in column.xpath("./section")]
            for column in area.xpath("./div/div")
        ]
        for area in page.xpath("//div[contains(@class, 'grid')]/section")
    }


def test_places_stand_in_the_order_of_their_areas_and_rooms(client, hold):
    late = models.Area.objects.create(name="Aspen", sort_order=9)
    hold(late, "Aspens scen", "", *at_hours(8, 9, 10, 11))
    for room in ("Sal 10", "Sal 2", "Sal 1"):
        hold(models.Area.objects.get(id=TORGET), "Skolan", room, *at_hours(8, 9, 10, 11))
    assert heads(opened(client)) == {
        "Ångtorget": [["Skolan, Sal 1"], ["Skolan, Sal 2"], ["Skolan, Sal 10"]],
        "Aspen": [["Aspens scen"]],
    }


def test_a_place_is_not_called_again_what_its_area_or_its_festival_is_called(client, hold):
    park, hall = (models.Area.objects.create(name=name, sort_order=9) for name in ("Parken", "Salen"))
    hold(park, "Parken", "", *at_hours(8))
    hold(hall, "Kulturnatten i Åsunda", "Salen", *at_hours(8, 9, 10, 11))
    assert heads(opened(client)) == {"Parken": [[""]], "Salen": [[""]]}
    # Beside others it has to be told from, it has its name.
    hold(park, "Parken", "Scenen", *at_hours(8))
    assert heads(opened(client))["Parken"] == [["Parken"], ["Scenen"]]
    listed = parse(client.get(f"/?date={DAY}")).xpath(
        "//li[@class='slot' or starts-with(@class, 'slot ')]//p/bdi"
    )
    assert "Salen" in map(text, listed)
    assert not any("Kulturnatten" in text(each) for each in listed)


def test_places_with_few_events_share_a_column_if_none_are_at_once(client, hold):
    area = models.Area.objects.create(name="Verkstan", sort_order=9)
    hold(area, "Bänk 1", "", *at_hours(8, 12))
    hold(area, "Bänk 2", "", *at_hours(8))
    hold(area, "Bänk 3", "", *at_hours(9, 10))
    hold(area, "Bänk 4", "", *at_hours(14, 15, 16, 17))
    page = opened(client)
    assert heads(page) == {"Verkstan": [["Bänk 1", "Bänk 3"], ["Bänk 2"], ["Bänk 4"]]}
    assert [text(each) for each in page.xpath("//p[@class='sharing']")] == ["Bänk 1, Bänk 3"]
    # What shares a column says where it is, in a line that its title leaves.
    assert {text(each) for each in page.xpath("//li[@data-o]//small")} == {"Bänk 1", "Bänk 3"}
    lines = {each.get("class").split()[-1] for each in page.xpath("//li[@data-o and .//small]")}
    assert lines == {"k3"}
    hold(area, "Bänken vid den stora porten", "", *at_hours(18))
    assert [text(each) for each in opened(client).xpath("//p[@class='sharing']")] == ["Flera platser"]


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
