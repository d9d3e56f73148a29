"""`quadriga serve`: run the web server."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from quadriga.cli.arguments import parse_whole
from quadriga.cli.commandline import CommandLine
from quadriga.engine.errors import MissingExtraError
from quadriga.engine.text import catalogues

SERVER_PACKAGE = "quadriga.server"
_PORT = 8000
_NONE: list[str] = []


def add(cli: CommandLine) -> None:
    """Add the command, also under the name `table` that it had in version 0.1."""

    @cli.command("serve", alias="table")
    def serve(
        host: Annotated[str, cli.option("host", "ADDRESS")] = "127.0.0.1",
        port: Annotated[str, cli.option("port", "N")] = "",
        store: Annotated[str, cli.option("store", "STORE")] = "",
        pubsub: Annotated[str, cli.option("pubsub", "URL")] = "",
        mail: Annotated[str, cli.option("mail", "URL")] = "",
        oidc: Annotated[str, cli.option("oidc", "URL")] = "",
        name: Annotated[list[str], cli.option("name", "NAME")] = _NONE,
        trusted_proxy: Annotated[list[str], cli.option("trusted-proxy", "ADDRESS")] = _NONE,
        metrics_from: Annotated[list[str], cli.option("metrics-from", "ADDRESS")] = _NONE,
        reports: Annotated[str, cli.option("reports", "FOLDER")] = "",
        publish_reports: Annotated[bool, cli.option("publish-reports")] = False,
        limit: Annotated[list[str], cli.option("limit", "NAME=VALUE")] = _NONE,
        no_browser: Annotated[bool, cli.option("no-browser")] = False,
    ) -> None:
        chosen = parse_whole("--port", port, least=0, most=65535) if port else None
        with server_extra():
            from quadriga.server import run as server
            from quadriga.server.proxy import networks
            from quadriga.server.settings import Settings, default_store, parse_limits, store_address
        networks([*trusted_proxy, *metrics_from])  # refuses wrong addresses before anything starts
        settings = Settings(
            host=host,
            port=_PORT if chosen is None else chosen,
            store=store_address(store) if store else default_store(),
            **({"pubsub": pubsub} if pubsub else {}),  # type: ignore[arg-type]
            **({"mail": mail} if mail else {}),  # type: ignore[arg-type]
            **({"oidc": oidc} if oidc else {}),  # type: ignore[arg-type]
            hosts=tuple(each.lower() for each in name),
            proxies=tuple(trusted_proxy),
            metrics=tuple(metrics_from),
            reports=reports,
            publish_reports=publish_reports,
            **parse_limits(limit),  # type: ignore[arg-type]
        )
        say = catalogues.of(cli.say.language, SERVER_PACKAGE)
        server.run(settings, say, exact=chosen is not None, browser=not no_browser)


@contextmanager
def server_extra() -> Iterator[None]:
    """Turn a missing module in the block into an error that names the extra `server`."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is not None and missing.name.startswith("quadriga"):
            raise
        raise MissingExtraError("extra.missing", what=missing.name, extra="server") from None
