"""The sections of Ben Hvrt: money, cards, auctions, the grid, offers and bribes, and the heat map of the track."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from quadriga.engine.text.catalogues import Localised, Message
from quadriga.games.benhvrt.names import place_name
from quadriga.lab.report.dataset import Dataset, rate, values
from quadriga.lab.report.figure import Chart, Figure, Label, Number, Section, message
from quadriga.lab.report.sections.common import equal_share
from quadriga.lab.report.sections.spaces import heat_section
from quadriga.lab.statistics import Measure

HEATS = ("stands", "blocks", "overtakes")
_FEWEST = 20  # games in which a card must have been used before its value is shown


def sections(data: Dataset, studies: Sequence[Dataset]) -> list[Section]:
    """Return the sections of Ben Hvrt."""
    found: list[Section | None] = [_grid(data), _money(data, studies), _purses(data)]
    found += [_card_value(data, "played"), _card_value(data, "bought"), _card_value(data, "held")]
    found += [_card_price(data), _card_use(data), _auctions(data), _deals(data), *_heats(data)]
    return [section for section in found if section is not None]


def _grid(data: Dataset) -> Section:
    table = data.table("chariots")
    grids = values(table, "grid")
    fair = rate(table, pl.col("place") == 1, is_share=True).value if equal_share(data) else None
    figures = [
        Figure(
            f"bh.grid.{grid}",
            Message("report.grid", {"letter": chr(64 + grid)}),
            rate(table.filter(pl.col("grid") == grid), pl.col("place") == 1, is_share=True),
            "percent",
            fair,
            finding="finding.grid",
        )
        for grid in grids
    ]
    best = max(figures, key=lambda figure: figure.measure.value)
    worst = min(figures, key=lambda figure: figure.measure.value)
    told = {"best": best.label, "high": best, "worst": worst.label, "low": worst}
    return Section(
        "bh.grid", message("section.bh.grid.sentence", **told), figures, axis="axis.races_won", group="fair"
    )


def _money(data: Dataset, studies: Sequence[Dataset]) -> Section:
    """Return what a seat pays and wins in a race, by the number of laps."""
    table = data.table("races")
    columns = {
        "ante": pl.col("ante"),
        "cards": pl.col("bought") + pl.col("bids"),
        "upkeep": pl.col("upkeep"),
        "prizes": pl.col("prizes"),
    }
    labels = {
        name: Message("label.bh.cards", {}) if name == "cards" else data.label("races", name) for name in columns
    }
    laps = values(table, "laps")
    has_groups = len({lap for study in studies for lap in values(study.table("races"), "laps")}) > 1
    figures = []
    for name, column in columns.items():
        for lap in laps:
            figures.append(
                Figure(
                    f"bh.money.{name}.{lap}",
                    labels[name],
                    rate(table.filter(pl.col("laps") == lap), column),
                    series=Message("report.laps", {"n": lap}) if has_groups else "",
                )
            )
    told = {name: Figure(f"bh.money.{name}", labels[name], rate(table, column)) for name, column in columns.items()}
    sentence = message("section.bh.money.sentence", **told)
    return Section(
        "bh.money",
        sentence,
        figures,
        axis="axis.ducats",
        headline=list(told.values()),
        names_itself=False,
        group="money",
    )


def _purses(data: Dataset) -> Section:
    """Return the Ducats of the later winner and of the others before the first race and after each race."""
    winners = data.table("seats").select("game", "seat", (pl.col("won") > 0).alias("is_winner"))
    table = data.table("races").join(winners, on=["game", "seat"])
    figures = []
    races = values(table, "race")
    for is_winner, who in ((True, "winner"), (False, "others")):
        own = table.filter(pl.col("is_winner") == is_winner)
        for race in [-1, *races]:
            rows = own.filter(pl.col("race") == max(race, 0))
            figures.append(
                Figure(
                    f"bh.purse.{who}.{race + 1}",
                    Message("report.after_race", {"number": race + 1}),
                    rate(rows, pl.col("before") if race < 0 else pl.col("after")),
                    is_tested=race == races[-1],
                    x=float(race + 1),
                    series=Message(f"label.{who}", {}),
                )
            )
    half = len(figures) // 2
    told = {"winner": figures[half - 1], "others": figures[-1], "start": figures[0]}
    sentence = message("section.bh.purse.sentence", **told)
    return Section("bh.purse", sentence, figures, "curve", axis="axis.ducats", across="axis.races", group="money")


def card_label(data: Dataset, name: str) -> Label:
    """Return the name of a card in both languages."""
    for card in data.tables.cards:
        if card.name == name:
            return Localised(tuple(card.names.items()))
    return name


def _card_value(data: Dataset, how: str) -> Section | None:
    """Return what seats that played, bought or held a card earned more than the others in their race.

    What the same player earns more in all races is taken off, which is 0 if all players are the same.
    """
    usual = data.table("races").group_by("player").agg(pl.col("excess").mean().alias("usual"))
    table = data.table("cards").filter(pl.col(how) > 0).join(usual, on="player", maintain_order="left")
    table = table.with_columns(pl.col("excess") - pl.col("usual"))
    if table.is_empty():
        return None
    average = rate(table, pl.col("excess"))
    figures = []
    for name in values(table, "card"):
        found = rate(table.filter(pl.col("card") == name), pl.col("excess"))
        if found.units >= _FEWEST:
            figures.append(
                Figure(
                    f"bh.{how}.{name}",
                    card_label(data, name),
                    found,
                    "ducats",
                    average.value,
                    finding=f"finding.card_{how}",
                )
            )
    if not figures:
        return None
    figures.sort(key=lambda figure: -figure.measure.value)
    mean = Figure(f"bh.{how}", Message(f"label.bh.all_{how}", {}), average, "ducats")
    told = {
        "best": figures[0].label,
        "high": figures[0],
        "worst": figures[-1].label,
        "low": figures[-1],
        "mean": mean,
    }
    sentence = message(f"section.bh.{how}.sentence", **told)
    return Section(f"bh.{how}", sentence, figures, axis="axis.excess", headline=[mean], group="cards")


def _card_price(data: Dataset) -> Section | None:
    """Return what a copy of each card costs: the price on the card, and what was paid in auctions."""
    lots = data.table("lots").filter(pl.col("buyer") >= 0)
    if lots.is_empty():
        return None
    figures = []
    for name in values(lots, "card"):
        own = lots.filter(pl.col("card") == name)
        found = rate(own, pl.col("price"))
        if found.units < _FEWEST:
            continue
        listed = float(own["list_price"].mean() or 0)  # type: ignore[arg-type]
        exact = Measure(listed, listed, listed, 0.0, found.units, found.total)
        for kind, measure in (("paid", found), ("listed", exact)):
            figures.append(
                Figure(
                    f"bh.price.{kind}.{name}",
                    card_label(data, name),
                    measure,
                    is_tested=kind == "paid",
                    series=Message(f"label.{kind}", {}),
                )
            )
    if not figures:
        return None
    pairs = sorted(zip(figures[::2], figures[1::2], strict=True), key=lambda pair: -pair[0].measure.value)
    over = max(pairs, key=_relative_price)
    under = min(pairs, key=_relative_price)
    told = {
        "over": over[0].label,
        "paid": over[0],
        "listed": _number(over[1]),
        "under": under[0].label,
        "less": under[0],
        "printed": _number(under[1]),
    }
    ordered = [figure for pair in pairs for figure in pair]
    return Section(
        "bh.price", message("section.bh.price.sentence", **told), ordered, axis="axis.ducats", group="cards"
    )


def _relative_price(pair: tuple[Figure, Figure]) -> float:
    """Return what was paid for a card, as a part of the price on it."""
    paid, listed = pair
    return paid.measure.value / max(listed.measure.value, 1.0)


def _number(figure: Figure) -> Number:
    return Number(figure.measure.value)


def _card_use(data: Dataset) -> Section | None:
    """Return how often a card that a seat had was played, and how often a card that was played was cancelled."""
    table = data.table("cards")
    had = pl.col("held") + pl.col("dealt") + pl.col("bought")
    figures = []
    for name in values(table, "card"):
        own = table.filter(pl.col("card") == name)
        if not own["played"].sum():
            continue
        vetoed = rate(own, pl.col("vetoed"), pl.col("played"), is_share=True)
        if vetoed.units >= _FEWEST:
            figures.append(Figure(f"bh.vetoed.{name}", card_label(data, name), vetoed, "percent"))
    if not figures:
        return None
    figures.sort(key=lambda figure: -figure.measure.value)
    played = Figure(
        "bh.use.played",
        Message("label.bh.played", {}),
        rate(table.filter(had > 0), pl.col("played"), had),
        "percent",
    )
    vetoed_all = Figure(
        "bh.use.vetoed",
        Message("label.bh.vetoed", {}),
        rate(table, pl.col("vetoed"), pl.col("played"), is_share=True),
        "percent",
    )
    told = {"played": played, "vetoed": vetoed_all, "card": figures[0].label, "most": figures[0]}
    sentence = message("section.bh.vetoed.sentence", **told)
    return Section("bh.vetoed", sentence, figures, axis="axis.vetoed", headline=[played, vetoed_all], group="cards")


def _auctions(data: Dataset) -> Section | None:
    """Return what auctions bring in each race, as a share of the prices on the cards."""
    lots = data.table("lots")
    sold = lots.filter((pl.col("sale") == "auction") & (pl.col("list_price") > 0))
    if sold.is_empty():
        return None
    figures = [
        Figure(
            f"bh.auction.{race + 1}",
            Message("report.race", {"number": race + 1}),
            rate(sold.filter(pl.col("race") == race), pl.col("price"), pl.col("list_price")),
            "percent",
            x=float(race + 1),
        )
        for race in values(sold, "race")
    ]
    ways = {
        sale: Figure(
            f"bh.sale.{sale}",
            Message(f"label.bh.sale_{sale}", {}),
            rate(lots, pl.col("sale") == sale, is_share=True),
            "percent",
        )
        for sale in ("price", "auction", "none")
    }
    told = {"first": figures[0], "last": figures[-1], **ways}
    sentence = message("section.bh.auction.sentence", **told)
    chart: Chart = "curve" if len(figures) > 2 else "dots"
    return Section(
        "bh.auction",
        sentence,
        figures,
        chart,
        axis="axis.of_price",
        across="axis.races",
        headline=list(ways.values()),
        group="money",
    )


def _deals(data: Dataset) -> Section | None:
    """Return how many offers and bribes are made, without what the set-up does not allow."""
    table = data.table("races")
    kinds = {"offers": ("swaps", "accepted"), "bribes": ("bribes_earned", "size")}
    made = [kind for kind in kinds if table[kind].sum()]
    if not made:
        return None
    figures = {
        column: Figure(f"bh.deals.{column}", data.label("races", column), rate(table, pl.col(column)))
        for kind in made
        for column in (kind, kinds[kind][0])
    }
    accepted = rate(table, pl.col("swaps"), pl.col("offers"), is_share=True)
    size = rate(table, pl.col("bribed"), pl.col("bribes"))
    told = {
        "offers": Figure("bh.deals.accepted", Message("label.bh.accepted", {}), accepted, "percent"),
        "bribes": Figure("bh.deals.size", Message("label.bh.bribe", {}), size),
    }
    headline = [told[kind] for kind in made]
    more = dict(zip(("accepted", "size"), told.values(), strict=True))
    which = made[0] if len(made) == 1 else "sentence"
    sentence = message(f"section.bh.deals.{which}", **figures, **more)
    return Section(
        "bh.deals", sentence, list(figures.values()), axis="axis.per_seat_race", headline=headline, group="money"
    )


def _heats(data: Dataset) -> list[Section | None]:
    labels: dict[str, Label] = {square.text: place_name(square) for square in data.tables.track.squares}
    table = data.table("spaces")
    return [heat_section(f"bh.heat.{column}", f"bh.{column}", table, column, labels, "track") for column in HEATS]
