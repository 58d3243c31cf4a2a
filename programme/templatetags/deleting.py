"""What the pages that confirm a deletion say of what is published."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.template import Context

from programme.api.instant import get_instant
from programme.backoffice.rights import rights_of

register = template.Library()


@register.inclusion_tag("admin/programme/instead_of_deleting.html", takes_context=True)
def instead_of_deleting(context: Context, rows: Iterable[Any]) -> dict[str, Any]:
    """Say what readers lose, and offer to cancel or withdraw by the actions of the list."""
    # Every process with templates loads this library, also those for readers.
    from programme.backoffice.admin.deleting import find_published  # noqa: PLC0415

    request = context["request"]
    return {
        "published": find_published(list(rows), rights_of(request.user), get_instant(request)),
        "opts": context["opts"],
        "name": ACTION_CHECKBOX_NAME,
    }


@register.filter
def as_list(row: Any) -> list[Any]:
    return [row]
