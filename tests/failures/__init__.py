"""Real failures: servers are stopped and killed, and readers must not notice."""
