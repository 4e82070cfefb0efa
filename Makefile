.PHONY: run test prove lint messages backup restore

# Serve a demo on http://127.0.0.1:8000 from nothing: environment, database, demo club, worker, pages.
run:
	@bin/environment requirements.txt
	@exec .venv/bin/python manage.py run

# All tests, on a SQLite file; with DATABASE_URL set, on that database. ARGS goes to pytest.
test:
	@bin/environment requirements-dev.txt
	@.venv/bin/python -m pytest -n 2 $(ARGS)

# The full proofs of docs/guarantees.md on SQLite and on PostgreSQL (that of DATABASE_URL, else on 127.0.0.1), about
# an hour; docs/proofs.md says what came of it.
prove:
	@bin/environment requirements-dev.txt
	@.venv/bin/python -m tests.proof_report $(ARGS)

lint:
	@bin/environment requirements-dev.txt
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# Bring the catalogues of locale/ up to date with the sources and compile them; needs gettext (docs/translations.md).
messages:
	@bin/environment requirements.txt
	.venv/bin/python manage.py makemessages --all --no-obsolete --no-wrap --add-location file --extension py,html \
	    --ignore .venv --ignore var --ignore tests --ignore benchmarks
	.venv/bin/python manage.py compilemessages --ignore .venv

# A dated copy of the database of DATABASE_URL into var/backups, or the folder TO; everything may go on meanwhile.
backup:
	@test -x .venv/bin/python || bin/environment requirements.txt
	@.venv/bin/python manage.py backup $(if $(TO),--to "$(TO)")

# The backup FILE into the database of DATABASE_URL, which must be empty unless FORCE=1, then verify all of it.
restore:
	@test -x .venv/bin/python || bin/environment requirements.txt
	@test -n "$(FILE)" || { echo "usage: make restore FILE=var/backups/ofc-hub-... [FORCE=1]" >&2; exit 2; }
	@.venv/bin/python manage.py restore "$(FILE)" $(if $(filter 1,$(FORCE)),--force)
	@.venv/bin/python manage.py migrate --no-input --verbosity=0
	@.venv/bin/python manage.py verify_events
