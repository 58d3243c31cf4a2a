"""The demo: an invented festival, its readable files and what creates it; never part of a real programme."""

from programme.demo.creation import (
    SOURCE,
    clear,
    create,
    describe_other_content,
    has_demo,
    has_programme,
    is_over,
)

__all__ = ["SOURCE", "clear", "create", "describe_other_content", "has_demo", "has_programme", "is_over"]
