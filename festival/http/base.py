"""The base class of the project's middleware."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class Middleware:
    """A middleware with the next handler."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
