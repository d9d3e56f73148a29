"""The web server: rooms, their storage, and what clients are sent. See `docs/hosting.md` and `docs/protocol.md`.

`run` starts it, `app` assembles it, `settings` configures it. `limits`, `proxy`, `lan`, `logs`, `metrics` and
`gc_tuning` each do what their names say. The other modules are in sub-packages.
"""
