"""People and seats: who takes part in a room, and as whom.

- `seat`: a seat, and what it is after a vote has emptied it.
- `names`: what people are called, and which names look alike.
- `tokens`: signed tokens that say who somebody is in a room.
- `viewers`: the websockets through which people look at a room.
- `presence`: who is here, and for how long the others have been away.
- `votes`: open votes, and how many seats it takes.
"""
