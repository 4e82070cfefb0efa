"""Backups of the whole database: made while it is in use, checked before they take its place.

A backup is two files: the data in the database's own format (a SQLite file, or a custom archive of pg_dump),
and a manifest beside it that says what the data must be. Neither has its final name before it is whole.
"""
