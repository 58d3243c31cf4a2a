"""How the service is watched: health, metrics, access logs, a check of it while it runs; it mends nothing."""
