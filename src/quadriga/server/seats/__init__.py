"""People and seats of a room.

- `seat`: a seat, and its vacancy after a vote has emptied it.
- `names`: names of people, and which of them look alike.
- `tokens`: signed tokens that identify a person in a room.
- `viewers`: the websockets through which people look at a room.
- `presence`: people with an open socket, and how long the others have been away.
- `votes`: open votes, and the number of seats that decides.
"""
