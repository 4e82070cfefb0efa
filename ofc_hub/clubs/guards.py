"""What the database itself refuses to do to the audit."""

from ofc_hub.core.append_only import append_only, declare

AUDIT_STAYS = declare(append_only("clubs_auditline"))
