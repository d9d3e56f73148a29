"""Exit codes of commands, beside 0 for success."""

FAULT = 1  # a fault in the program itself
REFUSED = 2  # a line on standard error gives the reason
INTERRUPTED = 130  # by the user; finished work is kept
