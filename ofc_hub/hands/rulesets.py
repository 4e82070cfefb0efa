"""Rule sets in the store: written once by their hash, read back for ever."""

from functools import lru_cache

from django.db import IntegrityError, transaction

from ofc_hub.hands.models import RuleSetRecord
from scoring.domain.errors import Problem
from scoring.domain.rulesets import RuleSet, as_data, from_data


def record_of(rules: RuleSet) -> RuleSetRecord:
    """The record of the rule set, made at its first use."""
    digest = rules.digest
    record = RuleSetRecord.objects.filter(pk=digest).first()
    if record is not None:
        return record
    try:
        with transaction.atomic():
            return RuleSetRecord.objects.create(digest=digest, code=rules.base, data=as_data(rules))
    except IntegrityError:  # another writer was first
        return RuleSetRecord.objects.get(pk=digest)


# A digest names one content for ever, so a cached rule set cannot be stale.
@lru_cache(maxsize=256)
def rules_of(digest: str) -> RuleSet:
    """The rule set with this hash. Raises LookupError where the store has none that reads and hashes so."""
    record = RuleSetRecord.objects.filter(pk=digest).first()
    rules = from_data(record.data) if record else None
    if rules is None or isinstance(rules, Problem) or rules.digest != digest:
        raise LookupError(f"no rule set {digest}")
    return rules
