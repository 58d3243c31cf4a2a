"""Whether the workers' memory stays where it is: what was weighed, by thirds of a run."""

from statistics import mean
from typing import NamedTuple

# What a worker may take, in MB: twice the programme with all that is remembered of it, the answers that
# it keeps, a few whole lists on their way, and the interpreter.
MAX_MEGABYTES = 600
# By how much the last third of a run may weigh more than the one before: more is growth.
MAX_GROWTH = 1.1


class MemoryTrend(NamedTuple):
    """MB of the heaviest worker: at the beginning, the mean of each third, at the end, and the most."""

    begin: float
    thirds: tuple[float, float, float]
    end: float
    most: float

    @property
    def faults(self) -> list[str]:
        found = []
        if self.most > MAX_MEGABYTES:
            found.append(f"a worker took {self.most:.0f} MB, more than {MAX_MEGABYTES}")
        if self.thirds[2] > MAX_GROWTH * self.thirds[1]:
            found.append(
                f"memory grew from {self.thirds[1]:.0f} to {self.thirds[2]:.0f} MB in the last third"
            )
        return found

    @property
    def text(self) -> str:
        means = ", ".join(f"{third:.0f}" for third in self.thirds)
        return f"{self.begin:.0f}, by thirds {means}, {self.end:.0f} (most {self.most:.0f})"


def compare_thirds(samples: list[list[int]]) -> MemoryTrend:
    """Return what samples say, each the KB of all workers."""
    heaviest = [max(sample) / 1024 for sample in samples]
    third = len(heaviest) / 3
    parts = [heaviest[round(third * part) : round(third * (part + 1))] for part in range(3)]
    first, second, last = (mean(part) for part in parts)
    return MemoryTrend(heaviest[0], (first, second, last), heaviest[-1], max(heaviest))
