"""Facts of a sheet are imported and changed like other fields, in words, and what is asked is remembered."""

import pytest
from django.core.management import CommandError

from programme.models import Event, Occasion

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Datum;Start;Slut;Målgrupp;Bokning"
OPTIONS = ("--source", "office", "--area-otherwise", "Parken")


def sheet(*rows: str) -> str:
    return "\n".join([HEADINGS, *rows])


def stored() -> tuple[list[tuple], list[str]]:
    events = Event.objects.order_by("id").values_list("audience", "booking")
    return list(events), list(Occasion.objects.order_by("start").values_list("booking", flat=True))


def test_facts_are_merged_and_reported_in_words(run):
    before = sheet("Jazz;2026-09-12;19;20;barn;behövs", "Jazz;2026-09-13;19;20;barn;fullt")
    run(before, *OPTIONS, name="a.csv")
    assert stored() == ([("children", "")], ["needed", "full"])
    Event.objects.update(audience="children youth")
    report = run(before.replace("barn", "vuxna").replace("behövs", "väntelista"), *OPTIONS, name="a.csv")
    assert stored() == ([("children youth", "")], ["waiting-list", "full"])
    assert "Jazz, 2026-09-12 19:00: Booking needed → waiting list" in report
    assert "For here children, youth, in the file adults" in report


def test_an_unknown_value_is_answered_once_for_the_source(run):
    content = sheet("Jazz;2026-09-12;19;20;Hundägare;")
    with pytest.raises(CommandError, match="--answer fact:audience:hundägare=seniors: seniors"):
        run(content, *OPTIONS, name="a.csv")
    assert not Event.objects.exists()
    run(content, *OPTIONS, "--answer", "fact:audience:hundägare=seniors", name="a.csv")
    run(content.replace("19;20", "18;20"), *OPTIONS, name="a.csv")
    assert stored() == ([("seniors", "")], [""])
