"""The lobby: how people meet. `docs/lobby.md` says what it does and what is stored.

`lobby` keeps everybody informed who has the page open outside of a table; `listing` reads the open tables and the
games to watch; `listener` is one of those pages; `opening` lists tables, and lets bots take
seats in time; `quick` pairs people, by the steps of `queue`.
"""
