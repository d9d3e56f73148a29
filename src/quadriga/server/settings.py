"""The settings of a server: address, store and limits (see `docs/operations.md`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from quadriga.engine.errors import OptionError
from quadriga.engine.folders import data_path

# These have command-line options of their own.
_OPTIONS = (
    "host",
    "port",
    "store",
    "pubsub",
    "hosts",
    "proxies",
    "metrics",
    "reports",
    "publish_reports",
    "mail",
    "oidc",
    "access",
    "pages",
)


def store_address(text: str) -> Path | str:
    """Return the path of a store's file, or the address of its database."""
    return text if "://" in text else Path(text)


def default_store() -> Path | str:
    """Return the default store."""
    own = os.environ.get("QUADRIGA_STORE")
    return store_address(own) if own else data_path("tables.sqlite")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one server. A rate is a number per second; the burst beside it is the number at once."""

    host: str = "127.0.0.1"
    port: int = 8000
    store: Path | str = field(default_factory=default_store)
    pubsub: str = field(default_factory=lambda: os.environ.get("QUADRIGA_PUBSUB", ""))  # empty: within this process
    hosts: tuple[str, ...] = ()  # names that the server accepts beside those of this machine
    proxies: tuple[str, ...] = ()  # addresses and networks whose forwarded headers count
    metrics: tuple[str, ...] = ()  # addresses and networks that may read the metrics beside this machine
    reports: Path | str = ""  # the folder with the reports of `quadriga lab`; empty: the one that it uses
    publish_reports: bool = False  # whether everybody may see the reports, not only this machine
    mail: str = field(default_factory=lambda: os.environ.get("QUADRIGA_MAIL", ""))  # empty: no e-mail
    oidc: str = field(default_factory=lambda: os.environ.get("QUADRIGA_OIDC", ""))  # empty: no identity provider

    access: str = ""  # who may play, whatever the host has set on the page; empty: what is set there
    pages: Path | str = ""  # the folder with terms, privacy and imprint; empty: none

    grace: float = 60.0  # seconds offline until a bot takes over the seat
    long_gone: float = 300.0  # seconds away after which a person does not count in votes, nor as the host
    tick: float = 0.25  # seconds that a bot takes in a reaction window, whatever it holds
    window_beat: float = 1.5  # seconds that a reaction window lasts among people; 0 waits for every answer
    window_hold: float = 20.0  # seconds that a person who holds a window has to answer
    order_delay: float = 2.0  # seconds that a standing order takes on average, where other people play or watch
    undo_grace: float = 3.0  # seconds that dice and cards wait after a person's move, at tables that allow undo
    quick_offer: float = 30.0  # seconds after which somebody who looks for a quick game is offered bots
    quick_fill: int = 60  # seconds after which bots take the free seats at a quick table for more than two
    idle: float = 120.0  # seconds that an empty table stays in memory
    day: float = 86_400.0  # seconds of a day, in games by days
    sweep: float = 1.0  # seconds between two looks at the deadlines of games by days
    archive_after: float = 30.0  # days after which the log of a finished game is packed; 0: never
    keep_chat: float = 0.0  # days after the last message of a table, after which its chat is deleted; 0: for ever
    keep_guests: float = 0.0  # days after the last visit of a guest, after which they are deleted; 0: for ever
    keep_audit: float = 0.0  # days that notes of what was done with an account are kept; 0: for ever
    drain: float = 0.0  # seconds after SIGTERM in which requests are still answered, but no sockets are opened

    connections: int = 10_000  # at once
    connections_each: int = 200  # from one address, trusted proxies excepted
    head_seconds: float = 10.0  # for the head of a request
    head_bytes: int = 128 * 1024
    body_seconds: float = 60.0  # for the body of a request
    body_bytes: int = 256 * 2**20  # of bodies in memory, of all requests at once
    body_bytes_each: int = 32 * 2**20  # ... of one address
    keep_seconds: float = 10.0  # that a connection without a request is kept
    requests: float = 40.0  # requests of an address
    request_burst: float = 120.0

    sockets: int = 5_000  # at once
    sockets_each: int = 64  # from one address
    sockets_guest: int = 16  # of one guest at one table
    watchers: int = 200  # at one table
    listeners: int = 10_000  # pages outside of a table, at once
    listeners_each: int = 64  # ... from one address
    hello: float = 10.0  # seconds for the first message
    queue: int = 256  # messages that a slow client may be behind
    rate: float = 20.0  # messages of a socket
    burst: float = 60.0
    household: float = 8.0  # guests that one address may hold

    chats: float = 1.0  # chat messages of a guest
    chat_burst: float = 20.0
    new_chats: float = 0.25  # chat messages of a guest who is new
    new_chat_burst: float = 10.0
    looks: float = 5.0  # `hello`, `look`, `coach`, `why` and `orders` of a guest
    look_burst: float = 60.0
    changes: float = 2.0  # `stops`, `skip`, `deal`, `hold`, `order`, `word`, `mute`, `vote`, `leave`, … of a guest
    change_burst: float = 40.0
    hints: float = 0.5  # hints and previews of orders for a guest
    hint_burst: float = 10.0
    hint_workers: int = 2  # hints that are computed at once
    hint_queue: int = 16  # hints that may wait; of one guest, one
    hint_each: int = 8  # hints of one address that are computed or wait
    mutes: int = 50  # names that a guest can mute
    orders: int = 12  # standing orders of a seat

    creates: float = 0.2  # tables that an address creates
    create_burst: float = 20.0
    tables_each: int = 50  # tables in memory that an address has created
    tables: int = 5_000  # tables in memory
    tournaments_each: int = 20  # tournaments that are not over and that an address has organised
    tournaments: int = 2_000  # tournaments that are not over
    joins: float = 1.0  # `join`, `seats`, `invite`, `ask`, `allow`, `start` and `rematch` of an address
    join_burst: float = 60.0
    replays: float = 5.0  # parts of finished games (`replay`, `chart`, `record`, `fairness`) for an address
    replay_burst: float = 60.0

    guests: float = 0.05  # people that an address creates
    guest_burst: float = 30.0
    accounts: float = 10.0  # requests of an address, which a household may share, about accounts, games and scores
    account_burst: float = 300.0
    proofs: float = 0.02  # codes and passkeys that an address tries, or that are tried for a person
    proof_burst: float = 5.0
    proofs_in_all: float = 20.0  # codes and passkeys that all addresses try together, and at once
    mails: float = 0.005  # codes by e-mail that an address or a person asks for, or for one e-mail address
    mail_burst: float = 5.0
    mails_in_all: float = 5.0  # codes by e-mail that all addresses ask for together, and at once

    report_rate: float = 0.02  # reports of messages and names that a person or an address sends
    report_burst: float = 10.0
    moderation: float = 5.0  # requests of an address about moderation
    moderation_burst: float = 100.0

    notice_after: float = 60.0  # seconds after which people are told of a turn, unless they have moved or come
    notice_every: float = 5.0  # seconds between two looks for notices that are due
    notice_rate: float = 0.01  # notices to one address of a person
    notice_burst: float = 50.0
    notice_trials: float = 0.02  # notices that an address has sent to itself, to try them
    notice_trial_burst: float = 5.0
    notice_private: int = 0  # 1: notices may go to this machine and its network, also by plain HTTP

    uploads: float = 1.0  # files, and options and boards with files in them, that are read for an address
    upload_burst: float = 20.0
    upload_workers: int = 2  # files that are read at once
    upload_queue: int = 16  # files that may wait
    upload_each: int = 4  # files of one address that are received, read or wait
    upload_seconds: float = 5.0  # of the processor, for a file; by the clock four times that
    upload_memory: int = 512  # megabytes for a file
    records: float = 1.0  # quarters of a megabyte of uploaded records that are read for an address
    record_burst: float = 80.0
    record_queue: int = 8  # records that may wait; one is read at a time
    record_each: int = 4  # records of one address that are received, read or wait
    record_seconds: float = 120.0
    record_memory: int = 1024
    reviews: float = 0.2  # reviews that an address begins
    review_burst: float = 10.0
    review_queue: int = 8  # reviews that may wait; one is done at a time; 0: there are none
    review_each: int = 4  # reviews of one address that are received, done or wait
    review_memory: int = 4096

    pictures: float = 0.5  # pictures of tables for an address
    picture_burst: float = 20.0
    picture_queue: int = 8  # pictures that may wait; one is made at a time
    picture_each: int = 4  # pictures of one address that are made or wait
    picture_seconds: float = 30.0  # of the processor, for a picture; by the clock four times that
    picture_memory: int = 1024  # megabytes for a picture

    log_lines: int = 5  # of a kind, per minute


LIMITS = {each.name: each for each in fields(Settings) if each.name not in _OPTIONS}


def parse_limits(texts: Sequence[str]) -> dict[str, float]:
    """Return limits from the command line, each `NAME=VALUE`. Raises OptionError for anything else."""
    found: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError("option.form", text=text)
        if name in found:
            raise OptionError("option.twice", name=name)
        if name not in LIMITS:
            raise OptionError("option.unknown", name=name, known=list(LIMITS))
        found[name] = _number(name, value)
    return found


def _number(name: str, text: str) -> float:
    is_whole = LIMITS[name].type == "int"
    try:
        number = int(text) if is_whole else float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 1e12:
        allowed = "0, 1, 2, ..." if is_whole else "a number from 0"
        raise OptionError("option.value", name=name, value=text, allowed=allowed)
    return number
