"""The lists that a process has read lately: the last known answer while the database is away."""

from array import array
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock

# Of 500 occasions each, they take 20 MB.
MAX_LISTS = 5_000


class Memory:
    """Occasions by digest of the calendar's address; the least recently used are forgotten first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._lists: OrderedDict[str, array[int]] = OrderedDict()

    def keep(self, digest: str, occasions: Iterable[int]) -> None:
        with self._lock:
            self._lists[digest] = array("q", occasions)
            self._lists.move_to_end(digest)
            if len(self._lists) > MAX_LISTS:
                self._lists.popitem(last=False)

    def get(self, digest: str) -> tuple[int, ...] | None:
        with self._lock:
            found = self._lists.get(digest)
        return None if found is None else tuple(found)

    def forget(self, digest: str) -> None:
        with self._lock:
            self._lists.pop(digest, None)

    def clear(self) -> None:
        with self._lock:
            self._lists.clear()


memory = Memory()
