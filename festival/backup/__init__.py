"""Backups: files with the database and the images, created, checked, restored and pruned."""
