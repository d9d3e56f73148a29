"""Everything that is served over HTTP except the socket.

`game_routes`, `table_routes` and `replay_routes` answer requests, with the helpers of `request`. `static` serves
the page. `security` stands before all of them: hosts, origins, sizes, rates and headers. `uvicorn_private`
limits half-sent requests and connections per address, `bodies` the memory of request bodies.
"""
