"""Worker processes that parse uploads.

`pool` starts and limits them, `worker` is the program that they run, `confine` limits the memory and processor time
of a process.
"""
