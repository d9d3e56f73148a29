"""The games as environments of PettingZoo, OpenSpiel and Gymnasium.

Each of these three modules needs the extra of its name, and no other package imports them. `environment_state` sets
up a game for an adapter. `gymnasium_spaces` has Gymnasium's action spaces, `openspiel_state` OpenSpiel's states,
each with a `position`. `pixels` draws a position as an image.
"""
