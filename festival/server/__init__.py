"""The production server: reader processes, the back office process, and what one forwards to the other."""
