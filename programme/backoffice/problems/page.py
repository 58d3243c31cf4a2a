"""The list of all problems, filtered by kind, area, day and time, and of those that were accepted.

On it editors accept problems that are none, or let those that were accepted be asked about again.
"""

import datetime as dt
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from feeds.names import order_name
from programme.api.instant import get_instant
from programme.backoffice.dates import format_day
from programme.backoffice.forms.base import offer
from programme.backoffice.problems import clashes, survey
from programme.backoffice.problems.accepted import ProblemKey, accept, may_change_rows
from programme.backoffice.problems.problem import ProgrammeProblem
from programme.backoffice.rendering import render_page
from programme.models import AcceptedProblem, Area
from programme.models.cleaning import clean_line

PAGE_SIZE = 100
COMING, OVER, ALL = "", "over", "all"
ACCEPT, ASK = "accept", "ask"


class ProblemFilterForm(forms.Form):
    """Which problems are shown. What is not understood narrows nothing."""

    kind = forms.ChoiceField(label=capfirst(_("kind")), required=False)
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    day = forms.ChoiceField(label=capfirst(_("day")), required=False)
    when = forms.ChoiceField(
        label=capfirst(_("time")),
        required=False,
        choices=[(COMING, _("still to come")), (OVER, _("over")), (ALL, _("all times"))],
    )
    # Those that were accepted instead of those that were not.
    accepted = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, found: survey.Survey, areas: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        days = {day for each in found.found for problem in each.problems for day in problem.days}
        kinds = [kind for kind in survey.KINDS if kind.key != survey.OUTSIDE_EDITIONS or found.facts.outside]
        offer(self, "kind", _("all kinds"), [(kind.key, kind.label) for kind in kinds])
        offer(self, "area", _("all areas"), [(str(key), name) for key, name in areas])
        offer(self, "day", _("all days"), [(day.isoformat(), format_day(day)) for day in sorted(days)])
        self.full_clean()

    def chosen(self, name: str) -> str:
        return str(self.cleaned_data.get(name, ""))

    @property
    def shows_accepted(self) -> bool:
        return bool(self.cleaned_data.get("accepted"))

    def narrow(self, found: survey.Survey, instant: dt.datetime) -> survey.Survey:
        area, day, when = self.chosen("area"), self.chosen("day"), self.chosen("when")

        def wanted(problem: ProgrammeProblem) -> bool:
            return (
                (not area or int(area) in problem.areas)
                and (not day or dt.date.fromisoformat(day) in problem.days)
                and (when == ALL or problem.is_over(instant) == (when == OVER))
            )

        return found.only(wanted)


class Answer:
    """What the page has sent: ticked problems and a reason, or an accepted one."""

    def __init__(self, sent: QueryDict) -> None:
        self.ticked = frozenset(sent.getlist("problem"))
        self.reason = clean_line(sent.get("reason", ""))
        self.asked = sent.get(ASK, "")
        self.keys = [ProblemKey.parse(key) for key in sorted(self.ticked)]
        is_sent = ACCEPT in sent or ASK in sent
        self.lacks_ticks = is_sent and not self.keys
        self.lacks_reason = is_sent and bool(self.keys) and not self.reason

    def give(self, request: HttpRequest) -> bool:
        """Do what the page has sent; return False if something is missing."""
        if self.asked:
            rows = AcceptedProblem.objects.filter(pk=int(self.asked) if self.asked.isdecimal() else 0)
            _require_right(request, [ProblemKey(row.kind, row.rows) for row in rows])
            rows.delete()
            messages.success(request, _("It is a problem again."))
        elif self.keys and self.reason:
            _require_right(request, self.keys)
            accept(self.keys, request.user, self.reason, get_instant(request))
            count = len(self.keys)
            text = ngettext("%(count)d problem is accepted.", "%(count)d problems are accepted.", count)
            messages.success(request, text % {"count": count})
        else:
            return False
        return True


def _require_right(request: HttpRequest, keys: list[ProblemKey]) -> None:
    kinds, facts = {kind.key for kind in survey.KINDS}, survey.get_survey().facts
    try:
        rows = [key.list_rows() for key in keys if key.kind in kinds]
    except ValueError:
        raise PermissionDenied from None
    is_known = len(rows) == len(keys) and all(rows)
    if not (is_known and all(may_change_rows(request.user, each, facts) for each in rows)):
        raise PermissionDenied


class ListedProblem(NamedTuple):
    """A problem on the page; what its form sends is `key`, or '' where the user may not accept it."""

    kind: survey.ProblemKind
    problem: ProgrammeProblem
    key: str
    is_ticked: bool


def show_problems(request: HttpRequest) -> HttpResponse:
    survey.require_survey(request)
    answer = Answer(request.POST)
    if request.method == "POST" and answer.give(request):
        return HttpResponseRedirect(request.get_full_path())
    left, accepted = survey.get_surveys_for(request)
    form = ProblemFilterForm(left, list(Area.objects.values_list("pk", "name")), request.GET)
    narrowed, others = (form.narrow(each, get_instant(request)) for each in (left, accepted))
    if form.shows_accepted:
        narrowed, others = others, narrowed
    kind = form.chosen("kind")
    rows = [
        (each.kind, one) for each in narrowed.found if kind in {"", each.kind.key} for one in _order(each)
    ]
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "answer": answer,
        "counts": [(each.kind, len(each.problems)) for each in narrowed.found if each.problems],
        "count": len(rows),
        "others": others.count,
        "chosen": kind,
        "page": page,
        "listed": [_list(request, answer, left, *row) for row in page],
        "numbers": page.paginator.get_elided_page_range(page.number),
    }
    title = _("Accepted problems") if form.shows_accepted else _("Problems")
    return render_page(request, "problems", title, context)


def _order(found: survey.FoundProblems) -> list[ProgrammeProblem]:
    """Return problems by time, and those of one place that is double-booked together."""
    if found.kind.key != clashes.KIND:
        return found.problems
    return sorted(found.problems, key=lambda each: order_name(str(each.title)))


def _list(
    request: HttpRequest,
    answer: Answer,
    found: survey.Survey,
    kind: survey.ProblemKind,
    problem: ProgrammeProblem,
) -> ListedProblem:
    key = ""
    if may_change_rows(request.user, (link.row for link in problem.links), found.facts):
        key = str(ProblemKey(kind.key, problem.rows))
    return ListedProblem(kind, problem, key, key in answer.ticked)
