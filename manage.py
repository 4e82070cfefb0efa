#!/usr/bin/env python
import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")
    from django.core.management import execute_from_command_line

    from ofc_hub.ops.embedded import choose_environment

    # Settings are read once, so what `run` chooses has to be there before them.
    if sys.argv[1:2] == ["run"]:
        choose_environment(os.environ)
    execute_from_command_line(sys.argv)
