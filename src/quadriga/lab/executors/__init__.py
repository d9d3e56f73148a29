"""Executors map chunks of seeded work over workers.

`chunks` is the interface. `local` uses the cores of this machine, and `cluster` those of a Ray cluster, with
`connection`, `ray_private`, `versions` and `worker` as its parts.
"""
