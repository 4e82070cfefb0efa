"""Canonical bytes and the chain of digests. The pinned values must never change: stores hold them."""

from hashlib import sha256

from scoring.domain.events import (
    CARDS_PLACED,
    GENESIS,
    HAND_STARTED,
    KINDS,
    Event,
    canonical_bytes,
    chain,
    chain_all,
)

STARTED = Event(
    1,
    HAND_STARTED,
    None,
    "",
    {"stake": 10000, "button": 2, "rules": "ab", "seats": [{"seat": 1, "alias": "ä"}]},
    "import",
    None,
    1_790_000_000_000_000,
)
PLACED = Event(2, CARDS_PLACED, 1, "As/2c3c/KdKh|5h", client_id="5e0dd6ee-8a56-4a3c-a5d5-6a5e5e2a0000")


def test_canonical_bytes_are_pinned() -> None:
    assert (
        canonical_bytes("hand", "home-club", "T1-0042", STARTED)
        == (
            '["hand","home-club","T1-0042",1,"hand-started",null,"",'
            '{"button":2,"rules":"ab","seats":[{"alias":"ä","seat":1}],"stake":10000},'
            '"import",null,1790000000000000,1]'
        ).encode()
    )
    assert canonical_bytes("hand", "home-club", "T1-0042", PLACED) == (
        b'["hand","home-club","T1-0042",2,"cards-placed",1,"As/2c3c/KdKh|5h",null,"",'
        b'"5e0dd6ee-8a56-4a3c-a5d5-6a5e5e2a0000",null,1]'
    )


def test_a_digest_covers_the_one_before() -> None:
    first = sha256(bytes(32) + canonical_bytes("hand", "s", "k", STARTED)).digest()
    second = sha256(first + canonical_bytes("hand", "s", "k", PLACED)).digest()
    assert chain(GENESIS, "hand", "s", "k", STARTED) == first
    assert chain_all(GENESIS, "hand", "s", "k", [STARTED, PLACED]) == [first, second]


def test_digests_are_pinned() -> None:
    first, second = chain_all(GENESIS, "hand", "home-club", "T1-0042", [STARTED, PLACED])
    assert first.hex() == "d34045065cbc0574287a2e0c9bc3ebb91ddfe8d88a51e49be5f6c0954ffc6a62"
    assert second.hex() == "0f46134683d5d8ed036424c6a64721ecbe2aeb4089e8f957e0c6b0fa4ff084a1"


def test_the_order_of_keys_in_data_does_not_matter_and_everything_else_does() -> None:
    turned = STARTED._replace(data=dict(reversed(list((STARTED.data or {}).items()))))
    assert chain(GENESIS, "hand", "s", "k", turned) == chain(GENESIS, "hand", "s", "k", STARTED)
    changes = [
        PLACED._replace(version=3),
        PLACED._replace(kind="seat-died"),
        PLACED._replace(seat=2),
        PLACED._replace(cards="As/2c3c/KdKs|5h"),
        PLACED._replace(data={"auto": True}),
        PLACED._replace(actor="bo"),
        PLACED._replace(client_id=None),
        PLACED._replace(happened_at=0),
        PLACED._replace(schema=2),
    ]
    digests = {chain(GENESIS, "hand", "s", "k", event) for event in [PLACED, *changes]}
    streams = {
        chain(GENESIS, *stream, PLACED)
        for stream in [("hand", "s", "l"), ("hand", "t", "k"), ("table", "s", "k")]
    }
    before = {chain(bytes([1] * 32), "hand", "s", "k", PLACED)}
    assert len(digests | streams | before) == len(changes) + 1 + 3 + 1


def test_the_kinds_are_those_of_the_design() -> None:
    assert len(KINDS) == len(set(KINDS)) == 12
