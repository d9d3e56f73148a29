"""Storage of rooms: one SQLite file with a numbered, chained log of events for every room.

`base` defines the `Storage` protocol and its record types, `sqlite` implements it. `schema` and `migrations` define
the tables. `writer` commits in groups on one thread, `loading` reads rooms and verifies them. `chain` computes the
hashes of a log, `journal` notes how far every room was written. `opening` recognises store files, `backup` copies
and restores them.
"""
