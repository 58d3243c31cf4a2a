"""Template tags of the back office: dates and times, cells of lists, undoing and deleting."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django import template
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME, Fieldset, InlineAdminFormSet
from django.contrib.admin.utils import flatten
from django.core.paginator import Page
from django.db.models import Q
from django.template import Context
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from programme.api.instant import get_instant
from programme.backoffice.admin.quick_facts import is_over, link_changes
from programme.backoffice.changes.messages import find_undo
from programme.backoffice.dates import format_moment
from programme.backoffice.news.told import describe_news
from programme.backoffice.problems.problem import TimeRange
from programme.backoffice.programme import EditorOccasion
from programme.changes.difference import Difference, format_span, format_times
from programme.changes.rights import rights_of
from programme.changes.undo import find_offered
from programme.history.batches import list_written_keys
from programme.models import Event, Occasion, Status
from programme.models.dates import format_day

register = template.Library()
register.filter("day", format_day)
register.filter("moment", format_moment)
register.filter("undone_by", find_undo)


@register.filter
def numbers(page: Page[Any]) -> Iterator[str | int]:
    """Return the numbers of pages to choose from: `1 2 … 9 10`."""
    return page.paginator.get_elided_page_range(page.number)


@register.filter
def clocks(span: TimeRange | EditorOccasion) -> str:
    """Return `22:00–03:00`."""
    return format_times(span.start, span.end)


@register.filter
def day_and_clocks(span: TimeRange | Occasion) -> str:
    """Return `fre 31 jul 22:00–03:00`."""
    return format_span(span.start, span.end)


@register.filter
def with_labels(cells: Iterable[SafeString], headers: list[dict[str, Any]]) -> Iterator[SafeString]:
    """Give each cell of a list its column's heading as `data-label`."""
    for cell, header in zip(cells, headers, strict=False):
        opening, rest = cell.split(">", 1)
        # The heading of the tick boxes is a tick box.
        label = "" if "action-checkbox" in opening else capfirst(header["text"])
        # Both are parts of what Django has escaped.
        yield format_html('{} data-label="{}">{}', mark_safe(opening), label, mark_safe(rest))  # noqa: S308


@register.filter
def small_letter(formset: Any) -> str:
    """Return Django's options of a formset; the button adds `another occasion`, not `another Occasion`."""
    options = json.loads(formset.inline_formset_data())
    name = str(formset.opts.verbose_name)
    options["options"]["addText"] = options["options"]["addText"].replace(capfirst(name), name)
    return json.dumps(options)


@register.filter
def list_columns(formset: InlineAdminFormSet) -> list[Any]:
    """Return the fields that have a column: what is in further fieldsets is folded in each row."""
    return list(formset.fields())[: len(flatten(formset.fieldsets[0][1]["fields"]))]


@register.filter
def is_filled(fieldset: Fieldset) -> bool:
    """Return whether anything in a fieldset is stated, or wrong."""
    return any(_is_filled(field) for line in fieldset for field in line)


@register.filter
def is_led_to(row: Any, request: Any) -> bool:
    """Return whether the address of an occasion has led to this row of its event's form."""
    return row is not None and request.GET.get("occasion") == str(row.pk)


def _is_filled(field: Any) -> bool:
    if field.is_readonly:
        return field.contents() not in {"", field.empty_value_display}
    return bool(field.field.errors or (field.field.value() and not field.is_checkbox))


@register.filter
def as_differences(fields: Iterable[tuple[str, str, str]]) -> list[Difference]:
    """Return the fields of a row of an import's preview, each with its name, its old and its new value."""
    return [Difference(*each) for each in fields]


@register.simple_tag(takes_context=True)
def may_undo(context: Context, edit: int) -> bool:
    """Return whether an edit wrote anything that the user may undo, and not a note alone."""
    return bool(list_written_keys(edit) and find_offered(rights_of(context["request"].user), [edit]))


@register.inclusion_tag("admin/programme/news/message.html", takes_context=True)
def news_of(context: Context, edit: int) -> dict[str, Any]:
    """Say what readers get of an edit."""
    return describe_news(edit, get_instant(context["request"]))


@register.simple_tag(takes_context=True)
def quick_links(context: Context, row: Any, owner: Any) -> str:
    """Return the buttons of what a row of an event's form can be marked as."""
    if not (isinstance(row, Occasion) and row.pk):
        return ""
    request = context["request"]
    # The same for all rows, which would each load it.
    row.event = owner
    is_asked = not is_over(row, get_instant(request))
    return link_changes(row, urlencode({"back": request.get_full_path()})) if is_asked else ""


@register.filter
def as_list(row: Any) -> list[Any]:
    return [row]


@register.inclusion_tag("admin/programme/instead_of_deleting.html", takes_context=True)
def instead_of_deleting(context: Context, rows: Iterable[Any]) -> dict[str, Any]:
    """Say what readers lose, and offer to cancel or withdraw by the actions of the list."""
    request = context["request"]
    rights, rows = rights_of(request.user), list(rows)
    shared = {"opts": context["opts"], "name": ACTION_CHECKBOX_NAME, "one": context.get("object")}
    model = type(rows[0]) if rows else None
    if model not in {Event, Occasion}:
        return shared
    of_rows = Q(**{"event__in" if model is Event else "pk__in": [row.pk for row in rows]})
    shown = Occasion.objects.filter(of_rows, event__status=Status.PUBLISHED).order_by()
    found = list(shown.values_list("event" if model is Event else "pk", "end"))
    keys = {key for key, _end in found}
    known = [row for row in rows if row.pk in keys]
    # Those that are not over, which alone are cancelled with their event.
    ahead = sum(end > get_instant(request) for _key, end in found)
    return shared | {
        "published": known,
        # All that is deleted.
        "rows": rows,
        "occasions": len(found),
        "ahead": ahead,
        "can_cancel": ahead > 0 and all(rights.can("change", row) for row in known),
        "can_forget": model is Event and rights.can_publish,
        "can_withdraw": model is Event and all(rights.can("publish", row) for row in known),
    }
