"""Somebody at a page: does what hands do, counts it, and estimates how long hands and head take.

The estimate is the keystroke-level model (Card, Moran and Newell, "The keystroke-level model for user
performance time with interactive systems", Communications of the ACM 23(7), 1980): each step begins with a
thought (M), a click is pointing and pressing (P, K), each key is pressed (K), and hands go between keyboard
and mouse (H). What the system takes is measured.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Seconds; keys are those of an average skilled typist.
THOUGHT, POINTING, PRESS, HOMING = 1.35, 1.1, 0.2, 0.4
# Milliseconds until a page shows something; the machine may be busy.
PATIENCE = 60_000
# In the tab's own storage, because Playwright's events may come late; an empty tab has none.
COUNT_LOAD = "try { if (self === top) sessionStorage.loads = 1 + Number(sessionStorage.loads ?? 0) } catch {}"
READ_LOADS = "() => { try { return Number(sessionStorage.loads ?? 0); } catch { return 0; } }"
HAS_CURSOR = "field => field === document.activeElement"


@dataclass
class Effort:
    """What a flow takes of hands and head, its page loads, and the seconds in which they wait."""

    clicks: int = 0
    drags: int = 0
    keys: int = 0
    fields: int = 0
    loads: int = 0
    thoughts: int = 0
    homings: int = 0
    waited: float = 0.0

    @property
    def estimate(self) -> float:
        """Return the seconds that a person takes who knows the way."""
        # To drag is to press at one place and to let go at another.
        pointings, presses = self.clicks + 2 * self.drags, self.clicks + self.drags + self.keys
        hands = pointings * POINTING + presses * PRESS + self.homings * HOMING
        return self.thoughts * THOUGHT + hands + self.waited


class Person:
    """Each method is a step, which begins with a thought. Playwright's hands take no time."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.effort = Effort()
        self._is_at_keyboard = False
        page.set_default_timeout(PATIENCE)
        page.add_init_script(COUNT_LOAD)

    # --- Counting -------------------------------------------------------------------------------

    @contextmanager
    def working(self) -> Iterator[Effort]:
        """Count from now on, with a hand on the mouse; yield what is complete at the end."""
        effort = self.effort = Effort()
        self._is_at_keyboard = False
        loads, began = self.page.evaluate(READ_LOADS), time.perf_counter()
        yield effort
        effort.waited += time.perf_counter() - began
        effort.loads = self.page.evaluate(READ_LOADS) - loads

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Leave out of the seconds what others do meanwhile, or other programs."""
        began = time.perf_counter()
        yield
        self.effort.waited -= time.perf_counter() - began

    def _think(self) -> None:
        self.effort.thoughts += 1

    def _point(self, clicks: int = 1) -> None:
        self._reach(keyboard=False)
        self.effort.clicks += clicks

    def _type(self, keys: int) -> None:
        self._reach(keyboard=True)
        self.effort.keys += keys

    def _reach(self, *, keyboard: bool) -> None:
        self.effort.homings += keyboard is not self._is_at_keyboard
        self._is_at_keyboard = keyboard

    # --- Pages ----------------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Open a bookmark."""
        self._think()
        self._point()
        self.page.goto(address)

    def click(self, what: Any) -> None:
        self._think()
        self._point()
        what.click()

    def follow(self, what: Any) -> None:
        """Click what leads to another page, and wait for that."""
        with self.page.expect_event("load"):
            self.click(what)

    def go(self, name: str) -> None:
        """Follow a link of the bar."""
        self.follow(self.page.locator(".main-nav").get_by_role("link", name=name, exact=True))

    def press(self, key: str) -> None:
        self._think()
        self._type(1)
        self.page.keyboard.press(key)

    def submit(self) -> None:
        """Press Enter, and wait for the page that it leads to."""
        with self.page.expect_event("load"):
            self.press("Enter")

    def see(self, text: str) -> None:
        """Wait until the page shows a text. Asked at each frame, it waits no longer than needed."""
        self.page.wait_for_function("text => document.body?.innerText.includes(text)", arg=text)

    def find(self, selector: str) -> None:
        """Wait until the page has an element, as for a text."""
        self.page.wait_for_function("selector => document.querySelector(selector)", arg=selector)

    # --- Fields ---------------------------------------------------------------------------------

    def fill(self, field: Any, text: str) -> None:
        """Click into a field, unless the cursor is there, and type instead of what is there."""
        self._think()
        self._go_to(field)
        # Ctrl+A.
        self._enter(field, text, more=2 if field.input_value() else 0)

    def fill_next(self, field: Any, text: str) -> None:
        """Go on to a field with Tab, which selects what is there, and type."""
        self._enter(field, text, more=1)

    def paste(self, field: Any, text: str) -> None:
        """Paste what was copied elsewhere."""
        self._think()
        self._go_to(field)
        self.effort.fields += 1
        self._type(2)
        field.fill(text)

    def _go_to(self, field: Any) -> None:
        if not field.evaluate(HAS_CURSOR):
            self._point()
            field.click()

    def _enter(self, field: Any, text: str, *, more: int) -> None:
        is_date = field.get_attribute("type") == "date"
        self.effort.fields += 1
        # What separates the parts of a date is not typed.
        self._type(more + len(text.replace("-", "") if is_date else text))
        field.fill(text)

    def choose(self, select: Any, label: str) -> None:
        """Open a list of choices, and click one."""
        self._think()
        self._point(2)
        select.select_option(label=label)

    def attach(self, field: Any, path: Path) -> None:
        """Choose a file: with a click on the field, and one in the browser's own window."""
        self._think()
        self._point(2)
        field.set_input_files(path)

    def drag(self, what: Any, down: float) -> None:
        """Take hold of something, and let it go so many pixels further down."""
        self._think()
        self._point(0)
        self.effort.drags += 1
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        x, y = box["x"] + 30, box["y"] + 10
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        for part in (0.2, 0.6, 1):
            mouse.move(x, y + part * down)
        mouse.up()
