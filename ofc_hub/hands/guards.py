"""What the database itself refuses to do to the log.

Events, and rule sets, never change. An INSERT of events must be exactly the continuation up to the club's
`LogHead`, and a head only grows, at commit to a position that is filled.
"""

from ofc_hub.core.append_only import (
    REFUSE_CHANGE,
    Guard,
    GuardOperation,
    append_only,
    declare,
    refuse_truncate,
    sqlite_trigger,
)

EVENT_KEYS = (("club_id", "position"), ("stream_id", "version"), ("club_id", "client_id"))
RULE_SET_KEYS = (("digest",),)

# One statement, one check: on PostgreSQL it costs 1 % of an insert, a check by row 19 %.
_FOLLOWS = """
CREATE OR REPLACE FUNCTION {schema}.hands_event_follows_head() {plpgsql}
DECLARE block record;
BEGIN
  FOR block IN SELECT club_id, min(position) AS first, max(position) AS last, count(*) AS rows
               FROM fresh GROUP BY club_id
  LOOP
    IF block.first < 1 OR block.last - block.first + 1 <> block.rows
       OR block.last IS DISTINCT FROM
          (SELECT h.position FROM {schema}.hands_loghead h WHERE h.club_id = block.club_id)
       OR block.first > 1 AND NOT EXISTS
          (SELECT FROM {schema}.hands_event e
           WHERE e.club_id = block.club_id AND e.position = block.first - 1)
    THEN
      RAISE EXCEPTION 'hands_event: positions % to % of club % do not follow the log up to its head',
        block.first, block.last, block.club_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$"""

_GROWS = """
CREATE OR REPLACE FUNCTION {schema}.hands_loghead_grows() {plpgsql}
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.club_id = OLD.club_id AND NEW.position >= OLD.position
     OR TG_OP = 'INSERT' AND NEW.position = 0
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'hands_loghead: a head begins at 0 and only grows'
    USING ERRCODE = 'integrity_constraint_violation';
END $$"""

_FILLED = """
CREATE OR REPLACE FUNCTION {schema}.hands_loghead_filled() {plpgsql}
BEGIN
  IF NEW.position > 0 AND NOT EXISTS
     (SELECT FROM {schema}.hands_event e WHERE e.club_id = NEW.club_id AND e.position = NEW.position)
  THEN
    RAISE EXCEPTION 'hands_loghead: position % of club % was taken and not filled',
      NEW.position, NEW.club_id USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$"""


def _follows_head() -> Guard:
    name = "hands_event_follows_head"
    not_next = (
        "NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM hands_event"
        " WHERE club_id = NEW.club_id)"
        " OR NEW.position > coalesce((SELECT position FROM hands_loghead WHERE club_id = NEW.club_id), 0)"
    )
    postgresql = {
        name: f"CREATE TRIGGER {name} AFTER INSERT ON hands_event REFERENCING NEW TABLE AS fresh "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {{schema}}.{name}()"
    }
    sqlite = {name: sqlite_trigger(name, "INSERT", "hands_event", not_next)}
    return Guard(name, "hands_event", {"postgresql": postgresql, "sqlite": sqlite}, (_FOLLOWS,))


def _head_grows() -> Guard:
    table, grows, filled = "hands_loghead", "hands_loghead_grows", "hands_loghead_filled"
    postgresql = {
        grows: f"CREATE TRIGGER {grows} BEFORE INSERT OR UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {{schema}}.{grows}()",
        filled: f"CREATE CONSTRAINT TRIGGER {filled} AFTER UPDATE ON {table} DEFERRABLE INITIALLY DEFERRED "
        f"FOR EACH ROW EXECUTE FUNCTION {{schema}}.{filled}()",
        **refuse_truncate(table),
    }
    refused = {
        f"{table}_starts": (
            "INSERT",
            "NEW.position <> 0 OR EXISTS (SELECT 1 FROM hands_loghead WHERE club_id = NEW.club_id)",
        ),
        grows: ("UPDATE", "NEW.club_id <> OLD.club_id OR NEW.position < OLD.position"),
        f"{table}_stays": ("DELETE", "1"),
    }
    sqlite = {name: sqlite_trigger(name, verb, table, when) for name, (verb, when) in refused.items()}
    functions = (REFUSE_CHANGE, _GROWS, _FILLED)
    never = frozenset({"DELETE", "TRUNCATE"})
    return Guard(grows, table, {"postgresql": postgresql, "sqlite": sqlite}, functions, never)


EVENTS_STAY = declare(append_only("hands_event", EVENT_KEYS))
RULE_SETS_STAY = declare(append_only("hands_rulesetrecord", RULE_SET_KEYS))
FOLLOWS_HEAD = declare(_follows_head())
HEAD_GROWS = declare(_head_grows())


class FollowsHead(GuardOperation):
    """Refuse events that do not continue the log up to its head."""

    def guard(self) -> Guard:
        return FOLLOWS_HEAD


class HeadGrows(GuardOperation):
    """Refuse a head that shrinks, or that is at a position without an event at commit (PostgreSQL)."""

    def guard(self) -> Guard:
        return HEAD_GROWS
