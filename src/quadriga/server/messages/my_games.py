"""A person's games as the protocol has them."""

from __future__ import annotations

from quadriga.server.people.history import ListedGame
from quadriga.server.protocol.people import MyGame, MyGameSeat


def my_game(listed: ListedGame, due: int | None = None, rating: list[float] | None = None) -> MyGame:
    """Return a game of a person's list; `due` is when the time for a move by days ends.

    `rating` is the person's before and after the game.
    """
    seats = [
        MyGameSeat(seat.kind, seat.name, seat.bot, seat.holder == listed.holder, seat.place)
        for seat in listed.seats
    ]
    return MyGame(
        table=listed.table_id,
        game=listed.game,
        status=listed.status,
        seats=seats,
        turn=listed.turn,
        mine=listed.is_my_turn,
        due=due,
        created=listed.created,
        changed=listed.changed,
        ended=listed.ended or None,
        place=listed.place,
        rating=rating,
    )
