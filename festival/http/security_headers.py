"""Headers that protect readers and editors, in every response."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from festival.http.content_policy import BACK_OFFICE

# What no page of the service does; the default for the rest is this origin alone.
UNUSED_FEATURES = (
    *(
        "accelerometer",
        "autoplay",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
    ),
    *("magnetometer", "microphone", "midi", "payment", "serial", "usb", "xr-spatial-tracking"),
)
PERMISSIONS = ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES)


class SecurityHeadersMiddleware:
    """Add a Permissions-Policy and a Cross-Origin-Resource-Policy to what Django's middleware sends.

    With an https `BASE_URL` every request counts as one over TLS, because readers' requests are, whatever the
    proxy says of its own hop: so Django sends `Strict-Transport-Security` and checks forms as under https.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SERVED_OVER_TLS:
            request.META["wsgi.url_scheme"] = "https"
        response = self.get_response(request)
        # Everything but the back office is public, and other websites show images, lists and feeds.
        is_public = not request.path_info.startswith(BACK_OFFICE)
        response["Permissions-Policy"] = PERMISSIONS
        response["Cross-Origin-Resource-Policy"] = "cross-origin" if is_public else "same-origin"
        return response
