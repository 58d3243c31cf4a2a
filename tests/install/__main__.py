"""Follow docs/install.md and the Containerfile in a fresh Debian, and look at what they make: `make install-test`."""

import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.install import root as roots
from tests.install.containerfile import PATH as CONTAINERFILE
from tests.install.containerfile import read_steps, write_scripts
from tests.install.page import PAGE, Block, read_blocks
from tests.install.root import CommandError, RunningRoot

ROOT = Path(__file__).parents[2]
STAND_INS = Path(__file__).parent / "stand_ins"
DOMAIN = "program.example"

# What must hold afterwards: commands that fail if it does not.
CHECKS = {
    # The mail server of the page is a placeholder.
    "check --deploy reports nothing": "EMAIL_URL=smtp://localhost runuser -u festival -- festival check --deploy --fail-level WARNING",
    "http leads to https": f"curl -s -o /dev/null -w '%{{redirect_url}}' http://{DOMAIN}/en | grep -Fx https://{DOMAIN}/en",
    "every format answers": "\n".join(
        f"curl -fsS -o /dev/null https://{DOMAIN}/api/events.{extension}"
        for extension in ("json", "atom", "rss", "rss-wp", "ics", "ics-text", "bbcode", "qx1")
    ),
    "nginx reads static files and images": f"""
        path=$(curl -fsS https://{DOMAIN}/ | grep -o '/static/pages/pages[^"]*css' | head -n 1)
        curl -fsSI https://{DOMAIN}$path | grep -i immutable
        runuser -u festival -- sh -c 'cd /var/lib/festival/media && umask 027 && echo image > test.png'
        curl -fsSI https://{DOMAIN}/media/test.png | grep -i 'content-type: image/png'""",
    "no other user reads the secrets": """
        ! runuser -u nobody -- cat /etc/festival.env
        ! runuser -u www-data -- cat /etc/festival.env
        ! runuser -u nobody -- ls /var/lib/festival
        ! runuser -u nobody -- ls /var/lib/festival/media""",
    "the administrator's link leads to a form": f"""
        runuser -u festival -- festival user link anna | grep -o 'https://{DOMAIN}/admin/password/.*' > link
        curl -fsSL -c jar "$(cat link)" | grep new_password1""",
    "the programme is imported and exported": f"""
        printf 'Titel;Datum;Start;Slut;Område\\nYoga;2030-06-01;10:00;11:00;Parken\\n' > /tmp/programme.csv
        chmod 644 /tmp/programme.csv
        runuser -u festival -- festival import /tmp/programme.csv --source=programme
        # An address that nginx has no response of.
        curl -fsS https://{DOMAIN}/api/events.bbcode?area=Parken | grep Yoga""",
    "backups are made and restored": """
        for time in first second; do
            runuser -u festival -- festival backup
            runuser -u festival -- sh -c 'festival restore --replace "$(ls -t /var/lib/festival/backups/*.gz | head -n 1)"'
        done
        runuser -u festival -- festival export --format=csv | grep Yoga""",
    "a reload goes on serving": f"""
        systemctl reload festival
        systemctl reload festival-back-office
        curl -fsS -o /dev/null https://{DOMAIN}/
        curl -fsS -o /dev/null https://{DOMAIN}/admin/login/""",
    "many attempts to sign in are limited": f"""
        # Those that wait for their turn are given up.
        (seq 80 | xargs -P 80 -I {{}} curl -s --max-time 5 -o /dev/null -w '%{{http_code}}\\n' \\
            -d username=anna https://{DOMAIN}/admin/login/ || true) | grep 429
        curl -fsS -o /dev/null https://{DOMAIN}/admin/login/""",
}


def follow(root: RunningRoot, blocks: list[Block]) -> float:
    """Run the blocks in order; return how many seconds they took."""
    began = time.monotonic()
    for block in blocks:
        since = time.monotonic()
        out = root.run(STAND_IN[block.mark](block.commands) if block.mark else block.commands)
        say(f"{time.monotonic() - since:6.1f} s  {block.section}")
        if out.strip() and block.section in {"See that it works", "First administrator"}:
            say(out.rstrip())
    return time.monotonic() - began


def look(root: RunningRoot) -> Iterator[str]:
    """Yield what does not hold."""
    for name, commands in CHECKS.items():
        try:
            root.run(commands)
        except CommandError as error:
            say(f"   FAILS   {name}\n{error}")
            yield name
        else:
            say(f"   holds   {name}")


def _obtain_no_certificate(commands: str) -> str:
    assert "certbot certonly" in commands
    return (STAND_INS / "certificate.sh").read_text()


def _let_caddy_sign(commands: str) -> str:
    """Caddy gets no certificate here, and its port is nginx's."""
    signed = commands.replace(f"{DOMAIN} {{\n", f"{DOMAIN} {{\n\ttls internal\n")
    # systemd would have waited until it has started.
    signed = signed.replace("systemctl reload", "sleep 10\nsystemctl reload")
    look = f"curl -fsSk --retry 5 --retry-connrefused -o /dev/null https://{DOMAIN}/"
    return f"nginx -s stop\nsleep 1\n{signed}\n{look}"


STAND_IN: dict[str, Callable[[str], str]] = {"certificate": _obtain_no_certificate, "caddy": _let_caddy_sign}


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def prepare(folder: Path, base: Path | None) -> None:
    if base:
        # Not shutil, which would read device files.
        subprocess.run(["cp", "--archive", "--no-target-directory", base, folder], check=True)
    else:
        roots.make(folder)
    roots.configure(folder, [DOMAIN])
    shutil.copy(STAND_INS / "systemctl", folder / "usr/local/bin/systemctl")
    for place in ("root", "context"):
        shutil.copytree(ROOT / "dist", folder / place / "dist")


def follow_page(root: RunningRoot) -> list[str]:
    """Return what does not hold after the page's commands."""
    blocks = read_blocks(PAGE.read_text())
    seconds = follow(root, [block for block in blocks if block.mark not in {"caddy", "containers"}])
    say(f"{seconds:6.1f} s  in sum")
    failures = list(look(root))
    follow(root, [block for block in blocks if block.mark == "caddy"])
    return failures


def follow_containerfile(root: RunningRoot) -> list[str]:
    """Take the steps of the Containerfile; the database is SQLite."""
    scripts = list(write_scripts(read_steps(CONTAINERFILE.read_text())))
    for instruction, script in scripts:
        since = time.monotonic()
        if instruction == "CMD":
            root.run(f"({script}) > /var/log/festival.log 2>&1 &")
        elif instruction != "HEALTHCHECK":
            root.run(script)
        say(f"{time.monotonic() - since:6.1f} s  {instruction}")
    root.run(
        f"for second in $(seq 60); do {dict(scripts)['HEALTHCHECK']} 2>/dev/null && exit; sleep 1; done; false"
    )
    say("   holds   it is healthy")
    return []


PARTS = {"page": follow_page, "containerfile": follow_containerfile}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, help="a Debian root to copy instead of making one")
    parser.add_argument("--only", choices=PARTS, help="the page or the Containerfile")
    arguments = parser.parse_args()
    for name in [arguments.only] if arguments.only else PARTS:
        say(name)
        with TemporaryDirectory() as directory:
            folder = Path(directory, "root")
            prepare(folder, arguments.base)
            with roots.running(folder) as root:
                try:
                    failures = PARTS[name](root)
                except CommandError as error:
                    failures = [str(error)]
            log = folder / "var/log/festival.log"
            if failures:
                sys.exit(
                    "\n".join([*failures, "--- the service's log", log.read_text() if log.exists() else ""])
                )


if __name__ == "__main__":
    main()
