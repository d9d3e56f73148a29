"""The house: who may play here and who may write, as one process of a server knows it.

Rules, mutes and bans are held in memory. Whatever changes them adds to the log of the house; every process looks at
its end once a second, and reads them again when it has grown, whoever has added to it: this process, another one,
or the command line.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from quadriga.engine.errors import QuadrigaError
from quadriga.server.background import BackgroundTask
from quadriga.server.logs import LOGGER
from quadriga.server.moderation import acts, log, rules
from quadriga.server.moderation.acts import BAN, MUTE, RANGE, Act, Network
from quadriga.server.moderation.filters import WordFilter, has_link
from quadriga.server.moderation.pages import HousePages
from quadriga.server.moderation.rules import Access, Rules
from quadriga.server.people.codes import hashed
from quadriga.server.people.person import Person
from quadriga.server.protocol.errors import RoomError, StaleError
from quadriga.server.seats.known import Known
from quadriga.server.settings import Settings
from quadriga.server.storage.base import Storage, now
from quadriga.server.storage.moderation_schema import ACTS, BANNED_DEVICES
from quadriga.server.storage.people_schema import PLAYERS

_LOOK_S = 1.0  # between two looks at the log of the house
_HOUR_MS = 3_600_000


class News(NamedTuple):
    """An entry of the log that is new to this process."""

    id: int
    kind: str
    target: str


class House:
    """The rules of the house, and the mutes and bans that are in force."""

    def __init__(self, store: Storage, settings: Settings) -> None:
        self.store = store
        self.fixed_access: Access | None = next((each for each in rules.ACCESS if each == settings.access), None)
        self.pages = HousePages(settings.pages)
        self.on_change: Callable[[list[News]], None] = lambda news: None  # called with what is new in the log
        self._use(Rules())
        self._mutes: dict[str, Act] = {}  # by subject, or by the part of one at a table
        self._bans: dict[str, Act] = {}
        self._ranges: list[tuple[Network, Act]] = []
        self._devices: dict[bytes, Act] = {}
        self._concerned: frozenset[str] = frozenset()
        self._seen: set[News] = set()  # the end of the log, as it was read
        self._task = BackgroundTask("house")

    def _use(self, found: Rules) -> None:
        self.rules = (
            found if self.fixed_access is None else msgspec.structs.replace(found, access=self.fixed_access)
        )
        self._words = WordFilter(found.words)

    # Keeping up with the store.

    async def open(self) -> None:
        """Read everything, and look for changes from now on."""
        await self._read()
        self._task.start(self._run())

    async def close(self) -> None:
        """Look no more."""
        await self._task.end()

    async def refresh(self) -> None:
        """Read rules, mutes and bans again if the log of the house has grown."""
        before = self._seen
        if await self._recent() != before:
            await self._read()
            self.on_change(sorted(self._seen - before))

    async def _recent(self) -> set[News]:
        return {News._make(row) for row in await self.store.read(log.recent())}

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                await self.refresh()
            except (QuadrigaError, StaleError) as fault:
                LOGGER.warning("cannot read the rules of the house: %s", fault)
            except Exception:
                LOGGER.exception("cannot follow the log of the house")

    async def _read(self) -> None:
        seen = await self._recent()  # first: what is added while the rest is read is found next time
        stored = await self.store.read(rules.selected())
        self._use(rules.stored(bytes(stored[0][0]) if stored else None))
        in_force = (ACTS.c.lifted.is_(None), sa.or_(ACTS.c.until.is_(None), ACTS.c.until > now()))
        kept = (ACTS.c.kind.in_((BAN, MUTE, RANGE)), *in_force)
        found = [Act._make(row) for row in await self.store.read(sa.select(ACTS).where(*kept).order_by(ACTS.c.at))]
        by_id = {each.id: each for each in found}
        parts = await self._parts([each.subject for each in found if each.subject is not None])
        self._mutes, self._bans, self._ranges = {}, {}, []
        for act in found:
            if act.kind == RANGE:
                self._ranges.append((ipaddress.ip_network(str(act.network)), act))
                continue
            held = self._mutes if act.kind == MUTE else self._bans
            for subject in (act.subject or "", *parts.get(act.subject or "", ())):
                held[subject] = _longer(held.get(subject), act)
        devices = await self.store.read(sa.select(BANNED_DEVICES.c.hash, BANNED_DEVICES.c.act_id))
        self._devices = {bytes(key): by_id[act_id] for key, act_id in devices if act_id in by_id}
        self._seen = seen

    async def _parts(self, people: list[str]) -> dict[str, list[str]]:
        """Return the parts that people have at running games, by person: tokens of tables name only those."""
        if not people:
            return {}
        running = (PLAYERS.c.person_id.in_(people), PLAYERS.c.ended == 0)
        found: dict[str, list[str]] = {}
        for person_id, holder in await self.store.read(
            sa.select(PLAYERS.c.person_id, PLAYERS.c.holder).where(*running)
        ):
            found.setdefault(person_id, []).append(holder)
        return found

    # Who may come in.

    @property
    def is_open(self) -> bool:
        """True if everybody may play: nobody is banned, and guests are welcome."""
        return self.rules.access == "open" and not (self._bans or self._ranges or self._devices)

    @property
    def banned(self) -> frozenset[str]:
        """The subjects of all bans in force, and their parts at tables."""
        at = now()
        return frozenset(subject for subject, act in self._bans.items() if act.holds(at))

    def ban_of(self, *subjects: str | None, secret: str | None = None) -> Act | None:
        """Return the ban of somebody, by whatever is known of them; None if they are not banned."""
        found = [self._bans.get(each) for each in subjects if each is not None]
        if secret is not None and self._devices:
            found.append(self._devices.get(hashed(secret)))
        return next((act for act in found if act is not None and act.holds(now())), None)

    def range_of(self, address: str) -> Act | None:
        """Return the ban of the range in which an address is."""
        if not self._ranges:
            return None
        try:
            network = ipaddress.ip_network(address, strict=False)
        except ValueError:
            return None
        for banned, act in self._ranges:
            if banned.version == network.version and banned.overlaps(network) and act.holds(now()):
                return act
        return None

    def check_ban(self, *subjects: str | None, secret: str | None = None) -> None:
        """Raise RoomError if somebody is banned."""
        if (act := self.ban_of(*subjects, secret=secret)) is not None:
            raise banned(act)

    def check_stranger(self, person: Known | None, address: str) -> None:
        """Raise RoomError if somebody is no member, and their address is banned."""
        if (person is None or not person.is_member) and (act := self.range_of(address)) is not None:
            raise banned(act)

    def check_player(self, person: Known | None) -> None:
        """Raise RoomError if only members play here, and this is not one."""
        if self.rules.access != "open" and (person is None or not person.is_member):
            raise RoomError("house.members", 403)

    def check_watcher(self, person: Known | None) -> None:
        """Raise RoomError if only members see what is played here, and this is not one."""
        if self.rules.access == "invitation" and (person is None or not person.is_member):
            raise RoomError("house.members", 403)

    # What may be written.

    def is_new(self, person: Known | None) -> bool:
        """Return whether somebody is new here: no member, and not known for long."""
        span = self.rules.new_hours * _HOUR_MS
        return span > 0 and (person is None or not (person.is_member or now() - person.created > span))

    def check_chat(self, text: str, person: Known | None, *subjects: str | None) -> None:
        """Raise RoomError if somebody may not write this in a chat."""
        at = now()
        own = (person.id if person is not None else None, *subjects)
        muted = (self._mutes.get(each) for each in own if each is not None)
        act = next((each for each in muted if each is not None and each.holds(at)), None)
        if act is not None:
            raise RoomError("chat.muted", 403, reason=act.reason, until=as_date(act.until))
        if self._words.finds(text):
            raise RoomError("chat.words", 422)
        if self.rules.links != "all" and (self.rules.links == "nobody" or self.is_new(person)) and has_link(text):
            raise RoomError("chat.links" if self.rules.links == "nobody" else "chat.new-links", 422)

    def check_name(self, *texts: str | None) -> None:
        """Raise RoomError if nobody may be called so: a person, a table, a league, a night."""
        if any(text and (self._words.finds(text) or has_link(text)) for text in texts):
            raise RoomError("name.words", 422)

    # Changing something.

    async def do(self, order: acts.Order, by: Person) -> Act:
        """Do what a moderator wants. It counts at once in this process."""
        act = await self.store.transact(lambda connection: acts.do(connection, by, order))
        await self.refresh()
        return act

    async def set_rules(self, changed: Rules, by: Person) -> None:
        """Replace the rules."""
        await self.store.transact(lambda connection: put_rules(connection, changed, by))
        await self.refresh()


def put_rules(connection: sa.Connection, changed: Rules, by: Person | None) -> None:
    """Store the rules, and log which have changed. None is the command line."""
    before = msgspec.structs.asdict(rules.stored(connection.execute(rules.selected()).scalar()))
    after = msgspec.structs.asdict(changed)
    rules.put(connection, changed)
    for name, value in after.items():
        if value != before[name]:
            log.add(connection, "" if by is None else by.id, "rules", "", f"{name} = {value}"[:4000])


def banned(act: Act) -> RoomError:
    """Return the error for somebody who is banned."""
    code = "house.range" if act.kind == RANGE else "house.banned"
    return RoomError(code, 403, reason=act.reason, until=as_date(act.until))


def as_date(at: int | None) -> str:
    """Return a time as text; a dash for what has no end."""
    return "–" if at is None else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _longer(one: Act | None, other: Act) -> Act:
    """Return the one of two acts that holds longer."""
    if one is None or other.until is None:
        return other
    return one if one.until is None or one.until > other.until else other
