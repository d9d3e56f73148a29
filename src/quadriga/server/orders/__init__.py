"""Standing orders of seats: what they come to now, when they end, and how their owner is told.

Orders are events of the room's log, so they survive a restart and every process knows them. Nothing that anybody
but their owner is sent depends on them, except for the actions that they give.
"""
