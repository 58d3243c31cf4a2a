"""Suggestions of organizers about their own events: links to make them with, and editors who decide."""
