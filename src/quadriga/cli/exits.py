"""How a command ends: 0 is done; these are not."""

REFUSED = 2  # one clear line says why
INTERRUPTED = 130  # by the user; what was done until then stands
