"""A bot for Ben Hvrt: it bids while a card is worth the bid, sells what others need more, else does as `greedy`."""

from quadriga.engine.game import Game
from quadriga.games.benhvrt import View
from quadriga.players import GreedyPlayer, Perspective


class Merchant:
    """`merchant.py:Merchant:1.5` wants 1.5 D of worth for every D that it bids."""

    def __init__(self, game: Game, parameters: str = "", seed: int = 0, number: int = 0) -> None:
        self.rules_of_thumb = GreedyPlayer(game, "", seed, number)
        self.least = float(parameters or 1)

    def decide(self, observed: Perspective) -> str:
        """Return the text of a legal action."""
        view = observed.view()
        assert isinstance(view, View)
        if "bid" in observed.legal() and view.lot and view.lot.bid:
            return "bid" if observed.worth(view.lot.card) >= self.least * view.lot.bid else "pass"
        if "offer" in observed.families() and not view.players[view.seat].offers_made:
            for card in view.hand:
                for other in view.players:
                    price = round((observed.worth(card) + observed.worth(card, other.seat)) / 2)
                    gains = observed.worth(card) < price < observed.worth(card, other.seat)
                    if gains and other.seat != view.seat and other.plays and price <= other.purse:
                        return observed.build("offer", to=other.seat, give=[card], want=[price])
        return self.rules_of_thumb.decide(observed)
