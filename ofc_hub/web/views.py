"""The pages. Each finds its club through the viewer; what is not his to see is 404 like what is not there."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analytics.selectors import AsOf, as_of, wait_for
from ofc_hub.clubs.models import Club, Player
from ofc_hub.clubs.selectors import get_club
from ofc_hub.web import club_page, hand_page, player_page

LARGEST_ID = 2**63 - 1


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "web/home.html", {"clubs": club_page.home(request.user)})


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    found = _club(request, slug)
    page = club_page.club_page(found, _reach(request, found))
    return render(request, "web/club.html", {"club": found, "page": page})


@require_safe
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    found = _club(request, slug)
    page = club_page.hands_page(found, _number(request, "before"))
    if page is None:
        raise Http404
    return render(request, "web/hands.html", {"club": found, "page": page})


@require_safe
def hand(request: HttpRequest, slug: str, hand_id: int) -> HttpResponse:
    found = _club(request, slug)
    page = hand_page.hand_page(request.user, found, hand_id) if hand_id <= LARGEST_ID else None
    if page is None:
        raise Http404
    return render(request, "web/hand.html", {"club": found, "hand": page})


@require_safe
def player(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    found = _club(request, slug)
    one = _player(found, player_id)
    page = player_page.player_page(found, one, _reach(request, found))
    return render(request, "web/player.html", {"club": found, "page": page})


@require_safe
def points(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """A player's cumulative points as a figure for the drawing bundle."""
    found = _club(request, slug)
    one = _player(found, player_id)
    if "at" in request.GET:
        _reach(request, found)
    return JsonResponse(player_page.points_data(found, one))


def _club(request: HttpRequest, slug: str) -> Club:
    club = get_club(request.user, slug)
    if club is None:
        raise Http404
    return club


def _reach(request: HttpRequest, club: Club) -> AsOf:
    """How far the statistics are complete; found out before they are read: they may be newer, never older.

    `?at=POSITION` waits up to 2 s for what somebody wrote at that position of the log and now looks for.
    """
    position = _number(request, "at")
    return as_of(club) if position is None else wait_for(club, position)


def _number(request: HttpRequest, name: str) -> int | None:
    """A parameter that is a number, None where it is not given; anything else is no address of ours."""
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)


def _player(club: Club, player_id: int) -> Player:
    player = player_page.find_player(club, player_id) if player_id <= LARGEST_ID else None
    if player is None:
        raise Http404
    return player
