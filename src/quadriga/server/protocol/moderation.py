"""Moderation: the rules of the house, reports, acts and appeals, and what hosts and moderators see and do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from quadriga.server.protocol.fields import Name, Number, Seat, one_of

Text = Annotated[str, Meta(min_length=1, max_length=500)]
Note = Annotated[str, Meta(max_length=500)]
Hours = Annotated[float, Meta(gt=0, le=8760)]
ReportReason = Literal["insult", "hate", "spam", "name", "cheating", "other"]
ActKind = Annotated[str, one_of("warn", "mute", "ban", "rename", "range")]
Shown = Annotated[str, one_of("open", "members", "invitation")]


# Requests.


class Reporting(Struct, forbid_unknown_fields=True):
    """Report a chat message at a table, the name of a seat or a watcher there, or the name of a member."""

    reason: ReportReason
    table: Annotated[str, Meta(max_length=64)] | None = None
    message: Number | None = None
    """The number of the chat message."""
    seat: Seat | None = None
    name: Annotated[str, Meta(max_length=64)] | None = None
    note: Note = ""


class Appealing(Struct, forbid_unknown_fields=True):
    """Appeal against an act, once."""

    text: Text


class Agreeing(Struct, forbid_unknown_fields=True):
    """Agree to a version of the terms."""

    version: Annotated[str, Meta(max_length=16)]


class CaseStep(Struct, forbid_unknown_fields=True):
    """Take a case on, give it back, or close it."""

    step: Literal["claim", "release", "close"]
    reason: Note = ""


class Acting(Struct, forbid_unknown_fields=True):
    """Warn, mute, ban or rename somebody: the person of a case, or a member by name; or ban an address range."""

    kind: Literal["warn", "mute", "ban", "rename", "range"]
    reason: Text
    """As the person reads it."""
    case: Annotated[str, Meta(max_length=64)] | None = None
    name: Name | None = None
    hours: Hours | None = None
    """How long a mute or a ban lasts; null: a ban for good."""
    rename: Name | None = None
    range: Annotated[str, Meta(max_length=64)] | None = None


class Lifting(Struct, forbid_unknown_fields=True):
    """Take an act back."""

    reason: Text


class Deciding(Struct, forbid_unknown_fields=True):
    """Decide an appeal."""

    lift: bool
    answer: Text
    """As the person reads it."""


class Appointing(Struct, forbid_unknown_fields=True):
    """Make a member a moderator, or a moderator a member."""

    name: Name
    role: Literal["member", "moderator"]


class HouseRules(Struct, forbid_unknown_fields=True):
    """The rules of the house."""

    access: Literal["open", "members", "invitation"]
    """`open`: everybody plays. `members`: others may watch. `invitation`: new members need a code, and others
    see nothing."""
    inviters: Literal["members", "moderators"]
    """Who may invite new members."""
    words: Annotated[list[Annotated[str, Meta(min_length=2, max_length=40)]], Meta(max_length=500)]
    """Words that no chat and no name may have; `*` stands for any letters."""
    links: Literal["all", "known", "nobody"]
    """Who may write links in chats: `known` are members, and guests who are not new."""
    new_hours: Annotated[int, Meta(ge=0, le=720)]
    """The hours in which a guest counts as new, and chats more slowly."""


MODERATION_BODIES = (
    Acting,
    Agreeing,
    Appealing,
    Appointing,
    CaseStep,
    Deciding,
    HouseRules,
    Lifting,
    Reporting,
)

# Answers.


class HouseInfo(Struct):
    """What everybody may know of the house."""

    access: Shown
    pages: list[str]
    """Those of `terms`, `privacy` and `imprint` that there are."""
    terms: str
    """The version of the terms; empty without terms."""
    inviters: Annotated[str, one_of("members", "moderators")]


class HousePage(Struct):
    """A page of the host."""

    text: str
    markdown: bool


class OwnAct(Struct):
    """What a moderator has done about somebody, as the person sees it. Nobody learns which moderator."""

    id: str
    kind: ActKind
    at: int
    until: int | None
    """Null for good, and for what has no end."""
    reason: str
    holds: bool
    """True while a mute or a ban is in force."""
    seen: bool
    appeal: Annotated[str, one_of("possible", "waiting", "upheld", "lifted", "none")]
    answer: str | None
    """The answer to the appeal."""


class Standing(Struct):
    """How one stands in the house."""

    acts: list[OwnAct]
    """The newest first."""
    terms: str
    """The version of the terms to which one has yet to agree; empty if there is none."""


class NewInvite(Struct):
    """A code with which somebody becomes a member, once."""

    code: str
    expires: int


class Received(Struct):
    """A report is received. Every report has the same answer."""

    ok: bool = True


class CaseSummary(Struct):
    """A case: open reports of the same thing."""

    id: str
    kind: Annotated[str, one_of("chat", "name")]
    at: int
    name: str
    """As it was shown."""
    text: str
    """The chat message."""
    reasons: list[str]
    claimed: str | None
    """The name of the moderator who has taken it on."""
    mine: bool


class ActSummary(Struct):
    """An act, as moderators see it."""

    id: str
    kind: ActKind
    at: int
    until: int | None
    name: str
    range: str | None
    reason: str
    by: str | None
    """The moderator's name; null for the command line and deleted accounts."""
    holds: bool
    lifted: bool
    appeal: str | None
    """What the person says against it."""
    appealed: int | None
    decided: bool
    answer: str | None


class EarlierReport(Struct):
    """An earlier report about the same person."""

    at: int
    kind: str
    name: str
    text: str
    reason: str
    status: str


class CaseLine(Struct):
    """A chat message in the context of a case."""

    number: int
    at: int
    seat: int
    name: str
    text: str
    reported: bool


class CaseReport(Struct):
    """A report of a case."""

    at: int
    by: str | None
    """The reporter's name; null for a guest or a deleted account."""
    reason: str
    note: str


class CaseContext(Struct):
    """A case with what a moderator has to know."""

    case: CaseSummary
    reports: list[CaseReport]
    table: str | None
    game: str | None
    status: str | None
    """The status of the game."""
    chat: list[CaseLine]
    earlier: list[EarlierReport]
    acts: list[ActSummary]
    member: str | None
    """The name of the reported member; null for a guest."""
    known: bool
    """False if nobody knows who is reported: then nothing can be done but to close the case."""
    range: str | None
    """For the host: the range of the person's address, while they are connected to this process. Not stored."""


class Queue(Struct):
    """What waits for moderators."""

    cases: list[CaseSummary]
    appeals: list[ActSummary]
    acts: list[ActSummary]
    """Acts in force, the newest first."""


class StaffMember(Struct):
    """A host or a moderator."""

    name: str
    role: Annotated[str, one_of("moderator", "host")]


class LogLine(Struct):
    """An entry of the log of the house."""

    id: int
    at: int
    kind: str
    by: str | None
    target: str | None
    detail: str


class HouseLog(Struct):
    """Entries of the log, the newest first."""

    lines: list[LogLine]
    next: int | None
    """The value of `before` for the entries before these."""


class Fact(Struct):
    """A fact about the server: a key of the page's texts, and a value."""

    key: str
    value: str


class HouseStatus(Struct):
    """The server, as its host sees it."""

    rules: HouseRules
    fixed: bool
    """True if `--access` says who may play, and not the page."""
    staff: list[StaffMember]
    facts: list[Fact]


MODERATION_ANSWERS = (
    CaseContext,
    HouseInfo,
    HouseLog,
    HousePage,
    HouseStatus,
    NewInvite,
    Queue,
    Received,
    Standing,
)
