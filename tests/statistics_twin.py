"""Statistics by plain counting over exported hands and results. Shares no code with the service.

Everything is read from `ofc-hand/1` and `ofc-result/1` documents as JSON: one dict a board, lists of them
for a filter, and for each statistic a function that counts.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

Board = dict[str, Any]
Boards = list[Board]
Count = Callable[[Boards], int]


def boards_of(hand: dict[str, Any], result: dict[str, Any], zone: str, day_start: int) -> Boards:
    """One dict for each board of a hand."""
    started = datetime.fromisoformat(hand["played_at"])
    local = started.astimezone(ZoneInfo(zone))
    stake = Decimal(str(hand.get("stake", "1")))
    level = "full" if "actions" in hand else "boards" if "boards" in hand else "result"
    rules = hand["rules"]
    seats = sorted(seat["seat"] for seat in hand["seats"])
    after = [seat for seat in seats if seat > hand["button"]] + [
        seat for seat in seats if seat <= hand["button"]
    ]
    shared = {
        **{name: hand.get(name, "") for name in ("source", "hand", "table", "tournament")},
        **{"started": started, "local": local, "day": (local - timedelta(hours=day_start)).date()},
        **{"number": hand.get("number", 0), "level": level, "stake": stake, "seats": len(seats)},
        "game": rules if isinstance(rules, str) else rules["base"],
        "people": {seat["player"] for seat in hand["seats"]},
    }
    results = {one["seat"]: one for one in result["seats"]}
    fouled = {seat for seat, one in results.items() if one["foul"]}
    boards = []
    for seat in hand["seats"]:
        number = seat["seat"]
        pairs = [_seen(pair, number) for pair in result["pairs"] if number in (pair["a"], pair["b"])]
        own = [other for other in hand["seats"] if other["player"] == seat["player"]]
        boards.append({
            **shared, **results[number], "player": seat["player"], "place": after.index(number) + 1,
            "fantasyland": seat.get("fantasyland", 0), "dead": number in hand.get("dead", []),
            "first": _first_street(hand, seat), "pairs": pairs,
            "opponents": len(seats) - len(own), "fouled": fouled,
        })  # fmt: skip
        for pair in pairs:
            names = {other["seat"]: other["player"] for other in hand["seats"]}
            pair["player"] = names[pair["other"]]
    return boards


def _seen(pair: dict[str, Any], seat: int) -> dict[str, Any]:
    sign = 1 if pair["a"] == seat else -1
    rows = None if pair["rows"] is None else [sign * row for row in pair["rows"]]
    seen = {"other": pair["b"] if sign == 1 else pair["a"], "rows": rows, "points": sign * pair["points"]}
    return seen | {name: sign * (pair[name] or 0) for name in ("bonus", "royalties", "moon")}


def _first_street(hand: dict[str, Any], seat: dict[str, Any]) -> tuple[str, str]:
    """(pattern, shape) of the first move of a seat; empty where it is not known or all at once."""
    moves = [move["cards"] for move in hand.get("actions", []) if move["seat"] == seat["seat"]]
    if not moves or seat.get("fantasyland"):
        return "", ""
    rows = [[row[i : i + 2] for i in range(0, len(row), 2)] for row in moves[0].split("|")[0].split("/")]
    shape = "-".join(str(len(row)) for row in rows)
    if any(card[0] == "X" for row in rows for card in row):
        return "joker", shape
    counts = [
        [sum(other[0] == rank for other in row) for rank in sorted({card[0] for card in row})] for row in rows
    ]
    pairs = [name for name, row in zip(ROW_PLACES, counts, strict=True) for count in row if count == 2]
    if any(count > 2 for row in counts for count in row):
        return "trips", shape
    if pairs:
        return ("two-pair" if len(pairs) > 1 else f"pair-{pairs[0]}"), shape
    suits = {card[1] for card in rows[2]}
    return ("flush-draw" if len(rows[2]) > 2 and len(suits) == 1 else "nothing"), shape


ROW_PLACES = ("on-top", "in-the-middle", "on-the-bottom")


def in_order(boards: Iterable[Board]) -> Boards:
    return sorted(
        boards, key=lambda one: (one["day"], one["started"], one["number"], one["hand"], one["seat"])
    )


# --- Counting -----------------------------------------------------------------------------------------------


def known(boards: Boards) -> Boards:
    return [one for one in boards if one["level"] != "result"]


def legal(boards: Boards) -> Boards:
    return [one for one in known(boards) if not one["foul"]]


def normal(boards: Boards) -> Boards:
    return [one for one in boards if not one["fantasyland"]]


def fantasyland(boards: Boards) -> Boards:
    return [one for one in boards if one["fantasyland"]]


def paid(boards: Boards) -> Boards:
    return [one for one in boards if one["chips"] is not None]


def points(boards: Boards) -> int:
    return sum(one["points"] for one in boards)


def opponents(boards: Boards) -> int:
    return sum(one["opponents"] for one in boards)


def chips(boards: Boards) -> int:
    return int(sum((Decimal(one["chips"]) for one in paid(boards)), Decimal(0)) * 10_000)


def royalties(*rows: str) -> Count:
    return lambda boards: sum(one["royalties"][row] for one in known(boards) for row in rows)


def rows(value: int) -> Count:
    return lambda boards: sum(pair["rows"].count(value) for one in known(boards) for pair in met(one))


def met(one: Board) -> list[dict[str, Any]]:
    """The pairs of a board in which anything was compared: not both fouled."""
    return [pair for pair in one["pairs"] if not (one["foul"] and pair["other"] in one["fouled"])]


def pairs(boards: Boards) -> int:
    return sum(len(met(one)) for one in known(boards))


def legal_pairs(boards: Boards) -> int:
    return sum(
        not one["foul"] and pair["other"] not in one["fouled"] for one in known(boards) for pair in met(one)
    )


def scoops(value: int, over_foul: bool) -> Count:
    def counted(boards: Boards) -> int:
        return sum(
            pair["rows"] == [value] * 3 and (one["foul"] or pair["other"] in one["fouled"]) == over_foul
            for one in known(boards)
            for pair in met(one)
        )

    return counted


def entered(*names: str) -> Count:
    def counted(boards: Boards) -> int:
        return sum(
            one["next_fantasyland"] > 0 and one["rows"]["top"]["name"].startswith(names)
            for one in normal(known(boards))
        )

    return counted


def staying(cards: int) -> Count:
    return lambda boards: sum(
        one["fantasyland"] == cards and one["next_fantasyland"] > 0 for one in known(boards)
    )


def of_cards(cards: int) -> Count:
    return lambda boards: sum(one["fantasyland"] == cards for one in known(boards))


def nexts(boards: Boards) -> int:
    return sum(one["next_fantasyland"] > 0 for one in known(boards))


def size(select: Callable[[Boards], Boards]) -> Count:
    return lambda boards: len(select(boards))


def every(boards: Boards) -> int:
    return len(boards)


def flagged(name: str) -> Count:
    return lambda boards: sum(one[name] for one in known(boards))


CLASS_STARTS = {
    "pair of": "pair", "two pair": "two-pair", "trips": "trips", "full house": "full-house", "quads": "quads",
    "royal flush": "straight-flush", "five ": "five-of-a-kind",
}  # fmt: skip


def class_of(name: str) -> str:
    """The class of a row from its name in words."""
    for start, found in CLASS_STARTS.items():
        if name.startswith(start):
            return found
    for end in ("straight flush", "straight", "flush", "low"):
        if name.endswith(end):
            return end.replace(" ", "-")
    return "high-card"


def with_class(row: str, wanted: str) -> Count:
    return lambda boards: sum(class_of(one["rows"][row]["name"]) == wanted for one in legal(boards))


PLAIN: dict[str, tuple[Count, Count | None]] = {
    "hands": (every, None),
    "points": (points, None),
    "ruled-points": (lambda boards: 0, None),
    "points-per-hand": (points, every),
    "royalties-per-hand": (royalties("top", "middle", "bottom"), size(known)),
    "royalties-top-per-hand": (royalties("top"), size(known)),
    "royalties-middle-per-hand": (royalties("middle"), size(known)),
    "royalties-bottom-per-hand": (royalties("bottom"), size(known)),
    "fouls": (flagged("foul"), size(known)),
    "dead-hands": (flagged("dead"), size(known)),
    "fantasyland-entries": (nexts, size(known)),
    "fantasyland-stays": (nexts, size(known)),
    "fantasyland-hands": (size(fantasyland), every),
    "rows-won": (rows(1), lambda boards: 3 * pairs(boards)),
    "rows-tied": (rows(0), lambda boards: 3 * pairs(boards)),
    "rows-lost": (rows(-1), lambda boards: 3 * pairs(boards)),
    "scoops-legal": (scoops(1, False), legal_pairs),
    "scooped-legal": (scoops(-1, False), legal_pairs),
    "scoops-foul": (scoops(1, True), pairs),
    "scooped-foul": (scoops(-1, True), pairs),
    "points-per-opponent": (points, opponents),
    "chips-per-hand": (chips, size(paid)),
    "chips-per-opponent": (chips, lambda boards: opponents(paid(boards))),
    "entries-qq": (entered("pair of queens"), lambda boards: len(normal(known(boards)))),
    "entries-kk": (entered("pair of kings"), lambda boards: len(normal(known(boards)))),
    "entries-aa": (entered("pair of aces"), lambda boards: len(normal(known(boards)))),
    "entries-trips": (entered("trips"), lambda boards: len(normal(known(boards)))),
    "fantasyland-gain": (lambda boards: points(fantasyland(boards)), size(fantasyland)),
    **{f"stays-{cards}": (staying(cards), of_cards(cards)) for cards in range(13, 18)},
    **{
        f"{row}-{name}": (with_class(row, name), size(legal))
        for row, names in {
            "top": ("high-card", "pair", "trips"),
            **{
                row: ("high-card", "pair", "two-pair", "trips", "straight", "flush", "full-house", "quads",
                      "straight-flush", "five-of-a-kind", *more)
                for row, more in {"middle": ("low",), "bottom": ()}.items()
            },
        }.items()
        for name in names
    },
}  # fmt: skip


def value(code: str, boards: Boards) -> Fraction | None:
    """The statistic's value, exactly; chips in whole chips."""
    count, among = PLAIN[code]
    if among is None:
        return Fraction(count(boards))
    if not among(boards):
        return None
    found = Fraction(count(boards), among(boards) * (10_000 if code.startswith("chips") else 1))
    if code != "fantasyland-gain":
        return found
    usual = normal(boards)
    return found - Fraction(points(usual), len(usual)) if usual else None


def left_out(code: str, boards: Boards) -> int:
    if code.startswith("chips"):
        return len(boards) - len(paid(boards))
    plain = ("hands", "points", "ruled-points", "points-per-hand", "points-per-opponent", "fantasyland-hands")
    return 0 if code in (*plain, "fantasyland-gain") else len(boards) - len(known(boards))


# --- Filters ------------------------------------------------------------------------------------------------


def chosen(boards: Iterable[Board], asked: dict[str, Any]) -> Boards:
    """The boards that a filter asks for; the keys of `asked` are those of the query string."""
    return [one for one in boards if all(FITS[key](one, value) for key, value in asked.items())]


FITS: dict[str, Callable[[Board, Any], bool]] = {
    "player": lambda one, value: one["player"] in value,
    "against": lambda one, value: bool(one["people"] & set(value)),
    "game": lambda one, value: one["game"] in value,
    "table": lambda one, value: one["table"] in value,
    "tournament": lambda one, value: one["tournament"] in value,
    "stake": lambda one, value: one["stake"] in [Decimal(stake) for stake in value],
    "seats": lambda one, value: str(one["seats"]) in value,
    "place": lambda one, value: str(one["place"]) in value,
    "since": lambda one, value: one["day"] >= date.fromisoformat(value[0]),
    "until": lambda one, value: one["day"] <= date.fromisoformat(value[0]),
    "weekday": lambda one, value: str(one["day"].weekday()) in value,
    "hour": lambda one, value: str(one["local"].hour) in value,
    "kind": lambda one, value: (one["fantasyland"] > 0) == (value[0] == "fantasyland"),
    "known": lambda one, value: one["level"] in (("full",) if value[0] == "full" else ("full", "boards")),
    "first": lambda one, value: one["first"][0] in value,
    "shape": lambda one, value: one["first"][1] in value,
    "only": lambda one, value: all(PLAIN[code][0]([one]) != 0 for code in value),
}


# --- Pairs, sessions ----------------------------------------------------------------------------------------


def exchanged(boards: Sequence[Board]) -> dict[str, tuple[int, int]]:
    """(boards compared, points won) by opponent."""
    found: dict[str, tuple[int, int]] = {}
    for one in boards:
        for pair in one["pairs"]:
            compared, won = found.get(pair["player"], (0, 0))
            found[pair["player"]] = (compared + 1, won + pair["points"])
    return found


def made_of(boards: Sequence[Board]) -> dict[str, int]:
    parts = dict.fromkeys(("rows", "scoops", "fouls", "royalties", "moon", "other"), 0)
    for one in boards:
        parts["other"] += one["points"] - sum(pair["points"] for pair in one["pairs"])
        for pair in one["pairs"]:
            foul = one["level"] != "result" and (one["foul"] or pair["other"] in one["fouled"])
            if pair["rows"] is None:
                parts["other"] += pair["points"]
                continue
            parts["fouls" if foul else "rows"] += sum(pair["rows"])
            parts["fouls" if foul else "scoops"] += pair["bonus"]
            parts["royalties"] += pair["royalties"]
            parts["moon"] += pair["moon"]
    return parts


def sessions(boards: Sequence[Board]) -> list[tuple[int, int, float | None]]:
    """(hands, points, minutes) of each session of one player."""
    groups: list[Boards] = []
    for one in in_order(boards):
        last = groups[-1][-1] if groups else None
        near = (
            last and last["day"] == one["day"] and one["started"] - last["started"] <= timedelta(minutes=60)
        )
        if near:
            groups[-1].append(one)
        else:
            groups.append([one])
    return [_session(group) for group in groups]


def _session(group: Boards) -> tuple[int, int, float | None]:
    hands = len({one["hand"] for one in group})
    span = (group[-1]["started"] - group[0]["started"]).total_seconds() / 60
    return hands, points(group), span * hands / (hands - 1) if hands > 1 and span else None
