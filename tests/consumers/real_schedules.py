"""Conference schedules of real programmes are valid: part of `make consumers`.

Programmes that others have written are read in place, from the folder that REAL_DATA names.
"""

import os
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from programme import models
from programme.publishing.current import current
from tests.programme import schedule_selections
from tests.programme.exchange import almedalen

REAL = Path(os.environ.get("REAL_DATA", "../shared/data/real"))
# All that the import reads; others are of a kind of their own.
FILES = [
    *("ccc-36c3/everything.schedule.xml", "ccc-36c3/stages.schedule.json", "emf-2024/schedule.frab"),
    *("emf-2024/schedule.ics", "fosdem-2013/schedule.xml", "frab-json/frab-camp2019.json"),
    *("frab-json/hub-schedule2.json", "frab-json/pretalx-rc3.json", "helsinki-linked-events/events.json"),
    *("ics-odd/fablab_cottbus.ics", "ics-odd/festival-multiday-rrule.ics", "ics-odd/javaone-2004-core.ics"),
    *("ics-odd/lastfm.ics", "ics-odd/multi-event-basic.ics", "ics-odd/ms_timezones.ics"),
    *("ics-odd/tentative-apple-calendar.ics", "almedalsveckan-2022/events.csv"),
]
# Of a place that looks misspelt beside another one.
ANSWERS = {
    "ics-odd/fablab_cottbus.ics": "location:fablab cottbus @ walther-pauer-strasse 5, 03044 cottbus"
    "=FabLab Cottbus @ Walther-Pauer-Straße 5, 03044 Cottbus"
}

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not REAL.is_dir(), reason=f"REAL_DATA names no folder: {REAL}"),
]


@pytest.mark.parametrize("name", FILES)
def test_schedules_of_a_real_programme_are_valid_with_ten_filters(name: str, client: Client) -> None:
    if not (REAL / name).exists():
        pytest.skip(f"{REAL / name} is not there")
    almedalen.save_columns()
    names = ("--area-otherwise", "Festivalen", "--source", "real")
    answers = ("--answer", ANSWERS[name]) if name in ANSWERS else ()
    call_command("import", str(REAL / name), *names, *answers, verbosity=0)
    current.clear()
    elements = client.get("/api/events.json").json()
    assert len(elements) == models.Occasion.objects.count() > 0
    counts = schedule_selections.validate_public(client, schedule_selections.find_filters(elements))
    assert counts["frab-xml"] == counts["frab-json"]
    assert counts["frab-xml"][0] == len(elements)
