"""Merging locations, rooms, organizers and event types: previewed, then written as one edit."""
