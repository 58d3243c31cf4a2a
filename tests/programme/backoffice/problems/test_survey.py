"""The survey is made once, renewed after edits as if it were made anew, and narrowed to what concerns somebody."""

from contextlib import suppress
from dataclasses import replace
from datetime import time, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, transaction

from programme.backoffice.problems import survey
from programme.backoffice.problems.survey import Survey, build_survey, get_survey
from programme.backoffice.problems.texts import TITLES, list_texts
from programme.models import Area, AreaDay, Event, Location, Occasion, Organizer, Room, Status, SubArea
from programme.models.festival_time import festival_time
from tests.browser import thorough
from tests.conftest import NOW
from tests.programme.publishing.histories import RandomEdits
from tests.programmes import JAZZ, NIGHT, PARKEN, TOMTEN, TORGET, utc


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_it_is_made_once_and_what_is_edited_is_read_again(django_assert_num_queries, settings) -> None:
    # The revision, five of facts, nine tables of texts, one of their history, and the transaction around them.
    with django_assert_num_queries(18):
        first = get_survey()
    with django_assert_num_queries(1):
        assert get_survey() is first
    # The revision twice, the transaction, the log, and of the event itself its facts, its occasions, and its
    # texts and those of organizers with their history. Of what readers do not see, too.
    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    with django_assert_num_queries(10):
        assert get_survey() is not first
    # All of it, where what events share has changed.
    Room.objects.filter(id=6001).update(parallel=True)
    with django_assert_num_queries(20):
        last = get_survey()
    assert [each.problems for each in last.found if each.kind.key == "double-booked"] == [[]]
    # An organizer that no event has is in no log.
    Organizer.objects.create(name="Nya scenen", info_sv="Teater")
    with django_assert_num_queries(7):
        found = get_survey().found
    [english] = [each.problems for each in found if each.kind.key == "no-english"]
    assert "Nya scenen" in {problem.title for problem in english}
    # It is over with its last occasion.
    [night] = [problem for problem in english if problem.links[0].row == ("event", NIGHT)]
    assert not night.is_over(utc(2026, 7, 30, 0, 59))
    assert night.is_over(utc(2026, 7, 30, 1))
    # With another beginning of days it is another one.
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert get_survey().facts.festival.first_hour == 5


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_areas_see_what_concerns_them_a_clash_with_others_included() -> None:
    def titles(area: int) -> dict[str, list[str]]:
        found = get_survey().of_areas([area]).found
        return {each.kind.key: [str(one.title) for one in each.problems] for each in found if each.problems}

    assert titles(PARKEN)["double-booked"] == titles(TORGET)["double-booked"] == ["Biblioteket, Sal 2"]
    assert titles(TOMTEN) == {"no-swedish": ["Tomten"]}
    # What belongs to no area is no area editor's.
    assert "Övrigt, blandat" not in titles(TORGET)["no-english"]
    assert get_survey().of_areas([]).count == 0
    assert {row.area for row in get_survey().of_areas([PARKEN]).facts.texts} == {PARKEN}


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_inside_a_transaction_nothing_is_kept(django_assert_num_queries) -> None:
    for _ in range(2):
        with django_assert_num_queries(16):
            get_survey()


# --- Renewal --------------------------------------------------------------------------------------


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
    texts, expected = (sorted(each.facts.texts, key=lambda row: row.name) for each in (renewed, built))
    assert texts == expected
    assert replace(renewed.facts, texts=[]) == replace(built.facts, texts=[])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", [0, *thorough(1)])
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
    # The log does not lead everywhere, and what events share concerns too many of them.
    assert built.call_count < EDITS * 0.9
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
