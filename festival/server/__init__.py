"""The production server: the options of granian, and the thread that renews the programme."""
