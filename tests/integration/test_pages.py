"""Pages as a browser gets them: who sees what, what they say, and how many queries they take."""

from copy import deepcopy
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ofc_hub.clubs.models import Club, Membership, Role
from scoring.domain.events import Event
from tests.pages import SCOOP, a_club, correct, count, player_named, put

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _n_plus_one_raises() -> None:
    """Queries are counted by request here, which the middleware does; a test makes many requests."""


@pytest.fixture
def club() -> tuple[Club, User]:
    return a_club(public=True)


def _text(client: Client, name: str, *arguments: object) -> str:
    response = client.get(reverse(f"web:{name}", args=arguments))
    assert response.status_code == 200, response.status_code
    return " ".join(response.content.decode().split())


def _many(club: Club, director: User, number: int) -> list[int]:
    """Copies of one hand, a minute apart."""
    ids = []
    for minute in range(number):
        document = deepcopy(SCOOP)
        document |= {"hand": f"copy-{minute}", "played_at": f"2026-11-06T20:{minute:02d}:00Z"}
        ids.append(put(club, director, document))
    count()
    return ids


# --- Who sees what ----------------------------------------------------------------------------------------


def test_a_stranger_gets_404_for_every_page_of_a_club_that_is_not_public(client: Client) -> None:
    club, director = a_club()
    hand = put(club, director, SCOOP)
    player = player_named(club, "Anna").pk
    paths = [
        reverse("web:club", args=[club.slug]),
        reverse("web:hands", args=[club.slug]),
        reverse("web:hand", args=[club.slug, hand]),
        reverse("web:player", args=[club.slug, player]),
        reverse("web:points", args=[club.slug, player]),
    ]
    assert [client.get(path).status_code for path in paths] == [404] * 5
    assert club.name not in _text(client, "home")
    client.force_login(User.objects.create_user("outsider"))
    assert [client.get(path).status_code for path in paths] == [404] * 5
    client.force_login(director)
    assert [client.get(path).status_code for path in paths] == [200] * 5
    assert club.name in _text(client, "home")


def test_hands_and_players_are_not_found_through_another_club(client: Client) -> None:
    club, director = a_club(public=True)
    other, _ = a_club("other", public=True)
    hand, anna = put(club, director, SCOOP), player_named(club, "Anna").pk
    for name, key in (("hand", hand), ("player", anna), ("points", anna)):
        assert client.get(reverse(f"web:{name}", args=[other.slug, key])).status_code == 404
    assert client.get(reverse("web:hands", args=[other.slug]), {"before": hand}).status_code == 404


@pytest.mark.parametrize("before", ["x", "-1", "1.5", "9" * 30, "²"])
def test_a_broken_cursor_is_404(client: Client, club: tuple[Club, User], before: str) -> None:
    response = client.get(reverse("web:hands", args=[club[0].slug]), {"before": before})
    assert response.status_code == 404


def test_an_id_beyond_the_database_is_404(client: Client, club: tuple[Club, User]) -> None:
    for name in ("hand", "player"):
        assert client.get(reverse(f"web:{name}", args=[club[0].slug, 10**30])).status_code == 404


def test_discards_are_shown_to_their_owner_and_the_director_only(
    client: Client, club: tuple[Club, User]
) -> None:
    hand = put(*club, SCOOP)
    anna, bo = "7 of clubs", "queen of diamonds"  # a discard of each
    page = _text(client, "hand", club[0].slug, hand)
    assert anna not in page
    assert bo not in page
    user = User.objects.create_user("anna")
    player = player_named(club[0], "Anna")
    Membership.objects.create(club=club[0], user=user, role=Role.PLAYER, player=player)
    client.force_login(user)
    page = _text(client, "hand", club[0].slug, hand)
    assert anna in page
    assert bo not in page
    client.force_login(club[1])
    page = _text(client, "hand", club[0].slug, hand)
    assert anna in page
    assert bo in page


# --- The hand ---------------------------------------------------------------------------------------------


def test_the_settlement_reads_as_a_sentence(client: Client, club: tuple[Club, User]) -> None:
    page = _text(client, "hand", club[0].slug, put(*club, SCOOP))
    assert "<b>Bo pays Anna 19</b>: rows +3, scoop +3, royalties +13" in page
    assert "top Anna, middle Anna, bottom Anna; royalties Anna 13, Bo 0" in page
    assert "Fantasyland next, 14 cards" in page
    for name in ("pair of aces", "two pair, kings and fives", "jack-high flush", "seven-high"):
        assert name in page


def test_final_boards_and_settlement_need_no_script(client: Client, club: tuple[Club, User]) -> None:
    """Nothing is hidden by the server but the controls, which a script brings to life."""
    page = _text(client, "hand", club[0].slug, put(*club, SCOOP))
    assert page.count(" hidden") == 1
    assert "data-controls hidden" in page
    assert "is-future" not in page


def test_steps_follow_the_moves(client: Client, club: tuple[Club, User]) -> None:
    page = _text(client, "hand", club[0].slug, put(*club, SCOOP))
    assert 'max="11"' in page  # ten moves and the result
    first = page[page.index('data-seat="1"') : page.index('data-seat="2"')]
    # Anna's top: an ace in move 1, an ace in move 5, a three in move 9; then it is a pair of aces.
    top = first[first.index("top row") : first.index("middle row")]
    assert [part.split('"')[1] for part in top.split("data-from=")[1:]] == [f'{n}"'[:-1] for n in "1599"]


def _fouled() -> dict[str, Any]:
    """Bo's pair of eights goes to the top, over a queen-high middle."""
    hand = deepcopy(SCOOP)
    hand["hand"] = "foul"
    hand["actions"][1]["cards"] = "8c/3d4d/2sTd"
    hand["actions"][9]["cards"] = "8d//Kh|Qd"
    hand["actions"][7]["cards"] = "/Qc/7s|4c"
    return hand


def test_a_foul_is_a_word_and_its_royalties_are_lost(client: Client, club: tuple[Club, User]) -> None:
    page = _text(client, "hand", club[0].slug, put(*club, _fouled()))
    bo = page[page.index('data-seat="2"') : page.index("data-controls")]
    assert "is-foul" in page
    assert 'data-foul="10"' in bo  # his last move
    assert '<span class="royalty">+3</span>' in bo  # eights on top, struck through
    assert "<b>Bo pays Anna 19</b>: rows +3, scoop +3, royalties +13" in page
    assert "Bo fouled; royalties Anna 13, Bo 0" in page


def test_a_fantasyland_board_is_turned_with_the_result(client: Client, club: tuple[Club, User]) -> None:
    page = _text(client, "hand", club[0].slug, put(*club, _fantasyland()))
    anna = page[page.index('data-seat="1"') : page.index('data-seat="2"')]
    assert anna.count('data-from="1" data-shown="7"') == 13  # six moves, then the result


def _fantasyland(complete: bool = True) -> dict[str, Any]:
    hand = deepcopy(SCOOP)
    hand["hand"] = "fantasyland"
    hand["seats"][0]["fantasyland"] = 14
    board = {"seat": 1, "cards": "AsAc3s/KsKd5c5dTc/9h7h4h2hJh|2d"}
    theirs = [move for move in hand["actions"] if move["seat"] == 2]
    hand["actions"] = [board, *(theirs if complete else theirs[:2])]
    return hand


def test_before_the_end_a_fantasyland_board_gives_nothing_away(
    client: Client, club: tuple[Club, User]
) -> None:
    hand = put(*club, _fantasyland(complete=False))
    page = _text(client, "hand", club[0].slug, hand)
    assert page.count('aria-label="a card not shown"') == 13
    for secret in ("ace of spades", "jack of hearts", "pair of aces", "2 of diamonds"):
        assert secret not in page
    assert "No result yet" in page
    client.force_login(club[1])
    assert "ace of spades" in _text(client, "hand", club[0].slug, hand)


def _boards_only() -> dict[str, Any]:
    hand = {key: value for key, value in deepcopy(SCOOP).items() if key != "actions"}
    boards = {"1": "AsAc3s/KsKd5c5dTc/9h7h4h2hJh", "2": "2s5s7s/3d4d6s9cQc/8cTdJcKh8d"}
    return hand | {"hand": "boards", "boards": boards}


def test_a_hand_of_which_the_boards_are_known_has_no_moves(client: Client, club: tuple[Club, User]) -> None:
    page = _text(client, "hand", club[0].slug, put(*club, _boards_only()))
    assert "Only the final boards of this hand are known" in page
    assert "data-controls" not in page
    assert "<b>Bo pays Anna 19</b>" in page


def test_a_hand_of_which_the_result_is_known_shows_points_only(
    client: Client, club: tuple[Club, User]
) -> None:
    hand = {key: value for key, value in deepcopy(SCOOP).items() if key != "actions"}
    hand |= {"hand": "result", "claimed": {"1": {"points": 7}, "2": {"points": -7}}}
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "Only the result of this hand is known" in page
    assert 'class="card' not in page
    assert "<b>Bo pays Anna 7</b>" in page


def test_three_seats_with_a_result_only_do_not_say_who_paid_whom(
    client: Client, club: tuple[Club, User]
) -> None:
    hand = {key: value for key, value in deepcopy(SCOOP).items() if key != "actions"}
    hand["seats"].append({"seat": 3, "player": "Cy"})
    hand["claimed"] = {"1": {"points": 7}, "2": {"points": -3}, "3": {"points": -4}}
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "not who won them from whom" in page
    assert "−4" in page


def test_a_dead_seat_says_so(client: Client, club: tuple[Club, User]) -> None:
    hand = deepcopy(SCOOP) | {"dead": [2]}
    hand["actions"] = hand["actions"][:9]
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "Bo is dead; royalties Anna 13, Bo 0" in page
    assert 'data-foul="10"' in page  # with the result, after nine moves


def test_a_claim_that_disagrees_is_named(client: Client, club: tuple[Club, User]) -> None:
    hand = deepcopy(SCOOP) | {"claimed": {"1": {"points": 20}, "2": {"points": -20, "foul": False}}}
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "Anna, points: the source says +20, the cards come to +19" in page
    assert "Bo, points: the source says −20, the cards come to −19" in page
    assert "Bo, foul" not in page


def test_a_cut_payment_says_why(client: Client, club: tuple[Club, User]) -> None:
    hand = deepcopy(SCOOP) | {"rules": "set-pineapple"}
    hand["seats"][0]["stack"], hand["seats"][1]["stack"] = "100", "12.5"
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "<b>Bo pays Anna 19</b>" in page
    assert "chips</span> 12.5" in page
    assert "Cut: Bo had no more left." in page


def test_a_voided_hand_counts_for_nothing(client: Client, club: tuple[Club, User]) -> None:
    hand = put(*club, SCOOP)
    correct(*club, SCOOP, Event(0, "hand-voided"))
    page = _text(client, "hand", club[0].slug, hand)
    assert "voided by a director" in page
    assert "pays" not in page
    assert "voided" in _text(client, "hands", club[0].slug)


def test_a_ruling_stands_beside_the_score(client: Client, club: tuple[Club, User]) -> None:
    hand = put(*club, SCOOP)
    rulings = [{"seat": 1, "points": -2}, {"seat": 2, "points": 2}]
    correct(*club, SCOOP, Event(0, "points-ruled", data={"rulings": rulings, "house": False}))
    page = _text(client, "hand", club[0].slug, hand)
    assert "−2 points" in page
    assert "+2 points" in page
    assert "<b>Bo pays Anna 19</b>" in page


def test_a_joker_shows_what_it_stands_for(client: Client, club: tuple[Club, User]) -> None:
    """Rulebook, worked example 8: the joker is a nine, an ace would foul."""
    hand = _boards_only() | {"rules": "pokerbros-joker"}
    hand["boards"] = {"1": "X2Ah9s/TsTd6d4d8c/JdQsJsQdQh", "2": "2s5s7s/3d4h6s9cQc/8hTcJcKh2d"}
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "joker, stands for 9 of" in page
    assert "pair of nines" in page


def test_changed_options_are_named(client: Client, club: tuple[Club, User]) -> None:
    hand = deepcopy(SCOOP) | {"rules": {"base": "pineapple", "scoring": "1-4", "entry": {"AA": 14}}}
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "pineapple, scoring 1-4, entry AA 14" in page
    assert "<b>Bo pays Anna 17</b>: rows +3, scoop +1, royalties +13" in page


# --- Lists ------------------------------------------------------------------------------------------------


def test_an_empty_club_says_what_to_do(client: Client, club: tuple[Club, User]) -> None:
    assert "import_hands hands.ndjson --club thursday" in _text(client, "club", club[0].slug)
    assert "No hands here" in _text(client, "hands", club[0].slug)


def test_without_clubs_the_home_page_says_what_to_do(client: Client) -> None:
    assert "No club here is public" in _text(client, "home")
    client.force_login(User.objects.create_user("new"))
    assert "Ask a club's owner to add you" in _text(client, "home")


def test_the_club_page_has_leaderboard_hands_and_as_of(client: Client, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    assert "The statistics are being computed" in _text(client, "club", club[0].slug)
    count()
    page = _text(client, "club", club[0].slug)
    assert page.index(">Anna</a>") < page.index(">Bo</a>")
    assert '<td class="number gain">+19</td>' in page
    assert "As of position 11 of the log, its last." in page  # the start and ten moves
    assert "5 Nov 2026, 20:00" in page


def test_times_are_the_clubs_own(client: Client) -> None:
    club, director = a_club(public=True, time_zone="Asia/Jakarta")
    put(club, director, SCOOP)
    assert "6 Nov 2026, 03:00" in _text(client, "hands", club.slug)


def test_hands_are_listed_newest_first_and_page_on(
    client: Client, club: tuple[Club, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ofc_hub.web.club_page.PAGE", 3)
    ids = _many(*club, 5)
    address = reverse("web:hands", args=[club[0].slug])
    first = client.get(address).context["page"]
    assert [line.id for line in first.hands] == ids[:1:-1]
    second = client.get(address, {"before": first.older}).context["page"]
    assert [line.id for line in second.hands] == ids[1::-1]
    assert second.older is None


def test_a_hand_names_its_neighbours(client: Client, club: tuple[Club, User]) -> None:
    first, second, third = _many(*club, 3)
    neighbours = [
        (page.before, page.after)
        for hand in (first, second, third)
        for page in [client.get(reverse("web:hand", args=[club[0].slug, hand])).context["hand"]]
    ]
    assert neighbours == [(None, second), (first, third), (second, None)]


# --- The player -------------------------------------------------------------------------------------------


def test_a_player_has_figures_with_their_counts(client: Client, club: tuple[Club, User]) -> None:
    _many(*club, 12)
    page = _text(client, "player", club[0].slug, player_named(club[0], "Bo").pk)
    assert "−228" in page  # 12 hands of -19
    assert "0 of 12" in page  # fouls
    assert "n = 12 hands" in page
    assert 'class="scarce"' in page  # 12 hands are few
    anna = _text(client, "player", club[0].slug, player_named(club[0], "Anna").pk)
    assert "12 of 12" in anna  # each of her hands led to Fantasyland


def test_a_figure_of_few_opportunities_has_no_value(client: Client, club: tuple[Club, User]) -> None:
    put(*club, SCOOP)
    count()
    page = client.get(reverse("web:player", args=[club[0].slug, player_named(club[0], "Anna").pk]))
    mean = page.context["page"].lines[0].cells[2]
    assert (mean.value, mean.counts, mean.interval) == ("–", "+19 in 1", "")


def test_a_player_without_scored_hands_says_so(client: Client, club: tuple[Club, User]) -> None:
    put(*club, _fantasyland(complete=False))
    page = _text(client, "player", club[0].slug, player_named(club[0], "Anna").pk)
    assert "No scored hands yet" in page
    assert "data-figure" not in page


def test_the_curve_is_a_line_of_his_points(client: Client, club: tuple[Club, User]) -> None:
    _many(*club, 3)
    address = reverse("web:points", args=[club[0].slug, player_named(club[0], "Bo").pk])
    figure = client.get(address).json()
    (line,) = figure["data"]
    assert line["type"] == "scatter"
    assert (line["x"][0], line["y"][0]) == (0, 0)
    assert (line["x"][-1], line["y"][-1]) == (3, -57)


# --- Around them ------------------------------------------------------------------------------------------


def test_logging_in_leads_back_and_out(client: Client, settings: LazySettings) -> None:
    settings.ZEAL_ALLOWLIST = [{"model": "sessions.Session", "field": "get()"}]  # Django logs out with two
    club, director = a_club()
    address = reverse("web:club", args=[club.slug])
    page = client.get("/login/", {"next": address})
    assert f'name="next" value="{address}"' in page.content.decode()
    wrong = client.post("/login/", {"username": director.username, "password": "wrong", "next": address})
    assert "do not go together" in wrong.content.decode()
    right = client.post(
        "/login/", {"username": director.username, "password": "a long pass phrase", "next": address}
    )
    assert right["Location"] == address
    assert director.username in _text(client, "home")
    assert client.post("/logout/")["Location"] == "/"


def test_an_unknown_page_says_what_to_do(client: Client) -> None:
    response = client.get("/c/nobody/")
    assert response.status_code == 404
    assert "log in or ask the club" in response.content.decode()


def test_pages_only_read(client: Client, club: tuple[Club, User]) -> None:
    assert client.post(reverse("web:club", args=[club[0].slug])).status_code == 405
    assert client.head(reverse("web:club", args=[club[0].slug])).status_code == 200


def test_names_are_text(client: Client, club: tuple[Club, User]) -> None:
    hand = deepcopy(SCOOP)
    hand["seats"][0]["player"] = "<script>alert(1)</script>"
    page = _text(client, "hand", club[0].slug, put(*club, hand))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


# --- Queries ----------------------------------------------------------------------------------------------

QUERIES = {"home": 1, "club": 8, "hands": 3, "hand": 7, "player": 9, "points": 3}


@pytest.mark.parametrize("number", [2, 30])
def test_queries_do_not_grow_with_the_hands(
    client: Client,
    club: tuple[Club, User],
    django_assert_max_num_queries: Any,
    number: int,
) -> None:
    ids = _many(*club, number)
    slug, player = club[0].slug, player_named(club[0], "Anna").pk
    arguments = {
        "home": [],
        "club": [slug],
        "hands": [slug],
        "hand": [slug, ids[0]],
        "player": [slug, player],
        "points": [slug, player],
    }
    for name, given in arguments.items():
        client.get(reverse(f"web:{name}", args=given))  # rule sets are read once a process
        with django_assert_max_num_queries(QUERIES[name], info=name):
            client.get(reverse(f"web:{name}", args=given))
