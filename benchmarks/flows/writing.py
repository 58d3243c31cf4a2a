"""Flows of a single event and of people: signing in, writing, meeting another editor, deleting, inviting."""

import datetime as dt
import re

from benchmarks.flows.office import CHIEF, EDITOR, PASSWORD, Element, Office
from benchmarks.flows.person import Effort, Person

NEW, SHARED, DELETED = "Lyktvandring längs kajen", "Språkkafé", "Salsa på kajen"
TIMES = (("18:00", "19:00"), ("20:00", "21:00"), ("22:00", "23:00"))
INVITED = ("Anna Berg <anna@example.org>", "Bo Ek <bo@example.org>", "Cilla Dahl <cilla@example.org>")


def sign_in(office: Office) -> Effort:
    """Somebody who has a bookmark is at the start page."""
    person = office.enter()
    page = person.page
    with person.working() as effort:
        person.open("/admin/")
        person.fill(page.locator("[name=username]"), CHIEF)
        person.fill_next(page.locator("[name=password]"), PASSWORD)
        person.submit()
        person.see("Waits for you")
    return effort


def new_event(office: Office) -> Effort:
    """An event with three occasions is published."""
    chief = office.at_start()
    page = chief.page
    with chief.working() as effort:
        chief.follow(page.get_by_role("link", name="New event"))
        chief.fill(page.locator("#id_title"), NEW)
        chief.choose(page.locator("#id_area"), "Hamnen")
        for number, times in enumerate(TIMES):
            if number:
                chief.click(page.locator("#occasions-group .add-row a"))
            names = (f"#id_occasions-{number}-{name}" for name in ("day", "start_time", "end_time"))
            first, *others = (page.locator(name) for name in names)
            chief.fill(first, office.tomorrow)
            for field, clock in zip(others, times, strict=True):
                chief.fill_next(field, clock)
        chief.click(page.locator("label[for=status-published]"))
        chief.follow(page.get_by_role("button", name="Publish").last)
        chief.find(".messagelist .success")
    office.require("an event is published", lambda: len(office.read(title=NEW)) == len(TIMES))
    return effort


def _open_event(person: Person, title: str) -> None:
    """Find an event from the start page by typing."""
    page = person.page
    person.go("Events")
    person.fill(page.locator("#searchbar"), title.split(maxsplit=1)[0])
    person.submit()
    person.follow(page.locator("#result_list").get_by_role("link", name=title))


def conflict(office: Office) -> Effort:
    """Two editors change the price of an event: the second one sees it, and takes hers."""
    chief, other = office.at_start(), office.at_start(office.sign_in(EDITOR))
    _open_event(other, SHARED)
    other.fill(other.page.locator("#id_price"), "20 kr")
    page = chief.page
    with chief.working() as effort:
        _open_event(chief, SHARED)
        with chief.resting():
            other.follow(other.page.locator("[name=_save]:visible").first)
        chief.fill(page.locator("#id_price"), "30 kr")
        chief.follow(page.locator("[name=_save]:visible").last)
        chief.click(page.get_by_role("group", name="Price").get_by_role("radio", name="Yours"))
        chief.follow(page.get_by_role("button", name="Save what is chosen"))
        chief.find(".messagelist .success")

    def read() -> set[str]:
        return {each["price"] for each in office.read(title=SHARED)}

    office.require("a conflict is settled", lambda: read() == {"30 kr"})
    return effort


def delete_and_bring_back(office: Office) -> Effort:
    """A published event is deleted by mistake, and brought back with its identities."""
    chief = office.at_start()
    page, before = chief.page, office.read(title=DELETED)
    with chief.working() as effort:
        _open_event(chief, DELETED)
        chief.follow(page.get_by_role("link", name="Delete", exact=True).last)
        chief.follow(page.get_by_role("button", name=re.compile("^Yes, ")))
        with chief.resting():
            office.require("an event is deleted", lambda: not office.read(title=DELETED))
        chief.follow(page.locator(".messagelist").get_by_role("link", name="Undo"))
        chief.follow(page.get_by_role("button", name="Undo"))
        chief.see("As before")
    office.require("it is back", lambda: _identify(office.read(title=DELETED)) == _identify(before))
    return effort


def _identify(elements: list[Element]) -> list[tuple[int, int]]:
    return [(each["id"], each["occation"]["id"]) for each in elements]


def invite(office: Office) -> Effort:
    """Three people get links with which they come in as editors of an area until the festival is over."""
    chief = office.at_start()
    page = chief.page
    last_day = dt.date.fromisoformat(office.tomorrow) + dt.timedelta(days=7)
    with chief.working() as effort:
        chief.go("Settings")
        chief.follow(page.locator("#content").get_by_role("link", name="Users"))
        chief.follow(page.get_by_role("link", name="Invite people"))
        chief.paste(page.locator("[name=people]"), "\n".join(INVITED))
        chief.click(page.get_by_role("radio", name="Area editor"))
        chief.click(page.get_by_label("Hamnen"))
        chief.fill(page.locator("[name=last_day]"), last_day.isoformat())
        chief.follow(page.get_by_role("button", name="Make links to hand over"))
        chief.see("3 people are invited.")
    links = page.locator("code.link").all_inner_texts()
    office.require("there are links", lambda: len(links) == len(INVITED))
    guest = office.enter().page
    for link in links:
        guest.goto(link)
        guest.get_by_role("button", name="Choose this password").wait_for()
    return effort
