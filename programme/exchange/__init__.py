"""Files in and out: readers, text conversion, merging and exports; never sees a request."""
