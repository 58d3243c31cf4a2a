"""The demo: an invented festival, its readable files and what creates it; never part of a real programme."""

from programme.demo.creation import (
    CREATED,
    SOURCE,
    clear,
    create,
    create_or_keep,
    describe_other_content,
    has_demo,
    has_programme,
)

__all__ = [
    "CREATED",
    "SOURCE",
    "clear",
    "create",
    "create_or_keep",
    "describe_other_content",
    "has_demo",
    "has_programme",
]
