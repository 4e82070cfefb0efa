"""The matrix of promise 4: what is answered to a batch of which something may be stored already.

A letter is an event with a client id of its own, a capital the same id with other content, `-` an event
without an id. Each cell stands on a hand of its own and says what must be answered:

    =1-3        stored before, at these positions, and nothing more is stored now
    +1-4        stored from here to here; what was not there before is at the end
    stale xy    refused, nothing is stored: these events were missed
    !a          refused, nothing is stored: this client id is another event's

Written by hand from the table in `ofc_hub.hands.repeats`, which decides what other stores leave open.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ofc_hub.hands.log import Appended, ClientIdConflict, Stale
from ofc_hub.hands.models import Event as Row
from tests.writers import client_id_of

EXPECTED = (0, 1, 3, 5, 9, None)

#: The hand holds a b c.
AT_THE_HEAD = """
batch   | 0         | 1         | 3         | 5         | 9         | any
a       | =1-1      | =1-1      | =1-1      | =1-1      | =1-1      | =1-1
b       | =2-2      | =2-2      | =2-2      | =2-2      | =2-2      | =2-2
c       | =3-3      | =3-3      | =3-3      | =3-3      | =3-3      | =3-3
ab      | =1-2      | =1-2      | =1-2      | =1-2      | =1-2      | =1-2
bc      | =2-3      | =2-3      | =2-3      | =2-3      | =2-3      | =2-3
abc     | =1-3      | =1-3      | =1-3      | =1-3      | =1-3      | =1-3
d       | stale abc | stale bc  | +4-4      | stale     | stale     | +4-4
de      | stale abc | stale bc  | +4-5      | stale     | stale     | +4-5
-       | stale abc | stale bc  | +4-4      | stale     | stale     | +4-4
abcd    | +1-4      | +1-4      | +1-4      | +1-4      | +1-4      | +1-4
bcd     | +2-4      | +2-4      | +2-4      | +2-4      | +2-4      | +2-4
cde     | +3-5      | +3-5      | +3-5      | +3-5      | +3-5      | +3-5
abc-    | +1-4      | +1-4      | +1-4      | +1-4      | +1-4      | +1-4
abd     | stale c   | stale c   | stale c   | stale c   | stale c   | stale c
ad      | stale bc  | stale bc  | stale bc  | stale bc  | stale bc  | stale bc
a-      | stale bc  | stale bc  | stale bc  | stale bc  | stale bc  | stale bc
za      | !a        | !a        | !a        | !a        | !a        | !a
zabc    | !a        | !a        | !a        | !a        | !a        | !a
zbc     | !b        | !b        | !b        | !b        | !b        | !b
-b      | !b        | !b        | !b        | !b        | !b        | !b
ac      | !c        | !c        | !c        | !c        | !c        | !c
abdc    | !c        | !c        | !c        | !c        | !c        | !c
ba      | !a        | !a        | !a        | !a        | !a        | !a
cba     | !b        | !b        | !b        | !b        | !b        | !b
dd      | !d        | !d        | !d        | !d        | !d        | !d
abca    | !a        | !a        | !a        | !a        | !a        | !a
A       | !a        | !a        | !a        | !a        | !a        | !a
Abc     | !a        | !a        | !a        | !a        | !a        | !a
aB      | !b        | !b        | !b        | !b        | !b        | !b
abCd    | !c        | !c        | !c        | !c        | !c        | !c
abcD    | +1-4      | +1-4      | +1-4      | +1-4      | +1-4      | +1-4
"""

#: The hand holds a b c x y: the writer of a b c has not heard of x and y.
FOLLOWED = """
batch   | 0           | 1          | 3         | 5         | 9         | any
a       | =1-1        | =1-1       | =1-1      | =1-1      | =1-1      | =1-1
abc     | =1-3        | =1-3       | =1-3      | =1-3      | =1-3      | =1-3
bc      | =2-3        | =2-3       | =2-3      | =2-3      | =2-3      | =2-3
cx      | =3-4        | =3-4       | =3-4      | =3-4      | =3-4      | =3-4
d       | stale abcxy | stale bcxy | stale xy  | +6-6      | stale     | +6-6
de      | stale abcxy | stale bcxy | stale xy  | +6-7      | stale     | +6-7
abcd    | stale xy    | stale xy   | stale xy  | stale xy  | stale xy  | stale xy
cd      | stale xy    | stale xy   | stale xy  | stale xy  | stale xy  | stale xy
bd      | stale cxy   | stale cxy  | stale cxy | stale cxy | stale cxy | stale cxy
abcxyz  | +1-6        | +1-6       | +1-6      | +1-6      | +1-6      | +1-6
yz      | +5-6        | +5-6       | +5-6      | +5-6      | +5-6      | +5-6
abcdx   | !x          | !x         | !x        | !x        | !x        | !x
ay      | !y          | !y         | !y        | !y        | !y        | !y
abX     | !x          | !x         | !x        | !x        | !x        | !x
"""

#: The hand is new; a b c are stored in another hand of the club.
ELSEWHERE = """
batch   | 0         | 1         | 3         | 5         | 9         | any
a       | !a        | !a        | !a        | !a        | !a        | !a
abc     | !a        | !a        | !a        | !a        | !a        | !a
da      | !a        | !a        | !a        | !a        | !a        | !a
A       | !a        | !a        | !a        | !a        | !a        | !a
d       | +1-1      | stale     | stale     | stale     | stale     | +1-1
de      | +1-2      | stale     | stale     | stale     | stale     | +1-2
"""

#: name -> (what the hand holds, what another hand holds, the table)
STATES = {
    "at the head": ("abc", "", AT_THE_HEAD),
    "followed": ("abcxy", "", FOLLOWED),
    "elsewhere": ("", "abc", ELSEWHERE),
}


@dataclass(frozen=True, slots=True)
class Cell:
    state: str
    batch: str
    expected: int | None
    answer: str

    @property
    def held(self) -> str:
        return STATES[self.state][0]

    @property
    def elsewhere(self) -> str:
        return STATES[self.state][1]


def cells() -> list[Cell]:
    return [cell for state, (_, _, table) in STATES.items() for cell in _cells_of(state, table)]


def _cells_of(state: str, table: str) -> list[Cell]:
    found = []
    for line in table.strip().splitlines()[1:]:
        batch, *answers = (part.strip() for part in line.split("|"))
        found += [Cell(state, batch, *one) for one in zip(EXPECTED, answers, strict=True)]
    return found


#: Writes a batch, letter by letter, to the hand `key`.
Write = Callable[[str, str, int | None], object]


def is_wrong(cell: Cell, key: str, write: Write, begin: Callable[[str], object] = str) -> str | None:
    """None where `write` answers as the cell says and leaves the log as it then must be.

    `begin` makes the hand where it takes more than a first event.
    """
    begin(key)
    if cell.elsewhere:
        write(f"{key}/elsewhere", cell.elsewhere, None)
    base = Row.objects.count()
    if cell.held:
        write(key, cell.held, None)
    before = _ids(key)
    answer = _told(write(key, cell.batch, cell.expected), key, base)
    if answer != cell.answer:
        return f"{cell} was answered {answer}"
    new = int(answer.partition("-")[2]) - len(cell.held) if answer.startswith("+") else 0
    stored = [client_id(key, letter) for letter in cell.batch[len(cell.batch) - new :]]
    return None if _ids(key) == before + stored else f"{cell} left {len(_ids(key))} events"


def client_id(key: str, letter: str) -> str | None:
    """The same for a letter and its capital, on the hand of a cell and on the other one."""
    return None if letter == "-" else client_id_of(f"{key.partition('/')[0]}/{letter.lower()}")


def text_of(letter: str) -> str:
    return f"text of {letter}"


def _ids(key: str) -> list[str | None]:
    rows = Row.objects.filter(stream__key=key).order_by("version")
    return [one and str(one) for one in rows.values_list("client_id", flat=True)]


def _told(outcome: object, key: str, base: int) -> str:
    letters = {client_id(key, letter): letter for letter in "abcdexyz"}
    if isinstance(outcome, Appended):
        sign = "=" if outcome.repeated else "+"
        return f"{sign}{outcome.first_position - base}-{outcome.position - base}"
    if isinstance(outcome, Stale):
        return f"stale {''.join(letters.get(event.client_id, '?') for event in outcome.missed)}".strip()
    return f"!{letters.get(outcome.client_id)}" if isinstance(outcome, ClientIdConflict) else repr(outcome)
