"""The production server: what `serve` hands to granian, and the thread that renews the programme."""
