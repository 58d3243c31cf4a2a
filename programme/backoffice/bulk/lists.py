"""Putting many events or occasions on a list for readers, perhaps a new one, and taking them off."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from programme.backoffice.bulk.operation import Operation
from programme.backoffice.changes.wording import ADDED, REMOVED
from programme.changes.change import Change, Plan
from programme.history.versions import CREATED, DELETED
from programme.models import Event, ListItem, Occasion, OccasionList


class ListOperation(Operation):
    permission, asks = "pick", True

    chosen = forms.ModelChoiceField(
        OccasionList.objects.all(), label=capfirst(gettext_lazy("list")), empty_label="–"
    )

    # What is done with items, and what is said of it.
    kind = CREATED
    told: Any = ngettext_lazy("%(count)d put on %(list)s.", "%(count)d put on %(list)s.", "count")

    @classmethod
    def load(cls, model: Any, keys: list[int], instant: Any) -> list[Any]:  # noqa: ARG003 - as of others
        order = "title__in_order" if model is Event else "start"
        return list(model.objects.filter(pk__in=keys).order_by(order, "pk"))

    @property
    def column(self) -> str:
        return "event" if isinstance(self.rows[0], Event) else "occasion"

    def count(self, plan: Plan) -> int:
        return sum(each.model is ListItem and each.kind == self.kind for each in plan.done)

    def report(self, plan: Plan) -> str:
        """Return how many rows it was done with, with a link to the list."""
        address = reverse("admin:programme_occasionlist_change", args=[self.shown.pk])
        link = format_html('<a href="{}">{}</a>', address, self.shown)
        return format_html(escape(self.told % {"count": self.count(plan), "list": "{}"}), link)

    @property
    def shown(self) -> OccasionList:
        found: OccasionList = self.cleaned_data["chosen"]
        return found


class PutOnList(ListOperation):
    verb, reason = gettext_lazy("Put on a list"), ADDED

    new = forms.CharField(
        label=gettext_lazy("Or on a new list, called"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Readers see it once it is published."),
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["chosen"].required = False
        if not self.rights.has_permission("add_occasionlist"):
            del self.fields["new"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if new := cleaned.get("new"):
            if cleaned.get("chosen"):
                self.add_error("new", _("Choose a list or name a new one, not both."))
            cleaned["chosen"] = OccasionList(title_sv=new)
            try:
                cleaned["chosen"].clean()
            except ValidationError as refused:
                self.add_error("new", refused.messages)
        return cleaned

    def build_plan(self) -> Plan:
        new = [] if self.shown.pk else [Change.of(None, self.shown)]
        known = set() if new else set(self.shown.items.values_list(self.column, flat=True))
        added = [Change.of(None, ListItem(on_list=self.shown, **{self.column: each})) for each in self.rows]
        for row, change in zip(self.rows, added, strict=True):
            change.after = None if row.pk in known else change.after
        return self.finish([*new, *added], self.shown.title_sv)


class TakeFromList(ListOperation):
    verb, reason, kind = gettext_lazy("Take from a list"), REMOVED, DELETED
    told = ngettext_lazy("%(count)d taken from %(list)s.", "%(count)d taken from %(list)s.", "count")

    def build_plan(self) -> Plan:
        """Occasions that their whole event has put there are taken off, too, and its others stay."""
        keys, items = {each.pk for each in self.rows}, self.shown.items.all()
        taken = list(items.filter(**{f"{self.column}__in": keys}))
        added: list[ListItem] = []
        if self.column == "occasion":
            whole = list(items.filter(event__in={each.event_id for each in self.rows}))
            taken += whole
            others = Occasion.objects.filter(event__in=[each.event_id for each in whole])
            listed = items.exclude(occasion=None).values_list("occasion", flat=True)
            staying = others.exclude(pk__in=keys | set(listed)).order_by("start", "pk")
            added = [ListItem(on_list=self.shown, occasion=each) for each in staying]
        changes = [Change.of(each, None) for each in taken] + [Change.of(None, each) for each in added]
        return self.finish(changes, self.shown.title_sv)
