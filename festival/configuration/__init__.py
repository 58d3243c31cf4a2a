"""Reads the settings from the environment and its file, and checks them; it never decides about a request."""
