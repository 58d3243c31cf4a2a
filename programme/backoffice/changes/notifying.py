"""Whether readers are told that something is as before again: by default what is news to them."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from programme.backoffice.forms.news import FALLBACK, NoteField, read_note
from programme.history.merging import undoes_merge
from programme.history.undo import RowsPlan
from programme.models import Edit, News


class NotificationForm(forms.Form):
    """What readers are told of rows that get values back, and with which note."""

    SILENTLY, NOTIFY, REMOVE = "silently", "notify", "remove"

    readers = forms.ChoiceField(required=False, widget=forms.RadioSelect)
    note = NoteField("sv", gettext_lazy("For readers. For example: at the original time after all."))
    note_en = NoteField("en", FALLBACK)

    def __init__(self, data: Any, plan: RowsPlan, told: frozenset[int], default: str, **options: Any) -> None:
        super().__init__(data, **options)
        self.plan, self.told = plan, told
        self.initial = {"readers": default, **self.initial}
        is_withdrawn = bool(plan.announced)
        no = _("No: what they were told is withdrawn") if is_withdrawn else _("No: it changes without a word")
        choices = [(self.NOTIFY, _("Yes: it is marked as changed")), (self.SILENTLY, no)]
        if plan.announced_since:
            # It is about what will not be true any more.
            choices.append((self.REMOVE, _("No, and the news that readers see now is removed")))
        readers: Any = self.fields["readers"]
        readers.choices = choices
        readers.label = _count(len(told))

    def clean_readers(self) -> str:
        return str(self.cleaned_data["readers"] or self.initial["readers"])

    def mark(self, instant: datetime) -> None:
        """Plan the marks that are chosen."""
        readers = self.cleaned_data["readers"]
        if readers == self.NOTIFY:
            self.plan.mark(read_note(self.cleaned_data), instant, self.told)
        elif readers == self.REMOVE:
            self.plan.unmark()


def _count(told: int) -> str:
    if not told:
        return _("Readers were told of this. Are they told again?")
    text = ngettext(
        "%(count)d published occasion changes for readers. Are they told?",
        "%(count)d published occasions change for readers. Are they told?",
        told,
    )
    return text % {"count": told}


def ask_readers(
    data: Any, plan: RowsPlan, instant: datetime, edit: Edit | None = None, **options: Any
) -> NotificationForm | None:
    """Return the form, None where readers know nothing of it; `edit` is the one that is undone."""
    told = plan.find_told(instant)
    if not (told or plan.announced):
        return None
    # Nothing has moved where rows were merged.
    is_told = told and not (_is_pending(edit, instant) or (edit and undoes_merge(edit)))
    default = NotificationForm.NOTIFY if is_told else NotificationForm.SILENTLY
    return NotificationForm(data, plan, told, default, **options)


def _is_pending(edit: Edit | None, instant: datetime) -> bool:
    """Return whether nobody has read the news of an edit yet, which then never was any."""
    news = News.objects.filter(edit_id=edit.pk) if edit else News.objects.none()
    return news.exists() and not news.filter(appears_at__lte=instant).exists()
