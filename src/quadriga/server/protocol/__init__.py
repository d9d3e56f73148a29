"""The protocol: the one definition of every message, request and answer.

`fields` holds sizes and constrained types, `parts` the types that several messages share. `client_messages`
and `server_messages` go over the socket; `requests`, `answers` and `replay_answers` over REST. `errors` defines the
refusals of the server, and `texts` turns errors and notes into messages. `schema` makes JSON schemas of all types:
`openapi` uses them at run time, `scripts/protocol.py` makes the tables of `docs/protocol.md` and the page's
TypeScript types from them.
"""
