"""Moves in from another service with the interface, into an empty database."""
