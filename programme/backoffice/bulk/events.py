"""What is done with many events: published or withdrawn, now or later, highlighted, put into another area."""

from functools import partial
from typing import Any

from django import forms
from django.db.models import Max, QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from programme.backoffice import schedule
from programme.backoffice.bulk.checks import warn_of_occasions
from programme.backoffice.bulk.operation import EventOperation
from programme.backoffice.forms.base import SubAreaField
from programme.backoffice.forms.doubts import list_doubts
from programme.backoffice.forms.schedule import MomentFields
from programme.backoffice.news.told import TOOK_BACK
from programme.changes.change import Plan
from programme.history import edits
from programme.models import Area, Event, EventType, Language, News, Occasion, Status, SubArea


class Publish(EventOperation):
    verb, reason = gettext_lazy("Publish"), gettext_noop("published events:")
    permission = right = "publish"
    values = {"status": Status.PUBLISHED}

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        drafts = Event.objects.filter(pk__in=[each.key for each in plan.written])
        texts = (
            ngettext(
                "%(count)d event is planned for later, and would be published now.",
                "%(count)d events are planned for later, and would be published now.",
                planned := drafts.filter(plan__missed="").count(),
            ),
            ngettext(
                "%(count)d event has no occasion yet, so readers do not see it.",
                "%(count)d events have no occasion yet, so readers do not see them.",
                unseen := drafts.filter(occasions=None).count(),
            ),
        )
        counted = zip(texts, (planned, unseen), strict=True)
        plan.warnings += [text % {"count": count} for text, count in counted if count]
        plan.warnings += list_doubts(drafts, self.instant)
        warn_of_occasions(plan, self.instant)
        self.pages = [each.row for each in plan.written]
        return plan


class Withdraw(EventOperation):
    """It also removes what readers were told, of drafts too, where that is ticked."""

    verb, label = gettext_lazy("Withdraw"), gettext_lazy("Withdraw (back to draft)")
    reason = gettext_noop("withdrew events:")
    permission = right = "publish"
    values = {"status": Status.DRAFT}

    forgets = forms.BooleanField(
        label=gettext_lazy("… and remove what readers were told"),
        required=False,
        help_text=gettext_lazy(
            "For what should never have been seen: no page or feed names it."
            " Undoing brings it back, but not what readers were told."
        ),
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        keys = [each.pk for each in self.rows]
        # Of which events readers have news, drafts too.
        self.told = set(News.objects.filter(event_id__in=keys).values_list("event_id", flat=True))
        public = Event.objects.filter(pk__in=keys, status=Status.PUBLISHED, occasions__isnull=False)
        if not public.exists():
            self.verb = self.fields["forgets"].label = gettext_lazy("Remove what readers were told")
            if not self.told:
                del self.fields["forgets"]

    def follows(self, row: Any) -> bool:
        return bool(self.cleaned_data.get("forgets")) and row.pk in self.told

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        if self.cleaned_data.get("forgets"):
            plan.follow = partial(self._forget, [each.row.pk for each in plan.done])
            plan.warnings.append(_("What readers were told is removed. Undoing does not bring it back."))
            if not plan.written:
                plan.reason, plan.detail = TOOK_BACK, ""
        return plan

    def _forget(self, keys: list[int], plan: Plan) -> None:
        edits.forget(keys, self.instant)
        if not plan.written:
            # The latest changes have who did it.
            edits.begin()


class PublishAt(MomentFields, EventOperation):
    """At a moment to come; without one, what was planned is planned no more."""

    verb, label = gettext_lazy("Publish at"), gettext_lazy("Publish at …")
    permission = right = "publish"
    asks, requires = True, False
    status = Status.PUBLISHED

    def clean(self) -> Any:
        cleaned = super().clean()
        if self.status == Status.PUBLISHED:
            drafts = [each.pk for each in self.rows if each.status != self.status]
            held = Occasion.objects.filter(event__in=drafts).order_by().values("event")
            self.refuse_after(held.annotate(last=Max("end")).values_list("last", flat=True))
        return cleaned

    def set(self, row: Any) -> None:
        """Nothing of it is a value of the event."""

    def follows(self, row: Any) -> bool:
        return row.status != self.status and bool(self.due or hasattr(row, "plan"))

    def build_plan(self) -> Plan:
        plan = super().build_plan()
        events = Event.objects.filter(pk__in=[each.row.pk for each in plan.done])
        plan.warnings.append(self.report(plan))
        if self.due and self.status == Status.PUBLISHED:
            if events.filter(occasions=None).exists():
                plan.warnings.append(_("What has no occasion by then is not published."))
            plan.warnings += list_doubts(events, self.instant)
            warn_of_occasions(plan, self.instant)
        plan.follow = partial(self._schedule, events)
        return plan

    def _schedule(self, events: Any, _plan: Plan) -> None:
        schedule.plan(events, self.status, self.due, self.rights.user)

    def report(self, plan: Plan) -> str:
        what = schedule.describe(self.due, self.status) or _("nothing is planned any more")
        text = ngettext("%(count)d event: %(what)s.", "%(count)d events: %(what)s.", len(plan.done))
        return text % {"count": len(plan.done), "what": what}


class WithdrawAt(PublishAt):
    verb, label = gettext_lazy("Withdraw at"), gettext_lazy("Withdraw at …")
    status = Status.DRAFT


class Highlight(EventOperation):
    verb, reason = gettext_lazy("Highlight"), gettext_noop("highlighted events:")
    values = {"highlighted": True}


class RemoveHighlight(EventOperation):
    verb = gettext_lazy("Remove highlight")
    reason = gettext_noop("removed the highlight of events:")
    values = {"highlighted": False}


def choose_from(queryset: QuerySet[Any], label: Any, kind: Any = forms.ModelChoiceField) -> Any:
    leave = gettext_lazy("leave as it is")
    return kind(queryset, label=capfirst(label), required=False, empty_label=leave)


class ChangeEvents(EventOperation):
    verb, reason, asks = gettext_lazy("Area, type, language"), gettext_noop("changed events:"), True

    area = choose_from(Area.objects.all(), gettext_lazy("area"))
    sub_area = choose_from(SubArea.objects.all(), gettext_lazy("sub area"), SubAreaField)
    type = choose_from(EventType.objects.all(), gettext_lazy("type"))
    added_type = choose_from(EventType.objects.all(), gettext_lazy("add the type"))
    removed_type = choose_from(EventType.objects.all(), gettext_lazy("remove the type"))
    language = choose_from(Language.objects.all(), gettext_lazy("language"))

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["area"].queryset = self.rights.assignable_areas()  # type: ignore[attr-defined]
        self.fields["sub_area"].queryset = self.rights.assignable_sub_areas()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        area, sub_area = cleaned.get("area"), cleaned.get("sub_area")
        if area and sub_area and sub_area.area_id != area.pk:
            self.add_error("sub_area", _("This sub area is not in the area chosen."))
        return cleaned

    def set(self, row: Any) -> None:
        """A sub area brings its area, and another area takes the sub area away."""
        further = row.types[1:]
        for name in filter(self.cleaned_data.get, ("area", "sub_area", "type", "language")):
            setattr(row, name, self.cleaned_data[name])
        if self.cleaned_data["sub_area"]:
            row.area = self.cleaned_data["sub_area"].area
        elif row.sub_area and row.sub_area.area_id != row.area_id:
            row.sub_area = None
        added, removed = self.cleaned_data["added_type"], self.cleaned_data["removed_type"]
        if added or removed:
            kept = [each for each in (row.type, *further, added) if each not in (None, removed)]
            row.types = kept or [EventType.other()]
