"""System checks of the settings."""

import pytest
from django.core.checks import run_checks


def invalid() -> list[str]:
    """Return the names of the settings that are refused."""
    return [message.msg.split()[0] for message in run_checks() if message.id.startswith("festival.")]


def test_the_defaults_are_right():
    assert invalid() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASE_URL", "programme.example.org"),
        ("BASE_URL", "https://a b/"),
        ("BASE_URL", "https://"),
        ("TRUSTED_PROXIES", ["127.0.0.1", "proxy.example"]),
        ("BASE_URL", "https://program.example?x=1"),
        ("ALLOWED_HOSTS", ["https://program.example"]),
        ("ALLOWED_HOSTS", ["localhost", "program.example:443"]),
        ("OCCASION_URL_SV", "https://example.org/{slug}"),
        ("OCCASION_URL_SV", "https://example.org/same-for-all"),
        ("OCCASION_URL_EN", "/programme/{id}"),
        ("OCCASION_URL_EN", "https://example.org/{id"),
        ("OCCASION_URL_EN", "https://example.org/{}"),
    ],
)
def test_an_invalid_setting_is_an_error(settings, name, value):
    setattr(settings, name, value)
    assert invalid() == [name]


@pytest.mark.parametrize(
    "host", ["*", ".program.example", "program.example.", "10.0.0.1", "[::1]", "å.example"]
)
def test_a_host_is_right(settings, host):
    settings.ALLOWED_HOSTS = [host]
    assert invalid() == []


def test_an_identity_provider_needs_an_address_and_both_of_its_secrets(settings):
    settings.OIDC_SERVER_URL, settings.OIDC_CLIENT_ID = "https://login.example", "from the provider"
    assert invalid() == ["OIDC_SERVER_URL"]
    settings.OIDC_CLIENT_SECRET = "from the provider"
    assert invalid() == []
    settings.OIDC_SERVER_URL = "login.example"
    assert invalid() == ["OIDC_SERVER_URL"]


@pytest.mark.parametrize("template", ["https://example.org/{id}", "https://example.org/{uuid}?e={event_id}"])
def test_a_template_with_an_identity_is_right(settings, template):
    settings.OCCASION_URL_SV = template
    assert invalid() == []
