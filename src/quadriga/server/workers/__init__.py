"""Worker processes that read what strangers send.

`pool` starts and limits them, `worker` is the program that they run. `confine` limits the memory and processor time
of a process, `lifeline` ends a helper process when the server ends.
"""
