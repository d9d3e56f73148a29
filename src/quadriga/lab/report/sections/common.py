"""The sections of every game: who wins, how long it takes, how exciting it is, and what skill is worth."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from quadriga.engine.text.catalogues import Message
from quadriga.lab.report.dataset import Dataset, rate, values
from quadriga.lab.report.figure import Figure, Label, Number, Section, message
from quadriga.lab.report.histogram import histogram


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return the sections of every game, without those that have nothing to show."""
    found = [_seats(data), _starts(data), _players(data), _length(data, studies), _leads(data, studies)]
    found += [_decided(data), _luck(data), _branching(data, studies), _events(data)]
    return [section for section in found if section is not None]


def seat_label(data: Dataset, seat: int) -> Message:
    """Return the name of a seat: its number, and the game's name for it if it has one of its own."""
    number = Message("report.seat", {"number": seat + 1})
    if data.game.display.seat_name is None:
        return number
    return Message("report.named_seat", {"number": seat + 1, "name": data.game.display.name_of(data.tables, seat)})


def has_mixed_seats(data: Dataset) -> bool:
    """Return whether the players are spread unevenly over the seats."""
    counts = data.table("seats").group_by("seat", "player").len()
    shares = counts.with_columns(pl.col("len") / pl.col("len").sum().over("seat"))
    spread = shares.group_by("player").agg(pl.col("len").max() - pl.col("len").min(), pl.len().alias("seats"))
    return bool((spread["len"] > 0.02).any() or (spread["seats"] < data.seats).any())


def equal_share(data: Dataset) -> float | None:
    """Return the win share that is fair for every seat; None if players differ, because strength then matters."""
    return 1 / data.seats if data.table("seats")["player"].n_unique() == 1 else None


def _seats(data: Dataset) -> Section:
    table = data.table("seats")
    fair = 1 / data.seats
    uneven = has_mixed_seats(data)
    figures = []
    for seat in range(data.seats):
        own = table.filter(pl.col("seat") == seat)
        label: Label = seat_label(data, seat)
        finding = "finding.seat"
        if uneven:
            label = Message("report.played_seat", {"seat": label, "players": values(own, "player")})
            finding = "finding.played_seat"
        figures.append(
            Figure(
                f"win.seat.{seat}",
                label,
                rate(own, pl.col("won"), is_share=True),
                "percent",
                fair,
                data.seats > 2 or seat == 0,
                finding,
            )
        )
    return Section("win.seat", _most("section.win.seat.sentence", figures), figures, axis="axis.wins", group="fair")


def _most(id: str, figures: list[Figure], **more: object) -> Message:
    """Return a sentence about the largest and the least of some figures."""
    known = [figure for figure in figures if figure.is_known] or figures
    best = max(known, key=lambda figure: figure.measure.value)
    worst = min(known, key=lambda figure: figure.measure.value)
    named: dict[str, object] = {"best": best.label, "high": best, "worst": worst.label, "low": worst}
    if best.expected is not None:
        named["fair"] = Number(best.expected, best.form)
    return message(id, **(named | more))


def _starts(data: Dataset) -> Section | None:
    """Return the wins by start position, unless it is the seat."""
    table = data.table("seats").filter(pl.col("start") > 0)
    if table.is_empty() or (table["start"] == table["seat"] + 1).all():
        return None
    figures = [
        Figure(
            f"win.start.{start}",
            Message("report.start", {"number": start}),
            rate(table.filter(pl.col("start") == start), pl.col("won"), is_share=True),
            "percent",
            equal_share(data),
            data.seats > 2 or start == 1,
            "finding.start",
        )
        for start in values(table, "start")
    ]
    fair = Number(1 / data.seats, "percent")
    return Section(
        "win.start",
        _most("section.win.start.sentence", figures, fair=fair),
        figures,
        axis="axis.wins",
        group="fair",
    )


def _players(data: Dataset) -> Section | None:
    table = data.table("seats")
    players = values(table, "player")
    if len(players) < 2:
        return None
    figures = [
        Figure(
            f"win.player.{player}",
            player,
            rate(table.filter(pl.col("player") == player), pl.col("won"), is_share=True),
            "percent",
            1 / data.seats,
            len(players) > 2 or player == players[0],
            "finding.player",
        )
        for player in players
    ]
    figures.sort(key=lambda figure: -figure.measure.value)
    return Section(
        "win.player", _most("section.win.player.sentence", figures), figures, axis="axis.wins", group="skill"
    )


def _games(data: Dataset) -> pl.DataFrame:
    return data.table("games")


def _length(data: Dataset, studies: Sequence[Dataset]) -> Section:
    table = data.table("games")
    mean = Figure("length.mean", data.label("games", "decisions"), rate(table, pl.col("decisions")))
    low, middle, high = (float(table["decisions"].quantile(q) or 0) for q in (0.25, 0.5, 0.75))
    sentence = Message(
        "section.length.sentence",
        {
            "mean": mean,
            "low": Number(low, "whole"),
            "middle": Number(middle, "whole"),
            "high": Number(high, "whole"),
        },
    )
    bars = histogram(data, studies, _games, "decisions", "length.share")
    return Section(
        "length", sentence, bars, "bars", axis="axis.games", across="axis.decisions", headline=[mean], group="play"
    )


def _leads(data: Dataset, studies: Sequence[Dataset]) -> Section:
    table = data.table("games")
    mean = Figure("lead.changes", data.label("games", "lead_changes"), rate(table, pl.col("lead_changes")))
    never = Figure(
        "lead.never",
        Message("label.lead_never", {}),
        rate(table, pl.col("lead_changes") == 0, is_share=True),
        "percent",
    )
    bars = histogram(data, studies, _games, "lead_changes", "lead.share")
    sentence = Message("section.lead.sentence", {"mean": mean, "never": never})
    return Section(
        "lead",
        sentence,
        bars,
        "bars",
        axis="axis.games",
        across="axis.lead_changes",
        headline=[mean, never],
        group="play",
    )


def _decided(data: Dataset) -> Section:
    table = data.table("games").filter(pl.col("winner") >= 0)
    mean = Figure(
        "decided.mean", data.label("games", "decided_share"), rate(table, pl.col("decided_share")), "percent"
    )
    late = Figure(
        "decided.late",
        Message("label.decided_late", {}),
        rate(table, pl.col("decided_share") > 0.9, is_share=True),
        "percent",
    )
    points = [
        Figure(
            f"decided.by.{step}",
            Message("report.by", {"share": Number(step / 10, "percent")}),
            rate(table, pl.col("decided_share") <= step / 10, is_share=True),
            "percent",
            is_tested=False,
            x=step / 10,
        )
        for step in range(11)
    ]
    sentence = Message("section.decided.sentence", {"mean": mean, "late": late})
    return Section(
        "decided",
        sentence,
        points,
        "curve",
        axis="axis.decided",
        across="axis.progress",
        headline=[mean, late],
        group="play",
    )


def _luck(data: Dataset) -> Section | None:
    table = data.table("reviews")
    if table.is_empty():
        return None
    is_duel = data.seats == 2  # with more seats, the moves of the others count as luck
    luck = pl.col("luck").abs()
    skill = (pl.col("result") - pl.col("start") - pl.col("luck")).abs()
    share = Figure(
        "luck.share" if is_duel else "luck.share_with_others",
        Message("label.luck" if is_duel else "label.luck_with_others", {}),
        rate(table, luck, luck + skill, is_share=True),
        "percent",
    )
    players = values(table, "player")
    figures = [
        Figure(
            f"luck.lost.{player}",
            player,
            rate(table.filter(pl.col("player") == player), pl.col("lost")),
            "percent",
            finding="finding.other",
        )
        for player in players
    ]
    reviewed = table["game"].n_unique()
    sentence = Message(
        "section.luck.sentence" if is_duel else "section.luck.with_others",
        {"share": share, "n": reviewed, "playouts": int(table["playouts"].max() or 0)},  # type: ignore[arg-type]
    )
    return Section("luck", sentence, figures, axis="axis.lost", headline=[share], group="skill")


def _branching(data: Dataset, studies: Sequence[Dataset]) -> Section:
    table = data.table("games")
    mean = Figure("branching.mean", data.label("games", "branching"), rate(table, pl.col("branching")))
    choice = Figure(
        "branching.choice",
        Message("label.choice", {}),
        rate(table, pl.col("choices"), pl.col("decisions"), is_share=True),
        "percent",
    )
    bars = histogram(data, studies, _branching_tenths, "tenths", "branching.share", per_unit=10)
    sentence = Message("section.branching.sentence", {"mean": mean, "choice": choice})
    return Section(
        "branching",
        sentence,
        bars,
        "bars",
        axis="axis.games",
        across="axis.legal",
        headline=[mean, choice],
        group="skill",
    )


def _branching_tenths(data: Dataset) -> pl.DataFrame:
    return _games(data).select("game", (pl.col("branching") * 10).floor().cast(pl.Int64).alias("tenths"))


def _events(data: Dataset) -> Section | None:
    """Return the means of the game's own columns of the table `games`, where these have short names."""
    study = data.game.study
    columns = [column for column in study.game_columns if column.label] if study else []
    if not columns:
        return None
    table = data.table("games")
    figures = [
        Figure(f"event.{column.name}", column.labelled(), rate(table, pl.col(column.name))) for column in columns
    ]
    events = [Message("report.event", {"figure": figure, "label": figure.label}) for figure in figures]
    return Section("event", message("section.event.sentence", events=events), figures, axis="axis.per_game")
