"""What docs/install.md says can be run: the short form of `make install-test`, which follows the page."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import trustme
from django.core.management import get_commands

from festival import __version__
from tests.install.page import PAGE, read_blocks

TEXT = PAGE.read_text()
BLOCKS = read_blocks(TEXT)
FILES = {path: content for block in BLOCKS for path, content in block.files.items()}
# Outside the PATH of ordinary users.
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")


def test_every_block_of_commands_is_read():
    assert len(BLOCKS) == TEXT.count("```sh\n")
    assert [each.mark for each in BLOCKS if each.mark] == ["certificate", "caddy", "containers", "containers"]
    assert len(FILES) == 7


def test_it_installs_the_version_that_the_changelog_begins_with():
    assert set(re.findall(r"festival(?:_programme)?-(\d+\.\d+\.\d+)", TEXT)) == {__version__}
    changelog = (PAGE.parents[1] / "CHANGELOG.md").read_text()
    assert re.findall(r"(?m)^## (.*)$", changelog)[0] == __version__


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.section)
def test_a_block_is_a_valid_script(block):
    subprocess.run(["bash", "-n"], input=block.commands, text=True, check=True)


def test_the_commands_of_the_service_exist():
    named = set(re.findall(r"(?:-- |`|bin/)festival ([a-z]+)\b", TEXT))
    assert named >= {"check", "migrate", "serve", "user"}
    assert named - set(get_commands()) == set()


def test_the_settings_are_settings():
    documented = re.findall(r"`(\w+)`", (PAGE.parent / "settings.md").read_text())
    named = re.findall(r"^(\w+)=", FILES["/etc/festival.env"], re.MULTILINE)
    assert set(named) - set(documented) == set()


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
def test_nginx_accepts_its_files(tmp_path):
    certificate = trustme.CA().issue_cert("program.example")
    live = tmp_path / "live/program.example"
    live.mkdir(parents=True)
    certificate.cert_chain_pems[0].write_to_path(live / "fullchain.pem")
    certificate.private_key_pem.write_to_path(live / "privkey.pem")
    sites = "".join(content for path, content in FILES.items() if "nginx" in path)
    for former in ("/etc/letsencrypt", "/var/cache/nginx"):
        sites = sites.replace(former, str(tmp_path))
    # Its own ports, because this test may not use those of the page.
    sites = re.sub(r"listen (\[::\]:)?(80|443)", r"listen unix:" + str(tmp_path) + r"/\2", sites)
    sites = re.sub(r"(listen unix:\S+/\d+[^;]*;)\n\s*\1", r"\1", sites)
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {sites} }}"
    )
    tested = subprocess.run(
        [NGINX, "-t", "-q", "-e", "stderr", "-p", tmp_path, "-c", configuration],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (tested.returncode, tested.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path):
    units = {Path(path).name: content for path, content in FILES.items() if "systemd" in path}
    for name, text in units.items():
        # What systemd looks for on this machine.
        here = text.replace("/opt/festival/bin/festival", sys.executable)
        (tmp_path / name).write_text(here.replace("User=festival", "User=www-data"))
    command = ["systemd-analyze", "verify", *(tmp_path / name for name in units)]
    verify = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in verify.stderr.splitlines() if "festival" in line] == []
