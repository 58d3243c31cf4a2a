"""The language of the back office: each user's own choice, kept with the account and known to the browser.

The browser keeps it in Django's cookie of the language, so that the sign-in page and pages about errors, for
which no account is read, are in it too.
"""

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


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Let the browser ask for the language that was spoken."""
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
