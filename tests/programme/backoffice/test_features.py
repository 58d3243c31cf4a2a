"""Features contribute addresses to the admin of a model, and context to its forms."""

from typing import Any

from django.contrib import admin
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import URLPattern, path

from programme.backoffice.admin.base import BackOfficeAdmin
from programme.backoffice.features import Feature
from programme.models import Event, Organizer


class Stamp(Feature):
    """Has an address, and refuses to open the form of row 13."""

    def get_urls(self) -> list[URLPattern]:
        return [path("stamp/", lambda _request: HttpResponse("stamped"), name="stamp")]

    def open_form(self, request: Any, key: str) -> HttpResponse | dict[str, Any]:  # noqa: ARG002 - a hook
        return HttpResponse("unlucky") if key == "13" else {"stamped": True}


class StampedAdmin(BackOfficeAdmin):
    feature_classes = [Stamp]


def test_addresses_of_features_come_before_those_of_django() -> None:
    urls = StampedAdmin(Organizer, admin.site).get_urls()
    assert [url.name for url in urls[:2]] == ["stamp", "programme_organizer_changelist"]


def test_feature_answers_instead_of_a_form() -> None:
    request = RequestFactory().get("/")
    assert StampedAdmin(Organizer, admin.site).changeform_view(request, "13").content == b"unlucky"


def test_event_admin_names_its_features() -> None:
    features = admin.site.get_model_admin(Event).features
    assert [type(feature).__name__ for feature in features] == [
        "History",
        "EditConflicts",
        "Presence",
        "RowEditing",
        "Warnings",
        "Duplication",
        "Export",
        "EditOffers",
    ]
