"""The parts that a game is made of. Each is generic over the game's own tables `T`, state `S` and view `V`.

`rules` says how a game is played, `notation` how its actions are written, `display` how a position is shown.
Every game has these three. `races`, `reactions`, `teaching`, `bots`, `orders` and `study` are None in a game that
has none. A field of a part that may be None says what happens without it.
"""

from quadriga.engine.parts.bots import Bots
from quadriga.engine.parts.display import Display
from quadriga.engine.parts.notation import Notation
from quadriga.engine.parts.orders import Orders
from quadriga.engine.parts.races import Races
from quadriga.engine.parts.reactions import Reactions
from quadriga.engine.parts.rules import Rules
from quadriga.engine.parts.study import Study
from quadriga.engine.parts.teaching import Teaching

__all__ = ["Bots", "Display", "Notation", "Orders", "Races", "Reactions", "Rules", "Study", "Teaching"]
