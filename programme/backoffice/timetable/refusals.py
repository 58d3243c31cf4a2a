"""Refusals: why something that the timetable submits is not written, in words for the editor."""

from http import HTTPStatus

from django.utils.translation import gettext as _


class WriteRefusedError(Exception):
    """Nothing is written: the reason for the editor, and the HTTP status."""

    def __init__(self, why: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(why)
        self.why, self.status = why, status


def refuse_unknown() -> WriteRefusedError:
    """Return the refusal of a request that this page has not sent."""
    return WriteRefusedError(_("This was not understood. Open the page again."))


def refuse_conflict() -> WriteRefusedError:
    return WriteRefusedError(
        _("Someone else has changed this occasion in the meantime. Here it is as it is now."),
        HTTPStatus.CONFLICT,
    )


def refuse_change() -> WriteRefusedError:
    return WriteRefusedError(_("You may not change this occasion."), HTTPStatus.FORBIDDEN)
