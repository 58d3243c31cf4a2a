"""The container recipe takes the page's steps; `make install-test` runs them."""

import re
from pathlib import Path

import pytest
import yaml

from festival import __version__, settings
from tests.install.containerfile import PATH, read_steps, write_scripts
from tests.install.page import PAGE, read_blocks

SITE = "/etc/nginx/sites-available/festival"
STEPS = read_steps(PATH.read_text())
COMPOSE = yaml.safe_load((PATH.parent / "compose.yaml").read_text())


def test_every_instruction_is_one_that_the_test_runs_or_one_that_runs_nothing():
    instructions = " ".join(step.instruction for step in STEPS)
    assert instructions == "FROM RUN RUN COPY RUN ENV USER WORKDIR VOLUME EXPOSE HEALTHCHECK CMD"
    scripts = dict(write_scripts(STEPS))
    assert scripts["CMD"] == (
        "runuser -u festival -- env PATH=/opt/festival/bin:/usr/local/bin:/usr/bin:/bin DATA_DIR=/var/lib/festival"
        " WEB_HOST=0.0.0.0 sh -ec 'cd /var/lib/festival && exec festival serve --migrate'"
    )
    assert "urlopen" in scripts["HEALTHCHECK"]


def test_it_installs_as_the_page_does():
    page = " ".join(block.commands for block in read_blocks(PAGE.read_text()))
    installs = [
        part.strip() for step in STEPS for part in step.arguments.split("&&") if "pip install" in part
    ]
    for other, own in (
        ("--no-cache-dir ", ""),
        ("/tmp/", ""),  # noqa: S108 - in the container
        ("/opt/festival/", f"/opt/festival-{__version__}/"),
        ("programme-*", f"programme-{__version__}-*"),
    ):
        installs = [each.replace(other, own) for each in installs]
    assert [each in page for each in installs] == [True, True]


def test_what_is_copied_is_not_ignored():
    ignored = (PATH.parent / ".containerignore").read_text()
    assert ignored == "*\n!dist/*.whl\n!dist/runtime.lock\n"
    assert (PATH.parent / ".dockerignore").read_text() == ignored


def test_the_composition_has_its_secrets_in_files():
    assert list(COMPOSE["services"]) == ["festival", "back-office", "database", "nginx", "caddy"]
    used = list(
        dict.fromkeys(name for service in COMPOSE["services"].values() for name in service.get("secrets", []))
    )
    assert {name: secret["file"] for name, secret in COMPOSE["secrets"].items()} == {
        name: f"secrets/{name}" for name in used
    }
    written = [block for block in read_blocks(PAGE.read_text()) if block.mark == "containers"]
    assert [Path(each).name in written[0].commands for each in used] == [True, True]


def test_its_nginx_has_the_locations_and_limits_of_the_page():
    page = next(block.files[SITE] for block in read_blocks(PAGE.read_text()) if SITE in block.files)
    own = COMPOSE["configs"]["nginx"]["content"].replace("$$", "$")
    for begin, end in (
        ("proxy_cache_path", "# Each address several"),
        ("    server_tokens", "    location /static/"),
    ):
        assert page[page.index(begin) : page.index(end)].strip() in own


def test_caddy_passes_no_header_on_that_wsgi_takes_for_the_one_with_the_clients_address():
    # WSGI knows no difference between - and _ in a header's name; Caddy sets X-Forwarded-For itself.
    removed = re.findall(r"header_up -(\S+)\n", PAGE.read_text())
    assert removed == ["X_Forwarded_*", "X-Forwarded_*", "X_Forwarded-*"]


@pytest.mark.parametrize("name", COMPOSE["services"]["festival"]["environment"])
def test_its_settings_are_settings(name):
    assert hasattr(settings, name)
