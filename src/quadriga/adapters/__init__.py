"""The games as environments of PettingZoo, OpenSpiel and Gymnasium.

Each of these three modules needs the extra of its name, and no other package imports them. `environment_state` sets
up a game for an adapter, `position` holds a position for OpenSpiel, and `pixels` draws a position as an image.
"""
