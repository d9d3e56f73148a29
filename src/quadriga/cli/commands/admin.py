"""`quadriga admin`: moderate a store from the command line."""

from typing import TYPE_CHECKING, Annotated

from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands.serve import server_extra
from quadriga.engine.errors import OptionError

if TYPE_CHECKING:
    from quadriga.server.moderation.desk import Desk

_NONE: list[str] = []


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.group_command("admin", "rules")
    def rules(
        changes: Annotated[list[str], cli.argument("rule-changes")] = _NONE,
        store: Annotated[str, cli.option("store", "STORE")] = "",
    ) -> None:
        for name, value in _desk(store).rules(changes).items():
            shown = ", ".join(value) if isinstance(value, tuple) else value
            print(f"{name} = {shown}")

    @cli.group_command("admin", "role")
    def role(
        member: Annotated[str, cli.argument("member")],
        role: Annotated[str, cli.argument("role")],
        store: Annotated[str, cli.option("store", "STORE")] = "",
    ) -> None:
        _desk(store).appoint(member, role)
        print(f"{member}: {role}")

    @cli.group_command("admin", "act")
    def act(
        kind: Annotated[str, cli.argument("act-kind")],
        whom: Annotated[str, cli.argument("whom")],
        reason: Annotated[str, cli.option("reason", "TEXT")],
        hours: Annotated[str, cli.option("hours", "N")] = "",
        new_name: Annotated[str, cli.option("new-name", "NAME")] = "",
        store: Annotated[str, cli.option("store", "STORE")] = "",
    ) -> None:
        done = _desk(store).act(kind, whom, reason, _number(hours), new_name)
        print(done.id)

    @cli.group_command("admin", "lift")
    def lift(
        act: Annotated[str, cli.argument("act-id")],
        reason: Annotated[str, cli.option("reason", "TEXT")],
        store: Annotated[str, cli.option("store", "STORE")] = "",
    ) -> None:
        print(_desk(store).lift(act, reason).id)

    @cli.group_command("admin", "invite")
    def invite(store: Annotated[str, cli.option("store", "STORE")] = "") -> None:
        print(_desk(store).invite())

    @cli.group_command("admin", "reports")
    def reports(store: Annotated[str, cli.option("store", "STORE")] = "") -> None:
        for line in _desk(store).reports():
            print(line)

    @cli.group_command("admin", "log")
    def log(store: Annotated[str, cli.option("store", "STORE")] = "") -> None:
        for line in _desk(store).log():
            print(line)


def _desk(store: str) -> "Desk":
    with server_extra():
        from quadriga.server.moderation.desk import Desk
        from quadriga.server.settings import default_store, store_address
    return Desk(store_address(store) if store else default_store())


def _number(text: str) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        found = 0.0
    if found is not None and not 0 < found <= 8760:
        raise OptionError("option.value", name="--hours", value=text, allowed="0.1 … 8760")
    return found
