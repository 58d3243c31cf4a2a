"""An event is deleted while an editor writes it: the input is shown, and saved if the event is restored."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import AreaEditor, Event, Occasion
from tests.programme.backoffice.requests import (
    list_errors,
    parse,
    row_fields,
    submission,
    without_tokens,
    words,
)
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import NIGHT, TOMTEN

pytestmark = pytest.mark.usefixtures("at", "sample")

FORM = f"/admin/programme/event/{NIGHT}/change/"
TITLE = "🎷👩‍🎤 شعر Nattpoesi"


def fill_in(client: Client, **values: str) -> dict[str, Any]:
    """Return what is sent of the event's form, which is deleted before that."""
    sent = submission(client.get(FORM)) | values
    Event.objects.get(pk=NIGHT).delete()
    return sent


def read_differences(response: Any) -> dict[str, list[str]]:
    """Return what stands on the page, by the names of fields: as it was, and as it was typed."""
    assert response.status_code == 200
    page = parse(response)
    return {
        each.legend.get_text(): [value.get_text() for value in each.select(".value")]
        for each in page.select("fieldset.difference")
    }


def list_buttons(response: Any) -> list[str]:
    page = parse(response)
    return [each["name"] for each in page.select("#content-main [type=submit]")]


def test_what_was_typed_is_shown_and_restored_with_the_event_and_its_occasions(office: Client) -> None:
    occasions = list(Occasion.objects.filter(event=NIGHT).values_list("pk", "uuid"))
    new = row_fields("occasions", 1, day="2026-07-31", start_time="20:00", end_time="21:00")
    sent = fill_in(office, title="Natt", **{"occasions-0-end_time": "04:00"}, **new)
    sent["occasions-TOTAL_FORMS"] = "2"
    gone = office.post(FORM, sent)
    assert read_differences(gone) == {
        "Title": [TITLE, "Natt"],
        "Day, Start, End, End date": ["2026-07-29, 22:00, 03:00", "2026-07-29, 22:00, 04:00"],
        "You add it": ["2026-07-31, 20:00, 21:00, No"],
    }
    assert not Event.objects.filter(pk=NIGHT).exists()
    assert list_buttons(gone) == ["_restore"]
    kept = submission(gone)
    assert without_tokens(kept) == without_tokens(sent)
    saved = office.post(FORM, kept | {"_restore": "1"}, follow=True)
    assert next(str(message) for message in saved.context["messages"]) == "The earlier version is restored."
    event = Event.objects.get(pk=NIGHT)
    assert event.title == "Natt"
    assert list(event.occasions.values_list("pk", "uuid"))[:1] == occasions
    assert event.occasions.count() == 2


def test_what_another_had_saved_before_deleting_is_met_after_restoring(office: Client) -> None:
    sent = submission(office.get(FORM)) | {"title": "Mine"}
    Event.objects.filter(pk=NIGHT).update(title="Theirs")
    Event.objects.get(pk=NIGHT).delete()
    met = office.post(FORM, submission(office.post(FORM, sent)) | {"_restore": "1"})
    assert "Theirs" in read_differences(met)["Title"]
    assert Event.objects.get(pk=NIGHT).title == "Theirs"
    office.post(FORM, submission(met) | {"_choice-title": "mine"})
    assert Event.objects.get(pk=NIGHT).title == "Mine"


def test_what_cannot_be_saved_stands_in_the_form_of_what_is_restored(office: Client) -> None:
    sent = fill_in(office)
    assert "You had changed nothing." in office.post(FORM, sent).content.decode()
    sent |= {"title": "", "intro_sv": "Ny ingress"}
    again = office.post(FORM, submission(office.post(FORM, sent)) | {"_restore": "1"})
    assert list_errors(again) == {"title": ["This field is required."]}
    assert again.context["adminform"].form["intro_sv"].value() == "Ny ingress"
    assert Event.objects.get(pk=NIGHT).title == TITLE


@pytest.mark.parametrize("role", [Role.EDITOR, Role.AREA_EDITOR])
def test_who_may_not_restore_it_sees_what_was_typed_and_restores_nothing(role: Role) -> None:
    client = office_of(user_of(role))
    # It is published, and neither of them publishes.
    gone = client.post(FORM, fill_in(client, title="Natt"))
    assert read_differences(gone) == {"Title": [TITLE, "Natt"]}
    assert list_buttons(gone) == []
    client.post(FORM, submission(gone) | {"_restore": "1"})
    assert not Event.objects.filter(pk=NIGHT).exists()


@pytest.mark.parametrize("is_moved", [True, False])
def test_who_may_not_change_it_any_more_reads_why_and_what_was_typed(is_moved: bool) -> None:
    client = office_of(user_of(Role.AREA_EDITOR))
    typed = submission(client.get(FORM)) | {"title": "Natt"}
    if is_moved:
        Event.objects.filter(pk=NIGHT).update(area=TOMTEN, sub_area=None, price="1 kr")
        said = "This event was moved to the area Tomten, which you do not edit. Your areas: Ångtorget."
    else:
        AreaEditor.objects.update(area=TOMTEN)
        said = "You may look at this event, but not change it: it belongs to Ångtorget. Your areas: Tomten."
    refused = client.post(FORM, typed)
    assert refused.status_code == 403
    refused.status_code = 200
    assert read_differences(refused) == {"Title": [TITLE, "Natt"]}
    assert words(parse(refused).select_one("[role=status]")).startswith(said)
    assert Event.objects.get(pk=NIGHT).title == TITLE
    # Every other page of it says the same, and leads to what may be seen.
    preview, delete = (FORM.replace("change", page) for page in ("preview", "delete"))
    for page in (client.post(preview, typed), client.get(delete)):
        assert page.status_code == 403
        assert words(parse(page).select_one("#content p")) == said
        assert parse(page).select_one(".ways .default")["href"] == FORM


def test_who_could_not_have_written_it_is_told_nothing(office: Client) -> None:
    user = User.objects.create_user("bo", is_staff=True)
    assign_role(user, Role.AREA_EDITOR)
    AreaEditor.objects.create(user=user, area_id=TOMTEN)
    client = office_of(user)
    assert client.post(FORM, fill_in(office, title="Natt")).status_code == 302
    assert client.post("/admin/programme/event/99999/change/", {"title": "x"}).status_code == 302
