"""The export page of the back office: it gives each kind of file, to those who may see the events."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils.translation import override

from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import select_events
from programme.models import Event
from tests.programmes import MARATHON, PARKEN, occasion_uuid

pytestmark = pytest.mark.django_db


def address() -> str:
    return reverse("admin:programme_event_export")


def test_the_list_of_events_leads_to_the_page(admin_client, sample):
    assert address() in admin_client.get(reverse("admin:programme_event_changelist")).content.decode()


def test_the_page_offers_each_kind(admin_client, sample):
    page = admin_client.get(address()).content.decode()
    for export in EXPORTS.values():
        assert f"<strong>{export.label}</strong>" in page


@pytest.mark.parametrize("name", EXPORTS)
def test_the_file_is_what_the_command_writes(name, admin_client, sample, at):
    answer = admin_client.get(address(), {"format": name, "drafts": "on", "language": "en"})
    with override(answer.headers["Content-Language"]):
        assert answer.content == EXPORTS[name].write(select_events(drafts=True), "en")
    assert answer.headers["Content-Type"] == EXPORTS[name].media_type
    assert "private" in answer.headers["Cache-Control"]
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="programme-2026-07-29.{EXPORTS[name].extension}"'
    )


def test_drafts_and_other_areas_are_left_out_unless_asked_for(admin_client, sample):
    content = admin_client.get(address(), {"format": "ical", "area": PARKEN}).content.decode()
    here = Event.objects.get(pk=MARATHON).occasions.values_list("uuid", flat=True)
    assert all(str(uuid) in content for uuid in here)
    assert str(occasion_uuid(8001)) not in content
    assert str(occasion_uuid(8017)) not in admin_client.get(address(), {"format": "ical"}).content.decode()


def test_a_text_that_is_too_long_for_excel_is_told_beside_the_format(admin_client, sample):
    Event.objects.filter(pk=MARATHON).update(description_sv="å" * 33_000)
    page = admin_client.get(address(), {"format": "xlsx"}).content.decode()
    assert "errorlist" in page
    assert "Åtta ångbåtar" in page


def test_an_unknown_format_is_refused_beside_the_formats(admin_client, sample):
    answer = admin_client.get(address(), {"format": "doc"})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


@pytest.mark.parametrize(("right", "status"), [("view_event", 200), ("view_area", 403)])
def test_who_may_not_see_events_may_not_export_them(right, status, client, sample):
    user = User.objects.create_user("reader", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename=right))
    client.force_login(user)
    assert client.get(address()).status_code == status
    assert client.get(address(), {"format": "ical", "drafts": "on"}).status_code == status
