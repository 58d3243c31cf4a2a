"""The filters of lists by what is stated of facts, and by what is not known of them."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.fact import NO, Fact, FactKind
from feeds.facts import facts_of
from programme.backoffice.admin.filters import ChoiceFilter
from programme.backoffice.forms.facts import NOT_STATED, NOTHING, list_choices
from programme.models.facts import localize_later


class FactFilter(ChoiceFilter):
    """What rows state; of what is yes or no, what is not known."""

    fact: ClassVar[Fact]
    # Before its name: of occasions, facts of their events.
    through: ClassVar[str] = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        if self.fact.kind is not FactKind.STATES:
            return [*list_choices(self.fact.values), (NOTHING, NOT_STATED)]
        unknown = _("{value}: not known")
        return [
            (NOTHING, _("nothing known")),
            *(
                (code, unknown.format(value=capfirst(label)))
                for code, label in list_choices(self.fact.values)
            ),
        ]

    def narrow(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value, name = self.value(), f"{self.through}{self.fact.name}"
        # What states a value, be it yes or no; or nothing.
        pattern = rf"(^| )({NO})?{value}( |$)"
        own = Q(**{name: ""}) if value == NOTHING else Q(**{f"{name}__regex": pattern})
        if self.fact.kind is FactKind.STATES:
            return queryset.filter(own if value == NOTHING else ~own)
        return queryset.filter(own)


def build_filters(level: str, kind: FactKind, through: str = "") -> list[type[FactFilter]]:
    found = (fact for fact in facts_of(level) if fact.kind is kind)
    return [type(fact.name, (FactFilter,), _describe(fact) | {"through": through}) for fact in found]


def _describe(fact: Fact) -> dict[str, Any]:
    return {"fact": fact, "title": localize_later(fact.title), "parameter_name": fact.name}
