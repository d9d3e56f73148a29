"""Studies: play many games with chosen players, and keep what happened in them as tables.

`plan` is the setup of a study, `schema` lists its tables and columns, `collect` plays and writes them. The counting
is done by kernels (`count_step`, and those of the game's study) while the games are played.
"""
