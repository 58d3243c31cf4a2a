"""Problems of the programme: finding them, listing them, and linking to the fields where they are fixed."""
