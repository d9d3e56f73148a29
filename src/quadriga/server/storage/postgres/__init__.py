"""The store on PostgreSQL, which any number of processes share.

`store` implements `SharedStorage`, `writer` commits in groups, `coordination` holds the leases of rooms and the
people at other processes, `database` connects and migrates.
"""
