from django.db import migrations

from ofc_hub.core.append_only import AppendOnly
from ofc_hub.hands.guards import EVENT_KEYS, RULE_SET_KEYS, FollowsHead, HeadGrows


class Migration(migrations.Migration):
    """The guards again: their functions no longer depend on a session's search path."""

    dependencies = [("hands", "0002_guards")]

    operations = [
        AppendOnly("hands_event", EVENT_KEYS),
        AppendOnly("hands_rulesetrecord", RULE_SET_KEYS),
        FollowsHead(),
        HeadGrows(),
    ]
