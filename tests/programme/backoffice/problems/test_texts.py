"""Texts that were changed in one language and not in the other since, by their history."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from django.core.management import call_command

from programme.backoffice.problems.survey import build_survey
from programme.backoffice.problems.texts import TITLES, Revision, find_outdated, load_outdated_texts
from programme.history import edits
from programme.models import Area, Event, EventType, Location
from programme.models.festival_time import festival_time
from tests.programmes import JAZZ

Texts = tuple[str, str]


def outdated(*versions: Texts) -> str | None:
    """Return the language in which a text is behind after these versions, each of an edit of its own."""
    revisions = [
        Revision("event", "intro", 1, number, number, False, before, after)
        for number, (before, after) in enumerate(pairwise(versions), 1)
        if before != after
    ]
    found = find_outdated(revisions)
    return found and found[0]


@pytest.mark.parametrize(
    ("versions", "behind"),
    [
        # One language, and the other one with it or after it.
        ([("A", "a"), ("B", "a")], "en"),
        ([("A", "a"), ("B", "b")], None),
        ([("A", "a"), ("B", "a"), ("B", "b")], None),
        ([("A", "a"), ("B", "a"), ("C", "c"), ("D", "c")], "en"),
        ([("A", "a"), ("B", "a"), ("C", "a")], "en"),
        ([("A", "a"), ("B", "a"), ("B", "b"), ("C", "b")], "en"),
        # Translated for the first time, or deleted and written again.
        ([("A", ""), ("A", "a")], None),
        ([("A", "a"), ("A", ""), ("A", "b")], None),
        # As it was when both belonged together: undone, or a version restored.
        ([("A", "a"), ("B", "a"), ("A", "a")], None),
        ([("A", "a"), ("B", "b"), ("C", "b"), ("B", "b")], None),
        ([("A", "a"), ("B", "a"), ("C", "a"), ("B", "a")], "en"),
    ],
)
def test_which_language_is_behind(versions: list[Texts], behind: str | None) -> None:
    assert outdated(*versions) == behind
    mirrored = [(english, swedish) for swedish, english in versions]
    assert outdated(*mirrored) == {"sv": "en", "en": "sv", None: None}[behind]


# --- In the database ------------------------------------------------------------------------------


def edit(write: Callable[[], object]) -> None:
    with edits.record():
        write()


def make_event(**texts: str) -> Event:
    area = Area.objects.get_or_create(name="Torget")[0]
    return Event.objects.create(title="Jazz", area=area, type=EventType.other(), **texts)


def write(event: Event, **texts: str) -> None:
    edit(lambda: Event.objects.filter(pk=event.pk).update(**texts))


def list_fields() -> list[str]:
    [found] = [each for each in build_survey(festival_time()).found if each.kind.key == "one-language"]
    return [link.field for problem in found.problems for link in problem.links]


@pytest.mark.django_db
def test_one_problem_for_a_row_leads_to_the_text_that_was_left(settings) -> None:
    settings.LANGUAGE_CODE = "en"
    event = make_event(intro_sv="A", intro_en="a", description_sv="X", description_en="x")
    write(event, intro_sv="B", description_en="y", price="10 kr")
    [found] = [each for each in build_survey(festival_time()).found if each.kind.key == "one-language"]
    [problem] = found.problems
    assert str(problem.detail) == "description in Swedish, intro in English"
    assert (problem.links[0].row, problem.links[0].field) == (("event", event.pk), "description_sv")
    write(event, intro_en="b", description_sv="Y")
    assert list_fields() == []


@pytest.mark.django_db
def test_every_text_in_two_languages_is_looked_at_in_one_query(django_assert_num_queries) -> None:
    location = Location.objects.create(name="Huset", accessibility_sv="Ramp", accessibility_en="Ramp")
    Location.objects.filter(pk=location.pk).update(accessibility_sv="Hiss")
    with django_assert_num_queries(1):
        found = load_outdated_texts(dict.fromkeys(TITLES))
    assert [(key, each.text, each.language) for key, [each] in found.items()] == [
        (("location", location.pk), "accessibility", "en")
    ]


@pytest.mark.django_db
def test_what_one_save_did_is_as_it_should_be() -> None:
    # An import writes a row once, and what belongs to it afterwards.
    def make() -> None:
        event = make_event(intro_sv="A", intro_en="a")
        Event.objects.filter(pk=event.pk).update(intro_sv="B")
        Event.objects.filter(pk=event.pk).update(intro_sv="C")

    edit(make)
    assert list_fields() == []
    # So is an edit that writes a row more than once.
    event = Event.objects.get()

    def change() -> None:
        Event.objects.filter(pk=event.pk).update(intro_sv="D")
        Event.objects.filter(pk=event.pk).update(intro_en="d")

    edit(change)
    assert list_fields() == []
    # What was deleted and came back is as it was, and what is missing is not behind.
    write(event, intro_sv="E")
    write(event, intro_en="")
    assert list_fields() == []
    edit(lambda: Event.objects.filter(pk=event.pk).delete())
    edit(event.save)
    assert list_fields() == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_behind_in_a_programme_that_was_read_from_a_fixture(sample: None, tmp_path) -> None:
    path = str(tmp_path / "programme.json")
    call_command("dumpdata", "programme.event", output=path, verbosity=0)
    Event.objects.filter(pk=JAZZ).update(intro_sv="Annat.", intro_en="Other.")
    call_command("loaddata", path, verbosity=0)
    assert list_fields() == []
