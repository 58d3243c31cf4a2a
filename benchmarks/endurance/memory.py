"""Whether the workers' memory grows: samples, by thirds of a run."""

from statistics import mean
from typing import NamedTuple

# The limit of a worker in MB: twice the programme with its memoized parts, the cached responses, a few whole
# lists in progress, and the interpreter; and what each thousand events add to it.
BASE_MEGABYTES, MEGABYTES_EACH_THOUSAND = 430, 170
# The last third of a run may exceed the one before by this factor.
MAX_GROWTH = 1.1


class MemoryTrend(NamedTuple):
    """MB of the heaviest worker: at the beginning, the mean of each third, at the end, maximum and limit."""

    begin: float
    thirds: tuple[float, float, float]
    end: float
    peak: float
    limit: float

    @property
    def faults(self) -> list[str]:
        found = []
        if self.peak > self.limit:
            found.append(f"a worker took {self.peak:.0f} MB, more than {self.limit:.0f}")
        if self.thirds[2] > MAX_GROWTH * self.thirds[1]:
            found.append(
                f"memory grew from {self.thirds[1]:.0f} to {self.thirds[2]:.0f} MB in the last third"
            )
        return found

    @property
    def text(self) -> str:
        means = ", ".join(f"{third:.0f}" for third in self.thirds)
        return f"{self.begin:.0f}, by thirds {means}, {self.end:.0f} (peak {self.peak:.0f})"


def compare_thirds(samples: list[list[int]], events: int = 1_000) -> MemoryTrend:
    """Return the trend of samples, each the KB of all workers, with a programme of so many events."""
    heaviest = [max(sample) / 1024 for sample in samples]
    third = len(heaviest) / 3
    parts = [heaviest[round(third * part) : round(third * (part + 1))] for part in range(3)]
    first, second, last = (mean(part) for part in parts)
    limit = BASE_MEGABYTES + MEGABYTES_EACH_THOUSAND * events / 1_000
    return MemoryTrend(heaviest[0], (first, second, last), heaviest[-1], max(heaviest), limit)
