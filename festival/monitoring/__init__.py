"""How the service is watched: health and metrics; it mends nothing."""
