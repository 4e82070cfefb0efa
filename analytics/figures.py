"""Figures: from a frame to what Plotly draws, in one visual language.

The result is plain JSON-able data. Only scatter, bar and pie are known to the bundle that draws them; it
would draw anything else wrongly without an error, so `as_data` refuses it.
"""

from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go

TRACE_TYPES = frozenset({"scatter", "bar", "pie"})
# Okabe and Ito's colours, which the colour-blind can tell apart, without the black that a dark page swallows.
# Yellow is last: it is the faintest on a light one.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442")
DASHES = ("solid", "dash", "dot", "dashdot")
QUIET = "#7a8688"
GRID = "rgba(122,134,136,0.25)"
THIN_SPACE = "\u2009"


def colour_of(player_id: int) -> str:
    """A player's colour, the same in every figure."""
    return PALETTE[player_id % len(PALETTE)]


def dash_of(player_id: int) -> str:
    """Tells players apart who share a colour."""
    return DASHES[player_id // len(PALETTE) % len(DASHES)]


@dataclass(frozen=True, slots=True)
class CurveWords:
    """What is written on a curve of points; `reached` holds the places of a point's hands and points."""

    title: str = "Cumulative points"
    hands: str = "Hands played"
    result: str = "Result since the first hand (points)"
    reached: str = "%(points)s points after %(hands)s hands"
    size: str = "n = %(count)s hands"


def cumulative_points(frame: pd.DataFrame, words: CurveWords = CurveWords()) -> dict[str, Any]:
    """Points won since the first hand over hands played, a line for each player.

    `frame` has the columns player_id, player, day, hands, points; a player's rows in the order of play. Every
    line begins at no hands and no points. The subtitle says n, the number of hands.
    """
    figure = go.Figure()
    counts = []
    for _, curve in frame.groupby("player_id", sort=False):
        last = curve.iloc[-1]
        player = _text(last["player"])
        figure.add_trace(_line(int(last["player_id"]), player, curve, words))
        counts.append((player, int(last["hands"])))
    axes = {"x": words.hands, "y": words.result}
    return as_data(_laid_out(figure, words.title, _sizes(counts, words), axes))


def _text(name: object) -> str:
    """A name as text: the drawing bundle reads tags and links in what it is given."""
    return escape(str(name), quote=False)


def _line(player_id: int, player: str, curve: pd.DataFrame, words: CurveWords) -> go.Scatter:
    reached = words.reached % {"points": "%{y:+,d}", "hands": "%{x:,d}"}
    return go.Scatter(
        name=player,
        x=[0, *curve["hands"].tolist()],
        y=[0, *curve["points"].tolist()],
        customdata=["", *(day.isoformat() for day in curve["day"])],
        mode="lines",
        line={"color": colour_of(player_id), "dash": dash_of(player_id), "width": 2},
        hovertemplate=f"{reached}<br>%{{customdata}}<extra>%{{fullData.name}}</extra>",
    )


def _sizes(counts: list[tuple[str, int]], words: CurveWords) -> str:
    """n in words: of the one player, or of each."""
    if len(counts) < 2:
        return words.size % {"count": _number(counts[0][1] if counts else 0)}
    return words.size % {"count": ", ".join(f"{player} {_number(hands)}" for player, hands in counts)}


def _number(count: int) -> str:
    return f"{count:,}".replace(",", THIN_SPACE)


def _laid_out(figure: go.Figure, title: str, sizes: str, axes: dict[str, str]) -> go.Figure:
    return figure.update_layout(
        template="none",
        title={"text": title, "subtitle": {"text": sizes}, "x": 0, "xref": "paper"},
        font={"color": QUIET, "family": "system-ui, sans-serif", "size": 13},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 64, "r": 16, "t": 72, "b": 56},
        showlegend=len(figure.data) > 1,
        legend={"orientation": "h", "y": -0.2},
        hovermode="closest",
        xaxis=_axis(axes["x"]) | {"rangemode": "tozero"},
        yaxis=_axis(axes["y"]) | {"zeroline": True, "zerolinecolor": QUIET},
    )


def _axis(title: str) -> dict[str, Any]:
    return {"title": {"text": title}, "gridcolor": GRID, "automargin": True, "separatethousands": True}


def as_data(figure: go.Figure) -> dict[str, Any]:
    """`figure` as JSON-able data; ValueError for a trace that the drawing bundle does not know."""
    data: dict[str, Any] = figure.to_plotly_json()
    unknown = {trace["type"] for trace in data["data"]} - TRACE_TYPES
    if unknown:
        raise ValueError(f"the drawing bundle does not know {sorted(unknown)}")
    return data
