"""The browser and its server, for tests of pages in a browser."""

from tests.browser import browser, live_server

__all__ = ["browser", "live_server"]
