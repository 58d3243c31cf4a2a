"""The language of the back office: each user's own choice, kept with the account and known to the browser.

The browser keeps it in Django's cookie of the language, so that the sign-in page and pages about errors, for
which no account is read, are in it too.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import activate

from festival.accounts.access import account_of, keep
from festival.http.headers import BACK_OFFICE


def speak(request: HttpRequest, language: str) -> None:
    """Answer this request in a language, and let the browser ask for it from now on; "" changes nothing."""
    if language:
        activate(language)
        request.LANGUAGE_CODE = request.own_language = language  # type: ignore[attr-defined]


def keep_first_language(request: HttpRequest, user: object) -> None:
    """Keep the language in which somebody signs in for the first time, which is the browser's."""
    # Requests that tests and commands make up have none.
    if not account_of(user).language and hasattr(request, "LANGUAGE_CODE"):
        keep(user, language=request.LANGUAGE_CODE)


class OwnLanguageMiddleware:
    """Answer who is signed in in the language of the account."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(BACK_OFFICE):
            return self.get_response(request)
        if request.user.is_authenticated:
            speak(request, account_of(request.user).language)
        response = self.get_response(request)
        language = getattr(request, "own_language", "")
        if language and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                path=BACK_OFFICE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
