"""Flows that change what readers know: one occasion, many at once, all of it undone, and by phone."""

from benchmarks.flows.office import CHIEF, PHONE, Element, Office, later, starts
from benchmarks.flows.person import Effort

# Of the timetable.
PIXELS_AN_HOUR = 96
# Eleven occasions on the demo's fourth day.
STORMY = "Stadsparken"
THUNDER = "Åska över parken"
CANCELLED = ("Barnbio: Igelkotten som ville flyga", "Kaffe, kaka och 1700-tal", "Tryck din egen affisch")
DRAGGED, DELAYED = "Salsa på kajen", "Allsång från rådhustrappan"


def _is_announced(elements: list[Element], note: str) -> bool:
    return {each["changeInfo"] for each in elements} == {note}


def drag(office: Office) -> Effort:
    """An occasion is an hour later, in the timetable, and readers are told why."""
    chief, when = office.at_start(), {"title": DRAGGED, "date": office.tomorrow}
    due = later(starts(office.read(**when)), hours=1)
    page = chief.page
    with chief.working() as effort:
        chief.follow(page.locator(f"a.timetable[href$='{office.tomorrow}/']"))
        chief.drag(page.locator(".occasion", has_text=DRAGGED), PIXELS_AN_HOUR)
        chief.see(f"Moved to {due[0]}")
        chief.fill(page.get_by_label("Why, in Swedish"), "Bandet är försenat")
        chief.press("Enter")
        page.get_by_text(f"Moved to {due[0]}").wait_for(state="hidden")
        chief.see("Readers are told why.")
    office.require("an occasion was dragged", lambda: starts(office.read(**when)) == due)
    office.require("it is announced", lambda: _is_announced(office.read(**when), "Bandet är försenat"))
    return effort


def storm(office: Office) -> Effort:
    """Eleven occasions of an area are two hours later, and readers are told why."""
    chief, when = office.at_start(), {"area": STORMY, "date": office.tomorrow}
    due = later(starts(office.read(**when)), hours=2)
    page = chief.page
    with chief.working() as effort:
        chief.follow(page.locator(".days a[href$='day=tomorrow']"))
        chief.click(page.get_by_role("button", name="Filter"))
        chief.follow(page.locator("#changelist-filter").get_by_role("link", name=STORMY, exact=True))
        chief.click(page.locator("#action-toggle"))
        chief.choose(page.locator("select[name=action]"), "Move …")
        chief.follow(page.locator("button[name=index]"))
        chief.fill(page.locator("[name=shift]"), "+2 h")
        chief.follow(page.get_by_role("button", name="Show what happens"))
        chief.fill(page.locator("[name=note]"), THUNDER)
        chief.follow(page.get_by_role("button", name="Move: 11 occasions"))
        chief.see("Moved occasions: 11.")
    office.require("eleven occasions are moved", lambda: starts(office.read(**when)) == due)
    office.require("they are announced", lambda: _is_announced(office.read(**when), THUNDER))
    return effort


def undo_all(office: Office) -> Effort:
    """All that the storm has changed is as before, and readers are told no more."""
    chief, when = office.at_start(), {"area": STORMY, "date": office.tomorrow}
    due = later(starts(office.read(**when)), hours=-2)
    page = chief.page
    with chief.working() as effort:
        moved = page.locator(".batches li", has_text="11 occasions").first
        chief.follow(moved.locator(".undo"))
        chief.click(page.get_by_role("radio", name="No", exact=True))
        chief.follow(page.get_by_role("button", name="Undo"))
        chief.see("As before")
    office.require("the storm is undone", lambda: starts(office.read(**when)) == due)
    office.require("and its note", lambda: all(each["changeInfo"] != THUNDER for each in office.read(**when)))
    return effort


def cancel_three(office: Office) -> Effort:
    """Three occasions of a day are cancelled, and readers are told why."""
    chief, note = office.at_start(), "Vatten i källaren"
    page = chief.page
    with chief.working() as effort:
        chief.follow(page.locator(".days a[href$='day=tomorrow']"))
        for title in CANCELLED:
            chief.click(page.locator("#result_list tr", has_text=title).locator(".action-select"))
        chief.choose(page.locator("select[name=action]"), "Cancel (stays in the programme, marked)")
        chief.follow(page.locator("button[name=index]"))
        chief.fill(page.locator("[name=note]"), note)
        chief.follow(page.get_by_role("button", name="Cancel them: 3 occasions"))
        chief.see("Cancelled occasions: 3.")

    def read() -> list[Element]:
        return [each for title in CANCELLED for each in office.read(title=title, date=office.tomorrow)]

    office.require("three are cancelled", lambda: all(each["cancelled"] for each in read()))
    office.require("they are announced", lambda: _is_announced(read(), note))
    return effort


def phone(office: Office) -> Effort:
    """On a phone, an occasion is half an hour later, and readers are told why."""
    chief, when = office.at_start(office.sign_in(CHIEF, **PHONE)), {"title": DELAYED, "date": office.tomorrow}
    due = later(starts(office.read(**when)), minutes=30)
    page = chief.page
    with chief.working() as effort:
        chief.follow(page.locator(".days a[href$='day=tomorrow']"))
        chief.follow(page.locator("#result_list tr", has_text=DELAYED).locator("th a"))
        [key] = (each["occation"]["id"] for each in office.read(**when))
        row = page.locator(f"[name^=occasions-][name$='-id'][value='{key}']").get_attribute("name")
        chief.fill(page.locator(f"#id_{row.removesuffix('-id')}-start_time"), due[0])
        chief.click(page.locator("fieldset.news summary"))
        chief.fill(page.locator("#id_note"), "Kören är sen")
        chief.follow(page.locator("[name=_save]"))
    office.require("an occasion is delayed", lambda: starts(office.read(**when)) == due)
    office.require("it is announced", lambda: _is_announced(office.read(**when), "Kören är sen"))
    return effort
