"""Start the server: one process, one store, one address. Open the browser if there is one."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import FrameType

import uvicorn

from quadriga.engine.errors import FileError
from quadriga.engine.text.catalogues import Words
from quadriga.server import lan, logs, mail
from quadriga.server.app import application
from quadriga.server.gc_tuning import GC_TUNING
from quadriga.server.http import static
from quadriga.server.http.report_routes import has_reports
from quadriga.server.http.security import Guard
from quadriga.server.oidc import choice
from quadriga.server.people.accounts import Accounts
from quadriga.server.protocol.errors import PACKAGE, RoomError
from quadriga.server.protocol.fields import SOCKET_BYTES
from quadriga.server.proxy import Proxies
from quadriga.server.public import configuration, listing, steps
from quadriga.server.rooms.processes import connecting
from quadriga.server.seats.tokens import Tokens
from quadriga.server.settings import Settings
from quadriga.server.storage import private
from quadriga.server.storage.address import open_store, reserved, shown

Protocol = type[asyncio.Protocol] | str
UVICORN_ONLY: tuple[Protocol, Protocol] = "httptools", "websockets-sansio"  # uvicorn's own protocols
_OPEN_FILES = 10_240  # the most that macOS grants every process
_PORTS_TRIED = 20  # from the wanted one on
_SWITCH_INTERVAL_S = 0.0002  # the event loop must not keep the interpreter while the store's writer waits for it


class Server(uvicorn.Server):
    """A uvicorn server that calls a function when it has started."""

    def __init__(
        self,
        config: uvicorn.Config,
        on_start: Callable[[], None],
        drain: Callable[[], Awaitable[None]],
        drain_s: float,
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._drain, self._drain_s = drain, drain_s
        self._is_terminated = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note which signal ends the server."""
        self._is_terminated |= sig == signal.SIGTERM
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and call the function."""
        await super().startup(sockets)
        if self.started:
            sys.setswitchinterval(_SWITCH_INTERVAL_S)
            GC_TUNING.start()
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain, then stop. After an interrupt from the keyboard nobody waits."""
        if self._drain_s > 0 and self._is_terminated:
            await self._drain()
            await asyncio.sleep(self._drain_s)
        await super().shutdown(sockets)


def listening(host: str, port: int, exact: bool) -> socket.socket:
    """Return a socket at the wanted port, or at one of the next if it is taken and `exact` is false."""
    fault: OSError | None = None
    for each in [port] if exact or port == 0 else range(port, port + _PORTS_TRIED):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            found = socket.socket(
                family, socket.SOCK_STREAM, socket.IPPROTO_TCP
            )  # without the protocol number asyncio leaves Nagle on
            if os.name == "posix":  # on Windows it would allow two servers at one port
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind((host, each))
            return found
        except (OSError, OverflowError) as refused:
            found.close()
            fault = refused if isinstance(refused, OSError) else OSError(str(refused))
    reason = fault.strerror or str(fault) if fault else ""
    raise FileError("serve.port", package=PACKAGE, host=host, port=port, reason=reason)


def own_protocols(settings: Settings, proxies: Proxies) -> tuple[type[asyncio.Protocol], ...] | None:
    """Return our protocols for HTTP and websockets; None if they do not fit to this version of uvicorn."""
    try:
        from quadriga.server.http import uvicorn_private
    except ImportError:  # a private module has another name
        return None
    if not uvicorn_private.is_usable():
        return None
    return uvicorn_private.connection_class(settings, proxies), uvicorn_private.Transport


def configured(guard: Guard, settings: Settings, ws: Protocol | None = None) -> uvicorn.Config:
    """Return the configuration of uvicorn. The guard handles forwarded headers."""
    http, own_ws = own_protocols(settings, guard.proxies) or UVICORN_ONLY
    return uvicorn.Config(
        guard,
        log_config=None,
        access_log=False,
        loop="auto",
        http=http,
        ws=ws or own_ws,
        ws_max_size=SOCKET_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=settings.keep_seconds,  # type: ignore[arg-type]
        timeout_graceful_shutdown=2,
        proxy_headers=False,
        server_header=False,
        lifespan="on",
    )


def run(
    settings: Settings,
    say: Words,
    *,
    exact: bool = False,
    browser: bool = True,
    public: str = "",
    proxy: str = "",
) -> None:
    """Serve until the process is stopped. Raises FileError if another process uses the store's file.

    If the server is to be `public` under a name, say first what is missing for that, and print the configuration of
    its `proxy`.
    """
    _allow_many_sockets()
    connecting.check(settings)
    mail.check(settings)
    choice.check(settings)
    with reserved(settings.store):
        code = asyncio.run(_check_store(settings))
        if warning := private.warning(settings.store, say):
            print(warning, file=sys.stderr, flush=True)
        bound = listening(settings.host, settings.port, exact)
        if public:
            _explain(settings, say, public, proxy, code, bound.getsockname()[1])
        _serve(settings, say, code, bound, browser=browser)


def _explain(settings: Settings, say: Words, name: str, proxy: str, code: str | None, port: int) -> None:
    """Print what a public server needs and has, and the configuration of its proxy."""
    local = settings.host if settings.host not in ("0.0.0.0", "::") else "127.0.0.1"
    address = f"[{local}]:{port}" if ":" in local else f"{local}:{port}"
    lines = (
        list(listing.configuration(proxy, name, configuration.files(proxy, name, address), say)) if proxy else []
    )
    lines += listing.checklist(name, asyncio.run(steps.steps(settings, name, code)), say)
    print("\n".join([*lines, ""]), flush=True)


def _serve(settings: Settings, say: Words, host_code: str | None, bound: socket.socket, *, browser: bool) -> None:
    port = bound.getsockname()[1]
    local = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    address = f"http://{f'[{local}]' if ':' in local else local}:{port}"

    def print_addresses() -> None:
        print(say("table.ready", address=address), flush=True)
        if not static.is_built():
            print(say("table.no-page"), flush=True)
        if lan.is_shared(settings.host):
            for each in lan.addresses(port):
                print(say("table.others", address=each), flush=True)
        elif not settings.proxies:
            print(say("table.alone"), flush=True)
        if has_reports(settings):
            print(say("table.reports", address=f"{address}/reports"), flush=True)
        if host_code is not None:
            print(say("table.host-code", code=host_code), flush=True)
        print(say("table.stop"), flush=True)
        if browser and static.is_built() and _has_browser():
            webbrowser.open(address)

    logs.set_up(settings.log_lines)
    guard = application(settings)
    if own_protocols(settings, guard.proxies) is None:
        print(say("table.unlimited", version=uvicorn.__version__), file=sys.stderr, flush=True)
    config = configured(guard, settings)
    server = Server(config, print_addresses, guard.drain, settings.drain)
    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(server.serve([bound]))
    finally:
        GC_TUNING.stop()
    if not server.started:
        raise SystemExit(2)


async def _check_store(settings: Settings) -> str | None:
    """Open the store and write to it, so that an unusable one is refused before anything starts.

    Return the code with which a member becomes the host, if others can reach the server and it has no host.
    """
    store = await open_store(settings.store)
    try:
        await Tokens.of(store)
        if not lan.is_shared(settings.host) and not settings.proxies:
            return None
        return await Accounts(store).host_code()
    except RoomError as fault:
        raise FileError("store.open", package=PACKAGE, path=shown(settings.store), reason=fault) from None
    finally:
        await store.close()


def _allow_many_sockets() -> None:
    """Allow this process as many open files as the system permits."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for limit in (hard, max(soft, _OPEN_FILES)):
            with suppress(OSError, ValueError):  # macOS has no hard limit, and refuses a soft one without a number
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
                return


def _has_browser() -> bool:
    """Return whether this machine can show a browser window."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
