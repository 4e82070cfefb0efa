"""A club that never was: sensible hands for demonstrations and for load. No Django, no database."""
