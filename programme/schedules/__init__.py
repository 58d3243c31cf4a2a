"""Published schedules in the frab format, read into plain values and brought into the programme."""
