"""Backups: one file with the database and the images; made, checked, restored, deleted when they are old."""
