"""The check of the running service: fetches what readers fetch, under BASE_URL only, and judges it."""
