"""Reviews of finished games: `jobs` queues them and keeps their results, `worker` is the program that does one."""
