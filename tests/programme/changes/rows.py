"""All rows that have versions, as they are stored."""

from typing import Any

from programme.models import models_with_history

# Set by the database, and moved by what is written beside.
MOVING = {"last_modified", "saved_at", "published_at"}


def read_rows() -> dict[tuple[Any, int], dict[str, Any]]:
    return {
        (model, row["id"]): {name: value for name, value in row.items() if name not in MOVING}
        for model in models_with_history()
        for row in model.objects.values()
    }
