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
_OWN = ("127.0.0.1", "::1")  # where the proxy of a public server is
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
        access: Annotated[str, cli.option("access", "WHO")] = "",
        pages: Annotated[str, cli.option("pages", "FOLDER")] = "",
        public: Annotated[str, cli.option("public", "NAME")] = "",
        proxy: Annotated[str, cli.option("proxy", "PROGRAM")] = "",
        publish_reports: Annotated[bool, cli.option("publish-reports")] = False,
        limit: Annotated[list[str], cli.option("limit", "NAME=VALUE")] = _NONE,
        no_browser: Annotated[bool, cli.option("no-browser")] = False,
    ) -> None:
        chosen = parse_whole("--port", port, least=0, most=65535) if port else None
        with server_extra():
            from quadriga.server import run as server
            from quadriga.server.moderation.rules import check_access
            from quadriga.server.proxy import networks
            from quadriga.server.public.configuration import check_proxy, checked_name
            from quadriga.server.settings import Settings, default_store, parse_limits, store_address
        check_access(access)
        check_proxy(proxy)
        domain = checked_name(public) if public or proxy else ""
        networks([*trusted_proxy, *metrics_from])  # refuses wrong addresses before anything starts
        settings = Settings(
            host=host,
            port=_PORT if chosen is None else chosen,
            store=store_address(store) if store else default_store(),
            **({"pubsub": pubsub} if pubsub else {}),  # type: ignore[arg-type]
            **({"mail": mail} if mail else {}),  # type: ignore[arg-type]
            **({"oidc": oidc} if oidc else {}),  # type: ignore[arg-type]
            hosts=tuple(each.lower() for each in [*name, domain] if each),
            proxies=tuple(trusted_proxy or (_OWN if domain else [])),
            metrics=tuple(metrics_from),
            reports=reports,
            publish_reports=publish_reports,
            access=access,
            pages=pages,
            **parse_limits(limit),  # type: ignore[arg-type]
        )
        say = catalogues.of(cli.say.language, SERVER_PACKAGE)
        is_exact = chosen is not None or bool(domain)  # a proxy leads to this port and no other
        shown = not (no_browser or domain)
        server.run(settings, say, exact=is_exact, browser=shown, public=domain, proxy=proxy)


@contextmanager
def server_extra() -> Iterator[None]:
    """Turn a missing module in the block into an error that names the extra `server`."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name is not None and missing.name.startswith("quadriga"):
            raise
        raise MissingExtraError("extra.missing", what=missing.name, extra="server") from None
