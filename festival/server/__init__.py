"""The production server: reader processes, the back office process, what is forwarded; no domain logic."""
