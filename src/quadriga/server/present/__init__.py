"""What each viewer is sent.

`frames` makes the messages about a running game for each viewpoint, `room_summary` what everybody may know of a
room. `finished` gives records and positions of finished games, with the help of `replay`; `uploaded_records` does
so for uploaded records. `game_catalogue` lists the games, their options and boards.
"""
