"""What every request passes through."""

from datetime import UTC

import pytest
from django.test import Client, RequestFactory
from django.utils import translation

from festival.http.middleware import RequestInstantMiddleware
from programme.models import Area
from programme.publishing.current import current
from tests.conftest import NOW, SetClock
from tests.programmes import make_sample


@pytest.mark.django_db
def test_the_back_office_leaves_its_language_to_nobody(client: Client) -> None:
    client.get("/admin/login/", headers={"Accept-Language": "en"})
    assert translation.get_language() == "en"
    client.get("/api/nothing", headers={"Accept-Language": "en"})
    assert translation.get_language() == "sv"


def test_a_request_is_handed_the_instant_at_which_it_came(at: SetClock) -> None:
    request = RequestFactory().get("/")
    instants = RequestInstantMiddleware(lambda passed: passed.instant)(request)
    assert instants == NOW
    assert instants.tzinfo == UTC


@pytest.mark.parametrize("path", ["/api/events.ics", "/api/nothing", "/", "/en/occasion/1", "/nothing"])
def test_public_answers_neither_read_nor_set_cookies(db, client, path):
    client.cookies.load({"sessionid": "abc", "csrftoken": "1"})
    response = client.get(path)
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")


def test_the_back_office_keeps_its_session(db, client):
    assert client.get("/admin/login/").cookies.keys() == {"csrftoken"}


@pytest.mark.django_db(transaction=True)  # PostgreSQL moves the revision once in a transaction
def test_a_save_is_seen_by_the_next_reader_of_the_process_however_long_it_trusts(settings, admin_client):
    settings.REVISION_TRUST_MS = 3_600_000
    make_sample()
    area = Area.objects.first()
    before = [each["name"] for each in Client().get("/api/areas").json()]
    page = f"/admin/programme/area/{area.pk}/change/"
    shown = admin_client.get(page).context
    form = shown["adminform"].form
    data = {name: form[name].value() or "" for name in form.fields} | {"name": "Nya torget"}
    data["_state"] = shown["state"]
    for formset in admin_client.get(page).context["inline_admin_formsets"]:
        data |= {f"{formset.formset.prefix}-TOTAL_FORMS": 0, f"{formset.formset.prefix}-INITIAL_FORMS": 0}
    assert admin_client.post(page, data).status_code == 302
    after = [each["name"] for each in Client().get("/api/areas").json()]
    assert after == ["Nya torget" if name == area.name else name for name in before]


@pytest.mark.parametrize("path", ["/api/areas", "/nothing", "/admin/login/nothing"])
def test_what_is_refused_lets_nobody_ask_the_database(db, client, settings, path):
    settings.REVISION_TRUST_MS = 3_600_000
    client.get("/api/areas")
    present = current.peek(NOW)
    assert client.post(path).status_code in {302, 403, 404, 405}
    assert current.peek(NOW) is present is not None
