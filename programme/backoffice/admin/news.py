"""News for readers in the form of an event."""

from typing import Any

from django.contrib import admin, messages
from django.forms import Script
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from feeds.marks import Mark
from feeds.wording import format_former
from programme.api.instant import get_instant
from programme.backoffice.admin.base import fold
from programme.backoffice.admin.permissions import RightsAdmin, require_saved
from programme.backoffice.admin.reader_messages import describe_what_readers_see
from programme.backoffice.changes.messages import say_instead
from programme.backoffice.dates import format_day_and_time, format_moment
from programme.backoffice.forms.base import is_in_english
from programme.backoffice.forms.doubts import name_some
from programme.backoffice.forms.named import save_named
from programme.backoffice.forms.news import NEWS
from programme.history import edits
from programme.models import Event, Occasion, Status
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time
from programme.models.telling import Telling
from programme.publishing.news_reader import read_marks

# So many marked occasions are named in the form of their event.
MOST_NAMED = 20


class NewsAdmin(RightsAdmin):
    """A form with the fields of news, of what is published."""

    class Media:
        js = [Script("programme/news.js", type="module"), Script("programme/lengths.js", type="module")]

    def get_form(self, *args: Any, **kwargs: Any) -> Any:
        form: Any = super().get_form(*args, **kwargs)
        form.instant = get_instant(args[0])
        return form

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if row := kwargs.get("obj"):
            instant = get_instant(request)
            rows = [form for each in context["inline_admin_formsets"] for form in each.formset.initial_forms]
            # One that is gone has no end.
            ended = [(each.instance.pk, each.instance.end) for each in rows]
            context["ahead"] = [key for key, end in ended if end and end > instant]
            if is_published(row):
                # The form's script says what readers are told once something of these is changed.
                context["news_from"] = festival_time().day_of(instant)
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        require_saved(request, obj)
        save_named(obj)
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        telling = self.set_telling(form, formsets)
        instant = get_instant(request)
        if telling.note and not form.instance.occasions.filter(end__gt=instant).exists():
            messages.warning(request, _("Readers were told nothing: it is over."))
        say_instead(request, describe_what_readers_see(request, form.instance, form.changed_data))

    def set_telling(self, form: Any, formsets: Any) -> Telling:
        """Let the note be about the occasions that were changed, or else about all."""
        rows = [each for formset in formsets for each in formset.initial_forms if each.has_changed()]
        changed = [each.instance.pk for each in rows if isinstance(each.instance, Occasion)]
        every = list(form.instance.occasions.order_by().values_list("pk", flat=True))
        telling: Telling = form.build_telling([key for key in changed if key in every] or every)
        edits.set_telling(telling)
        return telling

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets: Any = super().get_fieldsets(request, obj)
        fields: list[Any] = []
        if obj and is_published(obj):
            fields += ["readers_see"] if find_marks(obj) else []
            asked = NEWS if is_in_english() else NEWS[:-1]
            fields += [asked] if self.has_change_permission(request, obj) else []
        return [*fieldsets, fold(_("News for readers"), *fields, classes=("news",))] if fields else fieldsets

    @admin.display(description=_("What readers see now"))
    def readers_see(self, row: Event) -> str:
        marks = name_some(find_marks(row), MOST_NAMED, lambda mark: describe_mark(*mark))
        return format_html('<ul class="marks">{}</ul>', format_html_join("", "<li>{}</li>", zip(marks)))


def is_published(row: Event | Occasion) -> bool:
    event = row.event if isinstance(row, Occasion) else row
    return event.status == Status.PUBLISHED


def find_marks(row: Event) -> list[tuple[Occasion, Mark]]:
    """Return the occasions that readers see as changed, with their marks. Found once for each instance."""
    if "_marks" not in vars(row):
        occasions = list(row.occasions.order_by("start", "end", "id"))
        marks = read_marks(occasions)
        vars(row)["_marks"] = [(each, marks[each.pk]) for each in occasions if each.pk in marks]
    return vars(row)["_marks"]  # type: ignore[no-any-return]


def describe_mark(occasion: Occasion, mark: Mark) -> str:
    former = mark.previous_start, mark.previous_place
    moved = format_former(*former, occasion.start, festival_time(), editor_language())
    state = str(_("cancelled")) if occasion.cancelled else moved
    notes = dict.fromkeys((mark.change_info.sv, mark.change_info.en))
    news = ". ".join(filter(None, (state, " / ".join(filter(None, notes))))) or _("changed, without a note")
    day = format_day_and_time(occasion.start)
    told = format_moment(mark.changed_at) if mark.changed_at else ""
    return format_html("<strong>{}</strong>, {}: {}", day, told, news)
