"""The check of the running service: what a monitor from outside would ask, under BASE_URL only."""
