"""`quadriga ratings recompute`, `quadriga ratings report`: ratings of a store."""

from pathlib import Path
from typing import Annotated

from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands.serve import server_extra
from quadriga.cli.output import print_json


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.group_command("ratings", "recompute")
    def recompute(
        store: Annotated[str, cli.argument("store")] = "", json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        import msgspec

        from quadriga.cli.progress import WorkBar

        with server_extra():
            from quadriga.server.scores import recompute as computing
        with WorkBar(cli.say, 0) as bar:
            found = computing.recompute(_address(store), bar.progress)
        if json:
            print_json(msgspec.to_builtins(found))
        else:
            print(cli.say("cli.ratings.recomputed", **msgspec.to_builtins(found)))

    @cli.group_command("ratings", "report")
    def report(
        store: Annotated[str, cli.argument("store")] = "",
        all: Annotated[bool, cli.option("all-pairs")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        import msgspec

        with server_extra():
            from quadriga.server.scores import suspicion
        found = suspicion.pairs(_address(store), all)
        if json:
            print_json(msgspec.to_builtins(found))
            return
        for each in found:
            print(
                cli.say(
                    "cli.ratings.pair",
                    pool=each.pool,
                    player=each.player_name or each.player,
                    other=each.other_name or each.other,
                    games=each.games,
                    player_share=f"{each.player_share:.0%}",
                    other_share=f"{each.other_share:.0%}",
                    better=f"{each.better:.0%}",
                    gained=f"{each.gained:+.0f}",
                    bribes=""
                    if not each.bribed_games
                    else cli.say(
                        "cli.ratings.bribes", paid=each.paid, received=each.received, games=each.bribed_games
                    ),
                    signs=", ".join(cli.say(f"cli.ratings.sign.{sign}") for sign in each.signs) or "–",
                )
            )
        print(cli.say("cli.ratings.no-verdict" if found else "cli.ratings.none"))


def _address(store: str) -> Path | str:
    """Return the address of a store: the path of a file, or a database."""
    with server_extra():
        from quadriga.server.settings import default_store, store_address
    return store_address(store) if store else default_store()
