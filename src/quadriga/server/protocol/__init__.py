"""The protocol: the one definition of every message, request and answer.

`fields` holds sizes and constrained types, `parts` the types that several messages share. `messages` defines what
goes over the socket, `requests` and `answers` what goes over REST. `errors` defines what the server refuses and
`texts` turns errors and notes into messages. `schema` makes JSON schemas of all types: `openapi` uses them at run
time, `scripts/protocol.py` makes the tables of `docs/protocol.md` and the page's TypeScript types from them.
"""
