"""What the project's own middleware has in common."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class Middleware:
    """A middleware that answers, or lets the next one answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
