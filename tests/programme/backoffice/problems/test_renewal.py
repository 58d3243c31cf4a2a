"""After any history of edits, the survey that is renewed is the one that is made of the whole programme."""

from contextlib import suppress
from datetime import time, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, transaction

from programme.backoffice.problems import survey
from programme.backoffice.problems.registry import Survey, build_survey
from programme.backoffice.problems.survey import get_survey
from programme.backoffice.problems.texts import TITLES, list_texts
from programme.models import Area, AreaDay, Event, Location, Occasion, Organizer, Room, SubArea
from programme.models.festival_time import festival_time
from tests.conftest import NOW
from tests.programme.publishing.histories import RandomEdits

EDITS = 50


class ProblemEdits(RandomEdits):
    """Edits that make and solve problems of all kinds, as often as others."""

    def __init__(self, seed: int, folder: Path) -> None:
        super().__init__(seed, folder)
        own = [self.edit_text, self.edit_name, self.edit_booking, self.edit_hours, self.edit_image]
        self.edits += 3 * [*own, self.edit_text]

    def edit_text(self) -> None:
        model = self.random.choice(list(TITLES))
        name = f"{self.random.choice(list_texts(model))}_{self.random.choice(('sv', 'en'))}"
        # Festivals and types have a name in any case.
        with suppress(IntegrityError), transaction.atomic():
            self.write(self.one(model), **{name: self.random.choice(("", "A", "B"))})

    def edit_name(self) -> None:
        name = f"Kulturhuse{self.random.choice('abcdef')}"
        with suppress(IntegrityError), transaction.atomic():
            self.write(self.one(self.random.choice((Area, SubArea, Location, Room, Organizer))), name=name)

    def edit_booking(self) -> None:
        room, hours = self.one(Room), self.random.randrange(6)
        start = NOW + timedelta(hours=hours)
        end = start + timedelta(hours=self.random.choice((1, 2, 18)))
        self.write(self.one(Occasion), start=start, end=end, location=room.location, room=room)

    def edit_hours(self) -> None:
        clocks = (None, time(3), time(12), time(20))
        opens, closes = self.random.choice(clocks), self.random.choice(clocks)
        self.write(self.one(AreaDay), opens=opens, closes=closes)

    def edit_image(self) -> None:
        caption = self.random.choice(("", "Bild: Åsa"))
        self.write(self.one(Event), image_url="https://bilder.example/ny.jpg", image_caption=caption)


def compare(renewed: Survey, built: Survey) -> None:
    for one, other in zip(renewed.found, built.found, strict=True):
        assert one == other
    assert renewed.facts == built.facts
    assert {row.name: row for row in renewed.texts} == {row.name: row for row in built.texts}
    assert len(renewed.texts) == len(built.texts)
    assert renewed.versions == built.versions


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_renewed_is_what_is_built(
    sample: None, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits, built = ProblemEdits(seed, tmp_path), Mock(wraps=build_survey)
    monkeypatch.setattr(survey, "build_survey", built)
    found = set()
    for _ in range(EDITS):
        edits.edit()
        compare(get_survey(), build_survey(festival_time()))
        found |= {each.kind.key for each in get_survey().found if each.problems}
    # The log does not lead everywhere.
    assert built.call_count < EDITS / 3
    assert len(found) >= 10


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_what_is_rolled_back_is_surveyed_and_forgotten() -> None:
    before = get_survey()
    with transaction.atomic():
        Event.objects.all().delete()
        compare(get_survey(), build_survey(festival_time()))
        transaction.set_rollback(True)
    assert get_survey() is before
    Event.objects.filter(occasions=None).delete()
    compare(get_survey(), build_survey(festival_time()))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_so_many_edits_that_the_whole_programme_is_surveyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("programme.backoffice.problems.renewal.MOST", 2)
    get_survey()
    Event.objects.update(title="Samma")
    compare(get_survey(), build_survey(festival_time()))
