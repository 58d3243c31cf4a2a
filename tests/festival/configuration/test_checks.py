"""System checks of the settings."""

import pytest
from django.core.checks import run_checks


def ids(**_settings):
    return [message.id for message in run_checks() if message.id.startswith("festival.")]


def test_the_defaults_are_right():
    assert ids() == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("BASE_URL", "programme.example.org", "festival.E001"),
        ("BASE_URL", "https://a b/", "festival.E001"),
        ("BASE_URL", "https://", "festival.E001"),
        ("KEPT_PROGRAMME", "/no/such/folder/programme.kept", "festival.E006"),
        ("KEPT_PROGRAMME", "/", "festival.E006"),
        ("KEPT_PROGRAMME", "programme.kept", "festival.E006"),
        ("ALERT_EMAIL", ["anna@kulturnatten.example", "foo"], "festival.E013"),
        ("WEBSUB_HUB", "hub.example.org", "festival.E007"),
        ("WEBSUB_HUB", "https://hub example/", "festival.E007"),
        ("WEBSUB_HUB", "https://hub.example/>;rel=x", "festival.E007"),
        ("WEBSUB_HUB", "ftp://hub.example/", "festival.E007"),
        ("WEBSUB_HUB", "http://localhost:8080/", "festival.E012"),
        ("WEBSUB_HUB", "http://10.0.0.5/", "festival.E012"),
        ("WEBSUB_HUB", "http://[::1]/", "festival.E012"),
        ("ALLOWED_PRIVATE_HOSTS", ["localhost", "http://hub.lan/"], "festival.E011"),
        ("ALLOWED_PRIVATE_HOSTS", ["hub.lan/"], "festival.E011"),
        ("TRUSTED_PROXIES", ["127.0.0.1", "proxy.example"], "festival.E008"),
        ("BASE_URL", "https://program.example?x=1", "festival.E001"),
        ("ALLOWED_HOSTS", ["https://program.example"], "festival.E009"),
        ("ALLOWED_HOSTS", ["localhost", "program.example:443"], "festival.E009"),
        ("DEFAULT_FROM_EMAIL", "Kulturnatten", "festival.E010"),
        ("WEB_PORT", 65536, "festival.E005"),
        ("IMPORT_ROWS", 0, "festival.E005"),
        ("OIDC_SERVER_URL", "login.example", "festival.E011"),
        ("SECURE_HSTS_SECONDS", -1, "festival.E005"),
        ("FESTIVAL_DAY_FIRST_HOUR", 24, "festival.E003"),
        ("OCCASION_URL_SV", "https://example.org/{slug}", "festival.E004"),
        ("OCCASION_URL_SV", "https://example.org/same-for-all", "festival.E004"),
        ("OCCASION_URL_EN", "/programme/{id}", "festival.E004"),
        ("OCCASION_URL_EN", "https://example.org/{id", "festival.E004"),
        ("OCCASION_URL_EN", "https://example.org/{}", "festival.E004"),
        ("REVISION_TRUST_MS", -1, "festival.E005"),
        ("ANSWERS_MB", -1, "festival.E005"),
        ("WEB_WORKERS", -1, "festival.E005"),
        ("WEB_THREADS", 0, "festival.E005"),
        ("DATABASE_CONNECT_TIMEOUT", 0, "festival.E005"),
    ],
)
def test_an_invalid_setting_is_an_error(settings, name, value, expected):
    setattr(settings, name, value)
    assert ids() == [expected]


@pytest.mark.parametrize(
    ("hub", "allowed"),
    [
        ("https://hub.example/", []),
        ("http://localhost/", ["localhost"]),
        ("http://[::1]:8080/", ["hub.lan", "::1"]),
    ],
)
def test_a_hub_is_right(settings, hub, allowed):
    settings.WEBSUB_HUB, settings.ALLOWED_PRIVATE_HOSTS = hub, allowed
    assert ids() == []


@pytest.mark.parametrize(
    "host", ["*", ".program.example", "program.example.", "10.0.0.1", "[::1]", "å.example"]
)
def test_a_host_is_right(settings, host):
    settings.ALLOWED_HOSTS = [host]
    assert ids() == []


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("BASEURL", ["BASEURL is not a setting. Did you mean BASE_URL?"]),
        ("datbase_url", ["datbase_url is not a setting. Did you mean DATABASE_URL?"]),
        ("TEST_DATABASE_URL", []),
        ("PORT", []),
    ],
)
def test_a_misspelt_variable_is_reported(monkeypatch, variable, expected):
    monkeypatch.setenv(variable, "x")
    found = [each for each in run_checks() if each.id == "festival.W010"]
    assert [f"{each.msg} {each.hint}" for each in found] == expected


def test_an_identity_provider_needs_both_of_its_secrets(settings):
    settings.OIDC_SERVER_URL = "https://login.example"
    assert ids() == ["festival.E011", "festival.E011"]
    settings.OIDC_CLIENT_ID = settings.OIDC_CLIENT_SECRET = "from the provider"
    assert ids() == []


@pytest.mark.parametrize("template", ["https://example.org/{id}", "https://example.org/{uuid}?e={event_id}"])
def test_a_template_with_an_identity_is_right(settings, template):
    settings.OCCASION_URL_SV = template
    assert ids() == []
