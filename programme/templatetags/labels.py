"""Cells of lists with the headings of their columns."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

register = template.Library()


@register.filter
def with_labels(cells: Iterable[SafeString], headers: list[dict[str, Any]]) -> Iterator[SafeString]:
    """Give each cell its column's heading as `data-label`."""
    for cell, header in zip(cells, headers, strict=False):
        opening, rest = cell.split(">", 1)
        # The heading of the tick boxes is a tick box.
        label = "" if "action-checkbox" in opening else capfirst(header["text"])
        # Both are parts of what Django has escaped.
        yield format_html('{} data-label="{}">{}', mark_safe(opening), label, mark_safe(rest))  # noqa: S308
