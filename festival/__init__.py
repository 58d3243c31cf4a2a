"""The project: settings, addresses, errors, the clock and the server's entry point."""

__version__ = "1.0.0"
