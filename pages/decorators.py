"""How every page may be asked for: by GET and HEAD alone."""

from collections.abc import Callable

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

View = Callable[..., HttpResponse]


def read_only(view: View) -> View:
    """Let a view answer GET and HEAD alone. Without the exemption, POST would be 403 instead of 405."""
    return csrf_exempt(require_safe(view))
