"""Facts of a sheet are imported and changed like other fields, in words, and what is asked is remembered."""

import pytest
from django.core.management import CommandError

from programme.models import Event, Location, Occasion, Room
from tests.programme.backoffice.imports.pages import apply_preview, build_sheet, remarks_on, show_preview

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Datum;Start;Slut;Målgrupp;Bokning"
OPTIONS = ("--source", "office", "--area-otherwise", "Parken")


def sheet(*rows: str) -> str:
    return "\n".join([HEADINGS, *rows])


def stored() -> tuple[list[str], list[str]]:
    events = Event.objects.order_by("id").values_list("audience", flat=True)
    return list(events), list(Occasion.objects.order_by("start").values_list("booking", flat=True))


def test_facts_are_merged_and_reported_in_words(run):
    before = sheet("Jazz;2026-09-12;19;20;barn;behövs", "Jazz;2026-09-13;19;20;barn;fullt")
    run(before, *OPTIONS, name="a.csv")
    assert stored() == (["children"], ["needed", "full"])
    Event.objects.update(audience="children youth")
    report = run(before.replace("barn", "vuxna").replace("behövs", "väntelista"), *OPTIONS, name="a.csv")
    assert stored() == (["children youth"], ["waiting-list", "full"])
    assert "Jazz, Sat 12 Sep 2026 19:00: booking needed → waiting list" in report
    assert "for here children, youth, in the file adults" in report


def test_an_unknown_value_is_answered_once_for_the_source(run):
    content = sheet("Jazz;2026-09-12;19;20;Hundägare;")
    with pytest.raises(CommandError, match="--answer fact:audience:hundägare=seniors: seniors"):
        run(content, *OPTIONS, name="a.csv")
    assert not Event.objects.exists()
    run(content, *OPTIONS, "--answer", "fact:audience:hundägare=seniors", name="a.csv")
    run(content.replace("19;20", "18;20"), *OPTIONS, name="a.csv")
    assert stored() == (["seniors"], [""])


PLACES = "Titel;Område;Plats;Rum;Datum;Start;Slut;Hörslinga;Rullstol;Textat"
KNOWN = "Left out, because it is said of places: enter it at the place"


def test_a_new_place_has_the_facts_that_all_its_rows_state_and_others_are_listed(client):
    rows = [
        "A;Parken;Torget;;2026-09-12;19;20;ja;ja;ja",
        "B;Parken;Torget;;2026-09-13;19;20;ja;nej;",
        "C;Parken;Torget;;2026-09-14;19;20;;;",
        "D;Parken;Kyrkan;Salen;2026-09-12;19;20;;ja;",
    ]
    page = show_preview(client, build_sheet(*rows, headings=PLACES))
    assert remarks_on(page)[0] == f"{KNOWN} (step-free, step-free: no)"
    apply_preview(client, page)
    assert dict(Location.objects.values_list("name", "access")) == {"Torget": "hearing-loop", "Kyrkan": ""}
    assert Room.objects.get().access == "step-free"
    assert [*Occasion.objects.order_by("event__title").values_list("access", flat=True)] == [
        *("captions", "", "", "")
    ]


def test_what_is_said_of_a_place_that_is_here_is_listed_until_it_is_entered_there(client):
    place = Location.objects.create(name="Torget", access="step-free")
    content = build_sheet("A;Parken;Torget;;2026-09-12;19;20;ja;ja;", headings=PLACES)
    page = show_preview(client, content)
    assert remarks_on(page)[0] == f"{KNOWN} (hearing loop)"
    apply_preview(client, page)
    place.refresh_from_db()
    assert place.access == "step-free"
    Location.objects.update(access="step-free hearing-loop")
    assert remarks_on(show_preview(client, content)) == []


def test_a_room_that_says_anything_itself_has_nothing_from_its_location(client):
    hall = Room.objects.create(
        name="Salen", location=Location.objects.create(name="Kyrkan", access="step-free")
    )
    content = build_sheet("A;Parken;Kyrkan;Salen;2026-09-12;19;20;;ja;", headings=PLACES)
    assert remarks_on(show_preview(client, content)) == []
    for own in ({"accessibility_sv": "Trappa."}, {"accessibility_sv": "", "access": "hearing-loop"}):
        Room.objects.filter(pk=hall.pk).update(**own)
        assert remarks_on(show_preview(client, content))[0] == f"{KNOWN} (step-free)"
