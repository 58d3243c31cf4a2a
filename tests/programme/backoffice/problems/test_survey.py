"""The survey is made once, renewed after edits as if it were made anew, and narrowed to what concerns somebody."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.db import transaction

from programme.backoffice.problems import survey
from programme.backoffice.problems.facts import renew_facts
from programme.backoffice.problems.survey import Survey, build_survey, get_survey
from programme.models import Event, Organizer, Room, Status
from programme.models.festival_time import festival_time
from tests.programme.publishing.histories import RandomEdits
from tests.programmes import JAZZ, NIGHT, PARKEN, TOMTEN, TORGET, utc


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_it_is_made_once_and_what_is_edited_is_read_again(django_assert_num_queries, settings) -> None:
    # The revision, five of facts, nine tables of texts, and the transaction around them.
    with django_assert_num_queries(17):
        first = get_survey()
    with django_assert_num_queries(1):
        assert get_survey() is first
    # The revision twice, the transaction, the log, and of the event itself its facts, its occasions, and its
    # texts and those of organizers. Of what readers do not see, too.
    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    with django_assert_num_queries(9):
        assert get_survey() is not first
    # All of it, where what events share has changed.
    Room.objects.filter(id=6001).update(parallel=True)
    with django_assert_num_queries(19):
        last = get_survey()
    assert [each.problems for each in last.found if each.kind.key == "double-booked"] == [[]]
    # An organizer that no event has is in no log.
    Organizer.objects.create(name="Nya scenen", info_sv="Teater")
    with django_assert_num_queries(6):
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
        with django_assert_num_queries(15):
            get_survey()


# --- Renewal --------------------------------------------------------------------------------------


EDITS = 40


def compare(renewed: Survey, built: Survey) -> None:
    assert renewed.found == built.found
    texts, expected = (
        sorted(each.facts.texts, key=lambda row: (row.model.__name__, row.pk)) for each in (renewed, built)
    )
    assert texts == expected
    assert replace(renewed.facts, texts=[]) == replace(built.facts, texts=[])


@pytest.mark.django_db(transaction=True)
def test_what_is_renewed_is_what_is_built(
    sample: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits, renew = RandomEdits(0, tmp_path), Mock(wraps=renew_facts)
    monkeypatch.setattr(survey, "renew_facts", renew)
    for _ in range(EDITS):
        edits.edit()
        compare(get_survey(), build_survey(festival_time()))
    # The log does not lead everywhere, and does not name what events share.
    assert renew.call_count > EDITS * 0.2


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
