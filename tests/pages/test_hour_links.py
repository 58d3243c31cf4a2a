"""Links to the hours of a day on which much goes on."""

import pytest

from tests.pages.reading import links, opened, text

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_a_day_of_many_has_links_to_its_hours(client, monkeypatch):
    assert opened(client, "/").xpath("//nav[@class='hours']") == []
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 5)
    page = opened(client, "/en/?date=2026-07-29")
    (hours,) = page.xpath("//nav[@class='hours']")
    assert hours.get("aria-label") == "Jump to an hour, Wednesday 29 July"
    assert links(hours) == [
        ("14", "#t2026-07-29-14"),
        ("16", "#t2026-07-29-16"),
        ("22", "#t2026-07-29-22"),
    ]


def test_a_link_leads_to_the_first_of_its_hour(client, monkeypatch):
    monkeypatch.setattr("pages.days.MIN_ROWS_FOR_LINKS", 1)
    page = opened(client, "/?days=all")
    found = [
        (label, page.xpath("//li[@id=$id]", id=href[1:]))
        for label, href in links(page, "//nav[@class='hours']//a")
    ]
    assert len(found) > 3
    for label, (slot,) in found:
        clock = text(slot.xpath("./span[@class='clock']")[0])
        before = slot.xpath("string(preceding-sibling::li[1]/span[@class='clock'])")
        assert (clock[:2], before[:2] != clock[:2]) == (label, True)
    (label,) = page.xpath("//nav[@class='hours']/@aria-label")
    assert label == "Hoppa till en timme, onsdag 29 juli 2026"
