"""Signing in to the back office: accounts, limits, second steps and their log."""
