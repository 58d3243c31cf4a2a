"""The survey is made once, made anew after edits, and narrowed to what concerns somebody."""

import pytest
from django.db import transaction

from programme.backoffice.problems.survey import build_survey, get_survey
from programme.models import Event, Organizer, Room, Status
from tests.programme.backoffice.requests import opened, parse, submission
from tests.programmes import JAZZ, NIGHT, PARKEN, TOMTEN, TORGET, utc


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_it_is_made_once_and_what_is_edited_is_read_again(django_assert_num_queries, settings) -> None:
    # The revision, six of the programme, and the transaction around them.
    with django_assert_num_queries(9):
        first = get_survey()
    with django_assert_num_queries(1):
        assert get_survey() is first
    # Of what readers do not see, too.
    Event.objects.filter(id=JAZZ).update(status=Status.DRAFT)
    with django_assert_num_queries(10):
        assert get_survey() is not first
    Room.objects.filter(id=6001).update(parallel=True)
    with django_assert_num_queries(10):
        last = get_survey()
    assert [one for one in last.problems if one.kind.key == "double-booked"] == []
    # An organizer that no event has, too.
    Organizer.objects.create(name="Nya scenen", info_sv="Teater")
    english = [one for one in get_survey().problems if one.kind.key == "no-english"]
    assert "Nya scenen" in {problem.title for problem in english}
    # It is over with its last occasion.
    [night] = [one for one in english if one.links[0].event and one.links[0].event.id == NIGHT]
    assert not night.is_over(utc(2026, 7, 30, 0, 59))
    assert night.is_over(utc(2026, 7, 30, 1))
    # With another beginning of days it is another one.
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    assert get_survey().programme.festival.first_hour == 5


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_areas_see_what_concerns_them_a_clash_with_others_included() -> None:
    def titles(area: int) -> dict[str, list[str]]:
        found = get_survey().of_areas([area]).by_kind
        return {kind.key: [str(one.title) for one in problems] for kind, problems in found}

    assert titles(PARKEN)["double-booked"] == titles(TORGET)["double-booked"] == ["Biblioteket, Sal 2"]
    assert titles(TOMTEN) == {"no-swedish": ["Tomten"]}
    # What belongs to no area is no area editor's.
    assert "Övrigt, blandat" not in titles(TORGET)["no-english"]
    assert get_survey().of_areas([]).problems == []


@pytest.mark.django_db
@pytest.mark.usefixtures("sample")
def test_inside_a_transaction_nothing_is_kept(django_assert_num_queries) -> None:
    for _ in range(2):
        with django_assert_num_queries(7):
            get_survey()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("sample")
def test_what_is_rolled_back_is_surveyed_and_forgotten() -> None:
    before = get_survey()
    with transaction.atomic():
        Event.objects.all().delete()
        assert get_survey() == build_survey()
        transaction.set_rollback(True)
    assert get_survey() is before
    Event.objects.filter(occasions=None).delete()
    assert get_survey() == build_survey()


@pytest.mark.usefixtures("at", "sample")
def test_a_form_leads_on_to_the_next_problem_of_its_kind_and_the_last_one_back(office) -> None:
    for address in ("/admin/problems/?kind=no-english", "/admin/problems/?when=all&kind=no-location"):
        links = [each["href"] for each in opened(office, address).select(".problem .subject")]
        forms = [office.get(each.partition("#")[0], follow=True) for each in links]
        buttons = [parse(each).select_one("[name=_next]") for each in forms]
        assert [each and each["value"] for each in buttons] == [*links[1:], None]
        sent = submission(forms[0]) | {"_next": links[1]}
        form = "{PATH_INFO}?{QUERY_STRING}".format(**forms[0].request)
        # Of a form that is refused, the buttons lead where they led before.
        refused = parse(office.post(form, sent | {"title": "", "name": ""}))
        assert refused.select_one("[name=_next]")["value"] == links[1]
        assert office.post(form, sent)["Location"] == links[1]
