"""Who may import what: rights, areas, drafts."""

import pytest
from django.contrib.auth.models import Permission, User

from programme.backoffice.roles import Role
from programme.models import (
    Area,
    Event,
    Location,
)
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_preview,
    build_sheet,
    create_user_in_role,
    refusals_on,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("held", [[], ["view_event"], ["add_event"], ["change_event"]])
def test_importing_takes_the_rights_to_add_and_change(client, held):
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=held))
    client.force_login(user)
    assert client.get("/admin/import/").status_code == 403
    assert upload(client, build_sheet(*ROWS)).status_code == 403


def test_an_area_editor_imports_into_their_areas_only(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    mine = [ROWS[0].replace("Fri", "5 kr"), ROWS[1], "Nytt;Parken;Scen;2026-09-15;19;20;"]
    others = ["Mässa;Hamnen;;2026-09-14;19;20;99 kr", "Ny mässa;Hamnen;;2026-09-14;19;20;"]
    unknown = ["Ny plats;Parken;Nya scenen;2026-09-15;19;20;", "Konsert;Annan;;2026-09-14;19;20;"]
    page = show_preview(
        client, build_sheet(*mine, *others, *unknown), new_events="published", withdraw_missing="on"
    )
    assert refusals_on(page) == [
        ("Mässa", "You may not change this event."),
        ("Ny mässa", "You may not put events into this area."),
        ("Ny plats", "There is no location “Nya scenen”, and you may not add it."),
        ("Konsert", "You may not put events into this area."),
    ]
    apply_preview(client, page)
    assert list(Event.objects.order_by("title").values_list("title", "price", "status", "area__name")) == [
        ("Fest", "5 kr", "published", "Parken"),
        ("Konsert", "50 kr", "published", "Parken"),
        ("Mässa", "10 kr", "published", "Hamnen"),
        ("Nytt", "", "draft", "Parken"),
    ]
    assert set(Area.objects.values_list("name", flat=True)) == {"Parken", "Hamnen"}
    assert set(Location.objects.values_list("name", flat=True)) == {"Scen"}


def test_an_editor_imports_drafts_and_publishes_nothing(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS), new_events="draft"))
    text = (
        client.get(f"{EXPORT}?format=csv&drafts=on")
        .getvalue()
        .decode("utf-8-sig")
        .replace("draft", "published")
    )
    client.force_login(create_user_in_role(Role.EDITOR))
    page = show_preview(client, text.replace("50 kr", "70 kr").encode(), source="")
    apply_preview(client, page)
    assert set(Event.objects.values_list("title", "status", "price")) == {
        ("Fest", "draft", "Fri"),
        ("Konsert", "draft", "70 kr"),
    }
