"""Functions that run as plain Python and as machine code, on structs of fixed size.

- struct: states and tables as fixed-size structs of integers
- kernel: mark functions as kernels and slots
- slots: the kernels that every game provides
- bits, rng: sets as bits, the random generator for simulation
- link: bind slots to the kernels of a game
- compiler: compile with Numba, the only module that imports it
- disk_cache: keep compiled kernels on disk
- object_code: load entry points without Numba
- machine: link entry points for one game, compiled if Numba is installed
- random_games: play and measure many random games
- single_env, vector_env: step one game, or many together, from outside
"""
