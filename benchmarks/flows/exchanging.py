"""Flows with files: a sheet that has a mistake, and the programme as a sheet, there and back."""

from pathlib import Path

from benchmarks.flows.office import Office
from benchmarks.flows.person import Effort, Person

HEADINGS = "Title;Area;Location;Date;Start;End;Price"
IMPORTED = ("Gatumusik vid Kyrkbron", "Kör i gränden", "Bakluckeloppis")
PRICED, PRICE = ("Språkkafé", "Boule för alla"), "40 kr"


def _upload(person: Person, path: Path) -> None:
    """Send a file from whatever page is open, and look at what would happen."""
    person.go("Import")
    person.attach(person.page.locator("input[type=file]"), path)
    person.see("This is what importing")


def _apply(person: Person) -> None:
    for odd in person.page.locator(".suspicions [type=checkbox]").all():
        person.click(odd)
    person.click(person.page.get_by_role("button", name="Import", exact=True))
    person.find(".messagelist .success")


def import_and_correction(office: Office) -> Effort:
    """A sheet with a date that cannot be read is corrected, and its three events are published."""
    chief = office.at_start()
    page, path = chief.page, office.folder / "market.csv"
    _write_sheet(path, office.tomorrow, last="yesterday")
    with chief.working() as effort:
        _upload(chief, path)
        chief.see("1 row cannot be read")
        chief.click(page.locator(".options summary"))
        chief.click(page.get_by_role("radio", name="published at once"))
        chief.follow(page.locator(".options [type=submit]"))
        with chief.resting():
            _write_sheet(path, office.tomorrow, last=office.tomorrow)
        chief.attach(page.locator(".corrected input[type=file]"), path)
        chief.find("main:not(:has(.corrected[open]))")
        _apply(chief)
    office.require("a sheet is imported", lambda: all(office.read(title=title) for title in IMPORTED))
    return effort


def _write_sheet(path: Path, day: str, *, last: str) -> None:
    days = zip(IMPORTED, (day, day, last), strict=True)
    rows = [f"{title};Gamla stan;Kyrkbron;{each};11:00;12:00;" for title, each in days]
    path.write_text("\r\n".join([HEADINGS, *rows]))


def export_and_reimport(office: Office) -> Effort:
    """Two events get another price in a sheet of the whole programme."""
    chief = office.at_start()
    page, path = chief.page, office.folder / "programme.xlsx"
    with chief.working() as effort:
        chief.go("Settings")
        chief.follow(page.get_by_role("link", name="The programme as a spreadsheet"))
        chief.click(page.get_by_label("All columns"))
        with page.expect_download() as download:
            chief.click(page.get_by_role("button", name="Save the file"))
        with chief.resting():
            download.value.save_as(path)
            _set_prices(path)
        _upload(chief, path)
        _apply(chief)

    def read() -> set[str]:
        return {each["price"] for title in PRICED for each in office.read(title=title)}

    office.require("prices are imported", lambda: read() == {PRICE})
    return effort


def _set_prices(path: Path) -> None:
    from openpyxl import load_workbook  # noqa: PLC0415 - only this flow needs it

    book = load_workbook(path)
    headings, *rows = book.active.iter_rows()
    names = [cell.value for cell in headings]
    title, price = names.index("Title"), names.index("Price")
    for row in rows:
        if row[title].value in PRICED:
            row[price].value = PRICE
    book.save(path)
