"""Failures made for real: servers stopped and killed, and readers who must not notice."""
