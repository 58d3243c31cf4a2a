"""Backups: one file with database and images, made, checked, found, restored; programmes never merge."""
