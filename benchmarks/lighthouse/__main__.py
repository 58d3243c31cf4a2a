"""Measure the public pages of a running service with Lighthouse, and print a table in Markdown.

The service is `make serve` here, with a real programme and uploaded pictures (benchmarks/README.md).
One page of each kind is measured: those named here, and the first occasion, place and list of the sitemap.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.run import table

COMMAND = str(Path(__file__).parent / "node_modules" / ".bin" / "lighthouse")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
AUDITS = (
    "first-contentful-paint",
    "largest-contentful-paint",
    "cumulative-layout-shift",
    "total-byte-weight",
)
LEAST = {"performance": 0.95}
NAMED = (
    *("/", "/en/", "/?view=grid", "/?days=all", "/nytt", "/prenumerera", "/utvecklare", "/mitt-program"),
    *("/utvecklare/element", "/en/developers"),
)
# These ask search engines to leave them out.
NOT_INDEXED = ("/?view=grid", "/?days=all", "/mitt-program")
# Addresses in the sitemap of which one is as good as another.
KINDS = ("/tillfalle/", "/plats/", "/utvalt/")
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


def main(base_url: str, *paths: str) -> None:
    measured = paths or (*NAMED, *_find_kinds(base_url))
    reports = {path: _measure(f"{base_url}{path}") for path in measured}
    rows = [(f"`{path}`", *map(str, _read(report))) for path, report in reports.items()]
    table("Lighthouse, on a phone", ("", *CATEGORIES, *AUDITS), *rows)
    if failed := [line for path, report in reports.items() for line in _list_failures(path, report)]:
        sys.exit("\n".join(failed))


def _find_kinds(base_url: str) -> list[str]:
    connection = HTTPConnection(urlsplit(base_url).netloc)
    connection.request("GET", "/sitemap.xml")
    sitemap = connection.getresponse().read()
    paths = [urlsplit(each).path for each in re.findall("<loc>([^<]+)", sitemap.decode())]
    return [path for kind in KINDS for path in [path for path in paths if path.startswith(kind)][:1]]


def _measure(url: str) -> dict[str, Any]:
    options = ("--output=json", "--quiet", f"--only-categories={','.join(CATEGORIES)}")
    skipped = ["--skip-audits=is-crawlable"] if url.endswith(NOT_INDEXED) else []
    command = [COMMAND, url, *options, *skipped, "--chrome-flags=--headless --no-sandbox"]
    environment = os.environ | {"CHROME_PATH": CHROMIUM or ""}
    report = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE).stdout
    found: dict[str, Any] = json.loads(report)
    return found


def _read(report: dict[str, Any]) -> list[str]:
    scores = [f"{100 * report['categories'][each]['score']:.0f}" for each in CATEGORIES]
    return scores + [report["audits"][each].get("displayValue", "") for each in AUDITS]


def _list_failures(path: str, report: dict[str, Any]) -> list[str]:
    low = [each for each in CATEGORIES if report["categories"][each]["score"] < LEAST.get(each, 1)]
    return [f"{path}: {each}: {', '.join(_failed_audits(report, each))}" for each in low]


def _failed_audits(report: dict[str, Any], category: str) -> list[str]:
    audits = report["audits"]
    referred = report["categories"][category]["auditRefs"]
    weighed = [each["id"] for each in referred if each["weight"]]
    return [each for each in weighed if audits[each]["score"] is not None and audits[each]["score"] < 1]


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), *sys.argv[2:])
