"""The preview shows what is kept here, with what the file states beside it."""

import pytest

from programme.backoffice.roles import Role
from programme.models import Event, Location, Occasion
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_preview,
    build_sheet,
    create_user_in_role,
    odd_on,
    preview_rows,
    show_preview,
)

pytestmark = pytest.mark.django_db

FEST, SECOND, KONSERT = ROWS


def test_the_time_and_the_place_that_are_kept_are_shown_with_the_files_beside_them(client, imported):
    konsert = Occasion.objects.get(event__title="Konsert")
    Occasion.objects.filter(pk=konsert.pk).update(start=konsert.start.replace(hour=16))
    garden = Location.objects.create(name="Trädgården")
    Occasion.objects.filter(event__title="Fest", start__day=12).update(location=garden)
    rows = preview_rows(show_preview(client, build_sheet(FEST, SECOND, KONSERT.replace("19;20", "17;20"))))
    assert (rows[1], rows[-1]) == (
        ("2", "left alone", "Sat 12 Sep 19:00–20:00, Trädgården", "in the file: Scen"),
        ("4", "left alone", "Mon 14 Sep 18:00–20:00", "in the file: Mon 14 Sep 17:00–20:00"),
    )


def test_what_was_deleted_in_another_area_is_listed_and_not_refused(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    gone = Event.objects.get(title="Mässa")
    client.post(f"/admin/programme/event/{gone.pk}/delete/", {"post": "yes"})
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr"))
    assert preview_rows(page)[-2] == ("5", "left deleted", "Mässa", "deleted here: it stays so")
    assert page.context["conflicts"] == []
    apply_preview(client, page, f"event-{gone.pk}-gone")
    assert not Event.objects.filter(title="Mässa").exists()


def test_a_file_of_which_nothing_is_known_is_remarked_on(client, imported):
    others = build_sheet("Yoga;Parken;;2026-09-14;20;21;")
    assert odd_on(show_preview(client, others)) == {"gone": "Much of the former version is gone: 3"}
    assert odd_on(show_preview(client, build_sheet(*ROWS, "Yoga;Parken;;2026-09-14;19;20;"))) == {}
