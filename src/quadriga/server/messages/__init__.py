"""The contents of messages and answers: everything that viewers and clients are sent about games.

`messages` makes the messages about a running game for each viewpoint, `room_summary` the public state of a
room. `finished` gives records and positions of finished games, with the help of `replay`; `uploaded_records` does
so for uploaded records. `game_catalogue` lists the games, their options and boards, `hint` asks the strongest bot.
"""
