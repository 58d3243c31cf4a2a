"""Work that is done in steps by a generator, which returns its result."""

from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")
# Steps done, of how many.
Step = tuple[int, int]


def finish(steps: Generator[Any, None, Result]) -> Result:
    """Do all steps, and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result


def report_each(steps: Generator[Any, None, Result], step: Step) -> Generator[Step, None, Result]:
    """Do the steps, and report the same progress after each: a proxy gives up on a silent response."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
        yield step
