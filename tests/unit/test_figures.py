"""Figures are plain data in the one visual language."""

import json
from datetime import date

import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from analytics import figures

COLUMNS = ["player_id", "player", "day", "hands", "points"]
ROWS = [
    (1, "Anna", date(2026, 11, 1), 3, 7),
    (1, "Anna", date(2026, 11, 2), 1250, -41),
    (9, "<a href='x'>Bo</a>", date(2026, 11, 2), 4, 12),
]


def drawn(rows: list[tuple[object, ...]]) -> dict[str, object]:
    figure = figures.cumulative_points(pd.DataFrame.from_records(rows, columns=COLUMNS))
    return json.loads(json.dumps(figure))


def test_a_line_for_each_player_from_nothing_over_hands() -> None:
    anna, bo = drawn(ROWS)["data"]
    assert (anna["x"], anna["y"]) == ([0, 3, 1250], [0, 7, -41])
    assert (bo["x"], bo["y"]) == ([0, 4], [0, 12])
    assert anna["customdata"] == ["", "2026-11-01", "2026-11-02"]
    assert {anna["type"], bo["type"]} <= figures.TRACE_TYPES


def test_axes_have_titles_with_units_and_the_subtitle_says_n() -> None:
    layout = drawn(ROWS[:2])["layout"]
    assert "Hands" in layout["xaxis"]["title"]["text"]
    assert "points" in layout["yaxis"]["title"]["text"]
    assert layout["title"]["subtitle"]["text"] == "n = 1\u2009250 hands"
    assert "Anna 1\u2009250" in drawn(ROWS)["layout"]["title"]["subtitle"]["text"]


def test_a_name_is_text_and_never_markup() -> None:
    assert drawn(ROWS)["data"][1]["name"] == "&lt;a href='x'&gt;Bo&lt;/a&gt;"
    assert "<a" not in json.dumps(drawn(ROWS)["layout"])


def test_no_hands_is_an_empty_figure_that_says_so() -> None:
    empty = drawn([])
    assert empty["data"] == []
    assert empty["layout"]["title"]["subtitle"]["text"] == "n = 0 hands"


def test_a_player_keeps_his_colour_and_shares_it_with_another_dash_only() -> None:
    looks = {(figures.colour_of(player), figures.dash_of(player)) for player in range(28)}
    assert len(looks) == 28
    assert drawn(ROWS)["data"][1]["line"]["color"] == drawn(ROWS[2:])["data"][0]["line"]["color"]


def test_a_trace_that_the_bundle_cannot_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="heatmap"):
        figures.as_data(go.Figure(go.Heatmap(z=[[1]])))


def test_plotly_makes_figures_for_the_version_that_draws_them() -> None:
    assert get_plotlyjs_version() == "4.1.1"
