"""Measures exports of the whole programme as a sheet: when they begin, and the memory that they take."""

import time
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

EXPORT = "/admin/programme/event/export/"


def export(kind: str) -> dict[str, float]:
    """Return seconds to the first byte and the last, the file's megabytes, and those beyond the process."""
    client = Client(headers={"host": "127.0.0.1:8000"})
    client.force_login(User.objects.create_superuser(f"exporter of {kind}"))
    client.get(EXPORT)
    # Linux forgets the peak.
    Path("/proc/self/clear_refs").write_text("5")
    before, began = _megabytes("VmRSS"), time.perf_counter()
    response: Any = client.get(EXPORT, {"format": kind, "drafts": "on", "anyway": "on"})
    size, moments = 0, [began]
    for block in response:
        size += len(block)
        moments.append(time.perf_counter())
    if "attachment" not in response.headers.get("Content-Disposition", ""):
        raise SystemExit("There is no file")
    return {
        "first": moments[1] - began,
        "last": moments[-1] - began,
        "file": size / 1_000_000,
        "memory": _megabytes("VmHWM") - before,
    }


def _megabytes(name: str) -> float:
    """Return a figure of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith(name))
