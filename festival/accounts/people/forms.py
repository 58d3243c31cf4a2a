"""The forms of an account and of invitations, in which users grant at most their own rights."""

import datetime as dt
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from festival.accounts.access import account_of, find_today, update_account
from festival.accounts.log import record
from festival.accounts.people.pasted import read_people
from programme.backoffice.roles import DESCRIPTIONS, LABELS, Role, assign_areas, assign_role, role_of
from programme.changes.rights import rights_of
from programme.models import Area


class Grants:
    """The rights that a user may grant."""

    def __init__(self, user: Any) -> None:
        self.user = user

    @property
    def may_invite(self) -> bool:
        return bool(self.user.has_perm("accounts.invite_people"))

    @cached_property
    def roles(self) -> list[Role]:
        """The user's own role and lesser ones."""
        roles = list(Role)
        if not self.may_invite or self.user.is_superuser:
            return roles if self.may_invite else []
        own = role_of(self.user)
        return roles[roles.index(own) :] if own else []

    def may_manage(self, other: Any) -> bool:
        """Return whether the user may change an account's rights, end it, and make links for its password.

        Users with the permission to change users may; others may if they could have granted all of the
        account's rights. Nobody may change the own account.
        """
        if not self.may_invite or other.pk == self.user.pk:
            return False
        if self.user.is_superuser or (self.user.has_perm("auth.change_user") and not other.is_superuser):
            return True
        if other.is_superuser or not other.is_active or other.user_permissions.all():
            return False
        names, areas = [group.name for group in other.groups.all()], rights_of(self.user).areas
        has_areas = areas is None or all(each.area_id in areas for each in other.edited_areas.all())
        return has_areas and len(names) == 1 and names[0] in self.roles


def set_last_day(user: Any, day: dt.date | None) -> None:
    if day != account_of(user).last_day:
        update_account(user, last_day=day)
        record(gettext_noop("last day changed"), user, str(day or "−"))


class GrantsForm(forms.Form):
    """Role, areas and last day of an account, within the rights of the granting user."""

    role = forms.ChoiceField(label=capfirst(gettext_lazy("role")), widget=forms.RadioSelect)
    areas = forms.ModelMultipleChoiceField(
        Area.objects.none(),
        label=capfirst(gettext_lazy("areas")),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The areas whose events they write and correct."),
    )
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The account lets nobody in after it. Empty: it does not end."),
    )

    def __init__(self, *args: Any, grants: Grants, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.grants = grants
        described = '{} <span class="help">{}</span>'
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (role.value, format_html(described, capfirst(LABELS[role]), DESCRIPTIONS[role]))
            for role in grants.roles
        ]
        self.fields["areas"].queryset = rights_of(grants.user).assignable_areas()  # type: ignore[attr-defined]

    @classmethod
    def of(cls, user: User, data: Any, grants: Grants) -> "GrantsForm":
        areas = [each.area_id for each in user.edited_areas.all()]
        given = {"role": role_of(user), "areas": areas, "last_day": account_of(user).last_day}
        return cls(data, initial=given, grants=grants)

    def clean_last_day(self) -> dt.date | None:
        """Return the day; the account's present one is always valid."""
        day: dt.date | None = self.cleaned_data["last_day"]
        latest = account_of(self.grants.user).last_day
        if "last_day" in self.initial and day == self.initial["last_day"]:
            return day
        if day and day < find_today():
            raise ValidationError(_("This day is over."))
        if latest and (day is None or day > latest):
            raise ValidationError(
                _("Your own account ends on {day}. Choose no later day.").format(day=latest)
            )
        return day

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("role") != Role.AREA_EDITOR:
            # They may have been ticked before another role was chosen.
            cleaned["areas"] = Area.objects.none()
        elif "areas" in cleaned and not cleaned["areas"]:
            self.add_error("areas", _("Choose at least one area."))
        return cleaned

    def give_to(self, user: User) -> None:
        areas = self.cleaned_data["areas"]
        assign_role(user, Role(self.cleaned_data["role"]))
        if {each.pk for each in areas} != {each.area_id for each in user.edited_areas.all()}:
            assign_areas(user, areas)
            record(gettext_noop("areas changed"), user, ", ".join(map(str, areas)) or "−")
        set_last_day(user, self.cleaned_data["last_day"])


class InvitationForm(GrantsForm):
    """A pasted list of people, and the rights that all of them get."""

    people = forms.CharField(
        label=gettext_lazy("Whom"),
        help_text=gettext_lazy(
            "One on each line, as your mail program or a spreadsheet has them: "
            "Anna Berg, anna@example.org, or only the address."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "cols": 70, "spellcheck": "false", "autofocus": True}),
    )
    field_order = ["people", "role", "areas", "last_day"]

    def clean_people(self) -> Sequence[User]:
        return read_people(self.cleaned_data["people"])
