"""The form of an event: optional fields, the status, and the news for readers."""

from functools import cache
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.forms.base import ProgrammeForm
from programme.backoffice.forms.doubts import ask_about_days, ask_about_title
from programme.backoffice.forms.news import NewsFields
from programme.backoffice.forms.schedule import PLANNED, PlannedFields
from programme.models import Event, EventType, Status
from programme.models.event_types import TYPES

_TEXTS = {
    f"{text}_{language}": AdminTextareaWidget(attrs={"rows": rows})
    for text, rows in (("intro", 3), ("description", 12))
    for language in ("sv", "en")
}


class StatusField(forms.ChoiceField):
    """The status that an event gets at once; without it, and of what is planned, it stays."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data) and data != PLANNED and super().has_changed(initial, data)


class EventAdminForm(NewsFields, ProgrammeForm):
    locked = {"status": _("You may neither publish nor withdraw events.")}

    class Meta:
        model = Event
        fields = ["type", *_TEXTS]
        widgets = _TEXTS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "title" in self.fields and not self.instance.pk:
            self.fields["title"].widget.attrs["autofocus"] = True
        if "status" in self.fields:
            self.fields["status"] = StatusField(
                label=capfirst(_("status")),
                choices=[*Status.choices, (PLANNED, "")],
                initial=Status.DRAFT,
                required=False,
            )
        if "type" in self.fields:
            self.fields["type"].required = False
            self.fields["type"].help_text = (
                "" if self.instance.type_id else _("Left empty it becomes “Other”.")
            )
        # One query for all of them.
        choices = cache(lambda: [("", "---------"), *((row.pk, str(row)) for row in EventType.objects.all())])
        for name in self.fields.keys() & {*TYPES}:
            field: Any = self.fields[name]
            field.choices = choices

    def clean_status(self) -> Any:
        sent = self.cleaned_data["status"]
        return self.instance.status if sent in {"", PLANNED} else sent

    def clean(self) -> Any:
        cleaned = super().clean()
        for name in ("image_focus_x", "image_focus_y"):
            if self.cleaned_data.get(name, "") is None:
                self.cleaned_data[name] = getattr(self.instance, name)
        return cleaned

    def save(self, commit: bool = True) -> Any:
        self.instance.types = self.instance.types or [EventType.other()]
        return super().save(commit)


class WholeEventForm(PlannedFields, EventAdminForm):
    """The form of an event on its own page, which also plans when it is published or withdrawn."""

    def _post_clean(self) -> None:
        super()._post_clean()
        # The admin sends them with it.
        rows = getattr(self.instance, "sent_rows", None)
        if not self.errors and rows and rows.is_valid():
            self._check_rows(rows.used)

    def _check_rows(self, rows: list[Any]) -> None:
        is_draft = self.instance.status == Status.DRAFT
        is_new = (self.plans and self.due) if is_draft else "status" in self.changed_data
        if is_draft and is_new and rows:
            self.refuse_after([max(row.instance.end for row in rows)])
        is_seen = not is_draft or self.due
        asked = [row for row in rows if is_new or (is_seen and "day" in row.changed_data)]
        if asked:
            ask_about_days(asked, self.instant, ~Q(event=self.instance.pk))
        ask_about_title(self, [row.instance.start for row in rows], is_new=bool(is_new))
