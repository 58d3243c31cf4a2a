"""Hostile input and long load against the real service: `make endurance`."""
