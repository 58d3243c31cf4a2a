"""Sweeping: what the service deletes by itself once it is of no use, and when."""
