"""Storage of rooms: a numbered, chained log of events for every room, in one SQLite file or in PostgreSQL.

`base` defines the protocols `Storage` and `SharedStorage` and their record types; `sqlite` and `postgres` implement
them, `address` opens either. `schema`, `migrating` and `migrations` define the tables. `writer` commits in groups
on one thread, `reader` reads single tables, `loading` reads rooms of SQLite and verifies them. `chain` computes the
hashes of a log, `journal` notes how far every room was written. `opening` recognises store files, `private` keeps
them to their owner and `lock` to one process, `backup` copies and restores them, `copying` copies a store into
another.
"""
