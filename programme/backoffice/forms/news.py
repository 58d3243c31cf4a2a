"""News for readers: the fields that every form which moves or cancels has, and the marks that they set."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from feeds.vocabulary import Text
from programme.models import Event, Occasion
from programme.models.change_marks import NO_MOVE, NO_NOTE, ChangeMark, build_note, resolve_mark

# The names of the fields, in order.
NEWS = ("tell", "note", "note_en")
FALLBACK = _("Where one is empty, readers see the other. A new text in one language replaces both.")


class Tell(TextChoices):
    """What the news is about. Other marks stay as they are."""

    # As the rule has it that all ways of writing share (programme/models/telling.py), or of what a note says.
    DEFAULT = "", _("yes, if it is moved or cancelled")
    NOTHING = "nothing", _("no, only save")
    OCCASIONS = "occasions", _("yes, about these occasions")
    EVENT = "event", _("yes, about the whole event")
    CLEAR = "clear", _("no longer: remove what they see now")
    KEEP = "keep", _("no, and keep the note of what is reinstated")


@dataclass(frozen=True)
class News:
    """What the news is about, and the note; one that nobody has typed leaves rows those that they have."""

    tell: Tell = Tell.DEFAULT
    note: Text = NO_NOTE
    is_typed: bool = False
    # What of the note was typed: the rest stood there.
    typed: Text = field(default=NO_NOTE, compare=False)

    def settle(self, *, is_told: bool) -> "News":
        """Return what the default comes to for occasions that readers are told of, or are not."""
        if self.tell != Tell.DEFAULT:
            return self
        return replace(self, tell=Tell.OCCASIONS if is_told else Tell.NOTHING)

    @property
    def is_worded(self) -> bool:
        """Whether a note was typed, which is told even of what would be no news."""
        return self.is_typed and bool(self.note)

    @property
    def is_announced(self) -> bool:
        return self.tell in {Tell.OCCASIONS, Tell.EVENT}

    def mark(self, instant: datetime, *, occasions: Collection[int], events: Collection[int]) -> None:
        """Set the marks. Call it before a move is written: the database then keeps the previous start.

        `events` are those of the occasions. CLEAR removes the marks of all of them.
        """
        chosen, whole = Occasion.objects.filter(pk__in=occasions), Event.objects.filter(pk__in=events)
        if self.tell == Tell.OCCASIONS:
            chosen.update(**self.build_values(Occasion, instant))
        elif self.tell == Tell.EVENT:
            whole.update(**self.build_values(Event, instant))
        elif self.tell == Tell.CLEAR:
            chosen.clear_marks()
            whole.clear_marks()

    def mark_related(self, rows: Collection[Event | Occasion], instant: datetime) -> None:
        """Set the marks that go with those of rows: of their whole event, or, to remove all, of occasions."""
        if self.tell == Tell.EVENT:
            events = {row.event_id for row in rows if isinstance(row, Occasion)}
            Event.objects.filter(pk__in=events).update(**self.build_values(Event, instant))
        elif self.tell == Tell.CLEAR:
            whole = [row.pk for row in rows if isinstance(row, Event)]
            Occasion.objects.filter(event__in=whole).clear_marks()

    def mark_row(self, row: Event | Occasion, instant: datetime, *, reinstated: bool = False) -> None:
        """Set the mark of a row that is about to be saved."""
        for name, value in self.build_values(type(row), instant, reinstated=reinstated).items():
            setattr(row, name, value)

    def build_values(
        self, model: type[Event | Occasion], instant: datetime, *, reinstated: bool = False
    ) -> dict[str, Any]:
        """Return what to set in rows of a model, to write it together with what is changed in them."""
        note = self._build_note(reinstated=reinstated)
        if self.tell == (Tell.EVENT if model is Event else Tell.OCCASIONS):
            return {**note, "changed_at": instant}
        if self.tell == Tell.CLEAR:
            return {**build_note(NO_NOTE), "changed_at": None, **({} if model is Event else NO_MOVE)}
        return {} if any(note.values()) else note

    def _build_note(self, *, reinstated: bool) -> dict[str, Any]:
        """Return the note of a row; nothing where it keeps the one that it has.

        A note says why something was cancelled, which is not true any more of what is reinstated; KEEP
        leaves it.
        """
        if reinstated and self.tell != Tell.KEEP:
            return build_note(self.typed)
        return build_note(self.note) if self.is_typed or self.note else {}


def is_reinstated(form: Any) -> bool:
    """Return whether a form takes back that its row is cancelled."""
    return "cancelled" in form.changed_data and not form.instance.cancelled


def has_note_to_keep(rows: Collection[Event | Occasion]) -> bool:
    """Return whether a note of any of the rows may say why it is cancelled."""
    return any(isinstance(row, Occasion) and row.cancelled and ChangeMark.of(row).note for row in rows)


def find_marks(row: Event | Occasion) -> list[Event | Occasion]:
    """Return what readers see as changed: the event, and its occasions with marks of their own.

    Of an occasion it is the later of its own mark and the event's. Found once for each instance.
    """
    if "_marks" not in vars(row):
        vars(row)["_marks"] = _find_marks(row)
    return vars(row)["_marks"]  # type: ignore[no-any-return]


def _find_marks(row: Event | Occasion) -> list[Event | Occasion]:
    if isinstance(row, Occasion):
        own = ChangeMark.of(row)
        found = resolve_mark(own, ChangeMark.of(row.event))
        return [row if found is own else row.event] if any(found) else []
    whole = [row] if any(ChangeMark.of(row)) else []
    return [*whole, *row.occasions.marked().order_by("start", "end", "id")]


class NoteField(forms.CharField):
    def __init__(self, language: str, help_text: Any) -> None:
        label = _("Why, in English") if language == "en" else _("Why, in Swedish")
        widget = forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"})
        super().__init__(label=label, required=False, max_length=500, widget=widget, help_text=help_text)


def drop_news(form: forms.BaseForm) -> None:
    """Leave the fields out where there is nothing to tell."""
    for name in NEWS:
        del form.fields[name]


def read_note(cleaned: Mapping[str, Any]) -> Text:
    return Text(cleaned.get("note") or "", cleaned.get("note_en") or "")


class NewsFields(forms.Form):
    """The fields in `NEWS`, to be mixed into a form, before its other base classes."""

    # What can be chosen, with a label where it is not the usual one.
    offered: dict[Tell, Any] = dict.fromkeys([Tell.DEFAULT, Tell.NOTHING, Tell.OCCASIONS, Tell.EVENT])
    # Whether readers are told of what the form changes in its row.
    is_told = False

    tell = forms.ChoiceField(label=_("Tell readers"), required=False)
    note = NoteField("sv", _("A few words for readers. They see the former time and place without it."))
    note_en = NoteField("en", FALLBACK)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(self.offered)

    def offer(self, offered: dict[Tell, Any]) -> None:
        if "tell" in self.fields:
            choices = [(each.value, label or each.label) for each, label in offered.items()]
            self.fields["tell"].choices = choices  # type: ignore[attr-defined]

    def offer_for(self, marked: Collection[Event | Occasion]) -> None:
        """Offer to remove the marks of rows, and to keep the notes of those that may be reinstated."""
        more = [Tell.CLEAR] if marked else []
        if has_note_to_keep(marked):
            more.append(Tell.KEEP)
        self.offer(self.offered | dict.fromkeys(more))

    def fill_in_note(self, marked: Collection[Event | Occasion]) -> None:
        """Show the note of what is marked, so that who changes it again keeps it; not one of several."""
        notes = {ChangeMark.of(row).note for row in marked}
        if len(notes) == 1:
            note = notes.pop()
            self.initial = {**self.initial, "note": note.sv, "note_en": note.en}
            for name in NEWS[1:]:
                # What others have put there since is not typed over.
                self.fields[name].show_hidden_initial = True

    def clean(self) -> Any:
        cleaned = super().clean()
        sent = self.sent_news
        if sent.is_worded and not (sent.is_announced or sent.tell == Tell.DEFAULT):
            self.add_error("tell", _("Choose what the note is about, or leave it empty."))
        return cleaned

    @property
    def sent_news(self) -> News:
        """What was chosen, by which the default is yet to be settled for each row."""
        cleaned = self.cleaned_data
        changed = {name: cleaned.get(name) for name in NEWS[1:] if name in self.changed_data}
        # A new reason in one language is not the former one of the other, which is left out.
        note = read_note(changed if len(changed) == 1 and all(changed.values()) else cleaned)
        return News(Tell(cleaned.get("tell") or ""), note, bool(changed), read_note(changed))

    @property
    def news(self) -> News:
        return self.sent_news.settle(is_told=self.is_told)


def tell_note(event: Event, sent: News, instant: datetime) -> None:
    """Mark a whole event for a note that is about nothing else."""
    if sent.is_worded and sent.tell == Tell.DEFAULT:
        replace(sent, tell=Tell.EVENT).mark(instant, occasions=[], events=[event.pk])
