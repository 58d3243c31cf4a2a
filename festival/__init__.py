"""The project: settings, addresses, errors, the clock and the server's entry point."""
