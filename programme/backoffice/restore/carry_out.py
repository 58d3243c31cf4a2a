"""Carrying out a restoration that was planned, with a message about the outcome."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.backoffice.restore.permissions import require_restoration
from programme.history import edits
from programme.history.restore import Restoration

# Stored as the reason of the edit, and translated where it is shown.
REASON = gettext_noop("brought back")


def carry_out(request: HttpRequest, plan: Restoration) -> bool:
    """Restore what is planned; return whether that succeeded. Raises PermissionDenied."""
    lost = ", ".join(plan.lost)
    try:
        with transaction.atomic():
            require_restoration(request.user, plan)
            edits.set_reason(REASON)
            plan.apply()
    except ValidationError as refusal:
        text = _("It cannot be restored as it was: %(why)s")
        if lost:
            text = _("%(names)s: no longer there. Restore that first. (%(why)s)")
        messages.error(request, text % {"names": lost, "why": " ".join(refusal.messages)})
        return False
    except ProtectedError as refusal:
        names = sorted({str(row) for row in refusal.protected_objects})[:5]
        text = _("It cannot be restored as it was: in use by %(what)s.")
        messages.error(request, text % {"what": ", ".join(names)})
        return False
    messages.success(request, _("The earlier version is restored."))
    if lost:
        messages.warning(request, _("No longer there, so left out: %(names)s.") % {"names": lost})
    return True
