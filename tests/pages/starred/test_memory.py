"""The lists that a process remembers."""

from pages.starred import store
from pages.starred.store import Memory


def test_the_least_recently_kept_are_forgotten(monkeypatch):
    monkeypatch.setattr(store, "MAX_LISTS", 2)
    memory = Memory()
    memory.keep("a", [10**18 - 1, 2])
    memory.keep("b", [])
    memory.keep("a", [10**18 - 1])
    memory.keep("c", [3])
    assert [memory.get(each) for each in "abc"] == [(10**18 - 1,), None, (3,)]
    memory.forget("a")
    assert memory.get("a") is None
