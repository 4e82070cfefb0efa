"""The pages. Each finds its club through the viewer; what is not his to see is 404 like what is not there."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

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
    return render(request, "web/club.html", {"club": found, "page": club_page.club_page(found)})


@require_safe
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    found = _club(request, slug)
    before = request.GET.get("before")
    if before is not None and not (before.isascii() and before.isdecimal() and len(before) < 19):
        raise Http404
    page = club_page.hands_page(found, int(before) if before else None)
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
    page = player_page.player_page(found, _player(found, player_id))
    return render(request, "web/player.html", {"club": found, "page": page})


@require_safe
def points(request: HttpRequest, slug: str, player_id: int) -> HttpResponse:
    """A player's cumulative points as a figure for the drawing bundle."""
    found = _club(request, slug)
    return JsonResponse(player_page.points_data(found, _player(found, player_id)))


def _club(request: HttpRequest, slug: str) -> Club:
    club = get_club(request.user, slug)
    if club is None:
        raise Http404
    return club


def _player(club: Club, player_id: int) -> Player:
    player = player_page.find_player(club, player_id) if player_id <= LARGEST_ID else None
    if player is None:
        raise Http404
    return player
