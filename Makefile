.PHONY: run test lint

# Serve a demo on http://127.0.0.1:8000 from nothing: environment, database, sample hands, worker, pages.
run:
	@bin/environment requirements.txt
	@exec .venv/bin/python manage.py run

# All tests, on a SQLite file; with DATABASE_URL set, on that database. ARGS goes to pytest.
test:
	@bin/environment requirements-dev.txt
	@.venv/bin/python -m pytest -n 2 $(ARGS)

lint:
	@bin/environment requirements-dev.txt
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
