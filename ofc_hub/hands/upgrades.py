"""Old events stay readable: how an event of an older schema is read as one of the present.

Events never change in the log, and their digests cover them as they were written. Whoever gives a kind of
event another shape raises its schema in `scoring.domain.events.SCHEMAS`, adds the step from the former one
here, and one file of the new schema to the corpus of the tests.
"""

from collections.abc import Callable, Mapping

from scoring.domain.events import SCHEMAS, Event

Step = Callable[[Event], Event]

#: (kind, schema) -> the event of that kind as one of the next schema.
STEPS: Mapping[tuple[str, int], Step] = {}


def upgraded(event: Event) -> Event:
    """The event in the present schema of its kind, for `replay`.

    One that no step leads on from stays as it is; `replay` refuses it as `unknown-schema`.
    """
    present = SCHEMAS.get(event.kind)
    while event.schema != present:
        step = STEPS.get((event.kind, event.schema))
        if step is None:
            break
        event = step(event)._replace(schema=event.schema + 1)
    return event


def chain_problems(
    schemas: Mapping[str, int] = SCHEMAS, steps: Mapping[tuple[str, int], Step] | None = None
) -> list[str]:
    """What is wrong with the chain: steps that are missing, and steps that lead nowhere."""
    there = (STEPS if steps is None else steps).keys()
    needed = {(kind, schema) for kind, present in schemas.items() for schema in range(1, present)}
    missing = [f"no step leads on from {kind} of schema {schema}" for kind, schema in sorted(needed - there)]
    astray = [
        f"the step from {kind} of schema {schema} leads nowhere" for kind, schema in sorted(there - needed)
    ]
    return missing + astray
