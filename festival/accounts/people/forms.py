"""What somebody may give to others, never more than they have: the forms of roles, last days, invitations."""

import datetime as dt
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from festival.accounts.access import account_of, find_today
from festival.accounts.people.pasted import MOST, Row, read_people
from programme.backoffice.admin.users import describe_roles
from programme.backoffice.rights import rights_of
from programme.backoffice.roles import Role
from programme.models import Area

INVITE = "accounts.invite_people"
# Characters; two hundred people have some 10,000.
LONGEST_LIST = 100_000


class Grants:
    """What one user may give. Roles are compared by their permissions, as the groups have them now."""

    def __init__(self, user: Any) -> None:
        self.user = user

    @property
    def may_invite(self) -> bool:
        return bool(self.user.has_perm(INVITE))

    @cached_property
    def roles(self) -> list[Role]:
        if not self.may_invite:
            return []
        groups = Group.objects.filter(name__in=list(Role)).prefetch_related("permissions__content_type")
        held = {Role(group.name) for group in groups if self._has_all(group)}
        return [role for role in Role if role in held]

    def _has_all(self, group: Group) -> bool:
        named = {f"{each.content_type.app_label}.{each.codename}" for each in group.permissions.all()}
        return bool(self.user.has_perms(named))

    def areas(self) -> QuerySet[Area]:
        return rights_of(self.user).assignable_areas()

    @property
    def latest_day(self) -> dt.date | None:
        """The last day that the user may give at most: the user's own; None for any, or none at all."""
        return account_of(self.user).last_day

    def may_look_after(self, other: Any) -> bool:
        """Return whether the user may end and extend an account, and make links for its password.

        So may who edits users anyway; others may with accounts that have nothing but what they could have
        given to them. Nobody may with the own account.
        """
        if not self.may_invite or other.pk == self.user.pk:
            return False
        if self.user.is_superuser or (self.user.has_perm("auth.change_user") and not other.is_superuser):
            return True
        if other.is_superuser or not other.is_active or other.user_permissions.all():
            return False
        names = [group.name for group in other.groups.all()]
        return len(names) == 1 and names[0] in self.roles and self._has_areas_of(other)

    def _has_areas_of(self, other: Any) -> bool:
        areas = rights_of(self.user).areas
        return areas is None or all(each.area_id in areas for each in other.edited_areas.all())


class GrantsForm(forms.Form):
    """What somebody gives, who has certain grants."""

    def __init__(self, *args: Any, grants: Grants, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.grants = grants


class LastDayForm(GrantsForm):
    """The last day of an account, which is not after that of who sets it."""

    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The account lets nobody in after it. Empty: it does not end."),
    )

    def clean_last_day(self) -> dt.date | None:
        day: dt.date | None = self.cleaned_data["last_day"]
        latest = self.grants.latest_day
        if day and day < find_today():
            raise ValidationError(_("This day is over."))
        if latest and (day is None or day > latest):
            raise ValidationError(
                _("Your own account ends on {day}. Choose no later day.").format(day=latest)
            )
        return day


class RoleForm(GrantsForm):
    """A role, and the areas of who has one for areas: of those that the one who gives them has."""

    role = forms.ChoiceField(label=capfirst(gettext_lazy("role")), widget=forms.RadioSelect)
    areas = forms.ModelMultipleChoiceField(
        Area.objects.none(),
        label=capfirst(gettext_lazy("areas")),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The areas whose events they write and correct."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = describe_roles(self.grants.roles)  # type: ignore[attr-defined]
        self.fields["areas"].queryset = self.grants.areas()  # type: ignore[attr-defined]

    @property
    def chosen_role(self) -> Role:
        return Role(self.cleaned_data["role"])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("role") != Role.AREA_EDITOR:
            # They may have been ticked before another role was chosen.
            cleaned["areas"] = Area.objects.none()
        elif "areas" in cleaned and not cleaned["areas"]:
            self.add_error("areas", _("Choose at least one area."))
        return cleaned


class InvitationForm(RoleForm, LastDayForm):
    """A pasted list, and what all people in it get."""

    people = forms.CharField(
        label=gettext_lazy("Whom"),
        max_length=LONGEST_LIST,
        help_text=gettext_lazy(
            "One on each line, as your mail program or a spreadsheet has them: "
            "Anna Berg <anna@example.org>, or only the address."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "cols": 70, "spellcheck": "false", "autofocus": True}),
    )
    field_order = ["people", "role", "areas", "last_day"]
    rows: Sequence[Row] = ()

    @property
    def wrong_rows(self) -> list[Row]:
        return [row for row in self.rows if row.error]

    def clean_people(self) -> str:
        text: str = self.cleaned_data["people"]
        rows = read_people(text)
        if not rows:
            raise ValidationError(_("Nobody is in the list."))
        if len(rows) > MOST:
            raise ValidationError(
                _("These are {count} rows. Invite at most {most} at a time.").format(
                    count=len(rows), most=MOST
                )
            )
        named = User.objects.values_list("username", "email")
        taken = {name.lower() for names in named for name in names}
        message = _(
            "There is an account with this address already. Extend it in the list of users if it has ended."
        )
        self.rows = [row._replace(error=row.error or message) if row.email in taken else row for row in rows]
        return text
