"""Fields that belong together are kept or overwritten together."""

import pytest

from programme.exchange.merge.apply import apply_import
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import ImportOptions
from programme.models import Area, Event, SubArea

pytestmark = pytest.mark.django_db


def import_event(sub_area: str, *, into: str = "", overwrite: bool = False) -> list[tuple[str, str, str]]:
    """Import an event of Parken, or into another area; return the conflicts."""
    text = f"Titel;Område;Delområde;Datum;Start\nFest;Parken;{sub_area};2026-09-12;19:00"
    contents = read(text.encode(), "sheet.csv", build_import_defaults()).contents
    plan = apply_import(contents, ImportOptions("office", into, "Fest", "", overwrite=overwrite))
    return sorted((each.field, str(each.here), str(each.file)) for each in plan.conflicts)


def areas() -> tuple[str, str | None]:
    return Event.objects.values_list("area__name", "sub_area__name").get()


def test_an_editors_area_does_not_get_the_files_sub_area(db):
    import_event("")
    Event.objects.update(area=Area.objects.create(name="Hamnen"))
    conflicts = [("area", "Hamnen", "Parken"), ("sub_area", "None", "Parken – Tältet")]
    assert (import_event("Tältet"), areas()) == (conflicts, ("Hamnen", None))
    import_event("Tältet", overwrite=True)
    assert areas() == ("Parken", "Tältet")


def test_an_editors_sub_area_does_not_get_the_files_area(db):
    import_event("")
    Event.objects.update(sub_area=SubArea.objects.create(area=Area.objects.get(), name="Scenen"))
    conflicts = [("area", "Parken", "Hamnen"), ("sub_area", "Parken – Scenen", "None")]
    assert (import_event("", into="Hamnen"), areas()) == (conflicts, ("Parken", "Scenen"))
    import_event("", into="Hamnen", overwrite=True)
    assert areas() == ("Hamnen", None)
