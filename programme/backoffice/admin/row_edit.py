"""Rows of lists that are edited in place: a button in each, and the form that is fetched for it."""

import copy
from collections.abc import Callable
from functools import cached_property
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import URLPattern, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from programme.api.instant import get_instant
from programme.backoffice.admin.permissions import require_saved
from programme.backoffice.admin.reader_messages import describe_what_readers_see
from programme.backoffice.conflicts import three_way_diff
from programme.backoffice.conflicts.views import STATE, list_editors
from programme.backoffice.features import Feature, get_parts
from programme.backoffice.forms.news import Tell, tell_note
from programme.backoffice.forms.rows import EventRowForm, EventTimesForm, OccasionRowForm
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.rendering import lock_for_sent
from programme.backoffice.rights import rights_of
from programme.history import versions
from programme.models import Event, Occasion
from programme.models.telling import find_told

# The prefix of the times of an event's only occasion.
TIMES = "occasion"


class RowPart(NamedTuple):
    form_class: Any
    prefix: str
    row: Any


class RowEdit:
    """The row for one request, inside a transaction in which nobody else saves."""

    def __init__(self, model_admin: ModelAdmin, request: HttpRequest, row: Any) -> None:
        self.model_admin, self.request, self.row = model_admin, request, row
        self.data = request.POST.copy() if request.method == "POST" else None
        self.state = versions.find_state(type(row), row.pk, get_parts(model_admin))
        self.theirs: dict[str, str] = {}
        self.others: list[str] = []

    @cached_property
    def parts(self) -> list[RowPart]:
        """What the row has of an event: itself, and its occasion if there is one only."""
        form = EventRowForm if isinstance(self.row, Event) else OccasionRowForm
        fields = ["location", "room", "cancelled"]
        form_class = self.model_admin.get_form(self.request, self.row, change=True, form=form, fields=fields)
        own = RowPart(form_class, "", self.row)
        occasions = (
            list(self.row.occasions.select_related("event")[:2]) if isinstance(self.row, Event) else []
        )
        if len(occasions) != 1 or not rights_of(self.request.user).can("change", occasions[0]):
            return [own]
        return [RowPart(EventTimesForm, TIMES, occasions[0]), own]

    @cached_property
    def forms(self) -> list[Any]:
        return [self._build(part, self.data) for part in self.parts]

    def _build(self, part: RowPart, data: Any) -> Any:
        form = part.form_class(data, instance=copy.copy(part.row), prefix=part.prefix)
        form.instant = get_instant(self.request)
        if not self._may_publish:
            form.fields.pop("status", None)
        return form

    @cached_property
    def _may_publish(self) -> bool:
        event = self.row if isinstance(self.row, Event) else self.row.event
        return rights_of(self.request.user).can("publish", event)

    # --- What others have saved ------------------------------------------------------------------

    def find_conflicts(self) -> None:
        """Compare with what the row showed: what only others have changed is taken over, the rest is said."""
        assert self.data is not None  # noqa: S101 - it was sent
        sent = versions.parse_state(self.data.get(STATE, ""))
        if sent == self.state:
            return
        base_state = sent if len(sent) == len(self.state) else ()
        for part in self.parts:
            number = base_state[1 if part.prefix else 0] if base_state else 0
            base = versions.find_row_at(type(part.row), part.row.pk, number) if number else None
            self._compare(part, base)
        if self.theirs:
            edits = versions.find_edits_since(
                type(self.row), self.row.pk, get_parts(self.model_admin), base_state
            )
            self.others = list_editors(edits) if base_state else []

    def _compare(self, part: RowPart, base: Any) -> None:
        sent: dict[str, Any] = {"data": self.data, "files": {}}
        found = three_way_diff.find_differences(part.form_class, sent, part.prefix, base, part.row)
        now = self._build(part, None)
        groups = {now.add_prefix(names[0]): names for names in three_way_diff.group_fields(list(now.fields))}
        for difference in found:
            self.theirs[difference.key] = difference.theirs
            if not difference.both:
                names = groups[difference.key]
                three_way_diff.update_data(self.data, three_way_diff.encode_fields(now, names))  # type: ignore[arg-type]

    # --- Saving -----------------------------------------------------------------------------------

    def save(self) -> bool:
        """Save all of the row or nothing; return whether that is done."""
        if "status" in self.request.POST and not self._may_publish:
            raise PermissionDenied
        self.find_conflicts()
        # Of all of them: each shows its errors.
        if self.theirs or self._has_lost_times or any([form.errors for form in self.forms]):  # noqa: C419
            return False
        if any(form.has_changed() for form in self.forms):
            self._write()
            row = self.forms[-1].instance
            changed = {name for form in self.forms for name in form.changed_data}
            seen = describe_what_readers_see(self.request, row, changed)
            saved = seen or _("Saved: %(row)s") % {"row": row}
            self.model_admin.message_user(self.request, saved, messages.SUCCESS)
        return True

    @property
    def _has_lost_times(self) -> bool:
        """Whether the event had one occasion when the row was shown, and has more or none now."""
        return self.data is not None and f"{TIMES}-day" in self.data and len(self.parts) == 1

    def _write(self) -> None:
        *times, own = self.forms
        if own.has_changed():
            self.model_admin.save_model(self.request, own.save(commit=False), own, change=True)
        for form in times:
            if form.has_changed():
                self._write_times(form, own)
        tell_note(own, get_instant(self.request))
        for feature in self.model_admin.features:  # type: ignore[attr-defined]
            feature.after_save(self.request, own.instance)

    def _write_times(self, form: Any, own: Any) -> None:
        occasion = form.save(commit=False)
        require_saved(self.request, occasion)
        instant = get_instant(self.request)
        own.tells_occasions |= bool(find_told([occasion], [], instant).occasions)
        own.sent_news.settle(Tell.OCCASIONS, is_told=own.tells_occasions).mark_row(occasion, instant)
        occasion.save()

    # --- Showing ----------------------------------------------------------------------------------

    def render(self) -> HttpResponse:
        context = {
            "opts": self.model_admin.opts,
            "row": self.row,
            "title": self.row.title if isinstance(self.row, Event) else self.row.event.title,
            # With what another editor has put there meanwhile.
            "fields": [(each, self.theirs.get(each.html_name)) for form in self.forms for each in form],
            "errors": [error for form in self.forms for error in form.non_field_errors()],
            "others": self.others,
            "is_conflict": bool(self.theirs),
            "has_lost_times": self._has_lost_times,
            "times_are_elsewhere": isinstance(self.row, Event) and len(self.parts) == 1,
            "state": versions.format_state(self.state),
        }
        refused = HTTPStatus.CONFLICT if self.theirs else HTTPStatus.UNPROCESSABLE_ENTITY
        status = HTTPStatus.OK if self.data is None else refused
        return TemplateResponse(self.request, "admin/programme/row_form.html", context, status=status)


class RowEditing(Feature):
    """The form of a row, which programme/static/programme/row-editing.js shows in its place."""

    def get_urls(self) -> list[URLPattern]:
        view = require_http_methods(["GET", "POST"])(self.row_view)
        return [self.path("<int:key>/row/", view, "row")]

    def row_view(self, request: HttpRequest, key: int) -> HttpResponse:
        lock_for_sent(request)
        row = self.model_admin.get_object(request, str(key))
        if row is None:
            return HttpResponse(_("Somebody has deleted it in the meantime."), status=HTTPStatus.GONE)
        if not self.model_admin.has_change_permission(request, row):
            raise PermissionDenied
        edit = RowEdit(self.model_admin, request, row)
        if request.method == "POST" and edit.save():
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return edit.render()


def build_edit_column(request: HttpRequest) -> Callable[[Event | Occasion], str]:
    """Return the last column of a list: the button that opens a row, where the user may change it."""
    rights, icon = rights_of(request.user), static("admin/img/icon-changelink.svg")
    label = _("Edit here: %(row)s")

    @admin.display(description=gettext_lazy("edit"), empty_value="")
    def edit(row: Event | Occasion) -> str:
        if not rights.can("change", row):
            return ""
        return format_html(
            '<button type="button" class="edit-row" data-address="{}" title="{}" aria-label="{}">'
            '<img src="{}" alt="" width="16" height="16"></button>',
            reverse(f"admin:programme_{row._meta.model_name}_row", args=[row.pk]),
            _("Edit here (F2)"),
            label % {"row": row},
            icon,
        )

    edit.__name__ = "edit"
    return edit
