"""The compact form of the logs of games that ended long ago: one row each instead of one for every event.

`packing` makes it and reads it, `moving` puts it in place of the events and back, in the transaction of its caller.
Events may follow those that are archived: a log is its archived events and those in `log`.
"""
