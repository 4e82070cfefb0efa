"""Words that the domain and the statistics, which know no framework, have in English: in other languages.

The modules here list them where `makemessages` finds them; tests/unit/test_translations.py keeps the lists
complete.
"""
