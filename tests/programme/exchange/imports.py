"""What an import wrote and reported, as tests compare it."""

import re

from django.db import models

from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import Contents
from programme.models import Revision


def values_of(model: type[models.Model], *fields: str) -> list[tuple]:
    return list(model.objects.order_by("id").values_list(*fields))


def current_revision() -> tuple:
    return Revision.objects.values_list("number", "moved_at").get()


def report_counts(report: str) -> dict[str, list[int]]:
    """Return the numbers of the report's table by kind."""
    rows = re.findall(r"^([a-z ]+?)((?: +[0-9]+){3,4}) *$", report, re.MULTILINE)
    return {kind: [int(number) for number in numbers.split()] for kind, numbers in rows}


def report_section(report: str, heading: str) -> list[str]:
    _before, _found, rest = report.partition(f"\n{heading} (")
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:]]


def read_xml(text: str) -> Contents:
    return read(text.encode(), "x.xml", build_import_defaults()).contents
