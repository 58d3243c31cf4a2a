"""The survey is made once and renewed after edits, and narrowed to what concerns somebody."""

import pytest

from programme.backoffice.problems.survey import get_survey
from programme.models import Event, Organizer, Room, Status
from tests.programmes import JAZZ, NIGHT, PARKEN, TOMTEN, TORGET, utc


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_it_is_made_once_and_what_is_edited_is_read_again(django_assert_num_queries) -> None:
    # The revision, five of facts, nine tables of texts, two of their history, and the transaction around them.
    with django_assert_num_queries(19):
        first = get_survey()
    with django_assert_num_queries(1):
        assert get_survey() is first
    # The revision twice, the transaction, the log, the latest versions, and of the event itself its facts, its
    # occasions, its texts and their history. Of what readers do not see, too.
    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    with django_assert_num_queries(10):
        assert get_survey() is not first
    # Three of what events share, and the texts of rooms.
    Room.objects.filter(id=6001).update(parallel=True)
    with django_assert_num_queries(14):
        last = get_survey()
    assert [each.problems for each in last.found if each.kind.key == "double-booked"] == [[]]
    # An organizer that no event has is in no log.
    Organizer.objects.create(name="Nya scenen", info_sv="Teater")
    with django_assert_num_queries(8):
        found = get_survey().found
    [english] = [each.problems for each in found if each.kind.key == "no-english"]
    assert "Nya scenen" in {problem.title for problem in english}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_another_beginning_of_days_is_another_survey(settings) -> None:
    first = get_survey()
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert get_survey() is not first


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
    assert {row.area for row in get_survey().of_areas([PARKEN]).texts} == {PARKEN}


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_a_problem_is_over_with_its_last_occasion() -> None:
    [night] = [one for each in get_survey().found for one in each.problems if one.links[0].pk == NIGHT]
    assert not night.is_over(utc(2026, 7, 30, 0, 59))
    assert night.is_over(utc(2026, 7, 30, 1))


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_inside_a_transaction_nothing_is_kept(django_assert_num_queries) -> None:
    for _ in range(2):
        with django_assert_num_queries(17):
            get_survey()
