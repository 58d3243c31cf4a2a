"""What editors answer to problems: that they are none, and why, or that they are to be asked again."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice.problems.accepted import ProblemKey, accept, may_change_rows
from programme.backoffice.problems.registry import KINDS
from programme.models import AcceptedProblem
from programme.models.cleaning import clean_line

ACCEPT, ASK = "accept", "ask"


class Answer:
    """What the page has sent: ticked problems and a reason, one with its kind's own, or an accepted one."""

    def __init__(self, sent: QueryDict) -> None:
        self.ticked = frozenset(sent.getlist("problem"))
        self.reason = clean_line(sent.get("reason", ""))
        self.is_sent = ACCEPT in sent or ASK in sent
        self.asked = sent.get(ASK, "")
        # The button of one problem, whatever is ticked.
        one = sent.get(ACCEPT, "")
        self.keys = [ProblemKey.parse(key) for key in ([one] if one else sorted(self.ticked))]
        if one:
            self.reason = _find_own_reason(self.keys[0])

    @property
    def lacks_ticks(self) -> bool:
        return self.is_sent and not self.keys

    @property
    def lacks_reason(self) -> bool:
        return self.is_sent and bool(self.keys) and not self.reason


def give_answer(request: HttpRequest, answer: Answer) -> HttpResponse | None:
    """Do what the page has sent and lead back to it; None if something is missing."""
    if answer.asked:
        _ask_again(request, answer.asked)
    elif answer.keys and answer.reason:
        _accept(request, answer)
    else:
        return None
    return HttpResponseRedirect(request.get_full_path())


def _accept(request: HttpRequest, answer: Answer) -> None:
    _require_right(request, answer.keys)
    accept(answer.keys, request.user, answer.reason, get_instant(request))
    count = len(answer.keys)
    text = ngettext("%(count)d problem is accepted.", "%(count)d problems are accepted.", count)
    messages.success(request, text % {"count": count})


def _ask_again(request: HttpRequest, key: str) -> None:
    rows = AcceptedProblem.objects.filter(pk=int(key) if key.isdecimal() else 0)
    _require_right(request, [ProblemKey(row.kind, row.rows) for row in rows])
    rows.delete()
    messages.success(request, _("It is a problem again."))


def _require_right(request: HttpRequest, keys: list[ProblemKey]) -> None:
    kinds = {kind.key for kind in KINDS}
    try:
        allowed = all(key.kind in kinds and key.list_rows() for key in keys)
        if not (allowed and may_change_rows(request.user, keys)):
            raise PermissionDenied
    except (ValueError, OverflowError):
        raise PermissionDenied from None


def _find_own_reason(key: ProblemKey) -> str:
    return next((str(kind.answer) for kind in KINDS if kind.key == key.kind), "")
