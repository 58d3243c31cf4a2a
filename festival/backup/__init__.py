"""Backups: one file with the database and the images, made, checked, found, swept and restored."""
