"""Settings that cannot be right are said at start."""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command


def ids(**_settings):
    return [message.id for message in run_checks() if message.id.startswith("festival.")]


def test_the_defaults_are_right():
    assert ids() == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("BASE_URL", "programme.example.org", "festival.E001"),
        ("FESTIVAL_TIME_ZONE", "Europe/Åsunda", "festival.E002"),
        ("FESTIVAL_TIME_ZONE", "/etc/passwd", "festival.E002"),
        ("FESTIVAL_DAY_FIRST_HOUR", 24, "festival.E003"),
        ("OCCASION_URL_SV", "https://example.org/{slug}", "festival.E004"),
        ("OCCASION_URL_SV", "https://example.org/same-for-all", "festival.E004"),
        ("OCCASION_URL_EN", "/programme/{id}", "festival.E004"),
        ("OCCASION_URL_EN", "https://example.org/{id", "festival.E004"),
        ("OCCASION_URL_EN", "https://example.org/{}", "festival.E004"),
        ("REVISION_TRUST_MS", -1, "festival.E005"),
        ("ANSWERS_MB", -1, "festival.E005"),
    ],
)
def test_a_setting_that_cannot_be_right_is_an_error(settings, name, value, expected):
    setattr(settings, name, value)
    assert ids() == [expected]


@pytest.mark.parametrize("template", ["https://example.org/{id}", "https://example.org/{uuid}?e={event_id}"])
def test_a_template_with_an_identity_is_right(settings, template):
    settings.OCCASION_URL_SV = template
    assert ids() == []


def test_a_secret_key_of_this_machine_is_a_warning_at_deployment(settings, tmp_path, capsys):
    settings.DATA_DIR = tmp_path
    (tmp_path / "secret-key").write_text("x")
    call_command("check", deploy=True)
    assert "festival.W001" in capsys.readouterr().err
