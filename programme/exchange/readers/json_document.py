"""Reads JSON documents of unknown origin and shape."""

import json
from typing import Any

from django.utils.translation import gettext as _

from programme.exchange.values import UnreadableFileError


def read_document(content: bytes) -> Any:
    try:
        # Python's own reader accepts halves of emoji, which some producers cut in two; cleaning removes them.
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableFileError(_("its encoding cannot be read: save it as UTF-8")) from None
    except json.JSONDecodeError as error:
        raise UnreadableFileError(
            _("it is cut off or damaged (line %(line)s)") % {"line": error.lineno}
        ) from None
    except (ValueError, RecursionError):
        raise UnreadableFileError(_("it is cut off or damaged")) from None


def as_dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
