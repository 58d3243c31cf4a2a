"""Reads the interface's own JSON, so that a festival can move in from another service that has it."""
