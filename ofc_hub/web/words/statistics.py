"""What the declarations of `analytics` say in English, listed for the translators."""

from django.utils.translation import gettext_noop

NAMES = (
    gettext_noop("Hands"),
    gettext_noop("Points"),
    gettext_noop("Ruled points"),
    gettext_noop("Points per hand"),
    gettext_noop("Royalties per hand"),
    gettext_noop("Royalties on top per hand"),
    gettext_noop("Royalties in the middle per hand"),
    gettext_noop("Royalties on the bottom per hand"),
    gettext_noop("Fouls"),
    gettext_noop("Dead hands"),
    gettext_noop("Fantasyland entries"),
    gettext_noop("Fantasyland stays"),
    gettext_noop("Fantasyland hands"),
    gettext_noop("Rows won"),
    gettext_noop("Rows tied"),
    gettext_noop("Rows lost"),
    gettext_noop("Scoops over legal hands"),
    gettext_noop("Scooped with a legal hand"),
    gettext_noop("Scoops over fouls"),
    gettext_noop("Scooped by a foul"),
    gettext_noop("Points per opponent"),
    gettext_noop("Chips per hand"),
    gettext_noop("Chips per opponent"),
    gettext_noop("Fantasyland entries with QQ"),
    gettext_noop("Fantasyland entries with KK"),
    gettext_noop("Fantasyland entries with AA"),
    gettext_noop("Fantasyland entries with trips"),
    gettext_noop("Fantasyland stays with 13 cards"),
    gettext_noop("Fantasyland stays with 14 cards"),
    gettext_noop("Fantasyland stays with 15 cards"),
    gettext_noop("Fantasyland stays with 16 cards"),
    gettext_noop("Fantasyland stays with 17 cards"),
    gettext_noop("Gain of a Fantasyland hand"),
    gettext_noop("No pair in the top row"),
    gettext_noop("Pair in the top row"),
    gettext_noop("Trips in the top row"),
    gettext_noop("No pair in the middle row"),
    gettext_noop("Pair in the middle row"),
    gettext_noop("Two pair in the middle row"),
    gettext_noop("Trips in the middle row"),
    gettext_noop("Straight in the middle row"),
    gettext_noop("Flush in the middle row"),
    gettext_noop("Full house in the middle row"),
    gettext_noop("Quads in the middle row"),
    gettext_noop("Straight flush in the middle row"),
    gettext_noop("Five of a kind in the middle row"),
    gettext_noop("Low in the middle row"),
    gettext_noop("No pair in the bottom row"),
    gettext_noop("Pair in the bottom row"),
    gettext_noop("Two pair in the bottom row"),
    gettext_noop("Trips in the bottom row"),
    gettext_noop("Straight in the bottom row"),
    gettext_noop("Flush in the bottom row"),
    gettext_noop("Full house in the bottom row"),
    gettext_noop("Quads in the bottom row"),
    gettext_noop("Straight flush in the bottom row"),
    gettext_noop("Five of a kind in the bottom row"),
)
DEFINITIONS = (
    gettext_noop("Scored hands."),
    gettext_noop("Points won less points lost, before any cap."),
    gettext_noop("Points that directors' rulings gave or took; they are not among the points."),
    gettext_noop("Points won less points lost, before any cap, over the scored hands."),
    gettext_noop("Royalties of all three rows over the hands whose boards are known; a foul has none."),
    gettext_noop("Royalties of the top row over the hands whose boards are known; a foul has none."),
    gettext_noop("Royalties of the middle row over the hands whose boards are known; a foul has none."),
    gettext_noop("Royalties of the bottom row over the hands whose boards are known; a foul has none."),
    gettext_noop("Hands that were fouled, dead hands included, over the hands whose boards are known."),
    gettext_noop("Hands that were declared dead over the hands whose boards are known."),
    gettext_noop(
        "Normal hands that put the player in Fantasyland over the normal hands whose boards are known."
    ),
    gettext_noop(
        "Fantasyland hands that kept the player there over the Fantasyland hands whose boards are known."
    ),
    gettext_noop("Hands that the player was dealt in Fantasyland over the scored hands."),
    gettext_noop("Rows won over the rows compared, the three rows over a foul included."),
    gettext_noop("Rows tied over the rows compared, the three rows over a foul included."),
    gettext_noop("Rows lost over the rows compared, the three rows over a foul included."),
    gettext_noop("All three rows won from a legal hand over the opponents faced with neither hand fouled."),
    gettext_noop("All three rows lost with a legal hand over the opponents faced with neither hand fouled."),
    gettext_noop(
        "All three rows taken from a fouled hand over the opponents faced, less those where both fouled."
    ),
    gettext_noop(
        "All three rows given away by fouling over the opponents faced, less those where both fouled."
    ),
    gettext_noop(
        "Points won less points lost, before any cap, over the boards of others that sat in the hands."
    ),
    gettext_noop("Chips as paid over the hands whose chips are known."),
    gettext_noop("Chips as paid over the boards of others in the hands whose chips are known."),
    gettext_noop(
        "Normal hands that entered Fantasyland with a pair of queens on top over the normal hands whose "
        "boards are known."
    ),
    gettext_noop(
        "Normal hands that entered Fantasyland with a pair of kings on top over the normal hands whose "
        "boards are known."
    ),
    gettext_noop(
        "Normal hands that entered Fantasyland with a pair of aces on top over the normal hands whose "
        "boards are known."
    ),
    gettext_noop(
        "Normal hands that entered Fantasyland with trips on top over the normal hands whose boards are "
        "known."
    ),
    gettext_noop("Fantasyland hands of 13 cards that stayed over those of 13 cards whose boards are known."),
    gettext_noop("Fantasyland hands of 14 cards that stayed over those of 14 cards whose boards are known."),
    gettext_noop("Fantasyland hands of 15 cards that stayed over those of 15 cards whose boards are known."),
    gettext_noop("Fantasyland hands of 16 cards that stayed over those of 16 cards whose boards are known."),
    gettext_noop("Fantasyland hands of 17 cards that stayed over those of 17 cards whose boards are known."),
    gettext_noop("Points per Fantasyland hand less points per normal hand."),
    gettext_noop("Legal hands with no pair in the top row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with a pair in the top row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with trips in the top row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with no pair in the middle row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with a pair in the middle row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with two pair in the middle row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with trips in the middle row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a straight in the middle row over the legal hands whose boards are known."
    ),
    gettext_noop("Legal hands with a flush in the middle row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a full house in the middle row over the legal hands whose boards are known."
    ),
    gettext_noop("Legal hands with quads in the middle row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a straight flush in the middle row over the legal hands whose boards are known."
    ),
    gettext_noop(
        "Legal hands with five of a kind in the middle row over the legal hands whose boards are known."
    ),
    gettext_noop("Legal hands with a low in the middle row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with no pair in the bottom row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with a pair in the bottom row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with two pair in the bottom row over the legal hands whose boards are known."),
    gettext_noop("Legal hands with trips in the bottom row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a straight in the bottom row over the legal hands whose boards are known."
    ),
    gettext_noop("Legal hands with a flush in the bottom row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a full house in the bottom row over the legal hands whose boards are known."
    ),
    gettext_noop("Legal hands with quads in the bottom row over the legal hands whose boards are known."),
    gettext_noop(
        "Legal hands with a straight flush in the bottom row over the legal hands whose boards are known."
    ),
    gettext_noop(
        "Legal hands with five of a kind in the bottom row over the legal hands whose boards are known."
    ),
)
UNITS = (
    gettext_noop("hands"),
    gettext_noop("points"),
    gettext_noop("points per hand"),
    gettext_noop("share of hands"),
    gettext_noop("share of normal hands"),
    gettext_noop("share of Fantasyland hands"),
    gettext_noop("share of rows"),
    gettext_noop("share of opponents faced"),
    gettext_noop("points per opponent"),
    gettext_noop("chips per hand"),
    gettext_noop("chips per opponent"),
    gettext_noop("share of legal hands"),
)
FIRST_STREETS = (
    gettext_noop("nothing"),
    gettext_noop("flush draw"),
    gettext_noop("pair on top"),
    gettext_noop("pair in the middle"),
    gettext_noop("pair on the bottom"),
    gettext_noop("two pair"),
    gettext_noop("trips"),
    gettext_noop("joker"),
)
