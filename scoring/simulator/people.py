"""Who plays: circles of eight, each with players of every strength."""

from dataclasses import dataclass
from typing import Final

from scoring.simulator.chance import key_of


@dataclass(frozen=True, slots=True)
class Person:
    """A player: his `error` in points (see `placing`), how much he makes of Fantasyland (1 = what it is
    worth), and the seconds that he usually takes for a street."""

    name: str
    error: float
    daring: float
    seconds: float


#: The circle of the demo, the strongest first.
THE_EIGHT: Final = (
    Person("Ingrid Sørensen", 0.05, 1.8, 7.0),
    Person("Kofi Mensah", 0.1, 2.2, 5.5),
    Person("Putri Wulandari", 0.15, 1.9, 6.5),
    Person("Étienne Lefèvre", 0.2, 2.2, 9.0),
    Person("María Fernanda de la Concepción Villanueva Echeverría", 0.3, 2.2, 8.0),
    Person("Tomasz Zieliński", 0.4, 2.3, 4.5),
    Person("Haruka Tanaka", 0.5, 2.2, 10.0),
    Person("Bo", 0.65, 2.5, 6.0),
)
_FIRST_NAMES: Final = (
    *("Agnes", "Amir", "Astrid", "Budi", "Camille", "Chidi", "Dewi", "Diego", "Elif", "Emil", "Fatima"),
    *("Freja", "Giulia", "Hugo", "Ines", "Ivan", "Jonas", "Keiko", "Lars", "Lucía", "Mads", "Mei", "Nadia"),
    *("Noah", "Olga", "Omar", "Paula", "Rafael", "Rosa", "Sven", "Thabo", "Ulla", "Vera", "Yusuf", "Zoé"),
)
_LAST_NAMES: Final = (
    *(
        "Acosta",
        "Andersen",
        "Bauer",
        "Bianchi",
        "Castillo",
        "Chen",
        "Delgado",
        "Dubois",
        "Eriksen",
        "Fontaine",
    ),
    *("Garnier", "Hadi", "Hansen", "Iversen", "Jansen", "Kaya", "Kowalski", "Lima", "Moreau", "Nakamura"),
    *("Novák", "Okafor", "Pedersen", "Quispe", "Rossi", "Santoso", "Silva", "Torres", "Utami", "Vargas"),
    *("Wagner", "Wijaya", "Yilmaz"),
)


def circle(number: int) -> tuple[Person, ...]:
    """The players of a circle; circle 0 is the demo's. No name comes twice."""
    if number == 0:
        return THE_EIGHT
    return tuple(
        Person(_name(8 * (number - 1) + place), person.error, person.daring, person.seconds)
        for place, person in enumerate(THE_EIGHT)
    )


def _name(number: int) -> str:
    firsts, lasts = len(_FIRST_NAMES), len(_LAST_NAMES)
    turn, first = divmod(number, firsts)
    again, turn = divmod(turn, lasts)
    name = f"{_FIRST_NAMES[first]} {_LAST_NAMES[(turn + 7 * first) % lasts]}"
    return f"{name} {again + 1}" if again else name


def among(people: tuple[Person, ...], count: int, *of: object) -> list[Person]:
    """So many of them, in the order in which they come."""
    return sorted(people, key=lambda person: key_of(*of, person.name))[:count]
