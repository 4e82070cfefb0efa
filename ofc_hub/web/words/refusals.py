"""A problem of the domain in the reader's language."""

from django.utils.translation import get_language, gettext

from scoring.domain.errors import CODES, Problem


def problem_text(problem: Problem) -> str:
    """In English the domain's own sentence; in other languages what its code means."""
    if (get_language() or "en").startswith("en") or problem.code not in CODES:
        return problem.message
    return gettext(CODES[problem.code])
