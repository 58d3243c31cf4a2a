"""How the service is watched: health, metrics, request IDs and logs, and a check of the running service."""
